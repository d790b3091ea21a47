/* SPDX-License-Identifier: MIT */
/* code_table.c -- distinct codes of one or two words, each with a count */

#include <string.h>

#include "hist/code_table.h"

#define SLOTS_MIN 64

/* A table doubles when 3 of 4 slots are taken. */
#define FULL_OF 4
#define FULL 3

/* Codes whose slots are fetched before the first code is looked for. */
#define AHEAD 16

void
code_table_open(struct code_table *table, struct key_memory *memory,
                unsigned int words)
{
    *table = (struct code_table){.memory = memory, .words = words};
}

void
code_table_close(struct code_table *table)
{
    key_memory_give(table->memory, table->slot,
                    code_slots_bytes(table->slots, table->words));
    table->slot = NULL;
    table->slots = 0;
    table->codes = 0;
}

void
code_table_clear(struct code_table *table)
{
    if (table->slots > 0)
        memset(table->slot, 0, code_slots_bytes(table->slots, table->words));
    table->codes = 0;
}

/* ---- adding ---- */

static inline size_t
home_of(uint64_t hash, size_t slots)
{
    return (size_t)((hash & UINT32_MAX) * slots >> 32);
}

/* The slot of CODE: the slot that holds CODE, or the free slot for CODE. */
FOR_WORDS uint64_t *
find(uint64_t *slot, size_t slots, size_t at, struct kmer_code code,
     const unsigned int words)
{
    while (code_slot_count(slot, at, words) != 0 &&
           !code_is_same(code_slot_code(slot, at, words), code))
        at = at + 1 < slots ? at + 1 : 0;
    return slot + at * code_slot_words(words);
}

/* Copy the codes of TABLE to the SLOTS slots at SLOT, all of which are free. */
FOR_WORDS void
copy(const struct code_table *table, const struct hash_key *key, uint64_t *slot,
     size_t slots, const unsigned int words)
{
    const uint64_t *from = table->slot;
    const uint64_t *end = from + table->slots * code_slot_words(words);

    for (; from < end; from += code_slot_words(words)) {
        if (from[words] == 0)
            continue;
        struct kmer_code code = code_read(from, words);
        size_t home = home_of(code_hash(key, code, words), slots);
        memcpy(find(slot, slots, home, code, words), from,
               code_slots_bytes(1, words));
    }
}

/* Move all codes to as many SLOTS. */
static enum key_result
move(struct code_table *table, const struct hash_key *key, size_t slots)
{
    enum key_result result = KEY_OK;
    uint64_t *slot = key_memory_take_zeros(
        table->memory, code_slots_bytes(slots, table->words), &result);

    if (slot == NULL)
        return result;
    if (table->words == 1)
        copy(table, key, slot, slots, 1);
    else
        copy(table, key, slot, slots, 2);
    key_memory_give(table->memory, table->slot,
                    code_slots_bytes(table->slots, table->words));
    table->slot = slot;
    table->slots = slots;
    return KEY_OK;
}

static enum key_result
grow(struct code_table *table, const struct hash_key *key)
{
    size_t slots = table->slots > 0 ? 2 * table->slots : SLOTS_MIN;

    return slots > UINT32_MAX ? KEY_LIMIT : move(table, key, slots);
}

/*
 * As code_table_add(), of the codes at CODE, each of which occurs once; or if
 * ARE_SLOTS, as code_table_add_slots(), of the slots there.
 */
