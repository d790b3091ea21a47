/* SPDX-License-Identifier: MIT */
/* tracks.c -- a run: one pipeline, or several that each count every N-th input
 */

#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "run/tracks.h"

/* A pipeline, its inputs, and the thread that waits for its inputs. */
struct track {
    struct tracks *all;
    struct inputs inputs;
    struct spec spec; /* whose ranges are those of its last input */
    struct pipeline pipeline;
    pthread_t thread;
    bool is_joined; /* THREAD */

    /* Under the lock of ALL.  RESULT is that of pipeline_input() for the next
       input, if it IS_DUE: 1 with NAME and COUNTS, until they are taken; or -1
       with ERROR. */
    bool is_due;
    int result;
    char *name;
    struct snapshot counts;
    struct error error;
};

/* ---- the thread of a track ---- */

/* Let tracks_input() have RESULT, and wait until the input is reported.
   Returns whether to go on. */
static bool
deliver(struct track *track, int result)
{
    struct tracks *all = track->all;

    pthread_mutex_lock(&all->lock);
    track->result = result;
    track->is_due = true;
    pthread_cond_broadcast(&all->changed);
    while (track->is_due && result > 0 && !all->is_over)
        pthread_cond_wait(&all->changed, &all->lock);
    bool goes_on = result > 0 && !all->is_over;
    pthread_mutex_unlock(&all->lock);
    return goes_on;
}

/* Merging the counts of an input takes long if keys are many, so each track
   does it by itself. */
static void *
track_main(void *argument)
{
    struct track *track = argument;
    struct pipeline *pipeline = &track->pipeline;
    bool goes_on;

    /* Until all tracks have started. */
    pthread_mutex_lock(&track->all->lock);
    pthread_mutex_unlock(&track->all->lock);
    do {
        goes_on = deliver(track, pipeline_input(pipeline, &track->name,
                                                &track->counts, &track->error));
        if (goes_on && pipeline_go_on(pipeline, &track->error) < 0)
            goes_on = deliver(track, -1);
    } while (goes_on);
    return NULL;
}

/* ---- starting ---- */

/* Start track number NUMBER, but its readers and its thread wait.  Returns 0,
   or -1 with *ERROR set. */
static int
start_track(struct tracks *tracks, size_t number, const struct plan *plan,
            const struct spec *spec, const struct interval *every,
            struct error *error)
{
    struct track *track = &tracks->track[number];
    int result;

    *track = (struct track){.all = tracks};
    if (spec_copy_axes(&track->spec, spec) < 0 ||
        inputs_open_track(&track->inputs, tracks->inputs, number) < 0)
        return error_fail_memory(error);
    if (pipeline_start(&track->pipeline, plan, &track->spec, &track->inputs,
                       every, error) < 0)
        return -1;
    result = thread_start(&track->thread, track_main, track);
    if (result == 0)
        return 0;
    error_set(error, EXIT_DATA, "cannot start a thread: %s", strerror(result));
    return -1;
}

/*
 * Start up to COUNT tracks.  One that cannot start has no inputs: its threads,
 * if any, wait until the process ends.  Returns 0, or -1 with *ERROR set: none
 * can start.
 */
static int
start_all(struct tracks *tracks, unsigned int count, const struct plan *plan,
          const struct spec *spec, const struct interval *every,
          struct error *error)
{
    pthread_mutex_lock(&tracks->lock);
    while (tracks->count < count &&
           start_track(tracks, tracks->count, plan, spec, every, error) == 0)
        tracks->count++;
    for (size_t i = 0; i < tracks->count; i++)
        inputs_start_track(&tracks->track[i].inputs, tracks->count);
    pthread_mutex_unlock(&tracks->lock);
    tracks->has_error = tracks->count == 0;
    tracks->is_short = tracks->count < count;
    if (tracks->count == 0)
        return -1;
    tracks->pipeline = &tracks->track[0].pipeline;
    if (tracks->is_short)
        error_set(&tracks->pipeline->consumers.shortage, EXIT_DATA,
                  "running with fewer threads than planned: %s", error->text);
    error_clear(error);
    return 0;
}

