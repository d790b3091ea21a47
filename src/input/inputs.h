/*
 * inputs.h -- all inputs of a run, shared out among the readers
 *
 * A pipe is read from begin to end by one reader; a big plain file is cut
 * into ranges that any reader may claim.  Histograms add up, so neither the
 * order of the inputs nor that of the ranges matters, and a reader packs
 * small inputs one behind the other into a chunk.
 *
 * A compressed file is one part at first, for the reader that opened it.  A
 * reader that finds nothing else to do walks (struct decoder_walk) to where
 * the part that goes to the end of the file can be divided, and cuts it in two
 * there: what follows is its own part, until another reader cuts that.  So
 * decoding begins at once, and the number of parts need not be known before.
 * A part is cut only where a record begins.
 *
 * A record is never divided: what is handed out is whole records of one
 * input, and what is left over at an input's end is an error, or dropped.
 *
 * A file counts for what it holds when a reader gets to its end: ranges are
 * claimed up to the size that it had when it was opened, and whoever claims
 * the last one reads on from there, as cat would.  A file with ranges that
 * has become shorter by then is an error.
 */

#ifndef GPUHIST_INPUTS_H
#define GPUHIST_INPUTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/content.h"
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
    size_t dropped_bytes; /* at the end, too few for a record */
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
    size_t record_bytes;
    bool drop_partial;          /* a record cut off is dropped, not an error */
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

    /* Where INPUTS have a gate. */
    bool is_inside; /* of it: until inputs_hand_over() */
    bool has_more;  /* inputs_read() returned early, but there may be more */
    unsigned char *rest; /* the begin of a record that was not all there ... */
    size_t rest_bytes;   /* ... so much of it; or NULL and 0 */

    /* Of a divisible input's part; under the lock of INPUTS. */
    off_t kept_to; /* the reader may be decoding up to here: cut no earlier */
    off_t end;     /* where the part was cut off, or DECODER_NO_PAUSE */
    off_t reached; /* by reading */
};

/*
 * Take the inputs named by PATHS; "-" is standard input, as is COUNT == 0.
 * The paths must stay in place.  Opens nothing yet: a file that cannot be
 * opened is found by its reader.  BUDGET bounds the memory of all decoders
 * together.  Records are of one byte, until the caller changes that before
 * the first inputs_read().  Returns 0, or -1 with *ERROR set.
 */
int inputs_open(struct inputs *inputs, char *const *paths, size_t count,
                const struct reading *reading, struct budget *budget,
                struct error *error);

/*
 * Open the first input, an image, to learn the format that all images must
 * have: it is in INPUTS->reading from then on.  Returns 0, or -1: then the
 * others have been looked at, too, and inputs_error() knows the bad ones.
 */
int inputs_read_header(struct inputs *inputs);

/*
 * Fill BUFFER with whole records, for the reader that owns CLAIM; CAPACITY is
 * a multiple of their size.  Returns how many bytes there are; fewer than
 * CAPACITY only when this reader has no more to do, when INPUTS->reading.cancel
 * is asked, or when CLAIM->has_more.  A bad input does not stop the others,
 * unless there is a gate: see inputs_error().
 */
size_t inputs_read(struct inputs *inputs, struct claim *claim, void *buffer,
                   size_t capacity);

/*
 * To be called once the BYTES that inputs_read() returned are where snapshots
 * find them, or are 0: what happens next holds no snapshot up (snapshot_gate.h).
 */
void inputs_hand_over(const struct inputs *inputs, struct claim *claim,
                      size_t bytes);

/*
 * Whether the reader that owns CLAIM is kept busy by decoding while there is
 * something left for another one to do.
 */
bool inputs_want_reader(struct inputs *inputs, const struct claim *claim);

/* Whether an input is known to be bad, at any moment. */
bool inputs_have_failed(struct inputs *inputs);

/* What is wrong with input I, once the readers have finished. */
const struct error *inputs_error(const struct inputs *inputs, size_t i);

void inputs_close(struct inputs *inputs);

#endif
