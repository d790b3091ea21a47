/* SPDX-License-Identifier: MIT */
/* tuple_writer.c -- write tuples of a group and a number */

#include <string.h>

#include "engine/cpu/keys/key_counter.h"
#include "engine/cpu/keys/tuple_writer.h"

/* Add the tuples of WRITER to the tables. */
static void
flush(struct tuple_writer *writer)
{
    enum key_result result = KEY_OK;

    if (writer->keys != NULL) {
        result =
            key_counter_add_times(writer->keys, writer->byte, writer->slice,
                                  writer->times, writer->count);
    } else {
        for (size_t i = 0; i < writer->count && result == KEY_OK; i++) {
            const struct key_amount amount = {.count = writer->times[i]};
            result = key_counter_add_amount(writer->counts,
                                            writer->byte + writer->slice[i].at,
                                            writer->slice[i].size, &amount);
        }
    }
    if (writer->result == KEY_OK)
        writer->result = result;
    writer->count = 0;
    writer->used = 0;
}

void
tuple_writer_start(struct tuple_writer *writer, const struct group_cache *cache,
                   const struct cached_group *group)
{
    writer->group_size =
        (size_t)(cached_group_put(cache, group, writer->group) - writer->group);
}

/* Returns where the number of another tuple of the group is written. */
static unsigned char *
start_tuple(struct tuple_writer *writer)
{
    if (writer->count == TUPLE_BATCH ||
        writer->used + TUPLE_ROOM > TUPLE_BATCH_ROOM)
        flush(writer);
    unsigned char *at = writer->byte + writer->used;
    memcpy(at, writer->group, writer->group_size);
    return at + writer->group_size;
}

/* The tuple that was started ends at END, and occurs COUNT times.  Returns
   whether no flush has failed. */
static bool
end_tuple(struct tuple_writer *writer, const unsigned char *end, uint64_t count)
{
    size_t at = writer->used;
    size_t size = (size_t)(end - writer->byte) - at;

    while (count > 0) {
        uint32_t times = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
        /* The bytes stay where they are. */
        if (writer->count == TUPLE_BATCH)
            flush(writer);
        writer->slice[writer->count] = (struct text_slice){
            .at = (binning_u32)at, .size = (binning_u32)size};
        writer->times[writer->count++] = times;
        count -= times;
    }
    writer->used = at + size;
    return writer->result == KEY_OK;
}

bool
tuple_writer_put(void *context, int64_t nano, uint64_t count)
{
    struct tuple_writer *writer = context;
    unsigned char *at = start_tuple(writer);

    return end_tuple(writer,
                     writer->is_real
                         ? key_code_put_real(at, key_decimal_nano_double(nano))
                         : key_decimal_put_nano(at, nano),
                     count);
}

bool
tuple_writer_put_long(struct tuple_writer *writer,
                      const struct ordered_decimal *number, uint64_t count)
{
    unsigned char *at = start_tuple(writer);

    return end_tuple(
        writer,
        writer->is_real
            ? key_code_put_real(at, key_decimal_ordered_double(number))
            : key_decimal_put_ordered(at, number),
        count);
}

void
tuple_writer_put_sum(struct tuple_writer *writer, const struct decimal_sum *sum,
                     uint64_t count)
{
    unsigned char *at = start_tuple(writer);

    end_tuple(writer, key_decimal_put_sum(at, sum), count);
}

enum key_result
tuple_writer_end(struct tuple_writer *writer)
{
    flush(writer);
    return writer->result;
}
