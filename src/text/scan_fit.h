/* SPDX-License-Identifier: MIT */
/*
 * scan_fit.h -- the fields of the usual records of CLF, which fit the format,
 * for the forms of a scan
 *
 * clf_misfit() says which records fit.  Usual records have their time in the
 * first block, with nothing in quotes or brackets before the time, one blank
 * before each field from there on, and no backslash in the request.  So the
 * places of the first seven fields are found while the record is checked.  With
 * a virtual host, the time is the fifth field of the first block; or the record
 * is usual from its host on.
 */

#ifndef GPUHIST_SCAN_FIT_H
#define GPUHIST_SCAN_FIT_H

#include "base/eight_bytes.h"
#include "kernels/text/clf.h"
#include "kernels/text/hash.h"
#include "text/scan_block.h"
#include "text/scan_marks.h"
#include "text/scan_split.h"

/* The bytes of "[dd/Mon/yyyy:HH:MM:SS +zzzz] \"". */
#define FIT_TIME_BYTES 30

/* Where the last digit of the minutes, and the zone's digits, are in these. */
#define FIT_MINUTE 17
#define FIT_ZONE 23

/* The bytes of "\" 200 ". */
#define FIT_STATUS_BYTES 6

/* The bytes of " HTTP/1.1". */
#define FIT_HTTP_BYTES 9

/* The least bytes from the time's bracket to the end of the record. */
#define FIT_LEAST_BYTES (FIT_TIME_BYTES + FIT_STATUS_BYTES + 1)

/* A time as FIT_TIME_BYTES, but 0 as digits that may differ, then bytes of any
   text. */
struct fit_time {
    unsigned char like[32];
};

/* Before any time: no time is like it, since a byte is not the bracket. */
#define FIT_NO_TIME ((struct fit_time){{0}})

/* The most by which each byte of a word may differ from a byte of another
   word. */
#define FIT_MOST(a, b, c, d, e, f, g, h)                                \
    (UINT64_C(0x7f7f7f7f7f7f7f7f) -                                     \
     ((uint64_t)(a) | (uint64_t)(b) << 8 | (uint64_t)(c) << 16 |        \
      (uint64_t)(d) << 24 | (uint64_t)(e) << 32 | (uint64_t)(f) << 40 | \
      (uint64_t)(g) << 48 | (uint64_t)(h) << 56))

/* The bytes of a text of 8 as a word. */
#define FIT_WORD(a, b, c, d, e, f, g, h)                               \
    ((uint64_t)(a) | (uint64_t)(b) << 8 | (uint64_t)(c) << 16 |        \
     (uint64_t)(d) << 24 | (uint64_t)(e) << 32 | (uint64_t)(f) << 40 | \
     (uint64_t)(g) << 48 | (uint64_t)(h) << 56)

/* The highest bit of each byte in which WORD and LIKE differ by more than MOST,
   which FIT_MOST() makes; bytes above such a byte need not be right. */
INLINE uint64_t
fit_differs(uint64_t word, uint64_t like, uint64_t most)
{
    uint64_t difference = word ^ like;

    return ((difference + most) | difference) & EIGHT_BYTES(0x80);
}

/* The months, by the hash of their names; no two names have the same place. */
static const struct {
    uint32_t name; /* the first letter lowest */
    uint32_t days; /* of a year that is not a leap year */
} fit_months[16] = {
    [0] = {0x72614d, 31},  /* Mar */
    [1] = {0x636544, 31},  /* Dec */
    [2] = {0x74634f, 31},  /* Oct */
    [3] = {0x677541, 31},  /* Aug */
    [5] = {0x626546, 28},  /* Feb */
    [6] = {0x6c754a, 31},  /* Jul */
    [7] = {0x79614d, 31},  /* May */
    [8] = {0x727041, 30},  /* Apr */
    [10] = {0x706553, 30}, /* Sep */
    [12] = {0x766f4e, 30}, /* Nov */
    [13] = {0x6e614a, 31}, /* Jan */
    [15] = {0x6e754a, 30}, /* Jun */
};

/* Whether the words of a time, as in struct fit_time, are a time, followed by a
   blank and a quote; false for the 29th of February and for leap seconds. */
