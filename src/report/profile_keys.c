/* profile_keys.c -- the values of a field that is counted as keys */

#include "report/profile_keys.h"
#include "report/row_step.h"
#include "text/field_value.h"

void
profile_keys_open(struct profile_keys *keys, const struct report *report,
                  size_t i)
{
    const struct spec *spec = report->spec;

    *keys = (struct profile_keys){
        .report = report,
        .axis = &spec->shown[spec_own_axis(spec, i)],
        .list = spec_keys(spec, i),
    };
}

/* Keep the keys before the next one in their files only, if a list in files
   has read many. */
static void
forget(const struct profile_keys *keys)
{
    if (keys->next == 0 || keys->next % ROWS_AT_A_TIME != 0)
        return;
    uint64_t first = keys->next - ROWS_AT_A_TIME;
    key_list_forget(keys->list, first, ROWS_AT_A_TIME);
    histogram_forget(keys->report->histogram, keys->axis->base + first,
                     ROWS_AT_A_TIME);
}

bool
profile_keys_next(struct profile_keys *keys, struct profile_value *value)
{
    const struct histogram *histogram = keys->report->histogram;
    const struct text_format *format = &keys->report->spec->text;

    while (keys->list != NULL && keys->next < keys->list->count) {
        forget(keys);
        uint64_t bin = keys->next++;
        const struct key_entry entry = key_list_key(keys->list, bin);
        uint64_t count = histogram_count(histogram, keys->axis->base + bin);

        if (count == 0)
            continue;
        *value = (struct profile_value){
            .byte = entry.key, .size = entry.size, .count = count};
        text_number_scan(entry.key, entry.size, &value->number);
        if (!field_value_is_empty(format, &value->number, entry.key,
                                  entry.size))
            return true;
        keys->empty += count;
    }
    return false;
}
