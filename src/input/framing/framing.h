/* SPDX-License-Identifier: MIT */
/*
 * framing.h -- where records start and end in the content of an input
 *
 * A chunk holds whole records.  A framing finds how many of a reader's bytes
 * are whole records; the tail belongs to the next chunk.  If records may be
 * cut, the next chunk starts with a preface: bytes that make a record of the
 * following bytes.  Each kind of framing defines a struct framing_type.
 */

#ifndef GPUHIST_FRAMING_H
#define GPUHIST_FRAMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "seq/sequence_cut.h"
#include "seq/sequence_piece.h"
#include "text/text_format.h"

struct framing_type;

/* How records stand where data end.  All 0: a record may start there. */
struct framing_state {
    bool is_open;                 /* a record goes on, and must stay whole */
    bool is_broken;               /* the record has an error */
    bool is_piece;                /* a record goes on, but may be cut here */
    uint64_t records;             /* of FASTA and FASTQ: how many have ended */
    uint64_t sketched;            /* bytes of them that nobody looked at */
    struct sequence_cut sequence; /* of FASTA and FASTQ */
    struct sequence_piece piece;  /* if IS_PIECE */
};

struct framing {
    const struct framing_type *type;
    /* A record starts at each multiple of STEP bytes in the content.
       SIZE_MAX: a record is known to start only at the first byte. */
    size_t step;
    bool drops_tail;        /* ignore an incomplete record at the end */
    unsigned char end_byte; /* of records that end with a byte */
    bool has_pieces;        /* sequences of FASTA may be cut anywhere ... */
    unsigned int overlap;   /* ... if this many bases are repeated */
    bool has_long; /* records of FASTA may be without bases: long_record.h */
    struct text_format text;
};

struct framing_type {
    /*
     * A record starts at DATA, or anywhere before if IS_LOCAL.  Returns how
     * many of the SIZE bytes belong to whole records.  NULL: see find_ends().
     */
    size_t (*whole)(const struct framing *framing, const unsigned char *data,
                    size_t size);

    /*
     * A record starts at DATA, or earlier if IS_LOCAL.  Returns how many of the
     * SIZE bytes come before and including its end; 0: it does not end here.
     * NULL: all records have one size.
     */
    size_t (*first)(const struct framing *framing, const unsigned char *data,
                    size_t size);

    /* Whether the end of a record can be recognised without its start. */
    bool is_local;

    /*
     * For records whose ends depend on all earlier bytes.  Finds their ends in
     * the SIZE bytes at DATA, which follow bytes that end in *STATE.  Sets
     * *STATE to the state at the end of DATA.  IS_FOLLOWED: a byte that may
     * start a record follows.  SKETCHES of the data may be NULL.  FIRST of the
     * result is set if *STATE is open.
     * NULL: the ends depend on less.  A record that may be cut ends with DATA,
     * too; then *STATE is a piece.
     */
    struct text_ends (*find_ends)(const struct framing *framing,
                                  struct framing_state *state,
                                  const unsigned char *data, size_t size,
                                  bool is_followed,
                                  const struct sequence_sketches *sketches);

    /*
     * For framings with find_ends(): guess where a record starts in the SIZE
     * bytes at DATA, the first or the last record.  Callers check the guess.
     * Returns the offset.  The first record may be at 0 only if IS_LINE; SIZE:
     * none.  The last record is never at 0; 0: none.  Data may be cut anywhere.
     * NULL: only after an end byte, and a record seems to start at DATA.
     */
    size_t (*guess_first)(const struct framing *framing,
                          const unsigned char *data, size_t size, bool is_line);
    size_t (*guess_last)(const struct framing *framing,
                         const unsigned char *data, size_t size);

    /*
     * The SIZE bytes at DATA, which end in *STATE, have been cut with a guess:
     * they start in an unknown record that may be cut,
     * sequence_piece_unknown().  They follow bytes that end in BEFORE.  Returns
     * whether the guess is right; if so, completes *STATE.  NULL: no record may
     * be cut.
     */
    bool (*join)(const struct framing *framing,
                 const struct framing_state *before, const unsigned char *data,
                 size_t size, struct framing_state *state);

    /*
     * A record starts at DATA and does not end within SIZE bytes.  Returns
     * whether it is inside of quotes there; if so, sets *AT to the offset of
     * the quote.  NULL: the format has no quotes.
     */
    bool (*is_open)(const struct framing *framing, const unsigned char *data,
                    size_t size, size_t *at);

    /*
     * The input NAME ends TAIL bytes, which is not 0, after its last whole
     * record.  Returns 0: the tail is ignored; or -1 with *ERROR set.  NULL:
     * the tail is a record.
     */
    int (*end)(const struct framing *framing, const char *name, size_t tail,
               struct error *error);
};

/*
 * Returns the framing of records of RECORD_BYTES, which is 1 or more, such as
 * pixels.  With DROPS_TAIL an incomplete record at the end is ignored;
 * otherwise it is an error.
 */
struct framing framing_make_fixed(size_t record_bytes, bool drops_tail);