INLINE bool
fit_is_any_time(uint64_t day, uint64_t hour, uint64_t second, uint64_t zone)
{
    const uint64_t any = 0x7f;
    uint32_t name = day >> 24 & 0xffffff;
    uint32_t month = name * 0x741c7a9u >> 28;
    uint32_t of_month = 10 * (uint32_t)(day & 15) + (uint32_t)(day >> 8 & 15);
    uint32_t of_day =
        10 * (uint32_t)(hour >> 32 & 15) + (uint32_t)(hour >> 40 & 15);
    uint32_t sign = second >> 40 & 0xff;
    uint64_t differs =
        fit_differs(day, FIT_WORD('0', '0', '/', 0, 0, 0, '/', '0'),
                    FIT_MOST(9, 9, 0, any, any, any, 0, 9)) |
        fit_differs(hour, FIT_WORD('0', '0', '0', ':', '0', '0', ':', '0'),
                    FIT_MOST(9, 9, 9, 0, 9, 9, 0, 5)) |
        fit_differs(second, FIT_WORD('0', ':', '0', '0', ' ', 0, '0', '0'),
                    FIT_MOST(9, 0, 5, 9, 0, any, 9, 9)) |
        fit_differs(zone, FIT_WORD('0', '0', ']', ' ', '"', 0, 0, 0),
                    FIT_MOST(9, 9, 0, 0, 0, 0, 0, 0));

    return differs == 0 && fit_months[month].name == name &&
           of_month - 1 < fit_months[month].days && of_day < 24 &&
           (sign == '+' || sign == '-');
}

/* Whether a bracket at AT opens a time, followed by a blank and a quote; if so,
   sets *TIME. */
TARGET static __attribute__((noinline)) bool
fit_other_time(const struct text_view *view, uint32_t at, struct fit_time *time)
{
    const unsigned char *text = view->data + at + 1;
    const uint64_t zone = hash_load(text + 24) & UINT64_C(0xffffffffff);

    if (text[-1] != '[' ||
        !fit_is_any_time(hash_load(text), hash_load(text + 8),
                         hash_load(text + 16), zone))
        return false;
    memcpy(time->like, text - 1, sizeof time->like);
    memcpy(time->like + FIT_MINUTE, "0:00", 4);
    memcpy(time->like + FIT_ZONE, "00", 2);
    return true;
}

/* The same, where *TIME may be the time of a record before: then only the
   seconds, the last digit of the minutes and the hours of the zone may
   differ. */
INLINE bool
fit_is_time(const struct text_view *view, uint32_t at, struct fit_time *time)
{
    /* Of FIT_MINUTE, of two digits after the next byte, and of FIT_ZONE. */
    static const unsigned char most[32] = {
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,   0,
        0, 9, 0, 5, 9, 0, 0, 9, 9, 0, 0, 0, 0, 0, 255, 255,
    };

    return text_likes(view->data + at, time->like, most) == UINT32_MAX ||
           fit_other_time(view, at, time);
}

/* Whether the text at AT is SIZE digits, at least one, with another byte after
   them; false if they are more than 7. */
INLINE bool
fit_is_port(const struct text_view *view, uint32_t at, uint32_t size)
{
    uint64_t word = hash_load(view->data + at);
    uint64_t others =
        fit_differs(word, EIGHT_BYTES('0'), EIGHT_BYTES(0x7f) - EIGHT_BYTES(9));

    return size > 0 && others != 0 && bit_first(others) / 8 == size;
}

/* The bits from the lowest bit of STARTS up to the next bit of BLANKS. */
INLINE uint64_t
fit_word(uint64_t starts, uint64_t blanks)
{
    uint64_t before = (starts & (0 - starts)) - 1;
    uint64_t after = blanks & ~before;

    return ((after & (0 - after)) - 1) & ~before;
}

/* The size of the name that is the WORD of the block X at AT, with or without a
   port; 0: the word is not a name.  It has no quote and no opening bracket. */
INLINE uint32_t
fit_name(const struct text_view *view, uint32_t at, block x, uint64_t word)
{
    uint32_t first = bit_first(word);
    uint32_t end = first + bit_count(word);
    uint64_t colons = block_match(x, ':') & word;
    uint64_t others = block_either(x, ',', ']') & word;
    uint32_t stop = colons != 0 ? bit_first(colons) : end;

    if (others != 0 ||
        (colons != 0 && !fit_is_port(view, at + stop + 1, end - stop - 1)))
        return 0;
    return stop - first;
}

