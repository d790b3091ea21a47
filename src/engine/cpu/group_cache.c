/* group_cache.c -- groups of which only a few figures are wanted */

#include <stdlib.h>
#include <string.h>

#include "engine/cpu/group_cache.h"
#include "engine/cpu/key_counter.h"
#include "engine/cpu/key_words.h"
#include "hist/key_decimal.h"
#include "text/field_value.h"
#include "text/short_decimals.h"
#include "util/decimal.h"

#define WAYS 2

/* The log of the number of sets, first and at most, and how much it grows. */
#define SETS_LOG_MIN 8
#define SETS_LOG_MAX 14
#define SETS_LOG_STEP 2

/* Records whose numbers are read at a time. */
#define BATCH 1024

/* It grows if one of so many records of a batch has no room. */
#define CROWDED 64

/* A cache that is as large as it can be, and has less than one of so many
   records, rests for some batches. */
#define USELESS 4
#define REST 64

/* A group; COUNT is 0: none.  Numbers are in units of 10^-9. */
struct way {
    uint64_t word[HASH_WORDS]; /* of its key: hash.h */
    uint64_t count;
    uint64_t sum_low;
    uint64_t sum_high;
    int64_t least;
    int64_t greatest;
};

struct set {
    _Alignas(64) struct way way[WAYS];
};

struct group_cache {
    struct group_cache *next; /* in the list of all, under its lock */
    const struct spec *spec;
    size_t fields; /* slices of a record */
    size_t group;  /* the field of the group ... */
    size_t value;  /* ... and of the number */
    bool may_be_written;
    uint64_t factor[HASH_WORDS]; /* odd, random */
    struct set *set;
    unsigned int sets_log;
    unsigned int rest; /* batches to leave out */
    int64_t nano[BATCH];
};

/* ---- opening and closing ---- */

bool
group_cache_is_for(const struct spec *spec, size_t i)
{
    return spec->only_figures && spec_histograms(spec) == 1 &&
           spec->group_count == 1 && spec_dimensions(spec, i) == 2 &&
           spec->text.kind != TEXT_SEQUENCES && !spec->has_weights &&
           !spec_has_counts(spec) &&
           spec->shown[spec_own_axis(spec, i)].is_decimal;
}

size_t
group_cache_bytes(void)
{
    return sizeof(struct group_cache) + (sizeof(struct set) << SETS_LOG_MAX);
}

/* Returns 2^LOG empty sets, or NULL: out of memory. */
static struct set *
make_sets(unsigned int log)
{
    size_t bytes = sizeof(struct set) << log;
    struct set *set = aligned_alloc(_Alignof(struct set), bytes);

    if (set != NULL)
        memset(set, 0, bytes);
    return set;
}

void
group_caches_open(struct group_caches *caches)
{
    *caches = (struct group_caches){.first = NULL};
    pthread_mutex_init(&caches->lock, NULL);
}

void
group_caches_close(struct group_caches *caches)
{
    while (caches->first != NULL) {
        struct group_cache *cache = caches->first;
        caches->first = cache->next;
        free(cache->set);
        free(cache);
    }
    pthread_mutex_destroy(&caches->lock);
}

struct group_cache *
group_cache_new(struct group_caches *caches, const struct spec *spec, size_t i,
                const struct hash_key *key)
{
    struct group_cache *cache = calloc(1, sizeof *cache);

    if (cache == NULL)
        return NULL;
    cache->spec = spec;
    cache->fields = spec->text_fields.count;
    cache->group = spec_axis_of(spec, i, 0);
    cache->value = spec_own_axis(spec, i);
    cache->may_be_written = field_value_may_be_written(
        &spec->text, spec->text_fields.field[cache->group].part);
    cache->factor[0] = (key->word[0] ^ HASH_GOLDEN) | 1;
    cache->factor[1] = key->word[0] | 1;
    cache->factor[2] = key->word[1] | 1;
    cache->sets_log = SETS_LOG_MIN;
    cache->set = make_sets(cache->sets_log);
    if (cache->set == NULL) {
        free(cache);
        return NULL;
    }
    pthread_mutex_lock(&caches->lock);
    cache->next = caches->first;
    caches->first = cache;
    pthread_mutex_unlock(&caches->lock);
    return cache;
}

