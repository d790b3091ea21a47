/* text_layout.c -- what devices count of text, and their cells */

#include "engine/text_layout.h"
#include "clf.h"
#include "engine/gpu/text_dictionary.h"

/* Kernels have the same layout, whatever this processor aligns. */
_Static_assert(sizeof(struct text_slot) == 32 &&
                   sizeof(struct text_work) % sizeof(binning_u64) == 0,
               "devices count something else");

/*
 * The keys that a device may know: what it and the host keep of them takes at
 * most a share of the memory.  More keys than that are too many for the caches
 * of a device.
 */
#define KEYS_MAX ((uint32_t)1 << 20)
#define KEYS_MIN ((uint32_t)1 << 10)
#define MEMORY_SHARE 8

/* The bytes of a key, if they use all of the room. */
#define KEY_BYTES 32

/* ---- what devices count ---- */

const char *
text_layout_why_not(const struct spec *spec)
{
    const struct field_list *fields = &spec->text_fields;

    if (spec->text.kind >= TEXT_KINDS)
        return "JSON";
    /* What their automaton knows of quotes, it does not know of comments. */
    if (spec->text.kind == TEXT_CSV && spec->text.comment != TEXT_NO_COMMENT)
        return "CSV with comments";
    if (spec->has_weights || spec_has_counts(spec))
        return "text with weights or counts";
    if (spec->axis_count != 1 || fields->count != 1)
        return "text with several fields";
    if (spec->shown[0].kind != BINNING_KEY || spec->shown[0].is_text)
        return "numbers in text";
    if (clf_is_of_time(fields->field[0].part))
        return "the parts of a time";
    return NULL;
}

bool
text_layout_check(const struct spec *spec, const char *device,
                  struct error *error)
{
    const char *why = text_layout_why_not(spec);

    if (why != NULL)
        error_set(error, EXIT_NO_DEVICE,
                  "%s: this is counted by the CPU only: %s", device, why);
    return why == NULL;
}

/* ---- cells ---- */

size_t
text_layout_arena_bytes(uint32_t keys)
{
    return (size_t)keys * KEY_BYTES;
}

uint64_t
text_layout_host_bytes(uint32_t keys)
{
    if (keys == 0)
        return 0;
    return text_dictionary_slots(keys) * sizeof(struct text_known) +
           keys * (uint64_t)(sizeof(struct text_slot) + sizeof(uint64_t)) +
           text_layout_arena_bytes(keys);
}

uint64_t
text_layout_cells(uint32_t keys)
{
    return keys > 0 ? TEXT_TOTALS + (uint64_t)keys : 0;
}

uint32_t
text_layout_keys(const struct spec *spec, uint64_t memory_limit)
{
    uint32_t keys = KEYS_MAX;

    if (!spec->is_text || spec_is_sequences(spec) ||
        text_layout_why_not(spec) != NULL)
        return 0;
    while (keys > KEYS_MIN &&
           text_layout_host_bytes(keys) > memory_limit / MEMORY_SHARE)
        keys /= 2;
    return keys;
}

bool
text_layout_adds_up(const struct histogram *histogram)
{
    return histogram_total(histogram, TEXT_TOTAL_RECORDS + 1,
                           histogram->cells - (TEXT_TOTAL_RECORDS + 1)) ==
           histogram->value[TEXT_TOTAL_RECORDS];
}
