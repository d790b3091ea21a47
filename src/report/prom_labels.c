/* SPDX-License-Identifier: MIT */
/* prom_labels.c -- names and values of labels for Prometheus */

#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/escape.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "report/key_text.h"
#include "report/prom_labels.h"

#define HEX "_hex"

/* ---- names ---- */

static bool
is_name_byte(char byte)
{
    return ascii_is_digit(byte) || (byte >= 'a' && byte <= 'z') ||
           (byte >= 'A' && byte <= 'Z') || byte == '_';
}

int
prom_labels_map(const char *column, char name[PROM_NAME_BYTES])
{
    size_t size = 0;

    if (ascii_is_digit(*column) || *column == '\0')
        name[size++] = '_';
    for (size_t left = strlen(column), bytes; left > 0; left -= bytes) {
        if (size + 1 == PROM_NAME_BYTES)
            return -1;
        bytes = utf8_character((const unsigned char *)column, left);
        bytes = bytes > 1 ? bytes : 1;
        name[size++] = bytes == 1 && is_name_byte(*column) ? *column : '_';
        column += bytes;
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

/* Set *ERROR: the column COLUMN cannot have the label NAME of FORMAT, for the
   reason WHY.  Returns -1. */
static int
fail_name(const char *format, const char *column, const char *name,
          const char *why, struct error *error)
{
    char shown[VISIBLE_BYTES];

    error_set(error, EXIT_USAGE,
              "--format=%s: the label of field '%s' would be %s, which %s",
              format, visible_name(shown, column, strlen(column)), name, why);
    return -1;
}

/* Check the label of COLUMN, and write its NAME. */
static int
check_name(const char *format, const char *column, bool has_field,
           char name[PROM_NAME_BYTES], struct error *error)
{
    char shown[VISIBLE_BYTES];
    const char *why = NULL;

    if (prom_labels_map(column, name) < 0) {
        error_set(error, EXIT_USAGE,
                  "--format=%s: the name '%s' is too long for a label: at most "
                  "%d bytes",
                  format, visible_name(shown, column, strlen(column)),
                  PROM_NAME_BYTES - 1);
        return -1;
    }
    if (strcmp(name, "le") == 0)
        why = "is the label of buckets";
    else if (strncmp(name, "__", 2) == 0)
        why = "Prometheus keeps for itself";
    else if (has_field && are_equal(name, "field"))
        why = "is the label for the names of several fields";
    return why == NULL ? 0 : fail_name(format, column, name, why, error);
}

/* As prom_labels_check(), with the NAMES of REPORT. */
static int
check_labels(const struct column_names *names, const struct report *report,
             const char *format, size_t i, size_t keys, struct error *error)
{
    const struct spec *spec = report->spec;
    char name[PROM_NAME_BYTES];
    char other[PROM_NAME_BYTES];
    char shown[VISIBLE_BYTES];

    for (size_t d = 0; d < keys; d++) {
        const char *column = column_names_of(names, spec, i, d)->name;
        if (check_name(format, column, spec_histograms(spec) > 1, name, error) <
            0)
            return -1;
        for (size_t e = 0; e < d; e++) {
            char why[VISIBLE_BYTES + PROM_NAME_BYTES];
            const char *before = column_names_of(names, spec, i, e)->name;
            (void)prom_labels_map(before, other);
            if (!are_equal(name, other))
                continue;
            snprintf(why, sizeof why, "field '%s' may have, too",
                     visible_name(shown, before, strlen(before)));
            return fail_name(format, column, name, why, error);
        }
    }
    return 0;
}

int
prom_labels_check(const struct report *report, const char *format, size_t i,
                  size_t keys, struct error *error)
{
    struct column_names names;
    int result = column_names_make(&names, report, error);

    if (result == 0)
        result = check_labels(&names, report, format, i, keys, error);
    column_names_close(&names);
    return result;
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
prom_labels_put(struct writer *out, const char *column_name,
                const struct column *column)
{
    char name[PROM_NAME_BYTES];

    (void)prom_labels_map(column_name, name);
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
