/*
 * claim.h -- the input, range or part that each reader has claimed
 *
 * Only this room includes this header: others know inputs.h.
 *
 * The claims of all readers share struct inputs.  Only the files that say
 * "under the lock" change the fields that are under its lock.
 */

#ifndef GPUHIST_CLAIM_H
#define GPUHIST_CLAIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/archive/members.h"
#include "input/content/guess.h"
#include "input/read/range_order.h"
#include "input/read/reader.h"

/*
 * The place of a part among the parts of a compressed file that are read now.
 * Where a part begins in the content is the sum of the parts before it, which
 * is known only when these are read.  So a part that ends leaves its size to
 * the part after it.  All 0: in no order.
 */
struct part_rank {
    struct part_rank *previous;
    struct part_rank *next;
    uint64_t
        bytes_before; /* of parts that ended, since PREVIOUS or the start */
    uint64_t bytes;   /* of content, in this part so far */
};

/* Some members of an archive, for a warning. */
struct member_note {
    size_t count;
    char *first; /* name of the first one; owned, or NULL: no memory */
};

/* What members are noted for. */
enum member_kind {
    MEMBER_TEXT,     /* looks like text although values are wide */
    MEMBER_UNLINED,  /* has only carriage returns as line ends */
    MEMBER_MISNAMED, /* has a name that says compressed */
    MEMBER_GUESSED,  /* looks as member_notes.guess */
    MEMBER_RAGGED,   /* has an incomplete record at the end */
    MEMBER_KINDS
};

/* The members that an archive has, up to the one that is read. */
struct member_notes {
    uint64_t members;
    uint64_t others; /* links, directories and devices */
    struct member_note of[MEMBER_KINDS];
    const char *seems;     /* the format that the first MEMBER_MISNAMED says */
    enum guess guess;      /* the first that a warning is for */
    uint64_t ragged_bytes; /* of the records of MEMBER_RAGGED, all dropped */
};

/* One source and which of its bytes are claimed; under the lock of INPUTS. */
struct input {
    size_t number; /* of its slot */
    struct content content;
    struct wrong_record *wrong; /* held */
    struct identity identity;   /* if READING.identifies */
    bool is_exhausted;     /* nothing to read: standard input, listed before;
                             or it has ended before the first record */
    bool may_wait;         /* not a regular file: open() may block */
    bool is_open;          /* already opened: see opening.h */
    bool is_shared;        /* in the list SHARED: has unclaimed ranges */
    off_t next_range;      /* of a shared file: the first unclaimed byte ... */
    uint64_t next_content; /* ... and where its content is, if it has WALK */
    off_t ranges_end;      /* the end of its last whole record */
    off_t announced;       /* end of the bytes announced to the kernel */
    size_t dropped_bytes;  /* after the last whole record */
    unsigned int readers;  /* that read this input now */
    unsigned int holders;  /* that still refer to it, but read no more */
    bool is_done;          /* closed for ever; not of archives, which stay */
    struct error range_error; /* of the first range or part that failed ... */
    off_t error_at;           /* ... which starts here */
    struct input *next;       /* in the list SHARED or DIVISIBLE */

    struct range_order order; /* of a shared file, if records need it */

    /* Of a shard: see shard_cut.h. */
    struct shard_span span; /* of the bytes that may be read, if it is plain,
                               or of the file */
    off_t parts_end;        /* a part that is another shard's starts here; or
                               DECODER_NO_PAUSE */
    bool is_uncut;          /* it is counted whole, but should be cut */

    /* Of an archive, for its reader only: see member_input.h. */
    struct members *members; /* NULL: not open */
    const char *path;        /* of the archive; NULL: standard input */
    const char *name;        /* ... in messages; NULL: no archive */
    char *member_name;       /* of the current member; owned, or NULL */
    struct member_notes notes;

