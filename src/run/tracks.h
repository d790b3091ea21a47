/* SPDX-License-Identifier: MIT */
/*
 * tracks.h -- a run: one pipeline, or several that each count every N-th input
 *
 * The counts of one input are not mixed with those of another, so a pipeline
 * counts one input at a time (--per-file).  If an input keeps few processors
 * busy, because it is small or is decoded by one thread, several pipelines
 * run side by side.  Each, a track, reads every N-th input.  The inputs are
 * reported in their order: a track that is ahead waits for its turn.
 */

#ifndef GPUHIST_TRACKS_H
#define GPUHIST_TRACKS_H

#include "run/pipeline.h"

struct track;

struct tracks {
    struct inputs *inputs; /* of all tracks */
    unsigned int count;
    bool is_short;  /* one could not start: its threads wait for ever */
    bool has_error; /* one has ended with an error of its counts */
    /* COUNT of them, owned; NULL: the only track is ALONE, with INPUTS. */
    struct track *track;
    struct pipeline alone;
    size_t next; /* the input that tracks_input() returns next */

    /* The pipeline of the last input, or of the one that the run ends at. */
    struct pipeline *pipeline;

    /* Only the end of the run says more of these than of one pipeline. */
    struct misfits misfits;           /* of the inputs so far */
    const struct first_values *first; /* with the first record; or NULL */

    pthread_mutex_t lock;
    pthread_cond_t changed; /* a track has an input, or may go on */
    bool is_over;           /* none goes on; under the lock */
};

/*
 * As pipeline_start(), with PLAN->tracks tracks, or with fewer if the system
 * refuses threads.  The caller sets *TRACKS to 0 before.
 */
int tracks_start(struct tracks *tracks, const struct plan *plan,
                 const struct spec *spec, struct inputs *inputs,
                 const struct interval *every, struct error *error);

/* As pipeline_input() and pipeline_go_on(), for the inputs in their order. */
int tracks_input(struct tracks *tracks, char **name, struct snapshot *counts,
                 struct error *error);
int tracks_go_on(struct tracks *tracks, struct error *error);

/*
 * As pipeline_finish().  If the run ends before its last input, TRACKS->inputs
 * are those up to the one that it ends at.
 */
int tracks_finish(struct tracks *tracks, struct snapshot *counts,
                  struct error *error);

/* Whether threads may still be running, as after pipeline_finish(). */
bool tracks_are_abandoned(const struct tracks *tracks);

/*
 * After a failure: whether there were several tracks, and one alone may not
 * fail, since it has the memory of all.
 */
bool tracks_may_repeat(struct tracks *tracks);

/* Before the inputs are counted again: stop and release several tracks. */
void tracks_stop(struct tracks *tracks);

/* Returns the first values of fields of text, as far as they are known; NULL:
   the inputs are not text. */
const struct first_values *tracks_first_values(const struct tracks *tracks);

/* Returns pipeline number I, of TRACKS->count. */
const struct pipeline *tracks_pipeline(const struct tracks *tracks, size_t i);

/* Returns how many comments, and blank lines of CSV, are left out.  If several
   tracks have been stopped, this number, as the next one, depends on chance:
   0. */
uint64_t tracks_comments(const struct tracks *tracks);

/* As field_counts_spills(), of all tracks. */
uint64_t tracks_spills(const struct tracks *tracks, uint64_t *bytes);

/* As pipeline_close(): not if they are abandoned. */
void tracks_close(struct tracks *tracks);

#endif
