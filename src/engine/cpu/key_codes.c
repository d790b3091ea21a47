/* key_codes.c -- the tuples of a batch of records, as keys */

#include <stdlib.h>

#include "engine/cpu/key_codes.h"
#include "hist/key_code.h"
#include "hist/key_table.h"
#include "text/field_value.h"

/* They stay in the second-level cache, and are thousands of usual tuples. */
#define ROOM_BYTES ((size_t)256 << 10)

/* Replace the buffer by one of ROOM bytes, whose content is undefined. */
static enum key_result
allocate(struct key_codes *codes, size_t room)
{
    free(codes->byte);
    codes->byte = malloc(room);
    codes->room = codes->byte != NULL ? room : 0;
    return codes->byte != NULL ? KEY_OK : KEY_NO_MEMORY;
}

enum key_result
key_codes_open(struct key_codes *codes)
{
    codes->byte = NULL;
    return allocate(codes, ROOM_BYTES);
}

void
key_codes_close(struct key_codes *codes)
{
    free(codes->byte);
}

/* Make room for BYTES. */
static enum key_result
grow(struct key_codes *codes, size_t bytes)
{
    return bytes > KEY_BYTES_MAX ? KEY_LIMIT
                                 : allocate(codes, bytes + bytes / 2);
}

/* The fields of a record that make a tuple. */
struct tuple {
    const struct spec *spec;
    size_t dimensions;
    size_t axis[SPEC_AXES_MAX];
};

static void
tuple_open(struct tuple *tuple, const struct spec *spec, size_t i)
{
    tuple->spec = spec;
    tuple->dimensions = spec_dimensions(spec);
    for (size_t d = 0; d < tuple->dimensions; d++)
        tuple->axis[d] = spec_axis_of(spec, i, d);
}

/*
 * Returns the most bytes that the code of FIELD may have, and sets *VALUE to
 * the most bytes of one of its values.
 */
static size_t
tuple_room(const struct tuple *tuple, const struct text_slice *field,
           size_t *value)
{
    size_t room = 0;

    *value = 0;
    for (size_t d = 0; d < tuple->dimensions; d++) {
        size_t bytes = field_value_room(field[tuple->axis[d]]);
        bool is_last = d + 1 == tuple->dimensions;
        room += is_last ? 1 + bytes : KEY_CODE_TEXT_ROOM(bytes);
        *value = *value < bytes ? bytes : *value;
    }
    return room;
}

/* Write the code of FIELD at AT; VALUE has room for a value. */
static unsigned char *
tuple_put(const struct tuple *tuple, const unsigned char *data,
          const struct text_slice *field, unsigned char *value,
          unsigned char *at)
{
    const struct spec *spec = tuple->spec;

    for (size_t d = 0; d < tuple->dimensions; d++) {
        size_t axis = tuple->axis[d];
        struct text_slice slice = field[axis];
        const unsigned char *text = data + slice.at;
        size_t size = slice.size;
        binning_u32 part = spec->text_fields.field[axis].part;
        if (text_slice_is_missing(slice)) {
            at = key_code_put_tag(at, KEY_TAG_MISSING);
            continue;
        }
        if (field_value_is_written(&spec->text, part, data, slice)) {
            size = field_value_write(part, data, slice, value);
            text = value;
        }
        at = key_code_put_text(at, text,
                               size < spec->prefix ? size : spec->prefix,
                               d + 1 == tuple->dimensions);
    }
    return at;
}

enum key_result
key_codes_make(struct key_codes *codes, const struct spec *spec, size_t i,
               const unsigned char *data, const struct text_slice *field,
               size_t records, struct text_slice *code, size_t *count)
{
    struct tuple tuple;
    size_t used = 0;

    *count = 0;
    tuple_open(&tuple, spec, i);
    for (; *count < records; field += spec->axis_count) {
        size_t value;
        size_t bytes = tuple_room(&tuple, field, &value);
        if (bytes + value > codes->room - used) {
            if (*count > 0)
                return KEY_OK;
            enum key_result result = grow(codes, bytes + value);
            if (result != KEY_OK)
                return result;
        }
        const unsigned char *end =
            tuple_put(&tuple, data, field, codes->byte + used + bytes,
                      codes->byte + used);
        size_t at = used;
        used = (size_t)(end - codes->byte);
        code[(*count)++] = (struct text_slice){
            .at = (binning_u32)at, .size = (binning_u32)(used - at)};
    }
    return KEY_OK;
}
