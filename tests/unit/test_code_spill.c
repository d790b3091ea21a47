/* SPDX-License-Identifier: MIT */
/*
 * test_code_spill.c -- counts of codes in a file, beside an array of them
 *
 * The codes of a bucket are fewer, or many more, than the reader's table has
 * room for.
 */

#include <inttypes.h>
#include <stdlib.h>

#include "../noise.h"
#include "../tap.h"
#include "hist/code_spill.h"

#define BUCKETS 3
#define PUTS_MAX 9
#define PUTS (IS_EMULATED ? 2 : IS_INSTRUMENTED ? 5 : PUTS_MAX)
#define SLOTS ((size_t)6000)

static const struct hash_key hash_key = {.word = {5, 7}};

struct given_code {
    struct kmer_code code;
    uint64_t count;
};

/* All codes that were put into a bucket. */
static struct given_code given[BUCKETS][PUTS_MAX * SLOTS];
static size_t used[BUCKETS];

static int
compare(const void *a, const void *b)
{
    const struct given_code *left = a;
    const struct given_code *right = b;

    return kmer_code_is_less(right->code, left->code) -
           kmer_code_is_less(left->code, right->code);
}

/* Counts of one byte, of more, and of free slots. */
static uint64_t
make_count(uint64_t noise)
{
    static const uint64_t count[] = {0, 1, 1, 2, 254, 255, 256, 1000000};

    return noise % 100 == 0 ? UINT64_C(1) << 40 : count[noise % 8];
}

/* Code N below 2^BITS: all bits of a word depend on N. */
static struct kmer_code
make_code(uint64_t n, unsigned int bits)
{
    const uint64_t word = ~(n * UINT64_C(0x9e3779b97f4a7c15));

    if (bits <= 64)
        return code_of(word & UINT64_MAX >> (64 - bits));
    /* Codes that differ in one word only. */
    return (struct kmer_code){(n % 3 == 0 ? UINT64_MAX : word) >> (128 - bits),
                              n % 3 == 1 ? n % 2 : word};
}

/* Put codes below 2^BITS, of which about DISTINCT differ, into SPILL. */
static int
fill(struct code_spill *spill, unsigned int bits, uint64_t distinct,
     struct error *error)
{
    static uint64_t slots[SLOTS * (CODE_WORDS_MAX + 1)];
    const unsigned int words = code_words(bits);
    uint64_t bytes;

    for (size_t n = 0; n < (size_t)BUCKETS * PUTS; n++) {
        size_t b = n % BUCKETS;
        for (size_t i = 0; i < SLOTS; i++) {
            uint64_t *slot = slots + i * code_slot_words(words);
            struct kmer_code code = make_code(noise() % distinct, bits);
            code_write(slot, code, words);
            slot[words] = make_count(noise());
            if (slot[words] > 0)
                given[b][used[b]++] = (struct given_code){code, slot[words]};
        }
        if (code_spill_put(spill, b, slots, SLOTS, &bytes, error) < 0)
            return -1;
    }
    return 0;
}

/* Returns the greatest number of turns of a bucket, or 0: the codes or counts
   of a bucket are wrong. */
static size_t
read_all(struct code_reader *reader, unsigned int bits)
{
    size_t most = 0;

    for (size_t b = 0; b < BUCKETS; b++) {
        size_t turns = 0;
        size_t done = 0;
        qsort(given[b], used[b], sizeof *given[b], compare);
        code_reader_start(reader, b);
        for (; code_reader_next(reader); turns++) {
            const struct code_table *table = &reader->table;
            code_table_sort(&reader->table, bits);
            for (size_t i = 0; i < table->codes; i++) {
                struct kmer_code code =
                    code_slot_code(table->slot, i, table->words);
                uint64_t count = 0;
                for (;
                     done < used[b] && code_is_same(given[b][done].code, code);
                     done++)
                    count += given[b][done].count;
                if (count != code_slot_count(table->slot, i, table->words) ||
                    count == 0)
                    return 0;
            }
        }
        if (done < used[b] || reader->result != KEY_OK)
            return 0;
        most = turns > most ? turns : most;
    }
    return most;
}

static void
test(unsigned int bits, uint64_t distinct, size_t memory, size_t least)
{
    struct error error = ERROR_NONE;
    struct code_spill spill;
    struct code_reader reader;
    size_t turns = 0;
    uint64_t all = 0;

    for (size_t b = 0; b < BUCKETS; b++)
        used[b] = 0;
    int result = code_spill_open(&spill, BUCKETS, bits);
    bool was_empty = !code_spill_has_codes(&spill);
    if (result == 0)
        result = fill(&spill, bits, distinct, &error);
    code_reader_open(&reader, &spill, &hash_key, memory);
    /* A reader can read a bucket again. */
    for (int again = 0; again < 2 && result == 0; again++)
        turns = read_all(&reader, bits);
    code_reader_close(&reader);
    for (size_t b = 0; b < BUCKETS; b++)
        all += used[b];
    ok(was_empty && result == 0 && code_spill_codes(&spill) == all &&
           turns >= least * PUTS / PUTS_MAX && (least > 1 || turns == 1),
       "%u bits, %" PRIu64 " codes: %zu turns", bits, distinct, turns);
    code_spill_close(&spill);
    error_clear(&error);
}

int
main(void)
{
    test(2, 4, 1 << 20, 1);
    test(8, 256, 1 << 20, 1);
    test(42, 900, 1 << 20, 1);
    test(34, 20000, 1 << 24, 1);
    test(42, 20000, 1 << 18, 4);
    test(64, 50000, 1 << 16, 20);
    test(64, 30000, 0, 20);
    test(66, 900, 1 << 20, 1);
    test(110, 20000, 1 << 24, 1);
    test(94, 20000, 1 << 18, 4);
    test(128, 50000, 1 << 16, 20);
    test(128, 30000, 0, 20);
    return done_testing();
}
