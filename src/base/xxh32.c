/* xxh32.c -- the hash XXH32, as lz4 uses it */

#include <string.h>

#include "base/little_endian.h"
#include "base/stripe.h"
#include "base/xxh32.h"

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
xxh32_begin(struct xxh32 *hash)
{
    *hash = (struct xxh32){
        .lane = {PRIME_1 + PRIME_2, PRIME_2, 0, UINT32_C(0) - PRIME_1}};
}

/* Hash COUNT stripes. */
static void
add_stripes(uint32_t *lane, const unsigned char *data, size_t count)
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
        /* A vector of the four takes six times as long with SSE2, which has
           no such product. */
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
        if (!stripe_fill(hash->rest, XXH32_STRIPE_BYTES, kept, &data, &size))
            return;
        add_stripes(hash->lane, hash->rest, 1);
    }
    size_t count = size / XXH32_STRIPE_BYTES;
    add_stripes(hash->lane, data, count);
    data += count * XXH32_STRIPE_BYTES;
    size -= count * XXH32_STRIPE_BYTES;
    if (size > 0)
        memcpy(hash->rest, data, size);
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
        sum = rotate(sum + little_endian_32(hash->rest + at) * PRIME_3, 17) *
              PRIME_4;
    for (; at < kept; at++)
        sum = rotate(sum + hash->rest[at] * PRIME_5, 11) * PRIME_1;
    sum = (sum ^ sum >> 15) * PRIME_2;
    sum = (sum ^ sum >> 13) * PRIME_3;
    return sum ^ sum >> 16;
}

uint32_t
xxh32_of(const unsigned char *data, size_t size)
{
    struct xxh32 hash;

    xxh32_begin(&hash);
    xxh32_add(&hash, data, size);
    return xxh32_end(&hash);
}