FOR_WORDS enum key_result
add(struct code_table *table, const struct hash_key *key, const uint64_t *code,
    const bool are_slots, size_t count, size_t *added, const unsigned int words)
{
    const size_t step = words + (are_slots ? 1 : 0);
    enum key_result result = KEY_OK;
    size_t home[AHEAD];
    size_t i = 0;

    while (i < count) {
        /* Room for all codes of a turn. */
        while ((table->codes + AHEAD) * FULL_OF > table->slots * FULL &&
               result == KEY_OK)
            result = grow(table, key);
        if (result != KEY_OK)
            break;
        size_t turn = count - i < AHEAD ? count - i : AHEAD;
        for (size_t n = i; n < i + turn; n++) {
            struct kmer_code own = code_read(code + n * step, words);
            home[n - i] = home_of(code_hash(key, own, words), table->slots);
            __builtin_prefetch(
                table->slot + home[n - i] * code_slot_words(words), 1);
        }
        for (size_t n = i; n < i + turn; n++) {
            struct kmer_code own = code_read(code + n * step, words);
            uint64_t *slot =
                find(table->slot, table->slots, home[n - i], own, words);
            table->codes += slot[words] == 0;
            code_write(slot, own, words);
            slot[words] += are_slots ? code[n * step + words] : 1;
        }
        i += turn;
    }
    *added = i;
    return result;
}

enum key_result
code_table_add(struct code_table *table, const struct hash_key *key,
               const uint64_t *code, size_t count, size_t *added)
{
    return table->words == 1 ? add(table, key, code, false, count, added, 1)
                             : add(table, key, code, false, count, added, 2);
}

enum key_result
code_table_add_slots(struct code_table *table, const struct hash_key *key,
                     const uint64_t *from, size_t count, size_t *added)
{
    return table->words == 1 ? add(table, key, from, true, count, added, 1)
                             : add(table, key, from, true, count, added, 2);
}

enum key_result
code_table_count(struct code_table *table, const struct hash_key *key,
                 struct kmer_code code, uint64_t count)
{
    const unsigned int words = table->words;

    if ((table->codes + 1) * FULL_OF > table->slots * FULL) {
        enum key_result result = grow(table, key);
        if (result != KEY_OK)
            return result;
    }
    uint64_t *slot =
        find(table->slot, table->slots,
             home_of(code_hash(key, code, words), table->slots), code, words);
    table->codes += slot[words] == 0;
    code_write(slot, code, words);
    slot[words] += count;
    return KEY_OK;
}

/* ---- sorting ---- */

/* For fewer slots, insertion is faster than counting digits. */
#define INSERTED_MAX 24

/* About 2^3 slots share a digit: the bits of a digit follow from that. */
#define DIGIT_BITS_MIN 3
#define DIGIT_BITS_MAX 11
#define DIGIT_SLOTS_LOG 3
#define DIGITS_MAX (1u << DIGIT_BITS_MAX)

/* A copy of a slot. */
struct one_slot {
    uint64_t word[CODE_WORDS_MAX + 1];
};

FOR_WORDS void
take_slot(struct one_slot *own, const uint64_t *slot, const unsigned int words)
{
    memcpy(own->word, slot, code_slots_bytes(1, words));
}

FOR_WORDS void
put_slot(uint64_t *slot, const struct one_slot *own, const unsigned int words)
{
    memcpy(slot, own->word, code_slots_bytes(1, words));
}

FOR_WORDS void
sort_few(uint64_t *slot, size_t count, const unsigned int words)
{
    const size_t step = code_slot_words(words);
    struct one_slot own;

    for (size_t i = 1; i < count; i++) {
        take_slot(&own, slot + i * step, words);
        struct kmer_code code = code_read(own.word, words);
        uint64_t *at = slot + i * step;
        for (;
             at > slot && kmer_code_is_less(code, code_read(at - step, words));
             at -= step)
            memcpy(at, at - step, step * sizeof *at);
        put_slot(at, &own, words);
    }
}

/* Returns how many bits the next digit of COUNT codes below 2^BITS has.  They
   are bits of one word. */
static unsigned int
digit_bits_of(size_t count, unsigned int bits)
{
    unsigned int most = bits > 64 ? bits - 64 : bits;
    unsigned int digit_bits = DIGIT_BITS_MIN;

    while (digit_bits < DIGIT_BITS_MAX &&
           count >> (digit_bits + DIGIT_SLOTS_LOG) > 0)
        digit_bits++;
    return digit_bits < most ? digit_bits : most;
}