int
tracks_start(struct tracks *tracks, const struct plan *plan,
             const struct spec *spec, struct inputs *inputs,
             const struct interval *every, struct error *error)
{
    tracks->inputs = inputs;
    pthread_mutex_init(&tracks->lock, NULL);
    pthread_cond_init(&tracks->changed, NULL);
    tracks->pipeline = &tracks->alone;
    if (plan->tracks == 1) {
        tracks->count = 1;
        return pipeline_start(&tracks->alone, plan, spec, inputs, every, error);
    }
    tracks->alone = (struct pipeline){.plan = plan, .is_abandoned = true};
    tracks->track = calloc(plan->tracks, sizeof *tracks->track);
    if (tracks->track == NULL)
        return error_fail_memory(error);
    return start_all(tracks, plan->tracks, plan, spec, every, error);
}

/* ---- inputs in their order ---- */

/* Note what TRACK says of its input, which is the next one, for messages. */
static void
note(struct tracks *tracks, struct track *track)
{
    struct field_counts *keys = &track->pipeline.consumers.keys;

    if (keys->spec == NULL)
        return;
    misfits_move(&tracks->misfits, &keys->misfits);
    if (tracks->first == NULL && keys->first.record != NULL)
        tracks->first = &keys->first;
}

int
tracks_input(struct tracks *tracks, char **name, struct snapshot *counts,
             struct error *error)
{
    if (tracks->track == NULL)
        return pipeline_input(&tracks->alone, name, counts, error);
    if (tracks->next == tracks->inputs->count)
        return 0;
    struct track *track = &tracks->track[tracks->next % tracks->count];
    tracks->pipeline = &track->pipeline;
    pthread_mutex_lock(&tracks->lock);
    while (!track->is_due)
        pthread_cond_wait(&tracks->changed, &tracks->lock);
    pthread_mutex_unlock(&tracks->lock);
    if (track->result < 0) {
        error_move(error, &track->error);
        tracks->has_error = true;
    }
    if (track->result <= 0)
        return track->result;
    note(tracks, track);
    *name = track->name;
    *counts = track->counts;
    track->name = NULL;
    track->counts = (struct snapshot){.spec = NULL};
    return 1;
}

int
tracks_go_on(struct tracks *tracks, struct error *error)
{
    if (tracks->track == NULL)
        return pipeline_go_on(&tracks->alone, error);
    struct track *track = &tracks->track[tracks->next++ % tracks->count];
    pthread_mutex_lock(&tracks->lock);
    track->is_due = false;
    pthread_cond_broadcast(&tracks->changed);
    pthread_mutex_unlock(&tracks->lock);
    return 0;
}

/* ---- the end ---- */

/* Stop TRACK and its thread, if they have not ended; its counts are not wanted.
   The lock says that all is over. */
static void
stop(struct track *track)
{
    if (track->pipeline.is_abandoned)
        pipeline_stop(&track->pipeline);
    if (!track->is_joined)
        pthread_join(track->thread, NULL);
    track->is_joined = true;
    if (track->result > 0) {
        snapshot_close(&track->counts);
        free(track->name);
    }
    track->result = 0;
    error_clear(&track->error);
}

/* Stop all tracks but KEPT, which may be NULL. */
static void
stop_others(struct tracks *tracks, const struct track *kept)
{
    pthread_mutex_lock(&tracks->lock);
    tracks->is_over = true;
    pthread_cond_broadcast(&tracks->changed);
    pthread_mutex_unlock(&tracks->lock);
    for (size_t i = 0; i < tracks->count; i++) {
        if (&tracks->track[i] != kept)
            stop(&tracks->track[i]);
    }
}

/* The run ends at the next input, which has failed or is cut short.  As
   tracks_finish(). */
static int
end_early(struct tracks *tracks, struct snapshot *counts, struct error *error)
{
    struct track *track = &tracks->track[tracks->next % tracks->count];

    stop_others(tracks, track);
    pthread_join(track->thread, NULL);
    track->is_joined = true;
    int result = pipeline_finish(&track->pipeline, counts, error);
    inputs_end_at_track(tracks->inputs, &track->inputs, tracks->next + 1);
    return result;
}

