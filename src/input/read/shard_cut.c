/* SPDX-License-Identifier: MIT */
/* shard_cut.c -- limit the inputs to the records of a shard */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "input/read/member_input.h"
#include "input/read/shard_cut.h"
#include "kernels/seq/sequence.h"
#include "text/csv_cut.h"

/* Returns how many bytes of SOURCE may be read, of a plain file after the bytes
   that READING skips; or -1 with *ERROR set, or the source's own error. */
static int64_t
find_size(struct source *source, const struct reading *reading,
          struct error *error)
{
    struct stat status;

    /* Other processes may share its file position. */
    if (source->path == NULL) {
        error_set(error, EXIT_USAGE,
                  "--shard needs the names of files, not standard input");
        return -1;
    }
    if (stat(source->path, &status) < 0) {
        error_set(&source->error, EXIT_DATA, "%s: cannot open: %s",
                  source->display_name, strerror(errno));
        return -1;
    }
    if (!S_ISREG(status.st_mode)) {
        error_set(error, EXIT_USAGE, "--shard: %s is not a regular file",
                  source->display_name);
        return -1;
    }
    uint64_t size = (uint64_t)status.st_size;
    size = size > reading->skip_bytes ? size - reading->skip_bytes : 0;
    return (int64_t)(size < reading->read_bytes ? size : reading->read_bytes);
}

/* Give INPUT, which has SIZE of the TOTAL bytes, from AT on, its span. */
static void
take_span(struct inputs *inputs, struct input *input, uint64_t total,
          uint64_t at, uint64_t size)
{
    input->span = shard_span(&inputs->reading.shard, total, at, size);
    uint64_t end = input->span.end < size ? input->span.end : size;
    uint64_t bytes = end - input->span.start;
    inputs->known_bytes += bytes;
    if (inputs->largest_bytes < bytes)
        inputs->largest_bytes = bytes;
}

/* Tell the identity of INPUT the shard and its span. */
static void
identify(const struct inputs *inputs, struct input *input, bool is_whole)
{
    const struct shard *shard = &inputs->reading.shard;
    const struct shard_span *span = &input->span;

    if (inputs->reading.identifies && shard->count > 0)
        identity_shard(&input->identity, shard->number, shard->count,
                       inputs->shard_run, is_whole ? 0 : span->start,
                       is_whole ? UINT64_MAX : span->end);
}

int
shard_cut_start(struct inputs *inputs, struct error *error)
{
    int64_t *size = calloc(inputs->count + 1, sizeof *size);
    uint64_t total = 0;
    uint64_t at = 0;

    if (size == NULL)
        (void)error_fail_memory(error);
    for (size_t i = 0; i < inputs->count && error->status == EXIT_DONE; i++) {
        size[i] = find_size(&inputs->slot[i].input->content.source,
                            &inputs->reading, error);
        total += size[i] > 0 ? (uint64_t)size[i] : 0;
    }
    inputs->known_bytes = 0;
    inputs->largest_bytes = 0;
    for (size_t i = 0; i < inputs->count && error->status == EXIT_DONE; i++) {
        if (size[i] < 0) {
            inputs->has_failed = true;
            continue;
        }
        inputs->shard_run =
            digest_of("", 0, inputs->shard_run ^ (uint64_t)size[i]).low;
        take_span(inputs, inputs->slot[i].input, total, at, (uint64_t)size[i]);
        at += (uint64_t)size[i];
    }
    for (size_t i = 0; i < inputs->count; i++)
        identify(inputs, inputs->slot[i].input, true);
    free(size);
    return error->status == EXIT_DONE ? 0 : -1;
}

/* Whether each input is counted whole. */
static bool
has_whole_inputs(const struct inputs *inputs)
{
    const struct members_type *members = inputs->reading.members;

    return (members != NULL && !members->may_have_ranges) ||
           inputs->reading.is_image;
}

bool
shard_cut_needs(const struct inputs *inputs, const struct input *input)
{
    return has_whole_inputs(inputs) ? input->span.has_start
                                    : shard_span_has_any(&input->span);
}

/* ---- the edges of a plain file ---- */

/*
 * Each process finds both of its edges, and its last edge is the first edge of
 * the next process.  So an edge must depend on the file and the framing only.
 */