    /* Of a compressed file that may have parts. */
    bool is_divisible;  /* in the list DIVISIBLE: may be cut once more */
    struct claim *last; /* of the last part; NULL once that is done ... */
    off_t reached;      /* ... and then the end of what was read */
    bool is_searched;   /* one reader searches for a cut ... */
    bool is_ahead;      /* ... and waits until LAST has come nearer */
    struct decoder_walk *walk; /* for that reader only; starts in LAST.  Of a
                                  shared file: under the lock */
    bool lacks_end_mark;       /* see struct decoder */
    bool lacks_end;            /* see struct members ... */
    uint64_t extra_bytes;      /* ... for this, too */

    /* Of the part of RANGE_ERROR. */
    struct part_rank failed;
    bool is_too_long; /* its record at LONG_AT, from the part's begin on */
    off_t long_at;
};

/* What stays of each input: see input_slots.h. */
struct input_slot {
    struct input *input;        /* owned; NULL: not opened yet, or done */
    struct wrong_record *wrong; /* that was found, held; or NULL */
    bool may_wait;              /* see struct input ... */
    bool is_exhausted;          /* ... or it is done and freed */

    /* Of an input that is freed. */
    bool is_text;
    bool is_unlined;
    bool lacks_end_mark;
    enum guess guess;
};

/* Which records the reader of a part reads: see parts.h. */
enum claim_edge {
    CLAIM_BEFORE, /* none yet: the first one begins after the next end */
    CLAIM_WITHIN,
    CLAIM_AFTER, /* the last one, which ends behind the part */
    CLAIM_DONE,  /* it has ended */
};

/* A record that begins before a range and ends in it: see ranges.h. */
struct deferred_record {
    struct input *input; /* NULL: there is none */
    off_t begin;
    off_t end;
    uint64_t records;     /* of sequences: how many end before it */
    unsigned char *bytes; /* owned; NULL: to be read again */
};

/* What one reader is reading.  All 0 but READER: nothing yet. */
struct claim {
    struct input_reader *reader; /* that has this claim */
    struct claim *next;          /* in the list of INPUTS */

    struct input *input;     /* that it reads in sequence, or NULL */
    struct input *archive;   /* whose next member is for this reader, or NULL */
    struct content *content; /* that of INPUT, or PART */
    struct content part;
    struct decoder *spare; /* a decoder for the next part, or NULL ... */
    struct input *left;    /* ... that may look at the source of this one, which
                              is held; or NULL */

    off_t at;            /* of the next record, from the content's or the
                            part's begin on */
    uint64_t records;    /* of sequences: how many end before it */
    bool is_placed;      /* always from the content's begin on */
    bool is_too_long;    /* this record is, which has failed the claim */
    unsigned char *tail; /* the start of an incomplete record, or NULL */
    size_t tail_bytes;
    struct framing_state piece; /* if it is one, the record goes on after the
                                   bytes that were read; there is no tail */
    /* If a long record goes on, see long_record.h: */
    uint64_t long_bytes; /* of it that are read; 0: none goes on */
    size_t long_head;    /* of it, in the buffer */
    struct made_up long_made;
    bool is_line; /* a line begins after them */
    size_t name_bytes;
    unsigned char name[SEQUENCE_PIECE_NAME];

    struct range range; /* of a shared input */
    off_t part_end;     /* of its blocks in the file: block_ranges.h */
    struct deferred_record
        deferred; /* to be read before anything else is claimed */

    enum claim_edge edge;
    struct part_rank rank; /* BYTES: for the reader; all else: under the lock
                                of INPUTS, if INPUT->walk is not NULL */

    /* For a part of a divisible input; under the lock of INPUTS. */
    off_t kept_to; /* the reader reads at least up to here: cut no earlier */
    off_t end;     /* where the part was cut off, or DECODER_NO_PAUSE */
    off_t reached; /* by reading */
};

/* Returns the claim of READER, which is made if it has none; or NULL: there is
   no memory, and the first input has failed. */
struct claim *claim_of(struct inputs *inputs, struct input_reader *reader);

/* Free all claims of INPUTS. */
void claim_free_all(struct inputs *inputs);

/* Free INPUT; of an archive, member_input_free() comes first. */
void claim_free_input(struct input *input);

/* Close the spare decoder of CLAIM, if it has one, to release its memory. */
void claim_drop_spare(struct claim *claim);

