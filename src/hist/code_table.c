/* code_table.c -- distinct codes of 64 bits, each with a count */

#include <string.h>

#include "hist/code_table.h"

#define SLOTS_MIN 64

/* A table doubles when 3 of 4 slots are taken. */
#define FULL_OF 4
#define FULL 3

/* Codes whose slots are fetched before the first code is looked for. */
#define AHEAD 16

void
code_table_open(struct code_table *table, struct key_memory *memory)
{
    *table = (struct code_table){.memory = memory};
}

void
code_table_close(struct code_table *table)
{
    key_memory_give(table->memory, table->slot,
                    table->slots * sizeof *table->slot);
    table->slot = NULL;
    table->slots = 0;
    table->codes = 0;
}

/* ---- adding ---- */

static inline size_t
home_of(uint64_t hash, size_t slots)
{
    return (size_t)((hash & UINT32_MAX) * slots >> 32);
}

/* The slot of CODE: the slot that holds CODE, or the free slot for CODE. */
static inline struct code_slot *
find(struct code_slot *slot, size_t slots, size_t at, uint64_t code)
{
    while (slot[at].count != 0 && slot[at].code != code)
        at = at + 1 < slots ? at + 1 : 0;
    return &slot[at];
}

/* Move all codes to as many SLOTS. */
static enum key_result
move(struct code_table *table, const struct hash_key *key, size_t slots)
{
    enum key_result result = KEY_OK;
    struct code_slot *slot =
        key_memory_take_zeros(table->memory, slots * sizeof *slot, &result);
    if (slot == NULL)
        return result;
    for (size_t i = 0; i < table->slots; i++) {
        if (table->slot[i].count == 0)
            continue;
        uint64_t hash = code_hash(key, table->slot[i].code);
        *find(slot, slots, home_of(hash, slots), table->slot[i].code) =
            table->slot[i];
    }
    key_memory_give(table->memory, table->slot,
                    table->slots * sizeof *table->slot);
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

enum key_result
code_table_add(struct code_table *table, const struct hash_key *key,
               const uint64_t *code, size_t count, size_t *added)
{
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
        for (size_t n = 0; n < turn; n++) {
            home[n] = home_of(code_hash(key, code[i + n]), table->slots);
            __builtin_prefetch(&table->slot[home[n]], 1);
        }
        for (size_t n = 0; n < turn; n++) {
            struct code_slot *slot =
                find(table->slot, table->slots, home[n], code[i + n]);
            table->codes += slot->count == 0;
            slot->code = code[i + n];
            slot->count++;
        }
        i += turn;
    }
    *added = i;
    return result;
}

enum key_result
code_table_count(struct code_table *table, const struct hash_key *key,
                 uint64_t code, uint64_t count)
{
    if ((table->codes + 1) * FULL_OF > table->slots * FULL) {
        enum key_result result = grow(table, key);
        if (result != KEY_OK)
            return result;
    }
    struct code_slot *slot =
        find(table->slot, table->slots,
             home_of(code_hash(key, code), table->slots), code);
    table->codes += slot->count == 0;
    slot->code = code;
    slot->count += count;
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

static void
sort_few(struct code_slot *slot, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct code_slot own = slot[i];
        size_t at = i;
        for (; at > 0 && slot[at - 1].code > own.code; at--)
            slot[at] = slot[at - 1];
        slot[at] = own;
    }
}

/*
 * P. McIlroy, K. Bostic, M. D. McIlroy, "Engineering Radix Sort": swap each
 * slot to the place of its digit.
 */
void
code_slots_sort(struct code_slot *slot, size_t count, unsigned int bits)
{
    unsigned int digit_bits = DIGIT_BITS_MIN;

    if (count <= INSERTED_MAX || bits == 0) {
        sort_few(slot, count);
        return;
    }
    while (digit_bits < DIGIT_BITS_MAX &&
           count >> (digit_bits + DIGIT_SLOTS_LOG) > 0)
        digit_bits++;
    digit_bits = digit_bits < bits ? digit_bits : bits;
    const unsigned int shift = bits - digit_bits;
    const uint64_t digits = (uint64_t)1 << digit_bits;
    uint32_t at[DIGITS_MAX];
    uint32_t end[DIGITS_MAX];
    uint32_t sum = 0;
    memset(end, 0, digits * sizeof *end);
    for (size_t i = 0; i < count; i++)
        end[slot[i].code >> shift & (digits - 1)]++;
    for (uint64_t d = 0; d < digits; d++) {
        at[d] = sum;
        sum += end[d];
        end[d] = sum;
    }
    for (uint64_t d = 0; d < digits; d++) {
        while (at[d] < end[d]) {
            struct code_slot own = slot[at[d]];
            uint64_t digit = own.code >> shift & (digits - 1);
            while (digit != d) {
                struct code_slot other = slot[at[digit]];
                slot[at[digit]++] = own;
                own = other;
                digit = own.code >> shift & (digits - 1);
            }
            slot[at[d]++] = own;
        }
    }
    for (uint64_t d = 0; d < digits && shift > 0; d++) {
        uint32_t start = d > 0 ? end[d - 1] : 0;
        if (end[d] - start > 1)
            code_slots_sort(slot + start, end[d] - start, shift);
    }
}

void
code_table_sort(struct code_table *table, unsigned int bits)
{
    size_t kept = 0;

    for (size_t i = 0; i < table->slots; i++) {
        if (table->slot[i].count != 0)
            table->slot[kept++] = table->slot[i];
    }
    if (kept < table->slots)
        memset(table->slot + kept, 0,
               (table->slots - kept) * sizeof *table->slot);
    code_slots_sort(table->slot, kept, bits);
}

enum key_result
code_table_restore(struct code_table *table, const struct hash_key *key)
{
    return table->slots > 0 ? move(table, key, table->slots) : KEY_OK;
}
