/* SPDX-License-Identifier: MIT */
/*
 * claim.h -- the input, range or part that each reader has claimed
 *
 * Only this room includes this header: others know inputs.h.
 *
 * The claims of all readers share struct inputs.  Functions that change fields
 * under its lock say "under the lock".
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
#include "input/read/series_list.h"

/*
 * The rank of a part among the parts of a compressed file that are read now.  A
 * part starts in the content at the sum of all earlier parts, which is known
 * only after they are read.  So a part that ends leaves its size to the next
 * part.  All 0: in no order.
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

/* Reasons to note a member. */
enum member_kind {
    MEMBER_TEXT,     /* looks like text although values are wide */
    MEMBER_UNLINED,  /* has only carriage returns as line ends */
    MEMBER_MISNAMED, /* has a name that says compressed */
    MEMBER_GUESSED,  /* looks as member_notes.guess */
    MEMBER_RAGGED,   /* has an incomplete record at the end */
    MEMBER_KINDS
};

/* The members of an archive, up to the current one. */
struct member_notes {
    uint64_t members;
    uint64_t others;   /* links, directories and devices */
    uint64_t unchosen; /* arrays left out by --array */
    struct member_note of[MEMBER_KINDS];
    const char *seems;     /* the format in the name of the first
                              MEMBER_MISNAMED */
    enum guess guess;      /* the first guess to warn of */
    uint64_t ragged_bytes; /* of the records of MEMBER_RAGGED, all dropped */
};

/* One source and its claimed bytes; under the lock of INPUTS. */
struct input {
    size_t number; /* of its slot */
    bool is_own;   /* of a batch: its reader alone uses it, without the lock */
    struct content content;
    struct wrong_record *wrong; /* held */
    struct identity identity;   /* if READING.identifies */
    bool is_exhausted;     /* nothing to read: standard input, listed before;
                             or it has ended before the first record */
    bool may_wait;         /* not a regular file: open() may block */
    bool is_open;          /* already opened: see opening.h */
    bool is_shared;        /* in the list SHARED: has unclaimed ranges */
    off_t next_range;      /* of a shared file: the first unclaimed byte ... */
    uint64_t next_content; /* ... and where its content is, with WALK */
    off_t ranges_end;      /* the end of its last whole record */
    off_t announced;       /* end of the bytes announced to the kernel */
    size_t dropped_bytes;  /* after the last whole record */
    unsigned int readers;  /* readers of this input now */
    unsigned int holders;  /* readers that refer to it, but read no more */
    bool is_done;          /* closed for ever; archives stay */
    struct error range_error; /* of the first range or part that failed ... */
    off_t error_at;           /* ... which starts here */
    struct input *next;       /* in the list SHARED or DIVISIBLE */

    struct range_order order;  /* of a shared file, if records need it */
    struct series_list series; /* of its content, if INPUTS->sums_series */

    /* Of a shard: see shard_cut.h. */
    struct shard_span span; /* of the bytes that may be read, if it is plain,
                               or of the file */
    off_t parts_end;        /* a part that is another shard's starts here; or
                               DECODER_NO_PAUSE */
    bool is_uncut;          /* counted whole, but should be cut */

    /* Of an archive, for its reader only: see member_input.h. */
    struct members *members; /* NULL: not open */
    const char *path;        /* of the archive; NULL: standard input */
    const char *name;        /* ... in messages; NULL: no archive */
    char *member_name;       /* of the current member; owned, or NULL */
    struct member_notes notes;

    /* Of a compressed file that may have parts. */
    bool is_divisible;  /* in the list DIVISIBLE: may be cut once more */
    struct claim *last; /* of the last part; NULL once that is done ... */
    off_t reached;      /* ... and then the end of the bytes that were read */
    bool is_searched;   /* a reader searches for a cut ... */
    bool is_ahead;      /* ... and waits until LAST has come nearer */
    struct decoder_walk *walk; /* for the searching reader only; starts in LAST.
                                  Of a shared file: under the lock */
    bool lacks_end_mark;       /* see struct decoder */
    bool lacks_end;            /* see struct members ... */
    uint64_t extra_bytes;      /* ... for this, too */

