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
        slice = clf_find(&c->format, c->data, &record, c->field);
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
    struct text_dictionary dictionary;
    struct device_case c = {
        .size = fuzz.size,
        .format = {.kind = (binning_u32)(kind % TEXT_KINDS),
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
