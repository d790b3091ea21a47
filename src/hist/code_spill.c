/* SPDX-License-Identifier: MIT */
/* code_spill.c -- counts of codes in a temporary file */

#include <stdlib.h>
#include <string.h>

#include "base/little_endian.h"
#include "hist/code_spill.h"

/* An extent is written and read at a time. */
#define EXTENT_BYTES ((size_t)1 << 15)

/* A code is followed by its count, in a byte if it is less than this; else by
   this byte, and the count in 8 bytes. */
#define COUNT_LONG 255

/* The most bytes of a code with its count. */
#define CODE_BYTES_MAX (8 * CODE_WORDS_MAX + 1 + 8)

/* Codes that are added to a table at a time. */
#define BATCH 256

/* A table takes this part of its memory at most until it is cut: then it is
   there twice, for a moment. */
#define TABLE_PARTS 4
#define TABLE_PARTS_FULL 3
#define MEMORY_MIN ((size_t)1 << 15)

int
code_spill_open(struct code_spill *spill, size_t buckets, unsigned int bits)
{
    *spill = (struct code_spill){
        .code_bytes = (bits + 7) / 8,
        .words = code_words(bits),
        .buckets = buckets,
        .bucket = calloc(buckets, sizeof *spill->bucket),
    };
    if (spill->bucket == NULL)
        return -1;
    pthread_mutex_init(&spill->lock, NULL);
    return 0;
}

void
code_spill_close(struct code_spill *spill)
{
    if (spill->bucket == NULL)
        return;
    code_spill_clear(spill);
    free(spill->bucket);
    pthread_mutex_destroy(&spill->lock);
    *spill = (struct code_spill){0};
}

void
code_spill_clear(struct code_spill *spill)
{
    for (size_t b = 0; b < spill->buckets; b++) {
        free(spill->bucket[b].extent);
        spill->bucket[b] = (struct code_bucket){0};
    }
    scratch_file_close(&spill->file);
}

void
code_spill_move(struct code_spill *to, struct code_spill *from)
{
    code_spill_clear(to);
    memcpy(to->bucket, from->bucket, from->buckets * sizeof *from->bucket);
    memset(from->bucket, 0, from->buckets * sizeof *from->bucket);
    to->file = from->file;
    from->file = (struct scratch_file){0};
}

uint64_t
code_spill_codes(const struct code_spill *spill)
{
    uint64_t codes = 0;

    for (size_t b = 0; b < spill->buckets; b++)
        codes += spill->bucket[b].codes;
    return codes;
}

/* ---- writing ---- */

/* List EXTENT in BUCKET.  Returns 0, or -1 with *ERROR set. */
static int
list_extent(struct code_bucket *bucket, const struct code_extent *extent,
            struct error *error)
{
    if (bucket->extents == bucket->room) {
        size_t room = 2 * bucket->room + 4;
        struct code_extent *more = realloc(bucket->extent, room * sizeof *more);
        if (more == NULL)
            return error_fail_memory(error);
        bucket->extent = more;
        bucket->room = room;
    }
    bucket->extent[bucket->extents++] = *extent;
    bucket->codes += extent->codes;
    return 0;
}

/* Write the SIZE bytes at DATA, CODES codes, as an extent of BUCKET. */
static int
write_extent(struct code_spill *spill, size_t bucket, const unsigned char *data,
             size_t size, uint32_t codes, struct error *error)
{
    struct code_extent extent = {.bytes = (uint32_t)size, .codes = codes};
    struct scratch_file file = {0};
    int result = 0;

    pthread_mutex_lock(&spill->lock);
    if (spill->file.directory == NULL)
        result = scratch_file_open(&spill->file, error);
    if (result == 0) {
        file = spill->file;
        extent.at = file.size;
        result = list_extent(&spill->bucket[bucket], &extent, error);
    }
    if (result == 0)
        spill->file.size += size;
    pthread_mutex_unlock(&spill->lock);
    return result == 0 ? scratch_file_append(&file, data, size, error) : -1;
}