/*
 * Returns how many of the SIZE bytes belong to whole records.  A record starts
 * at DATA, or earlier if the framing is local.  If a record has an error, all
 * bytes belong, and *BROKEN is set to its offset; otherwise to SIZE.  Sets
 * *STATE to the state at the end of DATA if ends depend on all earlier bytes;
 * otherwise to 0.  SKETCHES, which may be NULL, spare a look at most of the
 * data.
 */
size_t framing_whole(const struct framing *framing, const unsigned char *data,
                     size_t size, size_t *broken, struct framing_state *state,
                     const struct sequence_sketches *sketches);

/* The SIZE bytes at DATA are whole records.  Returns how many sequences. */
uint64_t framing_records(const struct framing *framing,
                         const unsigned char *data, size_t size);

/*
 * A record, or what is left out between records, starts at DATA.  Returns how
 * many of the SIZE bytes, which are whole records, come before and including
 * the end of record *COUNT of those that count; SIZE if there are fewer.
 * Lowers *COUNT by the number of records found.
 */
size_t framing_take(const struct framing *framing, const unsigned char *data,
                    size_t size, uint64_t *count);

/* See struct framing_type. */
size_t framing_first(const struct framing *framing, const unsigned char *data,
                     size_t size);
struct text_ends framing_find_ends(const struct framing *framing,
                                   struct framing_state *state,
                                   const unsigned char *data, size_t size,
                                   bool is_followed);
size_t framing_guess_first(const struct framing *framing,
                           const unsigned char *data, size_t size,
                           bool is_line);
size_t framing_guess_last(const struct framing *framing,
                          const unsigned char *data, size_t size);
int framing_end(const struct framing *framing, const char *name, size_t tail,
                struct error *error);

static inline bool
framing_is_local(const struct framing *framing)
{
    return framing->type->is_local;
}

/* Returns how many bytes go before data that may start with a piece. */
static inline size_t
framing_preface_bytes(const struct framing *framing)
{
    return framing->has_pieces ? SEQUENCE_PREFACE_BYTES : 0;
}

/*
 * Write the preface of data that follow BEFORE to OUT.  The bytes are empty
 * lines, unless BEFORE is a piece: then a record starts in them.  Returns the
 * number of bytes.
 */
size_t framing_put_preface(const struct framing *framing,
                           const struct framing_state *before,
                           unsigned char *out);

/* Returns the state of data that end in an unknown record that may be cut: see
   JOIN of struct framing_type. */
struct framing_state framing_unknown_piece(void);

/* Whether records have any length, and ends. */
static inline bool
framing_has_ends(const struct framing *framing)
{
    return framing->type->first != NULL;
}

/* Whether where a record ends depends on all bytes before. */
static inline bool
framing_needs_order(const struct framing *framing)
{
    return framing->type->find_ends != NULL;
}

/* Whether ranges of records may start and end anywhere. */
static inline bool
framing_cuts_anywhere(const struct framing *framing)
{
    return framing->type->guess_last != NULL;
}

/*
 * Records have ends.  Returns how many of the SIZE bytes come before and
 * including the last end of a record or, if the framing needs order, the last
 * byte that may be an end; 0: none.
 */
size_t framing_last_end(const struct framing *framing,
                        const unsigned char *data, size_t size);

/*
 * A record starts at DATA.  Returns how many of the SIZE bytes come before and
 * including the first end of a record that is not before byte LEAST, which is
 * not 0; 0: none.
 */
size_t framing_first_from(const struct framing *framing,
                          const unsigned char *data, size_t size, size_t least);

/*
 * Set *ERROR: a record of the input NAME, which starts at byte AT of the
 * content, after RECORDS of sequences, does not fit into CAPACITY bytes.  DATA
 * has its first CAPACITY bytes, or is NULL.
 */
void framing_fail_long(const struct framing *framing, const char *name,
                       uint64_t at, uint64_t records, const unsigned char *data,
                       size_t capacity, struct error *error);

/* Set *ERROR: the record of the input NAME at byte AT of the content is broken.
   Its bytes are delivered, so the engine that counts them can say more. */
void framing_fail_broken(const char *name, uint64_t at, struct error *error);

/*
 * Check the last record of the input NAME, SIZE bytes at DATA, without an end,
 * which starts at byte AT of the content.  Returns 0, or -1 with *ERROR set:
 * the record ends inside of quotes.
 */
int framing_check_last(const struct framing *framing, const char *name,
                       uint64_t at, const unsigned char *data, size_t size,
                       struct error *error);

/* Whether the tail at the end of an input is a record. */
static inline bool
framing_counts_tail(const struct framing *framing)
{
    return framing->type->end == NULL;
}

/*
 * Whether the SIZE bytes at DATA, 1 or more, at the end of an input are an
 * incomplete record of FASTQ that is dropped.
 */
bool framing_drops(const struct framing *framing, const unsigned char *data,
                   size_t size);

/* Returns the last offset in the content, up to OFFSET, of a record's start. */
uint64_t framing_align(const struct framing *framing, uint64_t offset);

/*
 * Whether two readers may read the content before and after OFFSET: a record is
 * sure to start there, or each reader finds where its records start and end.
 * If OFFSET is not known: whether this holds at every byte.
 */
bool framing_may_part_at(const struct framing *framing, bool is_known,
                         uint64_t offset);

#endif