    /* Of the part of RANGE_ERROR. */
    struct part_rank failed;
    bool is_too_long; /* its record at LONG_AT, from the start of the part */
    off_t long_at;
};

/* A file of at most so many stored bytes may be in a batch: see claiming.c. */
#define SMALL_BYTES ((size_t)64 << 10)

/* The part of each input that stays: see input_slots.h. */
struct input_slot {
    struct input *input;        /* owned; NULL: not opened yet, or done */
    struct wrong_record *wrong; /* the one found, held; or NULL */
    bool is_small;              /* a regular file of at most SMALL_BYTES */
    bool may_wait;              /* see struct input ... */
    bool is_exhausted;          /* ... or the input is done and freed */

    /* Of an input that is freed. */
    bool is_text;
    bool is_unlined;
    bool lacks_end_mark;
    enum guess guess;
};

/* Which records the reader of a part reads: see parts.h. */
enum claim_edge {
    CLAIM_BEFORE, /* no records yet: the first starts after the next end */
    CLAIM_WITHIN,
    CLAIM_AFTER, /* the last one, which ends after the part */
    CLAIM_DONE,  /* it has ended */
};

/* A record that starts before a range and ends in the range: see ranges.h. */
struct deferred_record {
    struct input *input; /* NULL: no record is deferred */
    off_t start;
    off_t end;
    uint64_t records;     /* of sequences: how many end before it */
    unsigned char *bytes; /* owned; NULL: to be read again */
};

/* The claim of one reader.  All 0 but READER: nothing yet. */
struct claim {
    struct input_reader *reader; /* the owner of this claim */
    struct claim *next;          /* in the list of INPUTS */

    struct input *input;     /* read in sequence, or NULL */
    struct input *archive;   /* its next member is for this reader; or NULL */
    struct content *content; /* the content of INPUT, or PART */
    struct content part;
    struct decoder *spare; /* a decoder for the next part, or NULL ... */
    struct input *left;    /* ... that may look at the source of this input,
                              which is held; or NULL */
    size_t batch_next;     /* the next input of the reader's batch ... */
    size_t batch_end;      /* ... which ends before this one */

    off_t at;            /* of the next record, from the start of the content or
                            part */
    uint64_t records;    /* of sequences: how many end before it */
    uint64_t first_left; /* records to read, if the reading limits them */
    bool is_placed;      /* AT counts from the start of the content */
    bool is_too_long;    /* this record is too long, so the claim has failed */
    unsigned char *tail; /* the start of an incomplete record, or NULL */
    size_t tail_bytes;
    struct framing_state piece; /* if set, the record goes on after the bytes
                                   that were read, without a tail */
    /* If a long record goes on, see long_record.h: */
    uint64_t long_bytes; /* bytes read of the record; 0: none */
    size_t long_head;    /* bytes of the record that stay in the buffer */
    struct synthetic long_synthetic;
    bool is_line; /* a line starts after LONG_BYTES */
    size_t name_bytes;
    unsigned char name[SEQUENCE_PIECE_NAME];

    struct series_claim series; /* if INPUTS->sums_series, from the claim on
                                   until the reader leaves */

    struct range range; /* of a shared input */
    off_t part_end;     /* of its blocks in the file: block_ranges.h */
    struct deferred_record deferred; /* is read before the next claim */

    enum claim_edge edge;
    struct part_rank rank; /* BYTES: for the reader; all else: under the lock of
                              INPUTS, if INPUT->walk is set */

    /* For a part of a divisible input; under the lock of INPUTS. */
    off_t kept_to; /* the reader reads at least up to here: cut no earlier */
    off_t end;     /* where the part was cut off, or DECODER_NO_PAUSE */
    off_t reached; /* by reading */
};

/* Returns the claim of READER, after making it at the first call; or NULL: out
   of memory, and the first input has failed. */
struct claim *claim_of(struct inputs *inputs, struct input_reader *reader);

/* Free all claims of INPUTS. */
void claim_free_all(struct inputs *inputs);

/* Free INPUT; of an archive, member_input_free() comes first. */
void claim_free_input(struct input *input);

/* Close the spare decoder of CLAIM, if any, to release memory. */
void claim_drop_spare(struct claim *claim);

/* Likewise, and release the input that the decoder may look at.  Takes the
   lock, if necessary. */