/* Whether the WORD of block X may be the host after a virtual host. */
INLINE bool
fit_is_client(block x, uint64_t word)
{
    return (block_either(x, '.', ':') & word) != 0;
}

/*
 * Whether the record at START begins, as far as its first two fields show, with
 * a virtual host of less than a block, one blank and a host; if so, sets
 * *VHOST, and *HOST to where the host starts.
 */
INLINE bool
fit_vhost(const struct text_view *view, uint32_t start,
          struct text_slice *vhost, uint32_t *host)
{
    block x = load(view, start, true);
    uint64_t blanks = block_blanks(x);
    uint64_t word = fit_word(1, blanks);

    if (blanks == 0 || (blanks & 1) != 0 ||
        (block_either(x, '"', '[') & word) != 0)
        return false;
    *vhost = (struct text_slice){start, fit_name(view, start, x, word)};
    *host = start + bit_first(blanks) + 1;
    x = load(view, *host, true);
    blanks = block_blanks(x);
    return vhost->size > 0 && (blanks & 1) == 0 &&
           fit_is_client(x, fit_word(1, blanks));
}

/* The first quote or backslash from AT on; any offset from END on if none is
   before END. */
INLINE uint32_t
fit_quote(const struct text_view *view, uint32_t at, uint32_t end)
{
    block x = load(view, at, true);
    uint64_t mask = block_quotes(x);

    return mask != 0 ? at + bit_first(mask)
                     : find_either(view, at, end, '"', '\\', false);
}

/* Where the first seven fields of a usual record are. */
struct fit {
    struct text_slice vhost; /* its size is 0 if there is none */
    uint64_t starts; /* of the first block: fields, where nothing is opened */
    uint64_t blanks; /* of the first block */
    uint32_t time;   /* its bracket */
    uint32_t quote;  /* that closes the request */
    uint32_t bytes;  /* of the number of bytes */
    bool has_http;   /* the request ends with the usual protocol */
};

/*
 * Find fit->bytes and fit->has_http by the end of the request, fit->quote, and
 * what follows it.  Returns false if that is no status and no number of bytes,
 * in a record that ends at END, or if the number has more digits than are
 * looked at.  HAS_RETURN says that END is after the carriage return, if there
 * is one.
 */
INLINE bool
fit_status(const struct text_view *view, uint32_t end, struct fit *fit,
           const bool has_return)
{
    /* " HTTP/1.1" is 9 bytes.  Each digit of the version may be 0 to 3. */
    static const unsigned char like[33] = " HTTP/0.0\" 000 00000000000000000";
    static const unsigned char most[32] = {0, 0, 0, 0, 0, 0, 3, 0, 3, 0, 0,
                                           9, 9, 9, 0, 9, 9, 9, 9, 9, 9, 9,
                                           9, 9, 9, 9, 9, 9, 9, 9, 9, 9};
    const uint32_t http = (1u << FIT_HTTP_BYTES) - 1;
    const unsigned char *text = view->data + fit->quote;
    uint32_t likes = text_likes(text - FIT_HTTP_BYTES, like, most);
    uint32_t size = bit_first(~(uint64_t)(likes >> FIT_HTTP_BYTES));

    size += text[FIT_STATUS_BYTES] == '-';
    fit->bytes = size - FIT_STATUS_BYTES;
    fit->has_http = (likes & http) == http;
    if (size <= FIT_STATUS_BYTES)
        return false;
    uint32_t stop = fit->quote + size;
    if (stop < end && text[size] == ' ')
        return true;
    return stop == end || (has_return && stop + 1 == end && text[size] == '\r');
}

/*
 * Whether RECORD is a usual record that fits; if so, sets *FIT.  TIME is the
 * time of a record before, or FIT_NO_TIME.  IS_WHOLE says that the record
 * starts with its virtual host, if there is one, and HAS_RETURN that it ends
 * with its carriage return.
 */
INLINE bool
fit_find(const struct text_view *view, struct text_span record, struct fit *fit,
         struct fit_time *time, const bool is_whole, const bool has_return)
{
    block x = load(view, record.start, true);
    uint64_t opens = block_opens(x);
    uint64_t blanks = block_blanks(x);
    uint64_t starts = ~blanks & (blanks << 1 | 1);
    uint64_t fourth = starts;

