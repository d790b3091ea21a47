/* SPDX-License-Identifier: MIT */
/* gen_random.c -- random words */

#include "gen_random.h"

void
gen_random_seed(struct gen_random *random, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        seed += 0x9e3779b97f4a7c15;
        uint64_t word = seed;
        word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9;
        word = (word ^ word >> 27) * 0x94d049bb133111eb;
        random->state[i] = word ^ word >> 31;
    }
}

#define BATCH_MAX 8

/* A constant BATCH lets the compiler unroll the inner loop. */
static inline __attribute__((always_inline)) void
make_batches(struct gen_random *random, uint64_t below, uint64_t unfair,
             unsigned int batch, uint64_t *integer, uint64_t count)
{
    struct gen_random local = *random;

    for (uint64_t i = 0; i < count; i += batch) {
        uint64_t word;
        do {
            word = gen_random_word(&local);
            for (unsigned int j = 0; j < batch; j++)
                integer[i + j] = gen_random_multiply(&word, below);
        } while (word < unfair);
    }
    *random = local;
}

void
gen_random_integers(struct gen_random *random, uint64_t below,
                    uint64_t *integer, uint64_t count)
{
    /* If a batch has at most 2^60 outcomes, few batches are rejected. */
    uint64_t outcomes = below;
    unsigned int batch = 1;
    while (batch < BATCH_MAX && outcomes <= ((uint64_t)1 << 60) / below) {
        outcomes *= below;
        batch++;
    }
    /* Batches of 5 to 7 would need cases of their own and gain little. */
    if (batch > 4 && batch < BATCH_MAX)
        batch = 4;

    outcomes = below;
    for (unsigned int i = 1; i < batch; i++)
        outcomes *= below;
    uint64_t unfair = (0 - outcomes) % outcomes; /* 2^64 mod outcomes */
    switch (batch) {
    case 1:
        make_batches(random, below, unfair, 1, integer, count);
        break;
    case 2:
        make_batches(random, below, unfair, 2, integer, count);
        break;
    case 3:
        make_batches(random, below, unfair, 3, integer, count);
        break;
    case 4:
        make_batches(random, below, unfair, 4, integer, count);
        break;
    default:
        make_batches(random, below, unfair, BATCH_MAX, integer, count);
    }
}
