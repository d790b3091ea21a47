/* SPDX-License-Identifier: MIT */
/*
 * fuzz_sequence_work.c -- the kernels for sequences
 *
 * The first bytes choose the tables, the k-mers and the groups; the rest is a
 * chunk.  What the kernels count must be what the definition counts, and they
 * must refuse what is not simple and nothing else.  The data end where the
 * memory does.
 */

#include "../sequence_device.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = {data, size};
    uint64_t sources = fuzz_take(&fuzz, 1);
    uint64_t choice = fuzz_take(&fuzz, 1);
    uint64_t groups = fuzz_take(&fuzz, 1);
    struct device_case c = {
        .size = fuzz.size,
        .sources = (binning_u32)sources << 1,
        .k = (binning_u32)((choice & 15) % (DEVICE_K_MAX + 1)),
        .is_canonical = choice >> 4 & 1,
        .keeps_case = choice >> 5 & 1,
        .items = 1u << 2 * (groups & 3),
        .groups = 1 + (groups >> 2 & 3),
        .shared_words = (groups >> 4 & 1) != 0 ? 8000 : 2048,
        .drains = groups >> 6 & 1,
        .list_words = 2048,
        .lists = 1u << (sources & 7),
        .list_room = 1 + (binning_u32)(sources >> 3),
    };
    binning_u32 status;

    /* A long k-mer would take long: its lists have many parts. */
    if (c.k > 0 && c.k < 9)
        c.times = groups >> 5 & 3;
    if (device_table.cell == NULL)
        device_open();
    if (fuzz.size == 0)
        return 0;
    unsigned char *copy = malloc(fuzz.size);
    if (copy == NULL)
        abort();
    c.data = memcpy(copy, fuzz.data, fuzz.size);
    const char *wrong = device_check(&c, &status);
    fuzz_must(wrong == NULL, wrong);
    free(copy);
    return 0;
}