/*
 * P. McIlroy, K. Bostic, M. D. McIlroy, "Engineering Radix Sort": swap each
 * slot to the place of its digit.
 */
FOR_WORDS void
sort(uint64_t *slot, size_t count, unsigned int bits, const unsigned int words)
{
    const size_t step = code_slot_words(words);
    const unsigned int digit_bits = digit_bits_of(count, bits);
    const unsigned int shift = (bits - digit_bits) % 64;
    const size_t word = bits > 64 ? 0 : words - 1;
    const uint64_t digits = (uint64_t)1 << digit_bits;
    uint32_t at[DIGITS_MAX];
    uint32_t end[DIGITS_MAX];
    uint32_t sum = 0;

    memset(end, 0, digits * sizeof *end);
    for (size_t i = 0; i < count; i++)
        end[slot[i * step + word] >> shift & (digits - 1)]++;
    for (uint64_t d = 0; d < digits; d++) {
        at[d] = sum;
        sum += end[d];
        end[d] = sum;
    }
    for (uint64_t d = 0; d < digits; d++) {
        while (at[d] < end[d]) {
            struct one_slot own;
            struct one_slot other;
            take_slot(&own, slot + at[d] * step, words);
            uint64_t digit = own.word[word] >> shift & (digits - 1);
            while (digit != d) {
                uint64_t *to = slot + at[digit]++ * step;
                take_slot(&other, to, words);
                put_slot(to, &own, words);
                own = other;
                digit = own.word[word] >> shift & (digits - 1);
            }
            put_slot(slot + at[d]++ * step, &own, words);
        }
    }
    for (uint64_t d = 0; d < digits && bits > digit_bits; d++) {
        uint32_t start = d > 0 ? end[d - 1] : 0;
        if (end[d] - start > 1)
            code_slots_sort(slot + start * step, end[d] - start,
                            bits - digit_bits, words);
    }
}

void
code_slots_sort(uint64_t *slot, size_t count, unsigned int bits,
                unsigned int words)
{
    bool are_few = count <= INSERTED_MAX || bits == 0;

    if (words == 1 && are_few)
        sort_few(slot, count, 1);
    else if (words == 1)
        sort(slot, count, bits, 1);
    else if (are_few)
        sort_few(slot, count, 2);
    else
        sort(slot, count, bits, 2);
}

size_t
code_slots_below(const uint64_t *slot, size_t count, struct kmer_code code,
                 unsigned int words)
{
    size_t below = 0;

    while (count > 0) {
        size_t half = count / 2;
        if (kmer_code_is_less(code_slot_code(slot, below + half, words),
                              code)) {
            below += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return below;
}

/* Move the codes of TABLE to the first slots.  Returns how many there are. */
FOR_WORDS size_t
gather(struct code_table *table, const unsigned int words)
{
    const size_t step = code_slot_words(words);
    size_t kept = 0;

    for (size_t i = 0; i < table->slots; i++) {
        if (code_slot_count(table->slot, i, words) == 0)
            continue;
        struct one_slot own;
        take_slot(&own, table->slot + i * step, words);
        put_slot(table->slot + kept * step, &own, words);
        kept++;
    }
    return kept;
}

void
code_table_sort(struct code_table *table, unsigned int bits)
{
    const unsigned int words = table->words;
    size_t kept = words == 1 ? gather(table, 1) : gather(table, 2);

    if (kept < table->slots)
        memset(table->slot + kept * code_slot_words(words), 0,
               code_slots_bytes(table->slots - kept, words));
    code_slots_sort(table->slot, kept, bits, words);
}

void
code_table_truncate(struct code_table *table, size_t codes)
{
    memset(table->slot + codes * code_slot_words(table->words), 0,
           code_slots_bytes(table->codes - codes, table->words));
    table->codes = codes;
}

enum key_result
code_table_restore(struct code_table *table, const struct hash_key *key)
{
    return table->slots > 0 ? move(table, key, table->slots) : KEY_OK;
}
