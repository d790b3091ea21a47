/* prom_labels.c -- names and values of labels for Prometheus */

#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "report/key_text.h"
#include "report/prom_labels.h"

/* The most bytes of a name, and a NUL. */
#define NAME_BYTES 128

#define HEX "_hex"

/* ---- names ---- */

static bool
is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool
is_name_byte(char byte)
{
    return is_digit(byte) || (byte >= 'a' && byte <= 'z') ||
           (byte >= 'A' && byte <= 'Z') || byte == '_';
}

/* Returns the text before the mapped FIELD of axis I of SPEC. */
static const char *
prefix_of(const struct spec *spec, size_t i, const char *field)
{
    if (!spec_field_is_named(spec, i) &&
        (is_digit(*field) || strncmp(field, "NF", 2) == 0))
        return "field";
    return is_digit(*field) || *field == '\0' ? "_" : "";
}

/* The name of a field that the user did not name; NULL: its number. */
static const char *
plain_name(const struct spec *spec, size_t i)
{
    if (axis_is_kmers(&spec->shown[i]))
        return "kmer";
    if (spec->kind != SPEC_FIELDS || spec_field_is_named(spec, i))
        return NULL;
    return text_type_of(spec->text.kind)->whole;
}

/* Write the name of the label of axis I to NAME.  Returns 0, or -1: NAME is too
   short. */
static int
make_name(const struct spec *spec, size_t i, char name[NAME_BYTES])
{
    char room[SPEC_FIELD_BYTES];
    const char *field = plain_name(spec, i);
    size_t size;

    if (field == NULL)
        field = spec_field_text(spec, i, room);
    size = (size_t)sprintf(name, "%s", prefix_of(spec, i, field));
    for (size_t left = strlen(field), bytes; left > 0; left -= bytes) {
        if (size + 1 == NAME_BYTES)
            return -1;
        bytes = utf8_character((const unsigned char *)field, left);
        bytes = bytes > 1 ? bytes : 1;
        name[size++] = bytes == 1 && is_name_byte(*field) ? *field : '_';
        field += bytes;
    }
    name[size] = '\0';
    return 0;
}

/* Whether A and B, or their names for other texts than UTF-8, are equal. */
static bool
are_equal(const char *a, const char *b)
{
    size_t size_a = strlen(a);
    size_t size_b = strlen(b);
    size_t shorter = size_a < size_b ? size_a : size_b;
    const char *rest = size_a < size_b ? b + shorter : a + shorter;

    return strncmp(a, b, shorter) == 0 &&
           (*rest == '\0' || strcmp(rest, HEX) == 0);
}

/* Write the field of axis I as a message shows it to TEXT.  Returns TEXT. */
static const char *
show_field(const struct spec *spec, size_t i, char text[VISIBLE_BYTES])
{
    char room[SPEC_FIELD_BYTES];
    const char *field = spec_field_text(spec, i, room);

    return visible_name(text, field, strlen(field));
}

/* Set *ERROR: axis I cannot have the label NAME, for the reason WHY.  Returns
   -1. */
static int
fail_name(const struct spec *spec, size_t i, const char *name, const char *why,
          struct error *error)
{
    char shown[VISIBLE_BYTES];

    error_set(error, EXIT_USAGE,
              "--format=prom: the label of field '%s' would be %s, which %s",
              show_field(spec, i, shown), name, why);
    return -1;
}

/* Check the NAME of the label of axis I. */
static int
check_name(const struct spec *spec, size_t i, const char *name,
           struct error *error)
{
    const char *why = NULL;

    if (strcmp(name, "le") == 0)
        why = "is the label of buckets";
    else if (strncmp(name, "__", 2) == 0)
        why = "Prometheus keeps for itself";
    else if (spec_histograms(spec) > 1 && are_equal(name, "field"))
        why = "is the label for the names of several fields";
    return why == NULL ? 0 : fail_name(spec, i, name, why, error);
}

int
prom_labels_check(const struct spec *spec, size_t i, size_t keys,
                  struct error *error)
{
    char name[NAME_BYTES];
    char other[NAME_BYTES];
    char shown[VISIBLE_BYTES];

    for (size_t d = 0; d < keys; d++) {
        size_t axis = spec_axis_of(spec, i, d);
        if (make_name(spec, axis, name) < 0) {
            error_set(error, EXIT_USAGE,
                      "--format=prom: the name of field '%s' is too long for a "
                      "label: at most %d bytes",
                      show_field(spec, axis, shown), NAME_BYTES - 1);
            return -1;
        }
        if (check_name(spec, axis, name, error) < 0)
            return -1;
        for (size_t e = 0; e < d; e++) {
            char why[VISIBLE_BYTES + NAME_BYTES];
            size_t before = spec_axis_of(spec, i, e);
            (void)make_name(spec, before, other);
            if (!are_equal(name, other))
                continue;
            snprintf(why, sizeof why, "field '%s' may have, too",
                     show_field(spec, before, shown));
            return fail_name(spec, axis, name, why, error);
        }
    }
    return 0;
}

/* ---- values ---- */

/* Put TEXT, escaped as the format demands. */
static void
put_escaped(struct writer *out, const unsigned char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char byte = (char)text[i];
        if (byte == '\\' || byte == '"' || byte == '\n')
            writer_put_char(out, '\\');
        writer_put_char(out, byte == '\n' ? 'n' : byte);
    }
}

void
prom_labels_put_text(struct writer *out, const char *name, const char *value)
{
    writer_put_text(out, name);
    writer_put_text(out, "=\"");
    put_escaped(out, (const unsigned char *)value, strlen(value));
    writer_put_char(out, '"');
}

static void
put_key(struct writer *out, const unsigned char *key, size_t size)
{
    if (!utf8_is_valid(key, size)) {
        writer_put_text(out, HEX "=\"");
        for (size_t b = 0; b < size; b++) {
            writer_put_char(out, escape_digit(key[b] >> 4));
            writer_put_char(out, escape_digit(key[b] & 15));
        }
    } else {
        writer_put_text(out,
                        key_text_is_special(key, size) ? "=\"\\\\" : "=\"");
        put_escaped(out, key, size);
    }
    writer_put_char(out, '"');
}

void
prom_labels_put(struct writer *out, const struct spec *spec, size_t i,
                const struct column *column)
{
    char name[NAME_BYTES];

    (void)make_name(spec, i, name);
    if (!column->has_key) {
        prom_labels_put_text(out, name, column->lo.text);
        return;
    }
    struct key_text text;
    key_text_open(&text, &column->key, out);
    writer_put_text(out, name);
    put_key(out, text.byte, text.size);
    key_text_close(&text);
}
