/*
 * claim.h -- what of the inputs each reader has claimed
 *
 * The claims of all readers share struct inputs; what is said there to be
 * under its lock is changed here, in parts.c and in inputs.c, and nowhere
 * else.
 */

#ifndef GPUHIST_CLAIM_H
#define GPUHIST_CLAIM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/content.h"
#include "input/framing.h"
#include "sync/budget.h"
#include "sync/snapshot_gate.h"

struct claim;

/* One source and how far it has been given away; under the lock of INPUTS. */
struct input {
    struct content content;
    bool is_repeated;     /* standard input, named before: nothing to read */
    bool may_wait;        /* not a regular file: to open it may take long */
    bool is_open;         /* before any reader came: inputs_read_header() */
    bool is_shared;       /* in the list of INPUTS: ranges are unclaimed */
    off_t next_range;     /* of a shared file: the first byte unclaimed ... */
    off_t ranges_end;     /* ... and where ranges of whole records end */
    off_t announced;      /* the system knows that so much will be read */
    size_t dropped_bytes; /* at the end, behind the last whole record */
    unsigned int readers; /* in this input now */
    struct error
        range_error;    /* of the ranges or parts the first one that ... */
    off_t error_at;     /* ... failed: it begins here */
    struct input *next; /* in the list of INPUTS that it is in */

    /* Of a compressed file that may have parts. */
    bool is_divisible;  /* in the list of INPUTS: there may be more parts */
    struct claim *last; /* the part to the end of the file; NULL: done */
    off_t reached;      /* then: where it has ended */
    bool is_searched;   /* one reader looks for a cut ... */
    bool is_ahead;      /* ... and waits until LAST has come nearer */
    struct decoder_walk *walk; /* for that reader only; at the begin of LAST */
};

struct inputs {
    /* Set by inputs_open() for good. */
    struct input *input;
    size_t count;
    uint64_t known_bytes;    /* the sizes of all regular files together */
    bool has_unknown_length; /* some input is not a regular file */
    struct reading reading;
    struct framing framing;
    struct budget *budget;      /* of the decoders' memory */
    struct snapshot_gate *gate; /* of the only reader there is; NULL: none */

    /* Readers that wait, since there is nothing for them now. */
    atomic_uint waiting;

    pthread_mutex_t lock;
    /* All below: under the lock. */
    pthread_cond_t changed;  /* there may be something to claim, or nothing */
    pthread_cond_t nearer;   /* an input IS_AHEAD no more */
    size_t next_new;         /* the first input that no reader has opened */
    size_t opening;          /* readers that are opening one now */
    bool has_failed;         /* some input has */
    struct input *shared;    /* files with unclaimed ranges */
    struct input *divisible; /* compressed ones that may have more */
};

/* What one reader is in the middle of; start from zeros. */
struct claim {
    struct input *input;     /* read in sequence by this reader, or NULL: */
    struct content *content; /* all of it, or PART */
    struct content part;
    struct decoder *spare; /* a decoder for the next part, or NULL */

    bool has_more; /* inputs_read() returned early, but there may be more */
    unsigned char *rest; /* the begin of a record that was not all there ... */
    size_t rest_bytes;   /* ... so much of it; or NULL and 0 */
    bool is_inside;      /* of the gate of INPUTS: until inputs_hand_over() */

    /* Of a divisible input's part; under the lock of INPUTS. */
    off_t kept_to; /* the reader may be decoding up to here: cut no earlier */
    off_t end;     /* where the part was cut off, or DECODER_NO_PAUSE */
    off_t reached; /* by reading */
};

/* Release the decoder that CLAIM keeps, if it does, and its memory. */
void claim_drop_spare(struct claim *claim);

/* ---- under the lock of INPUTS ---- */

void claim_list_add(struct input **list, struct input *input);

/* Hand out no more ranges of INPUT. */
void claim_stop_sharing(struct inputs *inputs, struct input *input);

/* Cut no more parts off INPUT. */
void claim_stop_dividing(struct inputs *inputs, struct input *input);

/*
 * Have the reader of CLAIM wait for COND, which lets the lock go meanwhile.
 * Drops the spare decoder: others may wait for its memory.
 */
void claim_wait(struct inputs *inputs, struct claim *claim,
                pthread_cond_t *cond);

/*
 * FAILURE, if it is one, is what a reader of INPUT met in the range or part
 * that begins at BEGIN; it is cleared.  Where there are several, the first one
 * in the file counts: whatever lies before it is being read or has been.
 */
void claim_record_failure(struct inputs *inputs, struct input *input,
                          off_t begin, struct error *failure);

/* A reader has done its part of INPUT: close it if that was the last one. */
void claim_close_if_done(struct input *input);

/* The reader of CLAIM has done all of it that it can. */
void claim_leave(struct inputs *inputs, struct claim *claim);

#endif
