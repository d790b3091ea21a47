/* SPDX-License-Identifier: MIT */
/* xxh.c -- the hashes XXH32, of lz4, and XXH64, of zstd */

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/little_endian.h"
#include "base/xxh.h"

/*
 * Fill the stripe of STRIPE bytes at TAIL, which has KEPT bytes so far, from
 * the *SIZE bytes at *DATA, and advance *DATA and *SIZE.  Returns whether the
 * stripe is full.
 */
static bool
fill_stripe(unsigned char *tail, size_t stripe, size_t kept,
            const unsigned char **data, size_t *size)
{
    size_t more = stripe - kept;

    if (more > *size)
        more = *size;
    memcpy(tail + kept, *data, more);
    *data += more;
    *size -= more;
    return kept + more == stripe;
}

/* ---- XXH32 ---- */

#define PRIME_1 UINT32_C(2654435761)
#define PRIME_2 UINT32_C(2246822519)
#define PRIME_3 UINT32_C(3266489917)
#define PRIME_4 UINT32_C(668265263)
#define PRIME_5 UINT32_C(374761393)

#define WORD_BYTES 4

static uint32_t
rotate(uint32_t word, unsigned int bits)
{
    return word << bits | word >> (32 - bits);
}

void
xxh32_start(struct xxh32 *hash)
{
    *hash = (struct xxh32){
        .lane = {PRIME_1 + PRIME_2, PRIME_2, 0, UINT32_C(0) - PRIME_1}};
}

/* Hash COUNT stripes. */
static void
add_stripes_32(uint32_t *lane, const unsigned char *data, size_t count)
{
    uint32_t a = lane[0];
    uint32_t b = lane[1];
    uint32_t c = lane[2];
    uint32_t d = lane[3];

    for (; count > 0; count--) {
        a = rotate(a + little_endian_32(data) * PRIME_2, 13) * PRIME_1;
        b = rotate(b + little_endian_32(data + 4) * PRIME_2, 13) * PRIME_1;
        c = rotate(c + little_endian_32(data + 8) * PRIME_2, 13) * PRIME_1;
        d = rotate(d + little_endian_32(data + 12) * PRIME_2, 13) * PRIME_1;
        data += XXH32_STRIPE_BYTES;
        /* A vector of all four lanes takes six times as long with SSE2, which
           lacks this product. */
        __asm__("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
    }
    lane[0] = a;
    lane[1] = b;
    lane[2] = c;
    lane[3] = d;
}

void
xxh32_add(struct xxh32 *hash, const unsigned char *data, size_t size)
{
    size_t kept = (size_t)(hash->bytes % XXH32_STRIPE_BYTES);

    hash->bytes += size;
    if (kept > 0) {
        if (!fill_stripe(hash->tail, XXH32_STRIPE_BYTES, kept, &data, &size))
            return;
        add_stripes_32(hash->lane, hash->tail, 1);
    }
    size_t count = size / XXH32_STRIPE_BYTES;
    add_stripes_32(hash->lane, data, count);
    data += count * XXH32_STRIPE_BYTES;
    size -= count * XXH32_STRIPE_BYTES;
    if (size > 0)
        memcpy(hash->tail, data, size);
}

uint32_t
xxh32_end(const struct xxh32 *hash)
{
    size_t kept = (size_t)(hash->bytes % XXH32_STRIPE_BYTES);
    const uint32_t *lane = hash->lane;
    uint32_t sum = hash->bytes < XXH32_STRIPE_BYTES
                       ? PRIME_5
                       : rotate(lane[0], 1) + rotate(lane[1], 7) +
                             rotate(lane[2], 12) + rotate(lane[3], 18);
    size_t at = 0;

    sum += (uint32_t)hash->bytes;
    for (; at + WORD_BYTES <= kept; at += WORD_BYTES)
        sum = rotate(sum + little_endian_32(hash->tail + at) * PRIME_3, 17) *
              PRIME_4;
    for (; at < kept; at++)
        sum = rotate(sum + hash->tail[at] * PRIME_5, 11) * PRIME_1;
    sum = (sum ^ sum >> 15) * PRIME_2;
    sum = (sum ^ sum >> 13) * PRIME_3;
    return sum ^ sum >> 16;
}

uint32_t
xxh32_of(const unsigned char *data, size_t size)
{
    struct xxh32 hash;

    xxh32_start(&hash);
    xxh32_add(&hash, data, size);
    return xxh32_end(&hash);
}

/* ---- XXH64 ---- */

void
xxh64_start(struct xxh64 *hash)
{
    *hash = (struct xxh64){.bytes = 0};
    for (unsigned int i = 0; i < XXH64_LANES; i++)
        hash->lane[i] = xxh64_lane(i);
}

/* The portable form of a step of all lanes. */
size_t
xxh64_portable(uint64_t *lane, const unsigned char *data, size_t count)
{
    struct xxh64_lanes lanes = xxh64_lanes_load(lane);

    for (size_t i = 0; i < count; i++, data += XXH64_STRIPE_BYTES) {
        xxh64_ask(data);
        xxh64_lanes_step_one(&lanes.a, &lanes.b,
                             xxh64_product(little_endian_64(data)));
        xxh64_lanes_step_one(&lanes.b, &lanes.c,
                             xxh64_product(little_endian_64(data + 8)));
        xxh64_lanes_step_one(&lanes.c, &lanes.d,
                             xxh64_product(little_endian_64(data + 16)));
        xxh64_lanes_step_one(&lanes.d, &lanes.a,
                             xxh64_product(little_endian_64(data + 24)));
    }
    xxh64_lanes_store(&lanes, lane);
    return count;
}

static void
add_stripes_64(struct xxh64 *hash, const unsigned char *data, size_t count)
{
    size_t done = 0;

#ifdef XXH64_HAS_AVX2
    if (xxh64_avx2_is_possible())
        done = xxh64_avx2(hash->lane, data, count);
#endif
    (void)xxh64_portable(hash->lane, data + done * XXH64_STRIPE_BYTES,
                         count - done);
}

void
xxh64_add(struct xxh64 *hash, const unsigned char *data, size_t size)
{
    size_t kept = (size_t)(hash->bytes % XXH64_STRIPE_BYTES);

    hash->bytes += size;
    if (kept > 0) {
        if (!fill_stripe(hash->tail, XXH64_STRIPE_BYTES, kept, &data, &size))
            return;
        (void)xxh64_portable(hash->lane, hash->tail, 1);
    }
    size_t count = size / XXH64_STRIPE_BYTES;
    add_stripes_64(hash, data, count);
    size -= count * XXH64_STRIPE_BYTES;
    if (size > 0)
        memcpy(hash->tail, data + count * XXH64_STRIPE_BYTES, size);
}

uint64_t
xxh64_end(const struct xxh64 *hash)
{
    const uint64_t *lane = hash->lane;

    return xxh64_finish(xxh64_join(lane[0], lane[1], lane[2], lane[3]),
                        hash->bytes, hash->tail);
}

uint64_t
xxh64_of(const unsigned char *data, size_t size, uint64_t seed)
{
    struct xxh64 hash;

    if (size < XXH64_STRIPE_BYTES)
        return xxh64_finish_from(seed + XXH64_PRIME_5, size, data);
    xxh64_start(&hash);
    for (unsigned int i = 0; i < XXH64_LANES; i++)
        hash.lane[i] += seed;
    xxh64_add(&hash, data, size);
    return xxh64_end(&hash);
}