void
group_caches_restart(struct group_caches *caches)
{
    for (struct group_cache *cache = caches->first; cache != NULL;
         cache = cache->next)
        memset(cache->set, 0, sizeof(struct set) << cache->sets_log);
}

/* ---- counting ---- */

static inline size_t
set_of(const struct group_cache *cache, const uint64_t word[HASH_WORDS],
       unsigned int sets_log)
{
    uint64_t sum = word[0] * cache->factor[0] + word[1] * cache->factor[1] +
                   word[2] * cache->factor[2];

    return (size_t)(sum >> (64 - sets_log));
}

/* The way of SET that has WORD or none; NULL: both have other keys. */
static inline struct way *
find_way(struct set *set, const uint64_t word[HASH_WORDS])
{
    uint64_t differs[WAYS];

    for (size_t w = 0; w < WAYS; w++)
        differs[w] = (set->way[w].word[0] ^ word[0]) |
                     (set->way[w].word[1] ^ word[1]) |
                     (set->way[w].word[2] ^ word[2]);
    /* Which way it is cannot be predicted, so no branch asks. */
    struct way *way = &set->way[differs[0] != 0];
    if (((differs[0] != 0) & (differs[1] != 0)) == 0)
        return way;
    way = &set->way[set->way[0].count != 0];
    if (way->count != 0)
        return NULL;
    memcpy(way->word, word, sizeof way->word);
    way->least = INT64_MAX;
    way->greatest = INT64_MIN;
    return way;
}

static inline void
add_number(struct way *way, int64_t nano)
{
    uint64_t low = way->sum_low + (uint64_t)nano;

    way->sum_high += (nano < 0 ? UINT64_MAX : 0) + (low < way->sum_low);
    way->sum_low = low;
    way->count++;
    way->least = nano < way->least ? nano : way->least;
    way->greatest = nano > way->greatest ? nano : way->greatest;
}

/* Whether SLICE is a key whose words are those of its bytes in the chunk. */
static inline bool
is_plain(const struct group_cache *cache, const unsigned char *data,
         struct text_slice slice)
{
    if (text_slice_is_missing(slice) ||
        !key_words_can_load(slice.at, slice.size) ||
        slice.size > cache->spec->prefix)
        return false;
    return !cache->may_be_written ||
           !field_value_is_written(
               &cache->spec->text,
               cache->spec->text_fields.field[cache->group].part, data, slice);
}

/* Take more sets, if there is memory; all groups move. */
static void
grow(struct group_cache *cache)
{
    unsigned int log = cache->sets_log + SETS_LOG_STEP;
    struct set *set = make_sets(log);

    if (set == NULL)
        return;
    /* What is in one set is in several ones then: there is room. */
    for (size_t s = 0; s < (size_t)1 << cache->sets_log; s++) {
        for (size_t w = 0; w < WAYS; w++) {
            const struct way *from = &cache->set[s].way[w];
            struct set *to = &set[set_of(cache, from->word, log)];
            if (from->count > 0)
                to->way[to->way[0].count != 0] = *from;
        }
    }
    free(cache->set);
    cache->set = set;
    cache->sets_log = log;
}

/*
 * Count RECORDS, BATCH at most, at SLICE, as group_cache_add() does; the others
 * move to KEPT.  Returns how many these are; *CROWDED_OUT gets those of them
 * that had no room.
 */
static size_t
add_batch(struct group_cache *cache, const unsigned char *data,
          const struct text_slice *slice, size_t records,
          struct text_slice *kept, size_t *crowded_out)
{
    const size_t fields = cache->fields;
    size_t count = 0;

    *crowded_out = 0;
    short_decimals_read(data, slice + cache->value, records, fields,
                        cache->nano);
    for (size_t r = 0; r < records; r++, slice += fields) {
        const struct text_slice key = slice[cache->group];
        uint64_t word[HASH_WORDS];

        if (cache->nano[r] != SHORT_DECIMALS_NONE &&
            is_plain(cache, data, key)) {
            key_words_load(data, key.at, key.size, word);
            struct way *way = find_way(
                &cache->set[set_of(cache, word, cache->sets_log)], word);
            if (way != NULL) {
                add_number(way, cache->nano[r]);
                continue;
            }
            ++*crowded_out;
        }
        memmove(kept + count * fields, slice, fields * sizeof *slice);
        count++;
    }
    return count;
}

