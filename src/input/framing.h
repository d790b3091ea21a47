/*
 * framing.h -- where records start and end in the content of an input
 *
 * A chunk holds whole records.  A framing finds how many of the bytes that a
 * reader has read are whole records; the rest belongs to the next chunk.  Each
 * kind of framing is one file that defines a struct framing_type.
 */

#ifndef GPUHIST_FRAMING_H
#define GPUHIST_FRAMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/text_format.h"
#include "util/error.h"

struct framing_type;

struct framing {
    const struct framing_type *type;
    /* A record starts at each multiple of STEP bytes in the content.
       SIZE_MAX: a record is known to start only at the first byte. */
    size_t step;
    bool drops_rest;        /* ignore an incomplete record at the end */
    unsigned char end_byte; /* of records that end with a byte */
    struct text_format text;
};

struct framing_type {
    /*
     * A record starts at DATA, or anywhere before if IS_LOCAL.  Returns how
     * many of the SIZE bytes belong to whole records.
     */
    size_t (*whole)(const struct framing *framing, const unsigned char *data,
                    size_t size);

    /*
     * A record starts at DATA, or anywhere before if IS_LOCAL.  Returns how
     * many of the SIZE bytes there are up to its end, with this; 0: it does not
     * end here.  NULL: all records have one size.
     */
    size_t (*first)(const struct framing *framing, const unsigned char *data,
                    size_t size);

    /* Whether the end of a record can be recognised without its start. */
    bool is_local;

    /*
     * As whole() and first(), where DATA follows an end byte inside of quotes.
     * NULL: there are no quotes.
     */
    size_t (*whole_inside)(const struct framing *framing,
                           const unsigned char *data, size_t size);
    size_t (*first_inside)(const struct framing *framing,
                           const unsigned char *data, size_t size);

    /*
     * A record starts at DATA and does not end within SIZE bytes.  Whether it
     * is inside of quotes there; if so, sets *AT to the offset of the quote.
     * NULL: there are no quotes.
     */
    bool (*is_open)(const struct framing *framing, const unsigned char *data,
                    size_t size, size_t *at);

    /*
     * The input NAME ends REST bytes, which is not 0, after its last whole
     * record.  Returns 0: they are ignored; or -1 with *ERROR set.  NULL: they
     * are a record.
     */
    int (*end)(const struct framing *framing, const char *name, size_t rest,
               struct error *error);
};

/* See struct framing_type. */
size_t framing_whole(const struct framing *framing, const unsigned char *data,
                     size_t size);
size_t framing_first(const struct framing *framing, const unsigned char *data,
                     size_t size);
size_t framing_whole_inside(const struct framing *framing,
                            const unsigned char *data, size_t size);
size_t framing_first_inside(const struct framing *framing,
                            const unsigned char *data, size_t size);
int framing_end(const struct framing *framing, const char *name, size_t rest,
                struct error *error);

static inline bool
framing_is_local(const struct framing *framing)
{
    return framing->type->is_local;
}

/* Whether records have any length, and ends. */
static inline bool
framing_has_ends(const struct framing *framing)
{
    return framing->type->first != NULL;
}

/* Whether an end byte may be inside of a record, in quotes. */
static inline bool
framing_has_quotes(const struct framing *framing)
{
    return framing->type->whole_inside != NULL;
}

/*
 * Records have ends.  Returns how many of the SIZE bytes there are up to the
 * last end of a record or, in records with quotes, the last byte that may be
 * one; 0: there is none.
 */
size_t framing_last_end(const struct framing *framing,
                        const unsigned char *data, size_t size);

/*
 * A record starts at DATA.  Returns how many of the SIZE bytes there are up to
 * the first end of a record that is not before byte LEAST; 0: there is none.
 * LEAST is not 0.
 */
size_t framing_first_from(const struct framing *framing,
                          const unsigned char *data, size_t size, size_t least);

/*
 * Set *ERROR: a record of the input NAME, which starts at byte AT of the
 * content, does not fit into CAPACITY bytes.  They are at DATA, or this is
 * NULL.
 */
void framing_fail_long(const struct framing *framing, const char *name,
                       uint64_t at, const unsigned char *data, size_t capacity,
                       struct error *error);

/*
 * Check the last record of the input NAME, SIZE bytes at DATA, without an end,
 * which starts at byte AT of the content.  Returns 0, or -1 with *ERROR set: it
 * ends inside of quotes.
 */
int framing_check_last(const struct framing *framing, const char *name,
                       uint64_t at, const unsigned char *data, size_t size,
                       struct error *error);

/* Whether what is left at the end of an input is a record. */
static inline bool
framing_counts_rest(const struct framing *framing)
{
    return framing->type->end == NULL;
}

/* Returns the last offset in the content, up to OFFSET, of a record's start. */
uint64_t framing_align(const struct framing *framing, uint64_t offset);

/*
 * Whether two readers may read the content before and after OFFSET: a record
 * is sure to start there, or each reader finds where its records begin and end.
 * If OFFSET is not known, whether this is so at every byte.
 */
bool framing_may_part_at(const struct framing *framing, bool is_known,
                         uint64_t offset);

#endif
