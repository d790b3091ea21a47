/* key_name.c -- a key as a scene shows it, cut to a width */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

#include "base/escape.h"
#include "base/utf8.h"
#include "plot/key_name.h"

/* Marks that a character carries.  More of them are not shown as they are, so
   that a name has a bounded number of bytes. */
#define MARKS_MAX 2

/* What is written for a character or a byte. */
struct piece {
    char text[8];
    size_t bytes;   /* of the key */
    size_t length;  /* of TEXT */
    size_t columns; /* of TEXT */
};

/* ---- characters ---- */

/* Whether a character is a control character, invisible, or no character. */
static bool
is_unsafe(uint32_t code)
{
    /* Beside those that steer. */
    static const struct utf8_range ranges[] = {
        {0x34f, 0x34f},   {0x115f, 0x1160},   {0x17b4, 0x17b5},
        {0x180b, 0x180f}, {0x200c, 0x200d},   {0x3164, 0x3164},
        {0xe000, 0xf8ff}, {0xfdd0, 0xfdef},   {0xfe00, 0xfe0f},
        {0xfff0, 0xfff8}, {0xe0080, 0xe0fff}, {0xf0000, 0x10ffff},
    };

    return utf8_is_steering(code) ||
           utf8_is_in(code, ranges, sizeof ranges / sizeof *ranges) ||
           (code & 0xfffe) == 0xfffe;
}

/* The columns of a character that is not unsafe; less than 0: not shown. */
static int
columns_of(uint32_t code, enum key_name_kind kind)
{
    if (code < 0x7f)
        return 1;
    if (kind == KEY_NAME_ASCII)
        return -1;
    /* Without a locale: East Asian scripts and symbols may be wide. */
    return kind == KEY_NAME_TERMINAL ? wcwidth((wchar_t)code)
           : code < 0x1100           ? 1
                                     : 2;
}

/* ---- pieces ---- */

static struct piece
escape_byte(unsigned char byte)
{
    char letter = escape_letter(byte);
    struct piece piece = {.bytes = 1, .length = 2, .text = {'\\', letter}};

    if (letter == '\0') {
        piece.text[1] = 'x';
        piece.text[2] = escape_digit(byte >> 4);
        piece.text[3] = escape_digit(byte & 15);
        piece.length = 4;
    }
    piece.columns = piece.length;
    return piece;
}

/*
 * Returns the piece for what begins at AT of KEY, without doubling a backslash;
 * *MARKS is the number of marks just before.
 */
static struct piece
plain_piece(const unsigned char *key, size_t size, size_t at,
            enum key_name_kind kind, unsigned int *marks)
{
    struct piece piece = {.bytes = utf8_character(key + at, size - at)};

    if (piece.bytes > 0) {
        uint32_t code = utf8_code(key + at, piece.bytes);
        int columns = is_unsafe(code) ? -1 : columns_of(code, kind);
        *marks = columns == 0 ? *marks + 1 : 0;
        /* A mark at the start would join what is before the name. */
        if (columns > 0 || (columns == 0 && at > 0 && *marks <= MARKS_MAX)) {
            memcpy(piece.text, key + at, piece.bytes);
            piece.length = piece.bytes;
            piece.columns = (size_t)columns;
            return piece;
        }
    }
    return escape_byte(key[at]);
}

/* The same with a backslash doubled where the name would be ambiguous. */
static struct piece
next_piece(const unsigned char *key, size_t size, size_t at,
           enum key_name_kind kind, unsigned int *marks)
{
    struct piece piece = plain_piece(key, size, at, kind, marks);
    unsigned int ignored = 0;

    if (key[at] != '\\')
        return piece;
    if (escape_is_doubled(key, size, at) || key[at + 1] == 'x' ||
        plain_piece(key, size, at + 1, kind, &ignored).text[0] == '\\') {
        piece.text[1] = '\\';
        piece.length = piece.columns = 2;
    }
    return piece;
}

size_t
key_name_write(const unsigned char *key, size_t size, enum key_name_kind kind,
               size_t most, char *text)
{
    const char *ellipsis = kind == KEY_NAME_ASCII ? "..." : "\xe2\x80\xa6";
    size_t short_of = kind == KEY_NAME_ASCII ? 3 : 1;
    size_t columns = 0;
    size_t used = 0;
    size_t cut = 0; /* where the ellipsis may begin ... */
    size_t cut_columns = 0;
    unsigned int marks = 0;

    for (size_t at = 0; at < size;) {
        struct piece piece = next_piece(key, size, at, kind, &marks);
        if (columns + piece.columns > most) {
            strcpy(text + cut, ellipsis);
            return cut_columns + short_of;
        }
        memcpy(text + used, piece.text, piece.length);
        at += piece.bytes;
        used += piece.length;
        columns += piece.columns;
        if (columns + short_of <= most) {
            cut = used;
            cut_columns = columns;
        }
    }
    text[used] = '\0';
    return columns;
}
