/* SPDX-License-Identifier: MIT */
/*
 * test_field_engine.c -- what the engine for fields does with leased chunks
 *
 * Nobody writes to leased bytes.  An engine that changes the data of its chunk
 * copies them first; others leave them where they are.  When a lease ends, its
 * owner writes something else there, so that later reads give other counts.
 */

#include <stdlib.h>
#include <string.h>

#include "../made_spec.h"
#include "../tap.h"
#include "engine/cpu/fields/field_engine.h"
#include "hist/snapshot.h"
#include "sync/pool.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define CHUNK_BYTES ((size_t)64 << 10)
/* More reads than an engine looks at together. */
#define REPEATS 400

/* Lines to join, small letters, letters without a code, FASTA between. */
static const char reads[] = "@a\nACGTNacgtn\n+\nIIIII!!!!!\n"
                            "@b\nAC\nGT\n+\nI#\nI#\n"
                            ">c\nACGRYK\nacg\n\n"
                            "@d one\nTTTT\n+\n@@@@\n";
static const char lines[] = "a,1\nb,2\na,3\n";

struct example {
    const char *name;
    const char *line; /* options */
    const char *text; /* REPEATS times */
    const char *end;  /* once */
    bool is_copied;
};

static const struct example examples[] = {
    {"lengths", "--seq -f length", reads, "", false},
    {"names", "--seq -f name", reads, "", false},
    {"long reads by length", "--seq -f length --where length>=5", reads, "",
     false},
    {"reads by name", "--seq -f length --where name=b", reads, "", false},
    {"bases", "--seq -f base", reads, "", true},
    {"bases with case", "--seq -f base --keep-case", reads, "", true},
    {"qualities by position", "--seq -f position,quality --joint", reads, "",
     true},
    {"qualities of groups of reads",
     "--seq -f position,quality --joint --group-by name", reads, "", true},
    {"k-mers", "--kmers=3", reads, "", true},
    {"GC", "--seq -f gc", reads, "", true},
    {"reads by sequence", "--seq -f length --where sequence=TTTT", reads, "",
     true},
    {"bases of a quality", "--seq -f base --where quality>=30", reads, "",
     true},
    {"masked bases", "--seq -f base --min-quality=30", reads, "", true},
    {"lengths until a wrong read", "--seq -f length", reads, "@e\nACGT\n+\nIII",
     true},
    {"fields of CSV", "--csv -f 1", lines, "", false},
};

/* An owner of memory, who leases what it has. */
struct owner {
    const unsigned char *text; /* what the memory must have */
    size_t bytes;
    unsigned char *memory;
    unsigned int ended; /* leases */
    bool is_changed;    /* by the holder of a lease */
};

static void
end_lease(void *context, unsigned int slot)
{
    struct owner *owner = context;

    (void)slot;
    owner->ended++;
    owner->is_changed |= memcmp(owner->memory, owner->text, owner->bytes) != 0;
    memset(owner->memory, 'x', owner->bytes);
}

/* What an engine has done. */
struct outcome {
    struct field_counts fields;
    struct snapshot counts;
    struct error wrong; /* of a record */
    bool keeps_lease;   /* after counting */
};

/* Fill the next chunk of POOL with the bytes of OWNER, leased if IS_LEASED. */
static struct chunk *
fill(struct pool *pool, struct owner *owner, bool is_leased,
     struct wrong_record *wrong)
{
    struct chunk *chunk = pool_fill_start(pool);
    struct lease lease = {.data = owner->memory,
                          .bytes = owner->bytes,
                          .end = end_lease,
                          .owner = owner};

    memcpy(is_leased ? owner->memory : chunk->data, owner->text, owner->bytes);
    if (is_leased)
        pool_lease(chunk, &lease);
    chunk->used = owner->bytes;
    origins_add(&chunk->origins, (struct origin){.wrong = wrong}, "in");
    pool_fill_end(pool, chunk);
    return pool_take(pool, CONSUMER_HOST, POOL_WAIT);
}