/* Write the 8 bytes of VALUE to DATA. */
static inline void
put_64(unsigned char *data, uint64_t value)
{
    for (unsigned int b = 0; b < 8; b++)
        data[b] = (unsigned char)(value >> 8 * b);
}

/* Write SLOT, whose code takes CODE_BYTES, to DATA.  Returns the end. */
FOR_WORDS unsigned char *
put_code(unsigned char *data, const uint64_t *slot, size_t code_bytes,
         const unsigned int words)
{
    struct kmer_code code = code_read(slot, words);
    uint64_t count = slot[words];

    put_64(data, code.low);
    if (words > 1)
        put_64(data + 8, code.high);
    data += code_bytes;
    if (count < COUNT_LONG) {
        *data++ = (unsigned char)count;
        return data;
    }
    *data++ = COUNT_LONG;
    put_64(data, count);
    return data + 8;
}

/* As code_spill_put(). */
FOR_WORDS int
put_codes(struct code_spill *spill, size_t bucket, const uint64_t *slot,
          size_t slots, uint64_t *bytes, struct error *error,
          const unsigned int words)
{
    unsigned char data[EXTENT_BYTES];
    unsigned char *at = data;
    const size_t code_bytes = spill->code_bytes;
    uint32_t codes = 0;
    int result = 0;

    *bytes = 0;
    for (; slots > 0 && result == 0; slots--, slot += code_slot_words(words)) {
        if (slot[words] == 0)
            continue;
        at = put_code(at, slot, code_bytes, words);
        codes++;
        if (at <= data + EXTENT_BYTES - CODE_BYTES_MAX)
            continue;
        result = write_extent(spill, bucket, data, (size_t)(at - data), codes,
                              error);
        *bytes += (size_t)(at - data);
        at = data;
        codes = 0;
    }
    if (result < 0 || codes == 0)
        return result;
    *bytes += (size_t)(at - data);
    return write_extent(spill, bucket, data, (size_t)(at - data), codes, error);
}

int
code_spill_put(struct code_spill *spill, size_t bucket, const uint64_t *slot,
               size_t slots, uint64_t *bytes, struct error *error)
{
    return spill->words == 1
               ? put_codes(spill, bucket, slot, slots, bytes, error, 1)
               : put_codes(spill, bucket, slot, slots, bytes, error, 2);
}

/* ---- reading ---- */

void
code_reader_open(struct code_reader *reader, const struct code_spill *spill,
                 const struct hash_key *key, size_t memory)
{
    *reader = (struct code_reader){
        .spill = spill, .key = key, .is_done = true, .error = ERROR_NONE};
    memory = memory > MEMORY_MIN ? memory : MEMORY_MIN;
    key_memory_open(&reader->memory, memory / TABLE_PARTS * TABLE_PARTS_FULL);
    code_table_open(&reader->table, &reader->memory, spill->words);
}

void
code_reader_close(struct code_reader *reader)
{
    code_table_close(&reader->table);
    key_memory_close(&reader->memory);
    error_clear(&reader->error);
}

void
code_reader_start(struct code_reader *reader, size_t bucket)
{
    reader->bucket = bucket;
    reader->first = code_of(0);
    reader->is_done = false;
}

/* The table has no room: keep the lower half of its codes, and set *LAST to the
   greatest one of them. */
static enum key_result
cut(struct code_reader *reader, struct kmer_code *last)
{
    struct code_table *table = &reader->table;
    struct key_memory *memory = &reader->memory;
    size_t kept = table->codes / 2;

    if (kept == 0)
        return KEY_LIMIT;
    code_table_sort(table, 8 * reader->spill->code_bytes);
    code_table_truncate(table, kept);
    *last = code_slot_code(table->slot, kept - 1, table->words);
    size_t limit = memory->limit;
    memory->limit = SIZE_MAX;
    enum key_result result = code_table_restore(table, reader->key);
    memory->limit = limit;
    return result;
}

