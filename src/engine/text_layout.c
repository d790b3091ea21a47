/* SPDX-License-Identifier: MIT */
/* text_layout.c -- the text that devices count, and their cells */

#include "engine/text_layout.h"
#include "engine/text_dictionary.h"
#include "kernels/text/clf.h"

/* Kernels have an equal layout, whatever the processor aligns. */
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

/* Of an axis of numbers: more cells are too many for the caches, too. */
#define BINS_MAX ((uint64_t)1 << 20)

/* ---- specs for devices ---- */

/* Whether FIELDS are in spans of the records of FORMAT, which can be divided
   again. */
static bool
has_spans(const struct text_format *format, const struct field_list *fields)
{
    bool has_all = text_type_of(format->kind)->has_columns;

    for (size_t i = 0; i < fields->count; i++)
        has_all &= !fields->field[i].is_from_last;
    return has_all;
}

const char *
text_layout_why_not(const struct spec *spec)
{
    const struct text_type *type = text_type_of(spec->text.kind);
    const struct field_list *fields = &spec->text_fields;

    if (type->on_cpu != NULL)
        return type->on_cpu;
    if (spec->text.is_derived)
        return "fields with modifiers";
    /* What their automaton knows of quotes, it does not know of comments. */
    if (type->ends == TEXT_ENDS_QUOTED && spec->text.comment != TEXT_NO_COMMENT)
        return "CSV with comments";
    if (spec->text.comment_more > 0)
        return "comments whose mark has several bytes";
    if (spec->adds != ADDS_ONE)
        return "text with weights or counts";
    if (spec->conditions.count > 0)
        return "text with conditions";
    if (fields->count > 1 && !has_spans(&spec->text, fields))
        return "several fields of such text";
    if (spec->may_misfit && spec->text.counts_invalid == 0)
        return "lines that must fit their format";
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

/* ---- spans ---- */

bool
text_layout_has_spans(const struct spec *spec)
{
    return spec->text_fields.count > 1;
}

struct text_field
text_layout_field(const struct spec *spec, uint32_t *span)
{
    const struct field_list *fields = &spec->text_fields;
    struct text_field first = fields->field[0];
    binning_u32 last = first.number;

    for (size_t i = 1; i < fields->count; i++) {
        binning_u32 number = fields->field[i].number;
        first.number = number < first.number ? number : first.number;
        last = number > last ? number : last;
    }
    *span = last - first.number;
    return first;
}

void
text_layout_divide(const struct spec *spec, const unsigned char *data,
                   struct text_slice text, struct text_slice *field)
{
    const struct text_record record = {.start = text.at,
                                       .end = text.at + text.size};
    uint32_t span;
    struct text_field first = text_layout_field(spec, &span);

    if (!text_layout_has_spans(spec)) {
        *field = text;
        return;
    }
    for (size_t i = 0; i < spec->text_fields.count; i++) {
        struct text_field own = spec->text_fields.field[i];
        own.number -= first.number - 1;
        field[i] = fields_find(&spec->text, data, &record, own);
    }
}

/* ---- cells ---- */

uint32_t
text_layout_bins(const struct spec *spec)
{
    const struct binning_axis *axis = &spec->counted[0];

    if (text_layout_has_spans(spec) || !axis->is_text || axis->is_auto ||
        axis->kind == BINNING_NUMBER ||
        axis->bins > BINS_MAX - axis_number_flows(axis))
        return 0;
    return (uint32_t)axis->bins + axis_number_flows(axis);
}

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
text_layout_first_bin(uint32_t keys)
{
    return TEXT_TOTALS + (uint64_t)keys;
}

uint64_t
text_layout_cells(const struct spec *spec, uint32_t keys)
{
    return keys > 0 ? text_layout_first_bin(keys) + text_layout_bins(spec) : 0;
}

uint32_t
text_layout_keys(const struct spec *spec, uint64_t memory_limit)
{
    uint32_t keys = KEYS_MAX;

    if (spec->kind != SPEC_FIELDS || text_layout_why_not(spec) != NULL)
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