/* Count what OWNER has. */
static void
count(struct outcome *outcome, const struct spec *spec, struct owner *owner,
      bool is_leased)
{
    struct error error = ERROR_NONE;
    struct wrong_record *home = NULL;
    struct wrong_records wrongs = {0};
    struct pool pool;

    memset(outcome, 0, sizeof *outcome);
    wrong_records_open(&wrongs);
    struct wrong_record *wrong = wrong_record_new(&wrongs, 0, &home);
    if (wrong == NULL || pool_open(&pool, 1, CHUNK_BYTES, false, &error) < 0 ||
        field_counts_open(&outcome->fields, spec, 1, (size_t)1 << 26, &error) <
            0)
        abort();
    pool_add(&pool, 1);
    struct engine *engine = field_engine_new(spec, &outcome->fields);
    struct chunk *chunk = fill(&pool, owner, is_leased, wrong);
    if (engine == NULL || engine->type->submit(engine, chunk, &error) < 0)
        abort();
    outcome->keeps_lease = pool_is_leased(chunk);
    pool_release(&pool, chunk);
    engine->type->settle(engine);
    engine->type->close(engine);
    if (field_counts_finish(&outcome->fields, false, &outcome->counts, &error) <
        0)
        abort();
    if (home != NULL)
        error_move(&outcome->wrong, &home->error);
    wrong_record_release(home);
    wrong_record_release(wrong);
    pool_close(&pool);
    wrong_records_close(&wrongs);
}

static void
close_outcome(struct outcome *outcome)
{
    snapshot_close(&outcome->counts);
    field_counts_close(&outcome->fields);
    error_clear(&outcome->wrong);
}

static bool
has_same_keys(const struct key_list *a, const struct key_list *b)
{
    bool is_same = a->count == b->count;

    for (uint64_t k = 0; is_same && k < a->count; k++) {
        struct key_entry own = key_list_key(a, k);
        struct key_entry other = key_list_key(b, k);
        is_same =
            own.size == other.size && memcmp(own.key, other.key, own.size) == 0;
    }
    return is_same;
}

static bool
has_same_counts(const struct snapshot *a, const struct snapshot *b)
{
    bool is_same = a->histogram.cells == b->histogram.cells &&
                   memcmp(a->elements, b->elements, sizeof a->elements) == 0 &&
                   a->left_out == b->left_out && a->bytes == b->bytes;

    for (size_t i = 0; is_same && i < spec_histograms(a->spec); i++) {
        const struct key_list *keys = spec_keys(a->spec, i);
        is_same = keys == NULL || has_same_keys(keys, spec_keys(b->spec, i));
    }
    for (uint64_t c = 0; is_same && c < a->histogram.cells; c++)
        is_same = histogram_count(&a->histogram, c) ==
                  histogram_count(&b->histogram, c);
    return is_same;
}

static void
test_example(const struct example *example)
{
    static unsigned char text[CHUNK_BYTES];
    static unsigned char memory[CHUNK_BYTES];
    struct owner owner = {.text = text, .memory = memory};
    struct outcome usual, leased;
    struct spec spec = {0};

    for (int i = 0; i < REPEATS; i++) {
        memcpy(text + owner.bytes, example->text, strlen(example->text));
        owner.bytes += strlen(example->text);
    }
    memcpy(text + owner.bytes, example->end, strlen(example->end));
    owner.bytes += strlen(example->end);
    made_spec(&spec, example->line);
    count(&usual, &spec, &owner, false);
    count(&leased, &spec, &owner, true);
    ok(leased.keeps_lease != example->is_copied, "%s: %s", example->name,
       example->is_copied ? "copied" : "not copied");
    ok(owner.ended == 1 && !owner.is_changed,
       "... what is leased has not changed");
    ok(usual.counts.elements[0] > 0 &&
           has_same_counts(&usual.counts, &leased.counts) &&
           (usual.wrong.text == NULL
                ? leased.wrong.text == NULL
                : strcmp(usual.wrong.text, leased.wrong.text) == 0),
       "... counted as if it were not leased");
    ok((usual.wrong.text != NULL) == (example->end[0] != '\0'),
       "... until a wrong record, if any");
    close_outcome(&usual);
    close_outcome(&leased);
    spec_close(&spec);
}

int
main(void)
{
    for (size_t i = 0; i < COUNT(examples); i++)
        test_example(&examples[i]);
    return done_testing();
}
