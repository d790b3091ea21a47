/* ranges.c -- the ranges of a plain file, which readers claim one by one */

#include <string.h>

#include "input/ranges.h"

/* Chunks; a smaller file does not gain from a second reader. */
#define SHARED_CHUNKS_MIN 2

/*
 * Files under /sys report the size of a page (up to 64 KiB) but hold less.
 * That is not a truncation, so files this small are not read in ranges.
 */
#define SHARED_BYTES_MIN (128 << 10)

/*
 * How far ahead of the readers the kernel is advised to read, and in which
 * steps: the disk must not idle while the readers count.
 */
#define ANNOUNCED_AHEAD ((off_t)32 << 20)
#define ANNOUNCED_STEP ((off_t)8 << 20)

bool
ranges_are_worth(const struct inputs *inputs, const struct input *input,
                 size_t capacity)
{
    off_t size = input->ranges_end - input->content.source.first;

    return content_has_ranges(&input->content) && size >= SHARED_BYTES_MIN &&
           size >= (off_t)capacity * SHARED_CHUNKS_MIN &&
           !snapshot_gate_awaits_end(inputs->gate);
}

void
ranges_share(struct inputs *inputs, struct input *input)
{
    input->is_shared = true;
    source_begin_ranges(&input->content.source);
    claim_list_add(&inputs->shared, input);
}

/*
 * Advise the kernel to read the next bytes of a shared INPUT.  Under the lock,
 * which is released meanwhile.
 */
static void
announce(struct inputs *inputs, struct input *input)
{
    off_t from = input->announced;
    off_t left = input->ranges_end - input->next_range;
    off_t until =
        input->next_range + (left < ANNOUNCED_AHEAD ? left : ANNOUNCED_AHEAD);

    /* For the kernel a size of 0 is the whole file, beyond --read-bytes. */
    if (until == from ||
        (until < input->ranges_end && until - from < ANNOUNCED_STEP))
        return;
    input->announced = until;
    pthread_mutex_unlock(&inputs->lock);
    source_announce(&input->content.source, from, until - from);
    pthread_mutex_lock(&inputs->lock);
}

/*
 * Returns how many of the SIZE bytes at the next range of INPUT there are up to
 * the last end; 0: there is none.  Under the lock, because the next range
 * starts there: a look at the last bytes takes microseconds of the time for
 * reading the range.
 */
static size_t
find_last_end(const struct inputs *inputs, const struct input *input,
              size_t size)
{
    const struct source *source = &input->content.source;
    unsigned char bytes[4096];

    for (size_t left = size; left > 0;) {
        size_t count = left < sizeof bytes ? left : sizeof bytes;
        left -= count;
        count = source_look_at(source, bytes, count,
                               input->next_range + (off_t)left);
        size_t end = framing_whole(&inputs->framing, bytes, count);
        if (end > 0)
            return left + end;
    }
    return 0;
}

/* Returns the offset in INPUT's content of byte OFFSET of the file. */
static off_t
content_offset(const struct input *input, off_t offset)
{
    return offset - input->content.source.first +
           (off_t)input->content.start_bytes;
}

/*
 * The record of INPUT at BEGIN is too long for a buffer of CAPACITY bytes.
 * Under the lock.
 */
static void
fail_long(struct inputs *inputs, struct input *input, off_t begin,
          size_t capacity)
{
    struct error failure = ERROR_NONE;

    framing_fail_long(&inputs->framing, input->content.source.display_name,
                      (uint64_t)content_offset(input, begin), NULL, capacity,
                      &failure);
    claim_record_failure(inputs, input, begin, &failure);
}

bool
ranges_claim(struct inputs *inputs, struct claim *claim, struct input *input,
             size_t room, size_t capacity)
{
    off_t begin = input->next_range;
    off_t left = input->ranges_end - begin;
    size_t size = left < (off_t)room ? (size_t)left : room;

    if (framing_is_local(&inputs->framing) && left > (off_t)room)
        size = find_last_end(inputs, input, room);
    if (size == 0 && (room < capacity || capacity < inputs->record_max)) {
        /* The record may fit into an empty buffer, or else a longer one. */
        claim->has_more = true;
        claim->wanted = room < capacity ? 0 : capacity + 1;
        return false;
    }
    if (size == 0) {
        fail_long(inputs, input, begin, capacity);
        return false;
    }
    input->next_range += (off_t)size;
    if (input->next_range == input->ranges_end)
        claim_stop_sharing(inputs, input);
    input->readers++;
    claim->range = (struct range){begin, input->next_range};
    announce(inputs, input);
    return true;
}

/* The reader of a range of INPUT has finished it. */
static void
leave(struct inputs *inputs, struct input *input, off_t begin,
      struct error *failure)
{
    pthread_mutex_lock(&inputs->lock);
    claim_record_failure(inputs, input, begin, failure);
    claim_close_if_done(inputs, input);
    pthread_mutex_unlock(&inputs->lock);
}

size_t
ranges_read(struct inputs *inputs, struct claim *claim, struct input *input,
            unsigned char *buffer, size_t at)
{
    struct content *content = &input->content;
    const struct range *range = &claim->range;
    struct error failure = ERROR_NONE;
    size_t size = (size_t)(range->end - range->begin);
    bool is_last = range->end == input->ranges_end;

    claim_note_origin(claim, input, at, content_offset(input, range->begin));
    int got = source_read_at(&content->source, buffer + at, size, range->begin,
                             &failure);
    if (got == 0 && is_last && content_seek(content, range->end) == 0)
        claim_begin_sequence(inputs, claim, input,
                             range->begin - content->source.first);
    else
        leave(inputs, input, range->begin, &failure);
    return got == 0 ? size : 0;
}