/*
 * From byte BEGIN of the buffer on, after MADE bytes that are made up, there is
 * what INPUT has at AT, after RECORDS of sequences: in its content, or from the
 * begin of a part on, which is not known yet.
 */
void claim_note_origin(const struct claim *claim, struct input *input,
                       size_t begin, size_t made, off_t at, uint64_t records);

/* Whether CLAIM, which reads in sequence, need not read on: a record in front
   of what it would read is wrong. */
bool claim_is_wrong(const struct claim *claim);

/* The same if the run was cancelled. */
static inline bool
claim_is_vain(const struct inputs *inputs, const struct claim *claim)
{
    return cancel_is_asked(inputs->reading.cancel) || claim_is_wrong(claim);
}

/*
 * Let CLAIM read INPUT in sequence, from its current position to its end.  The
 * first record to deliver starts at byte AT from the first one on, after
 * RECORDS of sequences.
 */
void claim_begin_sequence(const struct inputs *inputs, struct claim *claim,
                          struct input *input, off_t at, uint64_t records);

/*
 * Keep the BYTES at REST, the start of an incomplete record, for the next
 * inputs_read().  Returns 0, or -1 with the error of CLAIM's source set.
 */
int claim_keep_tail(struct claim *claim, const unsigned char *tail,
                    size_t bytes);

/* The record that STATE, a piece, is of goes on in the next inputs_read(). */
void claim_keep_piece(const struct inputs *inputs, struct claim *claim,
                      const struct framing_state *state);

/*
 * Put what precedes data that follow BEFORE to OUT.  Returns how many bytes
 * that are, which CLAIM counts as made up.
 */
size_t claim_put_preface(const struct inputs *inputs, struct claim *claim,
                         const struct framing_state *before,
                         unsigned char *out);

/*
 * Put the kept bytes, or what precedes a piece, to OUT, a buffer's begin.
 * Returns how many bytes that are.
 */
size_t claim_take_tail(const struct inputs *inputs, struct claim *claim,
                       unsigned char *out);

/* ---- under the lock of INPUTS ---- */

/* As inputs_have_failed(). */
bool claim_have_failed(const struct inputs *inputs);

/* Whether all bytes of the unreported content are claimed and read. */
bool claim_has_ended(const struct inputs *inputs);

void claim_list_add(struct input **list, struct input *input);

/*
 * Free INPUT if it is done and nobody uses it, unless messages need more of it
 * than its slot has: see input_slots.h.
 */
void claim_drop_input(struct inputs *inputs, struct input *input);

/* Add RANK after LAST, which is NULL for the first part. */
void claim_add_rank(struct part_rank *rank, struct part_rank *last);

/* INPUT is done, whether it was read or not: as claim_drop_input(). */
void claim_end_input(struct inputs *inputs, struct input *input);

/* Let CLAIM hold INPUT, NULL: none, as the input that it left, and release the
   one that it held before. */
void claim_hold_left(struct inputs *inputs, struct claim *claim,
                     struct input *input);

/* Hand out no more ranges of INPUT. */
void claim_stop_sharing(struct inputs *inputs, struct input *input);

/* Cut no more parts off INPUT. */
void claim_stop_dividing(struct inputs *inputs, struct input *input);

/*
 * Wait for COND, which releases the lock meanwhile.  Drops the spare decoder
 * of CLAIM first, because other readers may wait for its memory.
 */
void claim_wait(struct inputs *inputs, struct claim *claim,
                pthread_cond_t *cond);

/*
 * Record and clear FAILURE, which may be no error, of the range or part of
 * INPUT that starts at BEGIN.  Of several failures the first one in the file
 * is kept; all bytes before it are read by some reader.
 */
void claim_record_failure(struct inputs *inputs, struct input *input,
                          off_t begin, struct error *failure);

/* A record of INPUT, which is shared, is wrong: no reader reads more of it. */
void claim_give_up(struct inputs *inputs, struct input *input);

/* A reader leaves INPUT: close INPUT if it was the last one. */
void claim_close_if_done(struct inputs *inputs, struct input *input);

/* The reader of CLAIM has finished it, at its end or after a failure. */
void claim_leave(struct inputs *inputs, struct claim *claim);

#endif
