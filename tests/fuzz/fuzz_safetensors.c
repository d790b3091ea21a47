/* SPDX-License-Identifier: MIT */
/*
 * fuzz_safetensors.c -- headers of safetensors files
 *
 * A header of any bytes: what is accepted is a list of arrays, one after the
 * other without gaps, each with a name of its own.  A header of arrays that the
 * data choose: the arrays that were written.
 */

#include "fuzz.h"
#include "hist/safetensors_header.h"

#define ARRAYS_MAX 8
#define TEXT_BYTES 4096

/* Parse the SIZE bytes at DATA, in a block of their own. */
static int
parse(struct safetensors_header *header, const uint8_t *data, size_t size,
      struct npy_fault *fault)
{
    unsigned char *copy = malloc(size > 0 ? size : 1);

    if (copy == NULL)
        abort();
    if (size > 0)
        memcpy(copy, data, size);
    int result = safetensors_header_parse(header, copy, size, fault);
    free(copy);
    return result;
}

/* Check the arrays of HEADER, of a header of SIZE bytes. */
static void
check_arrays(const struct safetensors_header *header, size_t size)
{
    uint64_t end = 0;

    for (size_t i = 0; i < header->count; i++) {
        const struct safetensors_array *array = &header->array[i];
        struct npy_array described;
        struct npy_header npy;

        fuzz_must(array->start == end, "no gap, in their order");
        end += array->bytes;
        fuzz_must(array->at < size, "a name in the header");
        for (size_t n = 0; n < i; n++)
            fuzz_must(strcmp(header->array[n].name, array->name) != 0,
                      "names that differ");
        if (!safetensors_array_describe(array, &described))
            continue;
        fuzz_must(npy_header_make(&npy, &described) == 0, "a record");
        fuzz_must(npy.bytes == array->bytes && npy.record.bytes > 0 &&
                      npy.bytes % npy.record.bytes == 0,
                  "whole items");
        npy_header_close(&npy);
    }
    fuzz_must(end == header->bytes, "the bytes of all arrays");
}

static void
check_any(const struct fuzz *fuzz)
{
    struct safetensors_header header;
    struct npy_fault fault;

    if (parse(&header, fuzz->data, fuzz->size, &fault) == 0)
        check_arrays(&header, fuzz->size);
    else
        fuzz_must(fault.text[0] != '\0' && fault.offset <= fuzz->size,
                  "what is wrong, and where");
    safetensors_header_close(&header);
}

/* The types of an array that is chosen by a number. */
static const struct {
    const char *name;
    unsigned int bits;
} types[] = {
    {"BOOL", 8}, {"U8", 8},      {"I16", 16},    {"U32", 32}, {"F64", 64},
    {"C64", 64}, {"F8_E4M3", 8}, {"F6_E3M2", 6}, {"F4", 4},
};

/* Choose arrays, in an order of their own; they must be parsed as they are
   written. */
static void
check_chosen(struct fuzz *fuzz)
{
    static char text[TEXT_BYTES];
    size_t count = fuzz_take(fuzz, 1) % ARRAYS_MAX;
    size_t first = count > 0 ? fuzz_take(fuzz, 1) % count : 0;
    uint64_t start[ARRAYS_MAX + 1] = {0};
    size_t type[ARRAYS_MAX];
    uint64_t items[ARRAYS_MAX];
    bool is_right = true;

    for (size_t i = 0; i < count; i++) {
        type[i] = fuzz_take(fuzz, 1) % (sizeof types / sizeof *types);
        items[i] = fuzz_take(fuzz, 2);
        is_right &= items[i] * types[type[i]].bits % 8 == 0;
        start[i + 1] = start[i] + items[i] * types[type[i]].bits / 8;
    }
    size_t used = (size_t)snprintf(text, sizeof text, "{");
    for (size_t n = 0; n < count; n++) {
        size_t i = (first + n) % count;
        used += (size_t)snprintf(
            text + used, sizeof text - used,
            "%s\"a%zu\":{\"dtype\":\"%s\",\"shape\":[%llu],"
            "\"data_offsets\":[%llu,%llu]}",
            n > 0 ? "," : "", i, types[type[i]].name,
            (unsigned long long)items[i], (unsigned long long)start[i],
            (unsigned long long)start[i + 1]);
    }
    used += (size_t)snprintf(text + used, sizeof text - used, "} ");

    struct safetensors_header header;
    struct npy_fault fault;
    int result = parse(&header, (const uint8_t *)text, used, &fault);
    fuzz_must((result == 0) == is_right, "chosen arrays");
    if (result == 0) {
        check_arrays(&header, used);
        fuzz_must(header.count == count && header.bytes == start[count],
                  "all of them");
    }
    safetensors_header_close(&header);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = {data, size};

    if (fuzz_take(&fuzz, 1) % 8 == 0)
        check_chosen(&fuzz);
    else
        check_any(&fuzz);
    return 0;
}
