/* SPDX-License-Identifier: MIT */
/*
 * fuzz_text_work.c -- the kernels for text
 *
 * The first bytes choose how the text is divided, the groups and the room of
 * the list; the rest is a chunk.  The device knows the keys of some records.
 * What the kernels count must be what the definition counts, and they must list
 * the others and little else.  The data end where the memory does.
 */

/* Small, so that most records cross a border. */
#define TEXT_TILE 64
#define TEXT_AHEAD 64

#include "../text_device.h"
#include "fuzz.h"

#define KEYS_MAX 64

/* Axes of numbers. */
static const double edges[] = {-3, 0, 0.1, 0.3, 12, 1e6};
static const struct binning_axis axes[] = {
    {.kind = BINNING_EVEN,
     .type = SAMPLE_F8,
     .is_text = 1,
     .bins = 10,
     .lo = 0,
     .hi = 100,
     .width = 10,
     .scale = 0.1},
    {.kind = BINNING_EDGES,
     .type = SAMPLE_F8,
     .is_text = 1,
     .bins = 5,
     .lo = -3,
     .hi = 1e6,
     .closed = BINNING_RIGHT},
    {.kind = BINNING_DIRECT,
     .type = SAMPLE_I8,
     .is_text = 1,
     .mask = ~(binning_u64)0,
     .first = ~(binning_u64)4,
     .bins = 20},
};

/* Teach DICTIONARY the keys of those records of C that CHOICE has a bit for. */
static void
learn(struct text_dictionary *dictionary, const struct device_case *c,
      uint64_t choice)
{
    struct text_record record = {0};

    for (binning_u32 at = 0, n = 0;
         fields_record(&c->format, c->data, (binning_u32)c->size, at, &record);
         at = record.next, n++) {
        struct text_slice slice;
        if (record.is_comment || (choice >> n % 8 & 1) == 0)
            continue;
        slice = c->finding == TEXT_FINDS_SPANS
                    ? device_span(c, &record)
                    : clf_find(&c->format, c->data, &record, c->field);
        if (c->prefix != 0 && slice.size > c->prefix)
            slice.size = c->prefix;
        if (slice.at == TEXT_SLICE_MISSING)
            continue;
        const struct text_key key = {c->data + slice.at, slice.size};
        (void)text_dictionary_learn(dictionary, &key, 1);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const unsigned char delimiters[] = {',', '\t', ' ', 'a'};
    const struct hash_key hash_key = {{0x0123456789abcdef, 0x456789abcdef}};
    struct fuzz fuzz = {data, size};
    uint64_t kind = fuzz_take(&fuzz, 1);
    uint64_t field = fuzz_take(&fuzz, 1);
    uint64_t groups = fuzz_take(&fuzz, 1);
    uint64_t keys = fuzz_take(&fuzz, 1);
    uint64_t room = fuzz_take(&fuzz, 1);
    uint64_t finding = fuzz_take(&fuzz, 1);
    struct text_dictionary dictionary;
    struct device_case c = {
        .size = fuzz.size,
        .format = {.kind = (binning_u32)(TEXT_LINES +
                                         kind % (TEXT_KINDS - TEXT_LINES)),
                   .delimiter = delimiters[kind >> 4 & 3],
                   .end = (kind >> 6 & 1) != 0 ? 0 : '\n',
                   .comment = TEXT_NO_COMMENT},
        .field = {(binning_u32)(field & 7), field >> 3 & 1, TEXT_PART_ALL},
        .items = 1u << 2 * (groups & 3),
        .groups = 1 + (groups >> 2 & 3),
        .prefix = (binning_u32)(groups >> 4),
        .list_room = (binning_u32)room,
        .dictionary = &dictionary,
    };
    binning_u32 status;
    binning_u32 listed;

    if (device.stack == NULL)
        device_open_items();
    if (fuzz.size == 0)
        return 0;
    if (c.format.kind == TEXT_CLF)
        c.field.part = (binning_u32)(field >> 4) % (TEXT_PART_PROTOCOL + 1);
    if ((kind >> 7 & 1) != 0 && c.format.kind != TEXT_CSV)
        c.format.comment = '#';
    if (c.field.number == 0 && !c.field.is_from_last)
        c.field.number = 1;
    if (c.format.kind == TEXT_CLF && c.field.part != TEXT_PART_ALL)
        c.field = (struct text_field){CLF_REQUEST, 0, c.field.part};
    c.finding = (enum text_finding)(finding % 3);
    c.axis = &axes[finding / 3 % 3];
    c.edges = edges;
    if (c.finding == TEXT_FINDS_SPANS) {
        static const enum text_kind kinds[] = {TEXT_DELIMITED, TEXT_WHITESPACE,
                                               TEXT_CSV};
        c.format.kind = kinds[kind % 3];
        c.format.comment =
            c.format.kind == TEXT_CSV ? TEXT_NO_COMMENT : c.format.comment;
        c.field =
            (struct text_field){1 + (binning_u32)(field & 3), 0, TEXT_PART_ALL};
        c.span = (binning_u32)(field >> 2 & 3);
    }
    c.format.skips_blank = c.format.kind == TEXT_CSV && (kind >> 7 & 1) != 0;
    unsigned char *copy = malloc(fuzz.size);
    if (copy == NULL ||
        text_dictionary_open(&dictionary, hash_key, KEYS_MAX, 1 << 14) < 0)
        abort();
    c.data = memcpy(copy, fuzz.data, fuzz.size);
    learn(&dictionary, &c, keys);
    const char *wrong = device_check(&c, &status, &listed);
    fuzz_must(wrong == NULL, wrong);
    text_dictionary_close(&dictionary);
    free(copy);
    return 0;
}
