/* device_rest.c -- the records that a device has left of a chunk */

#include "engine/cpu/fields/device_rest.h"
#include "engine/text_layout.h"
#include "kernels/text/clf.h"
#include "kernels/text/text_work.h"

/* Set SLICE to the fields of the record that begins at AT. */
static void
find_fields(const struct spec *spec, const struct chunk *chunk, binning_u32 at,
            struct text_slice *slice, struct scan_ledger *ledger)
{
    const struct text_type *type = text_type_of(spec->text.kind);
    struct text_record record = {0};
    bool is_there = fields_record(&spec->text, chunk->data,
                                  (binning_u32)chunk->used, at, &record) != 0;

    if (is_there && type->fits != NULL &&
        !type->fits(chunk->data, record.begin, record.end, ledger))
        ledger->misfits++;
    for (size_t i = 0; i < spec->text_fields.count; i++)
        slice[i] = is_there ? clf_find(&spec->text, chunk->data, &record,
                                       spec->text_fields.field[i])
                            : clf_missing();
}

void
device_rest_read(const struct spec *spec, const struct chunk *chunk,
                 size_t first, size_t count, struct text_slice *slice,
                 struct scan_ledger *ledger)
{
    const uint32_t *pair = chunk->rest + 2 * first;

    for (size_t r = 0; r < count;
         r++, pair += 2, slice += spec->text_fields.count) {
        if (pair[1] == TEXT_WHOLE_RECORD)
            find_fields(spec, chunk, pair[0], slice, ledger);
        else
            text_layout_divide(spec, chunk->data,
                               (struct text_slice){pair[0], pair[1]}, slice);
    }
}