/* Keep those of the COUNT slots whose codes are at most LAST.  Returns how many
   there are. */
FOR_WORDS size_t
keep_until(uint64_t *slot, size_t count, struct kmer_code last,
           const unsigned int words)
{
    const size_t step = code_slot_words(words);
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        memmove(slot + kept * step, slot + i * step, step * sizeof *slot);
        kept += !kmer_code_is_less(last, code_slot_code(slot, kept, words));
    }
    return kept;
}

/* Add the COUNT slots of BATCH up to *LAST to the table. */
FOR_WORDS enum key_result
add_batch(struct code_reader *reader, uint64_t *batch, size_t count,
          struct kmer_code *last, const unsigned int words)
{
    enum key_result result;
    size_t added;

    while ((result = code_table_add_slots(&reader->table, reader->key, batch,
                                          count, &added)) == KEY_LIMIT) {
        result = cut(reader, last);
        if (result != KEY_OK)
            break;
        batch += added * code_slot_words(words);
        count = keep_until(batch, count - added, *last, words);
    }
    return result;
}

/* Write the slot at DATA, whose code takes CODE_BYTES, to SLOT.  Returns the
   end. */
FOR_WORDS const unsigned char *
read_code(const unsigned char *data, uint64_t *slot, size_t code_bytes,
          const unsigned int words)
{
    const uint64_t mask = UINT64_MAX >> (64 * words - 8 * code_bytes);
    struct kmer_code code = code_of(little_endian_64(data));

    if (words > 1)
        code.high = little_endian_64(data + 8) & mask;
    else
        code.low &= mask;
    code_write(slot, code, words);
    data += code_bytes;
    slot[words] = *data++;
    if (slot[words] != COUNT_LONG)
        return data;
    slot[words] = little_endian_64(data);
    return data + 8;
}

/* Add the codes of EXTENT, which is at DATA, from the first one wanted up to
   *LAST to the table. */
FOR_WORDS enum key_result
add_extent(struct code_reader *reader, const struct code_extent *extent,
           const unsigned char *data, struct kmer_code *last,
           const unsigned int words)
{
    const size_t code_bytes = reader->spill->code_bytes;
    const struct kmer_code first = reader->first;
    enum key_result result = KEY_OK;
    uint64_t batch[BATCH * (CODE_WORDS_MAX + 1)];
    size_t count = 0;

    for (uint32_t left = extent->codes; left > 0 && result == KEY_OK; left--) {
        uint64_t *slot = batch + count * code_slot_words(words);
        data = read_code(data, slot, code_bytes, words);
        struct kmer_code code = code_read(slot, words);
        count +=
            !kmer_code_is_less(code, first) && !kmer_code_is_less(*last, code);
        if (count < BATCH && left > 1)
            continue;
        result = add_batch(reader, batch, count, last, words);
        count = 0;
    }
    return result;
}

bool
code_reader_next(struct code_reader *reader)
{
    /* A code is read with the bytes after it. */
    unsigned char data[EXTENT_BYTES + CODE_BYTES_MAX] = {0};
    const struct code_bucket *bucket = &reader->spill->bucket[reader->bucket];
    struct kmer_code last = CODE_LAST;

    if (reader->is_done || reader->result != KEY_OK)
        return false;
    code_table_clear(&reader->table);
    for (size_t e = 0; e < bucket->extents && reader->result == KEY_OK; e++) {
        const struct code_extent *extent = &bucket->extent[e];
        if (scratch_file_read(&reader->spill->file, extent->at, data,
                              extent->bytes, &reader->error) < 0)
            reader->result = KEY_FAILED;
        else if (reader->spill->words == 1)
            reader->result = add_extent(reader, extent, data, &last, 1);
        else
            reader->result = add_extent(reader, extent, data, &last, 2);
    }
    reader->is_done = code_is_same(last, CODE_LAST);
    reader->first = code_after(last);
    return reader->result == KEY_OK && reader->table.codes > 0;
}