/* Bytes of one look. */
#define LOOK_BYTES ((size_t)256 << 10)

/* A guess is checked with this many bytes after it, unless the file ends. */
#define GUESS_BYTES (LOOK_BYTES / 4)

/* A search in a file. */
struct record_search {
    struct source *source;
    const struct framing *framing;
    unsigned char *data; /* LOOK_BYTES at most */
};

/* Read the SIZE bytes at OFFSET.  Returns 0, or -1 as find_record(). */
static int
look(const struct record_search *search, off_t offset, size_t size)
{
    struct source *source = search->source;

    if (cancel_is_asked(source->cancel))
        return -1;
    return source_read_again(source, search->data, size, offset,
                             &source->error);
}

/* Returns how many bytes to look at from OFFSET on, before END. */
static size_t
step(off_t offset, off_t end)
{
    return end - offset < (off_t)LOOK_BYTES ? (size_t)(end - offset)
                                            : LOOK_BYTES;
}

/* The end of a record can be recognised anywhere.  The byte before OFFSET may
   be an end. */
static off_t
find_local(const struct record_search *search, off_t offset)
{
    off_t at = offset - 1;
    size_t size;

    for (; at < search->source->size; at += (off_t)size) {
        size = step(at, search->source->size);
        if (look(search, at, size) < 0)
            return -1;
        size_t end = framing_first(search->framing, search->data, size);
        if (end > 0)
            return at + (off_t)end;
    }
    return search->source->size;
}

static off_t
find_csv(const struct record_search *search, off_t start, off_t offset)
{
    const struct text_format *format = &search->framing->text;
    enum csv_state state = CSV_RECORD;
    off_t end = search->source->size;
    size_t size;

    for (off_t at = start; at < offset; at += (off_t)size) {
        size = step(at, offset);
        if (look(search, at, size) < 0)
            return -1;
        csv_cut_pass(format, &state, search->data, size);
    }
    for (off_t at = offset; at < end; at += (off_t)size) {
        size = step(at, end);
        if (look(search, at, size) < 0)
            return -1;
        for (size_t i = 0; i < size; i++) {
            if (state == CSV_RECORD)
                return at + (off_t)i;
            state = csv_state_next(format, state, search->data[i]);
        }
    }
    return end;
}

/* Whether records of sequences start at DATA, as far as SIZE bytes tell. */
static bool
are_sequences(const struct framing *framing, const unsigned char *data,
              size_t size)
{
    struct framing_state state = {0};

    (void)framing_find_ends(framing, &state, data, size, false);
    return !state.is_broken;
}

/* Search the SIZE bytes of data after the first one.  Returns where a record
   that has FIRST as its first byte starts, at most LAST; or 0: nowhere. */
static size_t
guess(const struct record_search *search, size_t size, size_t last,
      unsigned char first)
{
    const unsigned char *data = search->data;
    bool is_line = data[0] == '\n';
    size_t at = 1;

    for (;;) {
        at +=
            framing_guess_first(search->framing, data + at, size - at, is_line);
        if (at >= size || at > last)
            return 0;
        /* Quality may look like a record of FASTA, or like one of FASTQ, but
           hardly like several. */
        if (data[at] == first &&
            are_sequences(search->framing, data + at, size - at))
            return at;
        is_line = false;
    }
}

static off_t
find_sequence(const struct record_search *search, off_t start, off_t offset)
{
    off_t end = search->source->size;
    size_t size = step(start, end);
    size_t blanks = 0;

    if (look(search, start, size) < 0)
        return -1;
    while (blanks < size - 1 && !sequence_is_start(search->data[blanks]))
        blanks++;
    unsigned char first = search->data[blanks];

    /* With the byte before, which says whether a line starts. */
    for (off_t at = offset - 1;; at += (off_t)(size - GUESS_BYTES)) {
        size = step(at, end);
        if (look(search, at, size) < 0)
            return -1;
        bool is_last = at + (off_t)size == end;
        size_t found =
            guess(search, size, is_last ? size : size - GUESS_BYTES, first);
        if (found > 0)
            return at + (off_t)found;
        if (is_last)
            return end;
    }
}

