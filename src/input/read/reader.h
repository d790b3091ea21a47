/* SPDX-License-Identifier: MIT */
/*
 * reader.h -- the inputs of a run, which all readers share, and one reader
 *
 * Others include inputs.h, which has the functions.
 */

#ifndef GPUHIST_READER_H
#define GPUHIST_READER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hist/series.h"
#include "input/content/content.h"
#include "input/framing/framing.h"
#include "sync/budget.h"
#include "sync/origins.h"
#include "sync/pool.h"
#include "sync/snapshot_gate.h"

/* For the room alone: see claim.h and input_slots.h. */
struct claim;
struct input;
struct input_slot;

/* The inputs of a run, for all readers. */
struct inputs {
    /* Constant after inputs_open(). */
    char *const *paths; /* COUNT of them; NULL: standard input */
    size_t count;
    uint64_t known_bytes;    /* the sizes of all regular files together */
    uint64_t largest_bytes;  /* the size of the largest file */
    bool has_unknown_length; /* some input is not a regular file */
    bool may_repeat;         /* all are named files: they can be read again */
    struct reading reading;
    struct framing framing;
    size_t chunk_bytes; /* capacities above are for long records only */
    size_t record_max;  /* the greatest capacity: longer records are errors */
    struct budget *budget;      /* for the memory of the decoders */
    struct snapshot_gate *gate; /* NULL: no gate; a gate allows only one ... */
    bool is_per_input;          /* ... reader, unless inputs are separate */

    struct wrong_records wrongs;

    /* Records of zeros that were skipped since inputs_end_report(), if
       SKIPS_ZEROS (constant) is set. */
    bool skips_zeros;
    atomic_uint_fast64_t zero_records;

    /* Sum the bytes in their order: constant.  Records have one byte. */
    bool sums_series;

    /* Before the first records of text or .npy, of inputs opened so far. */
    atomic_uint_fast64_t start_bytes;

    /* That no engine gets: in START_BYTES, and between lines of sequences. */
    atomic_uint_fast64_t left_out_comments;

    /* Readers that wait because nothing can be claimed now, or for a device
       that will decode their file. */
    atomic_uint waiting;

    atomic_bool has_failed; /* some input has failed */

    /* For the room alone; constant after inputs_open(). */
    struct input_slot *slot; /* COUNT of them, which all tracks share */
    bool keeps_all;          /* inputs stay until inputs_close() */
    char *header_name;  /* of a member, for reading.header; owned, or NULL */
    size_t first;       /* of a track: see inputs_open_track(); or 0 */
    uint64_t shard_run; /* see portion.h */

    pthread_mutex_t lock;
    /* All below: for the room alone, under the lock. */
    struct claim *claims;    /* list of the claims of all readers */
    pthread_cond_t changed;  /* waiting readers should look again */
    pthread_cond_t nearer;   /* an input is no longer IS_AHEAD */
    size_t next_new;         /* the first input that no reader has opened */
    size_t step;             /* from one to the next: 1, unless it is a track */
    size_t opening;          /* readers that are opening an input now */
    struct input *shared;    /* list of files with unclaimed ranges */
    struct input *divisible; /* list of compressed files that may be cut */

    /* If SUMS_SERIES: of the contents read since inputs_end_report(). */
    struct series_total series;

    /* If IS_PER_INPUT: */
    struct input *unreported; /* the open input; NULL: open the next one */
    bool is_due;              /* UNREPORTED has ended: its snapshot is due */
    bool has_archive;         /* an archive is open; its reader goes on */
};

/*
 * One reader: the arguments and results of its inputs_read().  All 0 at first.
 */
struct input_reader {
    /* The owner sets: */

    /* Do some work for others, by HELPER, while the reader must wait.  Returns
       false: no work to do.  NULL: never any work. */
    bool (*help)(void *helper);
    void *helper;
    struct origins *origins; /* of the bytes read, or NULL: not needed */
    struct lease *lease;     /* see inputs_read(); or NULL: nothing is leased */

    /* inputs_read() sets: */
    struct synthetic synthetic; /* synthetic bytes among those returned */
    bool has_more;              /* it returned early; call it again */
    size_t wanted; /* the least capacity for the next call; 0: any */

    /* For the room alone. */
    bool is_inside;      /* inside the gate, until inputs_hand_over() */
    struct claim *claim; /* NULL: not made yet */
};

#endif
