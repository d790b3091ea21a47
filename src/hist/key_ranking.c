/* key_ranking.c -- runs by count, made of runs by key */

#include <stdlib.h>

#include "hist/key_merge.h"
#include "hist/key_ranking.h"

struct ranked_key {
    uint64_t count;             /* 0 if entries have sums */
    const unsigned char *entry; /* in the room */
};

/* qsort() may take as much memory again. */
#define RANKED_KEY_BYTES (2 * sizeof(struct ranked_key))

/* Entries that are sorted together. */
struct ranking_part {
    struct key_runs *ranked;
    unsigned char *room; /* for entries, in the order of their keys */
    size_t room_bytes;
    size_t used;
    struct ranked_key *key; /* of each of them */
    size_t keys_max;
    size_t keys;
};

static int
compare(const void *a, const void *b)
{
    const struct ranked_key *left = a;
    const struct ranked_key *right = b;

    if (left->count != right->count)
        return left->count > right->count ? -1 : 1;
    /* The entries are in the order of their keys. */
    return (left->entry > right->entry) - (left->entry < right->entry);
}

/* The same of entries with sums. */
static int
compare_sums(const void *a, const void *b)
{
    const struct ranked_key *left = a;
    const struct ranked_key *right = b;
    struct decimal_sum left_sum = key_entry_sum(left->entry);
    struct decimal_sum right_sum = key_entry_sum(right->entry);
    int order = decimal_sum_compare(&right_sum, &left_sum);

    return order != 0 ? order : compare(a, b);
}

/* Write the entries that are in memory as a run. */
static int
flush(struct ranking_part *part, struct error *error)
{
    int result = 0;

    if (part->keys == 0)
        return 0;
    size_t sum_bytes = part->ranked->sum_bytes;
    qsort(part->key, part->keys, sizeof *part->key,
          sum_bytes > 0 ? compare_sums : compare);
    result = key_runs_begin(part->ranked, error);
    for (size_t k = 0; k < part->keys && result == 0; k++) {
        const unsigned char *entry = part->key[k].entry;
        struct key_amount amount = key_entry_amount(entry, sum_bytes);
        result = key_runs_put(part->ranked, &amount, entry, error);
    }
    if (result == 0)
        result = key_runs_end(part->ranked, error);
    part->keys = 0;
    part->used = 0;
    return result;
}

/* Write one entry as a run. */
static int
put_alone(struct key_runs *ranked, const struct key_amount *amount,
          const unsigned char *entry, struct error *error)
{
    if (key_runs_begin(ranked, error) < 0 ||
        key_runs_put(ranked, amount, entry, error) < 0)
        return -1;
    return key_runs_end(ranked, error);
}

static int
put(struct ranking_part *part, const struct key_amount *amount,
    const unsigned char *entry, struct error *error)
{
    size_t sum_bytes = part->ranked->sum_bytes;
    size_t bytes = sum_bytes + key_entry_bytes(entry);

    if (bytes > part->room_bytes)
        return put_alone(part->ranked, amount, entry, error);
    if ((bytes > part->room_bytes - part->used ||
         part->keys == part->keys_max) &&
        flush(part, error) < 0)
        return -1;
    unsigned char *copy = part->room + part->used + sum_bytes;
    memcpy(copy - sum_bytes, &amount->sum, sum_bytes);
    memcpy(copy, &amount->count, sizeof amount->count);
    memcpy(copy + KEY_ENTRY_SIZE_AT, entry + KEY_ENTRY_SIZE_AT,
           bytes - sum_bytes - KEY_ENTRY_SIZE_AT);
    part->used += bytes;
    part->key[part->keys++] =
        (struct ranked_key){sum_bytes > 0 ? 0 : amount->count, copy};
    return 0;
}

static int
rank(struct ranking_part *part, struct key_runs *runs, size_t memory,
     bool discards, struct error *error)
{
    struct key_merge merge;

    if (key_merge_reduce(runs, memory, error) < 0)
        return -1;
    int result = key_merge_open(&merge, runs, runs->run, runs->count, memory,
                                discards, error);
    while (result == 0 && key_merge_next(&merge))
        result = put(part, &merge.amount, merge.entry, error);
    if (result == 0)
        result = flush(part, error);
    key_merge_close(&merge);
    return result;
}

int
key_ranking_make(struct key_runs *ranked, struct key_runs *runs, size_t memory,
                 bool discards, struct error *error)
{
    struct ranking_part part = {
        .ranked = ranked,
        .room_bytes = memory / 4 + 1,
        .keys_max = memory / 4 / RANKED_KEY_BYTES + 1,
    };
    int result = -1;

    part.room = malloc(part.room_bytes);
    part.key = malloc(part.keys_max * sizeof *part.key);
    if (part.room != NULL && part.key != NULL)
        result = rank(&part, runs, memory / 2, discards, error);
    else
        (void)error_fail_memory(error);
    free(part.room);
    free(part.key);
    return result;
}
