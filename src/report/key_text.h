/* SPDX-License-Identifier: MIT */
/*
 * key_text.h -- a key as the formats write it; gpuhist-format(5) defines them
 *
 * A key may have any bytes, including separators of columns and lines.
 */

#ifndef GPUHIST_KEY_TEXT_H
#define GPUHIST_KEY_TEXT_H

#include <stdbool.h>
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
void key_text_open(struct key_text *text, const struct key_component *component,
                   struct writer *out);

void key_text_close(struct key_text *text);

/* Put the SIZE bytes of KEY to OUT. */
typedef void key_text_put(struct writer *out, const unsigned char *key,
                          size_t size);

/* The bytes, unchanged. */
void key_text_put_raw(struct writer *out, const unsigned char *key,
                      size_t size);

/*
 * Without tabs and newlines.  The reader turns \t, \n and \\ into a byte each;
 * any other backslash stands for itself.  Only the names of special rows start
 * with a single backslash and N, o, e or i.
 */
void key_text_put_tsv(struct writer *out, const unsigned char *key,
                      size_t size);

/* In quotes if RFC 4180 requires it, else unchanged. */
void key_text_put_quoted(struct writer *out, const unsigned char *key,
                         size_t size);

/* Whether KEY could be the name of a row without a key: backslashes, then "N",
   "other", "empty" or "invalid". */
bool key_text_is_special(const unsigned char *key, size_t size);

/* As key_text_put_quoted(), with one more backslash in front if KEY could be
   the name of a row without a key.  Such names have a single backslash. */
void key_text_put_csv(struct writer *out, const unsigned char *key,
                      size_t size);

/* As one cell of a table in Markdown.  A reader of Markdown shows the text of
   tsv, with \xHH for unprintable bytes. */
void key_text_put_md(struct writer *out, const unsigned char *key, size_t size);

/* LABEL, an ASCII text and not a key, as shown by a reader of Markdown. */
void key_text_put_md_label(struct writer *out, const char *label);

/* As a reader of Markdown shows key_text_put_md(), in one line of UTF-8. */
void key_text_put_shown(struct writer *out, const unsigned char *key,
                        size_t size);

/* Returns the number of characters that key_text_put_shown() puts. */
size_t key_text_columns(const unsigned char *key, size_t size);

/* The text after the name of a member in JSON: `":` and a string; or `_hex":`
   and two hexadecimal digits for each byte if the key is not valid UTF-8. */
void key_text_put_json(struct writer *out, const unsigned char *key,
                       size_t size);

/*
 * A string in JSON.  If the key is not valid UTF-8, or has a backslash before
 * an x, each backslash is doubled and each byte outside of characters is \xHH.
 */
void key_text_put_uhi(struct writer *out, const unsigned char *key,
                      size_t size);

#endif
