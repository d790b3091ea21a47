/* SPDX-License-Identifier: MIT */
/*
 * fuzz_npy.c -- headers of .npy files
 *
 * A header of any bytes: what is accepted is a record whose fields are inside,
 * one after the other.  A header of a type that the data choose, written as
 * numpy writes it: it has the fields that were written.
 */

#include "fuzz.h"
#include "hist/npy_header.h"

#define TEXT_BYTES 8192

/* Parse the SIZE bytes at DATA, in a block of their own. */
static int
parse(struct npy_header *header, const uint8_t *data, size_t size,
      struct npy_fault *fault)
{
    unsigned char *copy = malloc(size > 0 ? size : 1);

    if (copy == NULL)
        abort();
    if (size > 0)
        memcpy(copy, data, size);
    uint64_t bytes = npy_header_bytes(copy, size);
    fuzz_must(bytes == 0 || bytes >= 10, "a length");
    int result = npy_header_parse(header, copy, size, fault);
    free(copy);
    return result;
}

static void
check_record(const struct npy_header *header)
{
    const struct record *record = &header->record;
    size_t end = 0;

    fuzz_must(record->count > 0 && record->count <= RECORD_ELEMENTS_MAX &&
                  record->bytes <= RECORD_BYTES_MAX,
              "a record");
    fuzz_must(header->bytes % record->bytes == 0, "whole items");
    for (size_t i = 0; i < record->count; i++) {
        const struct element *element = &record->element[i];
        fuzz_must(element->offset >= end, "in their order");
        end = element->offset + binning_size(element->type);
        fuzz_must(strlen(header->type[i]) >= 2, "a type");
        for (const char *name = record->name != NULL ? record->name[i] : "";
             *name != '\0'; name++)
            fuzz_must((unsigned char)*name >= 0x20 && *name != 0x7f,
                      "no control characters in names");
    }
    fuzz_must(end <= record->bytes, "inside of the record");
}

static void
check_any(const struct fuzz *fuzz)
{
    struct npy_header header;
    struct npy_header again;
    struct npy_fault fault;
    char difference[200];

    if (parse(&header, fuzz->data, fuzz->size, &fault) < 0) {
        fuzz_must(fault.text[0] != '\0' && fault.offset <= fuzz->size,
                  "what is wrong, and where");
        npy_header_close(&header);
        return;
    }
    check_record(&header);
    fuzz_must(parse(&again, fuzz->data, fuzz->size, &fault) == 0 &&
                  npy_header_is_equal(&header, &again, difference,
                                      sizeof difference) &&
                  header.bytes == again.bytes,
              "the same again");
    struct record copy;
    fuzz_must(record_copy(&copy, &header.record) == 0, "a copy");
    record_close(&copy);
    npy_header_close(&header);
    npy_header_close(&again);
}

/* The types of a field that is chosen by a number. */
static const struct {
    const char *code;
    enum sample_type type; /* of its elements ... */
    size_t count;          /* ... of which there are so many */
    size_t bytes;
} types[] = {
    {"u1", SAMPLE_U1, 1, 1}, {"i1", SAMPLE_I1, 1, 1},
    {"u2", SAMPLE_U2, 1, 2}, {"i2", SAMPLE_I2, 1, 2},
    {"u4", SAMPLE_U4, 1, 4}, {"i4", SAMPLE_I4, 1, 4},
    {"u8", SAMPLE_U8, 1, 8}, {"i8", SAMPLE_I8, 1, 8},
    {"f2", SAMPLE_F2, 1, 2}, {"f4", SAMPLE_F4, 1, 4},
    {"f8", SAMPLE_F8, 1, 8}, {"b1", SAMPLE_U1, 1, 1},
    {"c8", SAMPLE_F4, 2, 8}, {"c16", SAMPLE_F8, 2, 16},
    {"S3", 0, 0, 3},         {"U2", 0, 0, 8},
    {"V5", 0, 0, 5},         {"M8[us]", SAMPLE_I8, 1, 8},
};

/* Choose a type of several fields; it must be parsed as it is written. */
static void
check_chosen(struct fuzz *fuzz)
{
    static char text[TEXT_BYTES];
    struct element element[64];
    size_t count = 0;
    size_t bytes = 0;
    size_t used = 10;
    size_t fields = 1 + fuzz_take(fuzz, 1) % 8;

    memcpy(text, "\x93NUMPY\1", 8);
    used += (size_t)snprintf(text + used, sizeof text - used, "{'descr': [");
    for (size_t i = 0; i < fields; i++) {
        size_t t = fuzz_take(fuzz, 1) % (sizeof types / sizeof *types);
        size_t repeat = fuzz_take(fuzz, 1) % 4;
        bool is_big = fuzz_take(fuzz, 1) % 2 != 0;
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "('f%zu', '%c%s', (%zu,)), ", i,
                                 is_big ? '>' : '<', types[t].code, repeat);
        for (size_t n = 0; n < repeat * types[t].count; n++) {
            size_t size = types[t].bytes / types[t].count;
            element[count++] = (struct element){
                .offset = bytes + n * size,
                .type = types[t].type,
                .is_swapped = is_big && size > 1,
            };
        }
        bytes += repeat * types[t].bytes;
    }
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "], 'fortran_order': True, 'shape': (2, 7)}\n");
    text[8] = (char)((used - 10) & 0xff);
    text[9] = (char)((used - 10) >> 8);

    struct npy_header header;
    struct npy_fault fault;
    int result = parse(&header, (const uint8_t *)text, used, &fault);
    fuzz_must(count == 0 ? result < 0 : result == 0, "a chosen type");
    if (result == 0) {
        check_record(&header);
        fuzz_must(header.record.count == count &&
                      header.record.bytes == bytes &&
                      header.bytes == 14 * bytes,
                  "its size");
        for (size_t i = 0; i < count; i++)
            fuzz_must(header.record.element[i].offset == element[i].offset &&
                          header.record.element[i].type == element[i].type &&
                          header.record.element[i].is_swapped ==
                              element[i].is_swapped,
                      "its fields");
    }
    npy_header_close(&header);
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