/* Finish all tracks but that of the last input, which has counts of none. */
static int
finish_others(struct tracks *tracks, struct error *error)
{
    for (size_t i = 0; i < tracks->count; i++) {
        struct track *track = &tracks->track[i];
        struct snapshot none;

        pthread_join(track->thread, NULL);
        track->is_joined = true;
        /* Nothing more is to be counted. */
        error_clear(&track->error);
        if (&track->pipeline == tracks->pipeline)
            continue;
        if (pipeline_finish(&track->pipeline, &none, error) < 0)
            return -1;
        snapshot_close(&none);
    }
    return 0;
}

/* As tracks_finish(), of several. */
static int
finish(struct tracks *tracks, struct snapshot *counts, struct error *error)
{
    struct pipeline *pipeline = tracks->pipeline;

    if (tracks->next < tracks->inputs->count)
        return end_early(tracks, counts, error);
    if (finish_others(tracks, error) < 0 ||
        pipeline_finish(pipeline, counts, error) < 0)
        return -1;
    misfits_move(&pipeline->consumers.keys.all_misfits, &tracks->misfits);
    return 0;
}

int
tracks_finish(struct tracks *tracks, struct snapshot *counts,
              struct error *error)
{
    if (tracks->track == NULL)
        return pipeline_finish(tracks->pipeline, counts, error);
    int result = finish(tracks, counts, error);
    tracks->has_error |= result < 0;
    return result;
}

bool
tracks_are_abandoned(const struct tracks *tracks)
{
    return tracks->is_short || tracks->pipeline->is_abandoned;
}

bool
tracks_may_repeat(struct tracks *tracks)
{
    return tracks->track != NULL &&
           (tracks->has_error || (inputs_have_failed(tracks->inputs) &&
                                  budget_refuses(tracks->inputs->budget)));
}

void
tracks_stop(struct tracks *tracks)
{
    stop_others(tracks, NULL);
    if (!tracks->is_short)
        tracks_close(tracks);
}

const struct first_values *
tracks_first_values(const struct tracks *tracks)
{
    const struct field_counts *keys = &tracks->pipeline->consumers.keys;

    if (keys->spec == NULL)
        return NULL;
    return tracks->first != NULL ? tracks->first : &keys->first;
}

const struct pipeline *
tracks_pipeline(const struct tracks *tracks, size_t i)
{
    return tracks->track != NULL ? &tracks->track[i].pipeline : &tracks->alone;
}

uint64_t
tracks_comments(const struct tracks *tracks)
{
    uint64_t comments = atomic_load(&tracks->inputs->left_out_comments);

    if (tracks->is_over)
        return 0;
    for (size_t i = 0; i < tracks->count; i++) {
        const struct pipeline *pipeline = tracks_pipeline(tracks, i);
        comments += atomic_load(&pipeline->consumers.keys.comments);
        if (tracks->track != NULL)
            comments += atomic_load(&pipeline->inputs->left_out_comments);
    }
    return comments;
}

uint64_t
tracks_spills(const struct tracks *tracks, uint64_t *bytes)
{
    uint64_t runs = 0;

    *bytes = 0;
    if (tracks->is_over)
        return 0;
    for (size_t i = 0; i < tracks->count; i++) {
        uint64_t more;
        runs += field_counts_spills(&tracks_pipeline(tracks, i)->consumers.keys,
                                    &more);
        *bytes += more;
    }
    return runs;
}

void
tracks_close(struct tracks *tracks)
{
    for (size_t i = 0; i < tracks->count; i++)
        pipeline_close(tracks->track != NULL ? &tracks->track[i].pipeline
                                             : &tracks->alone);
    for (size_t i = 0; tracks->track != NULL && i < tracks->count; i++) {
        inputs_close_track(&tracks->track[i].inputs);
        spec_close_axes(&tracks->track[i].spec);
    }
    free(tracks->track);
    misfits_close(&tracks->misfits);
    pthread_cond_destroy(&tracks->changed);
    pthread_mutex_destroy(&tracks->lock);
}