    for (int i = 0; i < 3; i++)
        fourth &= fourth - 1;
    fit->vhost = (struct text_slice){0, 0};
    if ((fourth & (0 - fourth)) != (opens & (0 - opens))) {
        fourth &= fourth - 1;
        if (!is_whole || (fourth & (0 - fourth)) != (opens & (0 - opens)) ||
            !fit_is_client(x, fit_word(starts & (starts - 1), blanks)))
            return false;
        fit->vhost = (struct text_slice){
            record.start + bit_first(starts),
            fit_name(view, record.start, x, fit_word(starts, blanks))};
        if (fit->vhost.size == 0)
            return false;
        starts &= starts - 1;
    }
    fit->starts = starts;
    fit->blanks = blanks;
    fit->time = record.start + bit_first(opens);
    if (opens == 0 || record.end < fit->time + FIT_LEAST_BYTES ||
        !fit_is_time(view, fit->time, time))
        return false;
    fit->quote = fit_quote(view, fit->time + FIT_TIME_BYTES, record.end);
    return fit_status(view, record.end, fit, has_return);
}

/* Field NUMBER, at most 7, of the record at START that FIT is of. */
INLINE struct text_slice
fit_field(const struct fit *fit, uint32_t start, uint32_t number)
{
    uint64_t starts = fit->starts;
    uint32_t bit;

    switch (number) {
    case CLF_TIME:
        return (struct text_slice){fit->time + 1, CLF_TIME_SIZE};
    case CLF_REQUEST:
        return slice_of(fit->time + FIT_TIME_BYTES, fit->quote);
    case CLF_STATUS:
        return (struct text_slice){fit->quote + 2, 3};
    case CLF_BYTES:
        return (struct text_slice){fit->quote + FIT_STATUS_BYTES, fit->bytes};
    default:
        while (--number > 0)
            starts &= starts - 1;
        bit = bit_first(starts);
        return (struct text_slice){
            start + bit, bit_first(fit->blanks & ~bits_below(bit)) - bit};
    }
}

/*
 * Write the wanted fields from HEAD on of the record, in which field 8 is
 * looked for from TAIL on, as fit_split().  Quoted fields side by side are
 * usual, too.  Returns whether the fields are written.
 */
INLINE bool
fit_split_tail(const struct scan *scan, const struct text_view *view,
               struct text_span tail, const struct scan_field *head,
               struct text_slice *out)
{
    const unsigned char *data = view->data;
    const struct scan_field *const heads_end = scan->head + scan->heads;
    uint32_t number = CLF_REFERER;

    while (head < heads_end && tail.end - tail.start > 1 &&
           data[tail.start] == ' ' && data[tail.start + 1] == '"') {
        uint32_t start = tail.start + 2;
        uint32_t stop = fit_quote(view, start, tail.end);
        if (stop >= tail.end || data[stop] != '"')
            return false;
        if (head->number == number++)
            out[head++->column] = slice_of(start, stop);
        tail.start = stop + 1;
    }
    return head == heads_end ||
           marks_split_from(scan, view, tail, head, head->number - number, 0,
                            out, TEXT_CLF, true);
}

/*
 * Split RECORD, without its carriage return, if it is a usual record that fits;
 * no wanted field is counted from the last one.  Returns whether the record is
 * usual; then *IS_SPLIT is whether it is split, and record->start is moved to
 * the host.  IS_WHOLE is as in fit_find().
 */
INLINE bool
fit_split(const struct scan *scan, const struct text_view *view,
          struct text_span *record, struct text_slice *out,
          struct fit_time *time, bool *is_split, const bool is_whole)
{
    const struct scan_field *head = scan->head;
    const struct scan_field *const heads_end = head + scan->heads;
    struct text_span tail = {.end = record->end};
    struct fit fit;

    if (!fit_find(view, *record, &fit, time, is_whole, false))
        return false;
    if (scan->part != NULL && fit.vhost.size > 0)
        out[SCAN_VHOST] = fit.vhost;
    for (; head < heads_end && head->number <= CLF_BYTES; head++)
        out[head->column] = fit_field(&fit, record->start, head->number);
    tail.start = fit.quote + FIT_STATUS_BYTES + fit.bytes;
    *is_split = fit_split_tail(scan, view, tail, head, out);
    record->start += bit_first(fit.starts);
    return true;
}

#endif
