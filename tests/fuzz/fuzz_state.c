/* SPDX-License-Identifier: MIT */
/*
 * fuzz_state.c -- states of any bytes, with the right hashes
 *
 * The data choose what is counted, what follows the lines of the spec, and the
 * rows.  A state that is accepted is written again, which is read as itself.
 */

#include "fuzz.h"
#include "hist/spec.h"
#include "state/state_spec.h"
#include "state/state_sum.h"
#include "state/state_write.h"

#define MEMORY ((size_t)1 << 20)

/* A text that grows. */
struct text {
    char *byte;
    size_t size;
    size_t read;
};

static void
append(struct text *text, const void *bytes, size_t size)
{
    text->byte = realloc(text->byte, text->size + size + 1);
    fuzz_must(text->byte != NULL, "memory");
    if (size > 0)
        memcpy(text->byte + text->size, bytes, size);
    text->size += size;
}

static bool
is_same(const struct text *a, const struct text *b)
{
    return a->size == b->size && memcmp(a->byte, b->byte, a->size) == 0;
}

static void
append_text(struct text *text, const char *more)
{
    append(text, more, strlen(more));
}

static void
append_hash(struct text *text)
{
    struct digest_stream *hash = digest_stream_new();
    char line[32];

    fuzz_must(hash != NULL, "memory");
    digest_stream_add(hash, text->byte, text->size);
    snprintf(line, sizeof line, "\thash=%016llx\n",
             (unsigned long long)digest_stream_value(hash));
    digest_stream_free(hash);
    append_text(text, line);
}

static ssize_t
supply(void *context, void *to, size_t size, struct error *error)
{
    struct text *text = context;
    size_t left = text->size - text->read;

    (void)error;
    size = size < left ? size : left;
    memcpy(to, text->byte + text->read, size);
    text->read += size;
    return (ssize_t)size;
}

static void
drain(struct writer *writer)
{
    append(writer->context, writer->room, (size_t)(writer->at - writer->room));
    writer->at = writer->room;
}

struct crew {
    unsigned int threads;
    size_t block_bytes;
};

static const struct crew one = {1, 0};
static const struct crew several = {3, 50};

/* Set OUT to the sum of TIMES times the states of TEXT.  Returns 0, or -1: they
   are refused, and OUT is the message. */
static int
add_up(const struct spec *spec, struct text *text, int times,
       const struct crew *members, struct text *out)
{
    struct error error = ERROR_NONE;
    struct state_crew *crew =
        state_crew_new(members->threads, MEMORY, members->block_bytes);
    struct state_sum *sum = state_sum_open(spec, crew, MEMORY, &error);
    struct state_head head = {.by = strdup("fuzz")};
    struct snapshot counts = {0};
    char room[512];
    int result = 0;

    fuzz_must(sum != NULL && head.by != NULL, "memory");
    for (; times > 0 && result == 0; times--) {
        struct state_reader reader;
        struct state_head next = {0};
        text->read = 0;
        state_reader_open(&reader, crew, supply, text, "x");
        while ((result = state_reader_head(&reader, &next, &error)) > 0 &&
               (result = state_sum_add(sum, &reader, &next, &error)) == 0)
            state_head_close(&next);
        state_head_close(&next);
        result = state_reader_close(&reader, result, &error);
    }
    if (state_sum_settle(sum, &error) < 0)
        result = -1;
    fuzz_must(result == 0 || (error.status == EXIT_DATA && error.text != NULL),
              "an error");
    if (result == 0) {
        struct writer writer;
        fuzz_must(state_sum_finish(sum, &counts, &error) == 0 &&
                      snapshot_adds_up(&counts),
                  "a sum");
        writer_open_room(&writer, room, sizeof room, drain, out);
        fuzz_must(state_write(&writer, &head, &counts, &error) == 0, "a state");
        drain(&writer);
        snapshot_close(&counts);
    }
    if (result < 0)
        append_text(out, error.text);
    error_clear(&error);
    state_sum_close(sum);
    state_crew_free(crew);
    state_head_close(&head);
    return result;
}

#define FIELDS(text_) .fields = {.name = "fields", .text = {text_}, .count = 1}
#define BINS(n) .bins = {.name = "bins", .text = {n}, .count = 1}
#define RANGE(r) .range = {.name = "range", .text = {r}, .count = 1}

static const struct spec_options kinds[] = {
    {.dtype = "u1"},
    {.dtype = "f8", .axis = {BINS("8"), RANGE("auto")}},
    {.record = "u1,f4", .weights = "2"},
    {.record = "u1,f4", .joint = true, .axis = {BINS("5"), RANGE("auto")}},
    {.dtype = "i8", .only_occurring = true},
    {.text = {.kind = TEXT_LINES}},
    {.text = {.kind = TEXT_DELIMITED}, FIELDS("1"), .weights = "2"},
    {.text = {.kind = TEXT_DELIMITED}, FIELDS("2"), .dtype = "num"},
    {.text = {.kind = TEXT_DELIMITED, .group_by = "1"},
     FIELDS("2"),
     .axis = {BINS("4"), RANGE("auto")}},
    {.text = {.kind = TEXT_SEQUENCES, .kmer = 3}},
    {.text = {.kind = TEXT_SEQUENCES, .kmer = 30}},
    {.text = {.kind = TEXT_SEQUENCES, .kmer = 60}},
};

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = {data, size};
    size_t kind = fuzz_take(&fuzz, 1) % (sizeof kinds / sizeof *kinds);
    char *head = fuzz_take_text(&fuzz);
    struct error error = ERROR_NONE;
    struct state_lines lines = {0};
    struct text text = {0};
    struct text out = {0};
    struct text again = {0};
    struct spec spec;

    fuzz_must(spec_make(&spec, &kinds[kind], NULL, MEMORY, &error) == 0 &&
                  state_spec_describe(&spec, &lines) == 0,
              "a spec");
    append_text(&text, "#gpuhist-state 2\nby\tx\n");
    for (size_t i = 0; i < lines.count; i++) {
        size_t bytes;
        const char *line = state_lines_at(&lines, i, &bytes);
        append_text(&text, "spec\t");
        append(&text, line, bytes);
        append_text(&text, "\n");
    }
    append_text(&text, head);
    append_hash(&text);
    append(&text, fuzz.data, fuzz.size);
    append_hash(&text);
    int result = add_up(&spec, &text, 1, &one, &out);
    fuzz_must(add_up(&spec, &text, 1, &several, &again) == result &&
                  is_same(&again, &out),
              "the same for several threads and many blocks");
    if (result == 0) {
        again.size = 0;
        fuzz_must(add_up(&spec, &out, 1, &one, &again) == 0 &&
                      is_same(&again, &out),
                  "the same again");
        out.size = again.size = 0;
        if (add_up(&spec, &text, 2, &several, &out) == 0)
            fuzz_must(add_up(&spec, &out, 1, &one, &again) == 0 &&
                          is_same(&again, &out),
                      "twice is a state, too");
    }
    free(text.byte);
    free(out.byte);
    free(again.byte);
    free(head);
    state_lines_close(&lines);
    spec_close(&spec);
    return 0;
}
