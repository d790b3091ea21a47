/* kmer_hot.c -- k-mers that a thread counts on its own */

#include "engine/cpu/kmers/kmer_hot.h"

/* Codes of a list that are compared, and how many must be the same. */
#define SAMPLES 8
#define SAMPLES_HOT 3

struct kmer_hot *
kmer_hot_find(struct kmer_hot *hot, uint64_t code)
{
    struct kmer_hot *unused = NULL;

    for (size_t w = 0; w < KMER_HOT_WAYS; w++) {
        if (hot[w].count == 0)
            unused = &hot[w];
        else if (hot[w].code == code)
            return &hot[w];
    }
    return unused;
}

/* Whether one of the codes SAMPLE is frequent: sets *CODE to it. */
static bool
find_frequent(const uint64_t sample[SAMPLES], uint64_t *code)
{
    unsigned int most = 0;

    for (size_t s = 0; s < SAMPLES; s++) {
        unsigned int same = 0;
        for (size_t t = 0; t < SAMPLES; t++)
            same += sample[t] == sample[s];
        if (same > most) {
            most = same;
            *code = sample[s];
        }
    }
    return most >= SAMPLES_HOT;
}

bool
kmer_hot_is_in(const uint64_t *list, size_t count, uint64_t *code)
{
    uint64_t sample[SAMPLES];

    for (size_t s = 0; s < SAMPLES; s++)
        sample[s] = list[s * count / SAMPLES];
    return find_frequent(sample, code);
}

bool
kmer_hot_is_in_short(const uint16_t *list, size_t count, uint64_t *code)
{
    uint64_t sample[SAMPLES];

    for (size_t s = 0; s < SAMPLES; s++)
        sample[s] = list[s * count / SAMPLES];
    return find_frequent(sample, code);
}

size_t
kmer_hot_remove(uint64_t *list, size_t count, uint64_t code)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        uint64_t own = list[i];
        list[kept] = own;
        kept += own != code;
    }
    return kept;
}

size_t
kmer_hot_remove_short(uint16_t *list, size_t count, uint64_t code)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        uint16_t own = list[i];
        list[kept] = own;
        kept += own != code;
    }
    return kept;
}
