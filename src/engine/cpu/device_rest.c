/* device_rest.c -- the records that a device has left of a chunk */

#include "engine/cpu/device_rest.h"
#include "clf.h"
#include "text_work.h"

/* The field of the record that begins at AT. */
static struct text_slice
find_field(const struct spec *spec, const struct chunk *chunk, binning_u32 at)
{
    struct text_record record;

    if (!fields_record(&spec->text, chunk->data, (binning_u32)chunk->used, at,
                       &record))
        return clf_missing();
    return clf_find(&spec->text, chunk->data, &record,
                    spec->text_fields.field[0]);
}

void
device_rest_read(const struct spec *spec, const struct chunk *chunk,
                 size_t first, size_t count, struct text_slice *slice)
{
    const uint32_t *pair = chunk->rest + 2 * first;

    for (size_t r = 0; r < count; r++, pair += 2)
        slice[r] = pair[1] == TEXT_WHOLE_RECORD
                       ? find_field(spec, chunk, pair[0])
                       : (struct text_slice){pair[0], pair[1]};
}