/*
 * Returns where the first record of SOURCE, a plain file, starts that is not
 * before byte OFFSET; without such a record, SOURCE->size.  A record starts at
 * byte START, and START is not after OFFSET.  Returns -1 with SOURCE->error
 * set; after cancel_ask() without an error.
 *
 * In CSV the result depends on all quotes from START on, so these bytes are
 * read.  In FASTA and FASTQ, a place that looks like the start of a record is
 * taken for the start.  If it is a wrong one, the record before it is cut in
 * two: the process that reads the first half finds a wrong record.
 */
static off_t
find_record(struct source *source, const struct framing *framing, off_t start,
            off_t offset)
{
    struct record_search search = {.source = source, .framing = framing};
    off_t found;

    if (offset >= source->size)
        return source->size;
    if (offset == start)
        return start;
    if (!framing_has_ends(framing)) {
        off_t past =
            (off_t)framing_align(framing, (uint64_t)(offset - start - 1));
        off_t next = start + past + (off_t)framing->step;
        return next < source->size ? next : source->size;
    }
    search.data = malloc(LOOK_BYTES);
    if (search.data == NULL)
        return source_fail_memory(source);
    if (framing_is_local(framing))
        found = find_local(&search, offset);
    else if (framing_cuts_anywhere(framing))
        found = find_sequence(&search, start, offset);
    else
        found = find_csv(&search, start, offset);
    free(search.data);
    return found;
}

/* As shard_cut_limit(), for a plain file. */
static int
limit_plain(const struct inputs *inputs, struct input *input)
{
    const struct shard_span *span = &input->span;
    struct content *content = &input->content;
    struct source *source = &content->source;
    off_t start = source->first;
    /* Where the span counts from. */
    off_t zero = input->members != NULL ? input->members->file->first
                                        : start - (off_t)content->start_bytes;
    off_t edge[2] = {start, source->size};

    for (int i = 0; i < 2; i++) {
        uint64_t at = i == 0 ? span->start : span->end;
        if (at == UINT64_MAX || (i == 0 && span->has_start))
            continue;
        off_t offset = zero + (off_t)at;
        edge[i] = find_record(source, &inputs->framing, start,
                              offset > start ? offset : start);
        if (edge[i] < 0)
            return -1;
    }
    if (edge[0] > edge[1])
        return source_fail(source, edge[1], "cannot cut the file",
                           "where records begin is not sure");
    content->first_at += (uint64_t)(edge[0] - start);
    content->left = (uint64_t)(edge[1] - edge[0]);
    content->is_exact = false; /* its size is the header's */
    source->first = edge[0];
    source->size = edge[1];
    if (edge[0] > start && source_seek(source, edge[0]) < 0)
        return -1;
    return span->has_start || edge[0] < edge[1];
}

/* ---- the parts of a compressed file ---- */

/* Whether the compressed content of INPUT may be cut. */
static bool
may_cut(const struct inputs *inputs, const struct input *input)
{
    const struct reading *reading = &inputs->reading;
    const struct content *content = &input->content;

    /* Without a decoder, a pipe has taken the place of the file. */
    return content_has_parts(content) && !reading->is_npy &&
           reading_is_whole(reading) &&
           !framing_needs_order(&inputs->framing) &&
           content->decoder->type->walk_open != NULL;
}

/*
 * Walk to the first place at or after FROM, and after the START_BYTES, where a
 * part starts and another reader may go on.  Returns false without such a
 * place.
 */
static bool
walk_to(struct decoder_walk *walk, off_t from, uint64_t start_bytes,
        const struct framing *framing)
{
    for (;;) {
        bool may_be =
            walk->is_sized ||
            (start_bytes == 0 && framing_may_part_at(framing, false, 0));
        if (!may_be)
            return false;
        if (walk->offset >= from && walk->content_bytes >= start_bytes &&
            framing_may_part_at(framing, walk->is_sized, walk->content_bytes) &&
            walk->type->walk_is_at_part(walk))
            return true;
        if (walk->type->walk_step(walk) < 0)
            return false;
    }
}

/* Open a walk through INPUT and go as walk_to() does.  Returns the walk, or
   NULL: no such place. */
