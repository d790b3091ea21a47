/*
 * key_text.h -- a key as the formats write it; gpuhist-format(5) defines them
 *
 * A key has any bytes, also those that separate columns and lines.
 */

#ifndef GPUHIST_KEY_TEXT_H
#define GPUHIST_KEY_TEXT_H

#include <stddef.h>

#include "base/writer.h"
#include "hist/key_code.h"

/* A key without the escapes of key_code.h. */
struct key_text {
    const unsigned char *byte;
    size_t size;
    unsigned char *copy; /* owned; NULL: BYTE is in the table of keys */
};

/*
 * Make the text of PART, a key.  If out of memory, OUT fails and the text is
 * empty.  The caller calls key_text_close().
 */
void key_text_open(struct key_text *text, const struct key_part *part,
                   struct writer *out);

void key_text_close(struct key_text *text);

/* Put the SIZE bytes of KEY to OUT. */
typedef void key_text_put(struct writer *out, const unsigned char *key,
                          size_t size);

/* The bytes as they are. */
void key_text_put_raw(struct writer *out, const unsigned char *key,
                      size_t size);

/*
 * Without tabs and newlines.  The reader turns \t, \n and \\ into a byte each;
 * any other backslash is itself.  No text begins with one backslash and one of
 * N, o, e and i, as the names of special rows do.
 */
void key_text_put_tsv(struct writer *out, const unsigned char *key,
                      size_t size);

/* In quotes if RFC 4180 requires it. */
void key_text_put_csv(struct writer *out, const unsigned char *key,
                      size_t size);

/*
 * As one cell of a table in Markdown.  A reader of Markdown shows the text of
 * tsv, in which bytes that cannot be shown are \xHH.
 */
void key_text_put_md(struct writer *out, const unsigned char *key, size_t size);

/* LABEL, which is ASCII and no key: what a reader of Markdown shows. */
void key_text_put_md_label(struct writer *out, const char *label);

/*
 * What follows the name of a member in JSON: `":` and a string; or `_hex":` and
 * two hexadecimal digits for each byte if the key is not valid UTF-8.
 */
void key_text_put_json(struct writer *out, const unsigned char *key,
                       size_t size);

/*
 * A string in JSON.  If the key is not valid UTF-8, or has a backslash before
 * an x, each backslash is doubled and each byte that is no character is \xHH.
 */
void key_text_put_uhi(struct writer *out, const unsigned char *key,
                      size_t size);

#endif