size_t
group_cache_add(struct group_cache *cache, const unsigned char *data,
                struct text_slice *slice, size_t records)
{
    size_t count = 0;

    if (cache->rest > 0) {
        cache->rest--;
        return records;
    }
    for (size_t done = 0; done < records; done += BATCH) {
        size_t batch = records - done < BATCH ? records - done : BATCH;
        size_t crowded_out;
        count += add_batch(cache, data, slice + done * cache->fields, batch,
                           slice + count * cache->fields, &crowded_out);
        if (crowded_out > batch / CROWDED && cache->sets_log < SETS_LOG_MAX)
            grow(cache);
    }
    if (cache->sets_log == SETS_LOG_MAX && records - count < records / USELESS)
        cache->rest = REST;
    return count;
}

/* ---- tuples ---- */

/* Write the code of the group of WAY and of NANO at AT.  Returns its end. */
static unsigned char *
put_code(const struct way *way, int64_t nano, unsigned char *at)
{
    const struct text_number number = {
        .kind = TEXT_NUMBER_FINITE,
        .is_negative = nano < 0,
        .digits = nano < 0 ? -(uint64_t)nano : (uint64_t)nano,
        .exponent = -DECIMAL_NANO_PLACES,
    };
    unsigned char bytes[HASH_WORDS * sizeof(uint64_t)];
    size_t size = (way->word[0] & LONG_MARK) - 1;

    /* The last bytes of the words are the key: hash.h. */
    for (size_t b = 0; b < sizeof bytes; b++)
        bytes[b] = (unsigned char)(way->word[b / 8] >> b % 8 * 8);
    at = key_code_put_text(at, bytes + sizeof bytes - size, size, false);
    return key_decimal_put(at, &number, NULL, decimal_round(&number, NULL));
}

static enum key_result
add_tuple(struct key_counts *counts, const struct way *way, int64_t nano,
          uint64_t count)
{
    const struct key_amount amount = {.count = count};
    unsigned char
        code[KEY_CODE_TEXT_ROOM(HASH_SHORT_MAX) + KEY_CODE_DECIMAL_ROOM];

    if (count == 0)
        return KEY_OK;
    uint32_t size = (uint32_t)(put_code(way, nano, code) - code);
    return key_counter_add_amount(counts, code, size, &amount);
}

/*
 * Add tuples with the figures of WAY: the least number once, the greatest once,
 * and two numbers next to each other for the rest.
 */
static enum key_result
add_way(struct key_counts *counts, const struct way *way)
{
    const struct wide least = wide_of_signed(way->least);
    uint64_t between = way->count > 2 ? way->count - 2 : 0;
    uint64_t above = 0; /* of the rest, how many are the greater one */
    int64_t lower = way->least;
    enum key_result result = add_tuple(counts, way, way->least, 1);

    if (between > 0) {
        struct wide rest = {way->sum_low, way->sum_high};
        rest = wide_subtract(rest, least);
        rest = wide_subtract(rest, wide_of_signed(way->greatest));
        rest = wide_subtract(rest, wide_multiply(least, between));
        /* It is not negative, and the quotient not above the difference of the
           greatest and the least. */
        lower += (int64_t)wide_divide(rest, between, &above).low;
    }
    if (result == KEY_OK && way->count > 1)
        result = add_tuple(counts, way, way->greatest, 1);
    if (result == KEY_OK)
        result = add_tuple(counts, way, lower, between - above);
    if (result == KEY_OK)
        result = add_tuple(counts, way, lower + 1, above);
    return result;
}

enum key_result
group_caches_settle(struct group_caches *caches, struct key_counts *counts)
{
    enum key_result result = KEY_OK;

    pthread_mutex_lock(&caches->lock);
    for (struct group_cache *cache = caches->first;
         cache != NULL && result == KEY_OK; cache = cache->next) {
        for (size_t s = 0; s < (size_t)1 << cache->sets_log && result == KEY_OK;
             s++) {
            for (size_t w = 0; w < WAYS && result == KEY_OK; w++) {
                struct way *way = &cache->set[s].way[w];
                if (way->count > 0)
                    result = add_way(counts, way);
                *way = (struct way){.count = 0};
            }
        }
    }
    pthread_mutex_unlock(&caches->lock);
    return result;
}
