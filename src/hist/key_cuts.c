/* SPDX-License-Identifier: MIT */
/* key_cuts.c -- sorted runs, cut into sections at the same keys */

#include <assert.h>
#include <stdlib.h>

#include "base/thread.h"
#include "hist/key_cuts.h"

/* Marks of the sample for each section: sections differ by few percent. */
#define SECTION_SAMPLES 32

/* Each cut reads the whole of a run without marks.  This share of all bytes may
   have none. */
#define UNMARKED_SHARE 4

/* A key that may become a cut. */
struct sample {
    struct key_entry key;
    uint64_t bytes; /* of the run up to its next sample */
};

struct cutting {
    const struct key_runs *runs;
    struct key_cuts *cuts;
    unsigned char *mapping; /* of the file */
    uint64_t mapped;
    struct key_entry *cut; /* before each section but the first one */
};

/* Returns the key of the entry at AT of the file. */
static struct key_entry
key_at(const struct cutting *cutting, uint64_t at)
{
    return key_entry_key(cutting->mapping + at + cutting->runs->sum_bytes);
}

static uint64_t
run_bytes(const struct key_run *run)
{
    return run->end - run->at;
}

/* ---- the cuts ---- */

static int
compare_samples(const void *a, const void *b)
{
    const struct sample *left = a;
    const struct sample *right = b;

    return key_entry_compare(&left->key, &right->key);
}

/* Add every STEP-th mark of RUN, which is not empty, to SAMPLE.  Returns how
   many these are. */
static size_t
sample_run(const struct cutting *cutting, const struct key_run *run,
           size_t step, struct sample *sample)
{
    const uint64_t *mark = run->marks > 0 ? run->mark : &run->at;
    size_t marks = run->marks > 0 ? run->marks : 1;
    size_t samples = 0;

    for (size_t m = 0; m < marks; m += step) {
        uint64_t end = m + step < marks ? mark[m + step] : run->end;
        sample[samples++] =
            (struct sample){key_at(cutting, mark[m]), end - mark[m]};
    }
    return samples;
}

/* Choose the cuts for sections of TOTAL bytes, which are about equal. */
static int
choose_cuts(struct cutting *cutting, uint64_t total, struct error *error)
{
    const struct key_runs *runs = cutting->runs;
    unsigned int sections = cutting->cuts->sections;
    size_t marks = 0;
    size_t samples = 0;
    uint64_t before = 0; /* bytes of the samples so far */
    unsigned int section = 1;

    for (size_t r = 0; r < runs->count; r++)
        marks += runs->run[r].marks;
    size_t step = marks / (sections * SECTION_SAMPLES) + 1;
    struct sample *sample = calloc(marks / step + runs->count, sizeof *sample);
    if (sample == NULL)
        return error_fail_memory(error);
    for (size_t r = 0; r < runs->count; r++) {
        if (run_bytes(&runs->run[r]) > 0)
            samples +=
                sample_run(cutting, &runs->run[r], step, sample + samples);
    }
    qsort(sample, samples, sizeof *sample, compare_samples);
    for (size_t s = 0; s < samples; s++) {
        for (; section < sections && before >= total / sections * section;
             section++)
            cutting->cut[section] = sample[s].key;
        before += sample[s].bytes;
    }
    for (; section < sections; section++)
        cutting->cut[section] = sample[samples - 1].key;
    free(sample);
    return 0;
}

/* ---- the runs ---- */

/* Returns where the keys of RUN start that are not before CUT. */
static uint64_t
find_cut(const struct cutting *cutting, const struct key_run *run,
         const struct key_entry *cut)
{
    size_t sum_bytes = cutting->runs->sum_bytes;
    size_t first = 0; /* the marks before the cut */
    size_t end = run->marks;
    uint64_t at = run->at;

    while (first < end) {
        size_t middle = first + (end - first) / 2;
        struct key_entry key = key_at(cutting, run->mark[middle]);
        if (key_entry_compare(&key, cut) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    if (first > 0)
        at = run->mark[first - 1];
    while (at < run->end) {
        struct key_entry key = key_at(cutting, at);
        if (key_entry_compare(&key, cut) >= 0)
            break;
        at += sum_bytes + key_entry_bytes(cutting->mapping + at + sum_bytes);
    }
    scratch_file_forget(cutting->mapping, cutting->mapping + run->at,
                        run_bytes(run));
    return at;
}

/* Cut all runs before section MEMBER + 1. */
static void
cut_runs(void *task, unsigned int member)
{
    const struct cutting *cutting = task;
    const struct key_cuts *cuts = cutting->cuts;
    struct key_run *after = cuts->span + (member + 1) * cuts->runs;
    struct key_run *before = after - cuts->runs;

    for (size_t r = 0; r < cuts->runs; r++) {
        after[r].at = find_cut(cutting, &cutting->runs->run[r],
                               &cutting->cut[member + 1]);
        before[r].end = after[r].at;
    }
}

/* Cut runs of TOTAL bytes, 1 or more, into 2 sections or more. */
static int
cut_all(struct cutting *cutting, uint64_t total, struct error *error)
{
    const struct key_runs *runs = cutting->runs;
    struct key_entry cut[CREW_MAX];
    int result = -1;

    cutting->cut = cut;
    cutting->mapped = runs->run[runs->count - 1].end;
    cutting->mapping = scratch_file_map(&runs->file, cutting->mapped, error);
    if (cutting->mapping != NULL)
        result = choose_cuts(cutting, total, error);
    if (result == 0)
        crew_run(cutting->cuts->sections - 1, cut_runs, cutting);
    scratch_file_unmap(cutting->mapping, cutting->mapped);
    return result;
}

int
key_cuts_open(struct key_cuts *cuts, const struct key_runs *runs,
              unsigned int sections, struct error *error)
{
    struct cutting cutting = {.runs = runs, .cuts = cuts};
    uint64_t total = 0;
    uint64_t unmarked = 0;

    assert(runs->count > 0 && sections > 0 && sections <= CREW_MAX);
    for (size_t r = 0; r < runs->count; r++) {
        total += run_bytes(&runs->run[r]);
        if (runs->run[r].marks == 0)
            unmarked += run_bytes(&runs->run[r]);
    }
    if (runs->order != KEY_RUN_BY_KEY || unmarked > total / UNMARKED_SHARE ||
        total == 0)
        sections = 1;
    *cuts = (struct key_cuts){.runs = runs->count, .sections = sections};
    cuts->span = calloc(sections * runs->count, sizeof *cuts->span);
    if (cuts->span == NULL)
        return error_fail_memory(error);
    for (size_t r = 0; r < runs->count; r++) {
        cuts->span[r].at = runs->run[r].at;
        cuts->span[(sections - 1) * runs->count + r].end = runs->run[r].end;
    }
    return sections > 1 ? cut_all(&cutting, total, error) : 0;
}

uint64_t
key_cuts_bytes(const struct key_cuts *cuts, unsigned int section)
{
    const struct key_run *span = key_cuts_section(cuts, section);
    uint64_t bytes = 0;

    for (size_t r = 0; r < cuts->runs; r++)
        bytes += run_bytes(&span[r]);
    return bytes;
}

void
key_cuts_close(struct key_cuts *cuts)
{
    free(cuts->span);
    *cuts = (struct key_cuts){0};
}