void claim_drop_left(struct inputs *inputs, struct claim *claim);

/*
 * Note an origin: byte START in the buffer, after SYNTHETIC bytes, is the byte
 * of INPUT at AT, after RECORDS of sequences.  AT counts from the start of the
 * content, or from the start of a part whose offset is not known yet.
 */
void claim_note_origin(const struct claim *claim, struct input *input,
                       size_t start, size_t synthetic, off_t at,
                       uint64_t records);

/* Whether CLAIM, which reads in sequence, need not read on: an earlier record
   is wrong. */
bool claim_is_wrong(const struct claim *claim);

/* As claim_is_wrong(), or the run was cancelled. */
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
void claim_start_sequence(const struct inputs *inputs, struct claim *claim,
                          struct input *input, off_t at, uint64_t records);

/*
 * Keep the BYTES at TAIL, the start of an incomplete record, for the next
 * inputs_read().  Returns 0, or -1 with the error of CLAIM's source set.
 */
int claim_keep_tail(struct claim *claim, const unsigned char *tail,
                    size_t bytes);

/* The record that STATE, a piece, is of goes on in the next inputs_read(). */
void claim_keep_piece(const struct inputs *inputs, struct claim *claim,
                      const struct framing_state *state);

/* Write the preface of data that follow BEFORE to OUT.  Returns its size in
   bytes, which CLAIM counts as synthetic. */
size_t claim_put_preface(const struct inputs *inputs, struct claim *claim,
                         const struct framing_state *before,
                         unsigned char *out);

/* Copy the kept tail, or write the preface of a piece, to OUT, the start of a
   buffer.  Returns the number of bytes. */
size_t claim_take_tail(const struct inputs *inputs, struct claim *claim,
                       unsigned char *out);

/* Take the lock of INPUTS, unless INPUT, which may be NULL, is the caller's
   own. */
void claim_lock(struct inputs *inputs, const struct input *input);

/* Release the lock after claim_lock(); IS_OWN: that INPUT was the caller's. */
void claim_unlock(struct inputs *inputs, bool is_own);

/* ---- under the lock of INPUTS, or for inputs of the caller's batch ---- */

/* As inputs_have_failed(). */
bool claim_have_failed(const struct inputs *inputs);

/* Whether all bytes of the unreported content are claimed and read. */
bool claim_has_ended(const struct inputs *inputs);

void claim_list_add(struct input **list, struct input *input);

/* Free INPUT if it is done and unused, unless messages need more than its slot
   has: see input_slots.h. */
void claim_drop_input(struct inputs *inputs, struct input *input);

/* Add RANK after LAST, which is NULL for the first part. */
void claim_add_rank(struct part_rank *rank, struct part_rank *last);

/* If INPUTS->sums_series, the reader of CLAIM sums its bytes of INPUT, which
   start at byte START of the content, or SERIES_UNPLACED. */
void claim_start_series(const struct inputs *inputs, struct claim *claim,
                        struct input *input, uint64_t start);

/* The reader of CLAIM has read its bytes of INPUT. */
void claim_end_series(struct claim *claim, struct input *input);

/* INPUT is done, whether it was read or not: as claim_drop_input(). */
void claim_end_input(struct inputs *inputs, struct input *input);

/* Let CLAIM hold INPUT (NULL: none) as the input that the reader left, and
   release the input held before. */
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
 * Record and clear FAILURE, if it is an error, of the range or part of INPUT
 * that starts at START.  Of several failures the first one in the file is kept;
 * some reader reads all bytes before it.
 */
void claim_record_failure(struct inputs *inputs, struct input *input,
                          off_t start, struct error *failure);

/* A record of the shared INPUT is wrong: no reader reads more of INPUT. */
void claim_give_up(struct inputs *inputs, struct input *input);

/* A reader leaves INPUT: the last reader closes INPUT. */
void claim_close_if_done(struct inputs *inputs, struct input *input);

/*
 * The reader of CLAIM has finished, at the end or after a failure.  Returns the
 * descriptor for the caller to close, best without the lock: many files are
 * closed while other readers wait for the lock.  Or -1: there is none.
 */
int claim_leave(struct inputs *inputs, struct claim *claim);

#endif