static struct decoder_walk *
open_walk(const struct inputs *inputs, const struct input *input, off_t from)
{
    const struct content *content = &input->content;
    struct decoder_walk *walk = decoder_walk_open(
        content->decoder->type, content->source.fd, content->source.first);

    if (walk == NULL || from == content->source.first ||
        walk_to(walk, from, content->start_bytes, &inputs->framing))
        return walk;
    free(walk);
    return NULL;
}

/*
 * Read the content of INPUT from WALK on for the reader of CLAIM, without the
 * bytes before the first record.  Returns 0, or -1 with the error of INPUT's
 * source set.
 */
static int
open_part(struct inputs *inputs, struct claim *claim, struct input *input,
          const struct decoder_walk *walk)
{
    struct content *content = &input->content;
    uint64_t left = input->span.has_start ? content->start_bytes : 0;
    unsigned char scratch[4096];

    /* Reading the start may have decoded what another shard has. */
    if (input->span.has_start &&
        decoder_offset(content->decoder) <= input->parts_end) {
        decoder_start_part(content->decoder, walk);
        return 0;
    }
    claim->spare = content_take_decoder(content);
    int result = content_open_part(&claim->part, content, walk->type,
                                   walk->offset, inputs->budget, &claim->spare);
    if (result == 0)
        decoder_start_part(claim->part.decoder, walk);
    while (result == 0 && left > 0) {
        ssize_t got =
            content_read(&claim->part, scratch,
                         left < sizeof scratch ? (size_t)left : sizeof scratch);
        if (got <= 0)
            result = -1;
        else
            left -= (uint64_t)got;
    }
    if (result == 0)
        return 0;
    error_move(&content->source.error, &claim->part.source.error);
    content_close(&claim->part);
    return -1;
}

/* As shard_cut_limit(), for a compressed file. */
static int
limit_parts(struct inputs *inputs, struct claim *claim, struct input *input)
{
    const struct shard_span *span = &input->span;
    off_t first = input->content.source.first;
    off_t from = first + (off_t)span->start;
    struct decoder_walk *end = NULL;

    struct decoder_walk *start =
        may_cut(inputs, input)
            ? open_walk(inputs, input, span->has_start ? first : from)
            : NULL;
    if (start != NULL && span->end != UINT64_MAX)
        end = open_walk(inputs, input, first + (off_t)span->end);
    input->parts_end = end != NULL ? end->offset : DECODER_NO_PAUSE;
    free(end);
    if (span->has_start && input->parts_end == DECODER_NO_PAUSE) {
        free(start);
        input->is_uncut = true;
        return 1;
    }
    if (start == NULL || start->offset == input->parts_end) {
        free(start);
        return 0;
    }
    if (open_part(inputs, claim, input, start) < 0) {
        free(start);
        return -1;
    }
    input->walk = start;
    return 1;
}

/* Whether the shard has all of INPUT. */
static bool
has_all(const struct input *input)
{
    return input->span.has_start && input->span.end == UINT64_MAX;
}

/* As shard_cut_limit(). */
static int
limit(struct inputs *inputs, struct claim *claim, struct input *input)
{
    if (has_all(input))
        return 1;
    if (has_whole_inputs(inputs) || content_has_alignments(&input->content) ||
        (input->members != NULL && !member_input_has_ranges(input))) {
        input->is_uncut = input->span.has_start;
        return input->is_uncut;
    }
    return content_has_ranges(&input->content)
               ? limit_plain(inputs, input)
               : limit_parts(inputs, claim, input);
}

void
shard_cut_skip(const struct inputs *inputs, struct input *input)
{
    /* A shard without any bytes must not look like a missing shard. */
    if (inputs->reading.identifies && input->number == 0)
        identity_skip(&input->identity, input->content.source.path);
}

int
shard_cut_limit(struct inputs *inputs, struct claim *claim, struct input *input)
{
    int result = limit(inputs, claim, input);
    bool is_whole = has_all(input) || input->is_uncut;

    if (member_input_has_ranges(input)) {
        /* All members are in one portion. */
        if (result >= 0 && input->members->count == 1)
            identify(inputs, input, is_whole);
    } else if (result == 0) {
        shard_cut_skip(inputs, input);
    } else if (result > 0) {
        identify(inputs, input, is_whole);
    }
    return result;
}
