/* state_fold.c -- the tuples of several lattices in one */

#include <stdlib.h>

#include "hist/key_merge.h"
#include "state/state_code.h"
#include "state/state_fold.h"

/* Entries in a chunk have a pointer each. */
#define CHUNK_MIN ((size_t)1 << 16)

struct folding {
    struct key_runs *to;
    unsigned char *byte; /* entries of a chunk, in ROOM bytes */
    size_t room;
    size_t used;
    const unsigned char **entry; /* COUNT pointers to them, at most MOST */
    size_t count;
    size_t most;
    struct state_code code;
};

static int
compare(const void *a, const void *b)
{
    struct key_entry left = key_entry_key(*(const unsigned char *const *)a);
    struct key_entry right = key_entry_key(*(const unsigned char *const *)b);

    return key_entry_compare(&left, &right);
}

/* Make the chunk a run, and empty it. */
static int
put_chunk(struct folding *folding, struct error *error)
{
    struct key_runs *to = folding->to;

    if (folding->count == 0)
        return 0;
    qsort(folding->entry, folding->count, sizeof *folding->entry, compare);
    if (key_runs_begin(to, error) < 0)
        return -1;
    for (size_t k = 0; k < folding->count; k++) {
        const unsigned char *entry = folding->entry[k];
        struct key_amount amount = key_entry_amount(entry, to->sum_bytes);
        if (key_runs_put(to, &amount, entry, error) < 0)
            return -1;
    }
    folding->count = 0;
    folding->used = 0;
    return key_runs_end(to, error);
}

/* Put the code, with AMOUNT, into the chunk. */
static int
put(struct folding *folding, const struct key_amount *amount,
    struct error *error)
{
    size_t sum_bytes = folding->to->sum_bytes;
    size_t need = sum_bytes + KEY_ENTRY_HEAD_MAX + folding->code.size;

    if ((folding->count == folding->most ||
         need > folding->room - folding->used) &&
        put_chunk(folding, error) < 0)
        return -1;
    if (need > folding->room) {
        free(folding->byte);
        folding->byte = malloc(need);
        folding->room = folding->byte != NULL ? need : 0;
        if (folding->byte == NULL)
            return error_fail_memory(error);
    }
    unsigned char *at = folding->byte + folding->used;
    memcpy(at, &amount->sum, sum_bytes);
    folding->entry[folding->count++] = at + sum_bytes;
    folding->used =
        (size_t)(key_entry_write(at + sum_bytes, folding->code.byte,
                                 (uint32_t)folding->code.size, amount->count) -
                 folding->byte);
    return 0;
}

/* Fold run R of RUNS from the lattices OLD to NEW. */
static int
fold_run(struct folding *folding, const struct key_runs *runs, size_t r,
         const struct spec *spec, size_t i, const struct state_lattice *old,
         const struct state_lattice *new, size_t memory, struct error *error)
{
    struct key_merge merge;
    int result =
        key_merge_open(&merge, runs, &runs->run[r], 1, memory, true, error);

    while (result == 0 && key_merge_next(&merge)) {
        struct key_entry key = key_entry_key(merge.entry);
        result = state_code_move(&folding->code, spec, i, &key, old, new) > 0
                     ? put(folding, &merge.amount, error)
                     : error_fail_memory(error);
    }
    key_merge_close(&merge);
    return result;
}

/* Whether all of COUNT runs have the lattices NEW. */
static bool
has_lattices(size_t count, size_t axes, const struct state_lattice *old,
             const struct state_lattice *new)
{
    bool is_same = true;

    for (size_t l = 0; l < count * axes && is_same; l++)
        is_same =
            old[l].used == 0 || state_lattice_is_same(&old[l], &new[l % axes]);
    return is_same;
}

int
state_fold(struct key_runs *runs, const struct spec *spec, size_t i,
           const struct state_lattice *old, const struct state_lattice *new,
           size_t memory, struct error *error)
{
    struct key_runs to;
    struct folding folding = {.to = &to, .room = memory / 2};
    int result = 0;

    if (has_lattices(runs->count, spec->axis_count, old, new))
        return 0;
    folding.room = folding.room > CHUNK_MIN ? folding.room : CHUNK_MIN;
    folding.most = folding.room / (2 * sizeof *folding.entry);
    key_runs_open(&to, KEY_RUN_BY_KEY, runs->sum_bytes > 0);
    folding.byte = malloc(folding.room);
    folding.entry = malloc(folding.most * sizeof *folding.entry);
    if (folding.byte == NULL || folding.entry == NULL)
        result = error_fail_memory(error);
    for (size_t r = 0; r < runs->count && result == 0; r++)
        result = fold_run(&folding, runs, r, spec, i,
                          old + r * spec->axis_count, new, memory / 4, error);
    if (result == 0)
        result = put_chunk(&folding, error);
    key_runs_close(runs);
    *runs = to;
    free(folding.byte);
    free(folding.entry);
    state_code_close(&folding.code);
    return result;
}
