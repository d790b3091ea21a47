/*
 * key_text.h -- a key as the formats write it; gpuhist-format(5) defines them
 *
 * A key has any bytes, also those that separate columns and lines.
 */

#ifndef GPUHIST_KEY_TEXT_H
#define GPUHIST_KEY_TEXT_H

#include <stddef.h>

#include "util/writer.h"

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
 * A member of an object in JSON: "key" with a string, or "key_hex" with two
 * hexadecimal digits for each byte if the key is not valid UTF-8.
 */
void key_text_put_json(struct writer *out, const unsigned char *key,
                       size_t size);

#endif
