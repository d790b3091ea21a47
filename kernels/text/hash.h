/* SPDX-License-Identifier: MIT */
/*
 * hash.h -- a 64-bit hash of bytes, with a random key
 *
 * Engines choose places in tables by this hash.  Keys are compared whole, so
 * the output does not depend on the hash.  A run takes a random key of the
 * hash, so that no input makes many keys collide.
 *
 * The method is that of wyhash by Wang Yi (public domain) and of its successor
 * rapidhash by Nicolas De Carli (MIT licence): words of the key are multiplied
 * in pairs, 64 by 64 bits, and both halves of the product count.  The code and
 * the order of the words are our own.
 *
 * The last 23 bytes of a key, right-aligned in three words of 8 bytes, with
 * zeros before them, make one round without branches.  The first byte of the
 * words is free; it holds the size of a short key plus 1.  So for keys of up to
 * 23 bytes the three words are the key, and comparing the words compares the
 * keys.
 *
 * The file is written in the common subset of C11, CUDA C++ and OpenCL C.  All
 * of them compute the same hash, on big-endian processors too.
 */

#ifndef GPUHIST_HASH_H
#define GPUHIST_HASH_H

#include "kernels/binning/binning.h"

/* The longest key that three words hold. */
#define HASH_SHORT_MAX 23
#define HASH_WORDS 3

/* Odd numbers without a pattern: the fractions of the golden ratio and e. */
#define HASH_GOLDEN 0x9e3779b97f4a7c15u
#define HASH_EULER 0xb7e151628aed2a6bu

struct hash_key {
    binning_u64 word[2]; /* random */
};

/* The 8 bytes at DATA, the least significant one first. */
DEVICE_FN binning_u64
hash_load(const DEVICE_GLOBAL unsigned char *data)
{
#if defined __BYTE_ORDER__ && !defined __CUDACC__ && \
    !defined __OPENCL_C_VERSION__
    binning_u64 bits;
    memcpy(&bits, data, sizeof bits);
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(bits)
                                                  : bits;
#else
    return (binning_u64)data[0] | (binning_u64)data[1] << 8 |
           (binning_u64)data[2] << 16 | (binning_u64)data[3] << 24 |
           (binning_u64)data[4] << 32 | (binning_u64)data[5] << 40 |
           (binning_u64)data[6] << 48 | (binning_u64)data[7] << 56;
#endif
}

/* Replace LOW and HIGH by the halves of their product. */
DEVICE_FN void
hash_multiply(binning_u64 *low, binning_u64 *high)
{
    binning_u64 a = *low;
    binning_u64 b = *high;
#ifdef __CUDACC__
    *low = a * b;
    *high = __umul64hi(a, b);
#elif defined __OPENCL_C_VERSION__
    *low = a * b;
    *high = mul_hi(a, b);
#elif defined __SIZEOF_INT128__ && !defined HASH_WITHOUT_INT128
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    *low = (binning_u64)product;
    *high = (binning_u64)(product >> 64);
#else
    binning_u64 a_low = a & 0xffffffff, a_high = a >> 32;
    binning_u64 b_low = b & 0xffffffff, b_high = b >> 32;
    binning_u64 cross = a_high * b_low + (a_low * b_low >> 32);
    binning_u64 middle = a_low * b_high + (cross & 0xffffffff);
    *low = a * b;
    *high = a_high * b_high + (cross >> 32) + (middle >> 32);
#endif
}

DEVICE_FN binning_u64
hash_mix(binning_u64 a, binning_u64 b)
{
    hash_multiply(&a, &b);
    return a ^ b;
}

/* The last round: SEED and the three words of the key's end. */
DEVICE_FN binning_u64
hash_finish(const struct hash_key *key, binning_u64 seed,
            const binning_u64 word[HASH_WORDS])
{
    /* The first word takes part twice: one product would not mix it well. */
    binning_u64 low = word[2] ^ seed ^ (word[0] << 32 | word[0] >> 32);
    binning_u64 high = word[1] ^ key->word[1];

    hash_multiply(&low, &high);
    return hash_mix(low ^ word[0] ^ HASH_GOLDEN, high ^ key->word[0]);
}

/* The hash of a short key, by its words. */
DEVICE_FN binning_u64
hash_short(const struct hash_key *key, const binning_u64 word[HASH_WORDS])
{
    return hash_finish(key, key->word[0], word);
}

/* Make the words of a key of SIZE bytes at DATA: at most HASH_SHORT_MAX. */
DEVICE_FN void
hash_short_words(const DEVICE_GLOBAL unsigned char *data, binning_u32 size,
                 binning_u64 word[HASH_WORDS])
{
    binning_u32 first = size & 7; /* bytes before whole words */
    binning_u64 bits = 0;
    binning_u32 i;

    for (i = 0; i < first; i++)
        bits = bits >> 8 | (binning_u64)data[i] << 56;
    data += first;
    word[0] = size >= 16 ? bits : 0;
    word[1] = size >= 16 ? hash_load(data) : size >= 8 ? bits : 0;
    word[2] = size >= 8 ? hash_load(data + (size & ~7u) - 8) : bits;
    word[0] |= size + 1;
}

/* The hash of a key of SIZE bytes at DATA.  Reads no other bytes. */
DEVICE_FN binning_u64
hash_bytes(const struct hash_key *key, const DEVICE_GLOBAL unsigned char *data,
           binning_u64 size)
{
    binning_u64 word[HASH_WORDS];
    binning_u64 seed;

    if (size <= HASH_SHORT_MAX) {
        hash_short_words(data, (binning_u32)size, word);
        return hash_short(key, word);
    }
    seed = hash_mix(size ^ key->word[1], key->word[0] ^ HASH_EULER);
    for (; size > 8 * HASH_WORDS; data += 16, size -= 16)
        seed = hash_mix(hash_load(data) ^ seed,
                        hash_load(data + 8) ^ key->word[1]);
    /* The last 24 bytes, some of them a second time. */
    data = data + size - 8 * HASH_WORDS;
    word[0] = hash_load(data);
    word[1] = hash_load(data + 8);
    word[2] = hash_load(data + 16);
    return hash_finish(key, seed, word);
}

#endif
