/* xxh64.c -- the hash XXH64, as zstd uses it */

#include <string.h>

#include "base/little_endian.h"
#include "base/stripe.h"
#include "base/xxh64.h"
#include "base/xxh64_lanes.h"

void
xxh64_begin(struct xxh64 *hash)
{
    *hash = (struct xxh64){.bytes = 0};
    for (unsigned int i = 0; i < XXH64_LANES; i++)
        hash->lane[i] = xxh64_lane(i);
}

/* ---- the portable form ---- */

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

/* ---- any size ---- */

static void
add_stripes(struct xxh64 *hash, const unsigned char *data, size_t count)
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
        if (!stripe_fill(hash->rest, XXH64_STRIPE_BYTES, kept, &data, &size))
            return;
        (void)xxh64_portable(hash->lane, hash->rest, 1);
    }
    size_t count = size / XXH64_STRIPE_BYTES;
    add_stripes(hash, data, count);
    size -= count * XXH64_STRIPE_BYTES;
    if (size > 0)
        memcpy(hash->rest, data + count * XXH64_STRIPE_BYTES, size);
}

uint64_t
xxh64_end(const struct xxh64 *hash)
{
    const uint64_t *lane = hash->lane;

    return xxh64_finish(xxh64_join(lane[0], lane[1], lane[2], lane[3]),
                        hash->bytes, hash->rest);
}
