/* SPDX-License-Identifier: MIT */
/* sequence_cut.c -- where data of FASTA and FASTQ may be cut */

#include <string.h>

#include "kernels/seq/sequence.h"
#include "seq/sequence_cut.h"
#include "text/scan_forms.h"

/* How much of a line of bases is looked at after a name. */
#define GUESS_BYTES 64

/* How many lines are looked at for a record before their first bytes are
   searched for: a quality has many such bytes, but FASTA many lines. */
#define GUESS_LINES 64

/* So many lines are counted up to the first record of a span. */
#define SKETCH_LINES 64

/* The data of a search, and the number of bytes passed. */
struct cut_search {
    const unsigned char *data;
    size_t size;
    /* No '>' and no '@' are before these, from where the search is. */
    size_t next_fasta;
    size_t next_fastq;
};

/* The offset of BYTE at AT or after it, or the size. */
static size_t
find_byte(const struct cut_search *search, int byte, size_t at)
{
    const unsigned char *found =
        memchr(search->data + at, byte, search->size - at);

    return found == NULL ? search->size : (size_t)(found - search->data);
}

/* As find_byte(), for a line that starts with BYTE, after AT. */
static size_t
find_line(const struct cut_search *search, int byte, size_t at)
{
    do
        at = find_byte(search, byte, at + 1);
    while (at < search->size && search->data[at - 1] != '\n');
    return at;
}

/* The offset of the first line after AT that starts with '>' or '@'. */
static size_t
find_start(struct cut_search *search, size_t at)
{
    if (search->next_fasta <= at)
        search->next_fasta = find_line(search, '>', at);
    if (search->next_fastq <= at)
        search->next_fastq = find_line(search, '@', at);
    return search->next_fasta < search->next_fastq ? search->next_fasta
                                                   : search->next_fastq;
}

/* How many bytes of a line from AT to END are not blanks; blanks are few. */
static uint64_t
count_bases(const unsigned char *data, size_t at, size_t end)
{
    static const char blanks[] = " \t\r";
    uint64_t count = end - at;

    for (const char *blank = blanks; *blank != '\0'; blank++) {
        const struct cut_search line = {.data = data, .size = end};
        for (size_t i = find_byte(&line, *blank, at); i < end;
             i = find_byte(&line, *blank, i + 1))
            count--;
    }
    return count;
}

/* The bytes of the line from AT to END, without a carriage return there. */
static size_t
line_bytes(const unsigned char *data, size_t at, size_t end)
{
    return end - at - (end > at && data[end - 1] == '\r');
}

/*
 * If the record of FASTQ at AT has four lines, as most have, which all lie in
 * the data, returns its end; otherwise 0.
 *
 * If the line of bases has blanks, the quality is longer than the bases, which
 * is an error when the bases are counted.
 */
static size_t
four_lines(const struct cut_search *search, size_t at)
{
    const unsigned char *data = search->data;
    size_t size = search->size;
    size_t bases = find_byte(search, '\n', at) + 1;

    if (bases >= size || sequence_is_start(data[bases]) || data[bases] == '+')
        return 0;
    size_t bases_end = find_byte(search, '\n', bases);
    size_t plus = bases_end + 1;
    if (plus >= size || data[plus] != '+')
        return 0;
    size_t quality = find_byte(search, '\n', plus) + 1;
    if (quality >= size)
        return 0;
    size_t quality_end = find_byte(search, '\n', quality);
    if (quality_end == size || line_bytes(data, quality, quality_end) !=
                                   line_bytes(data, bases, bases_end))
        return 0;
    return quality_end + 1;
}

/*
 * Skip records of four lines from AT on, where a record starts.  Returns the
 * start of the next other record, which may be AT.  Adds the number of skipped
 * records to *RECORDS.
 */
static size_t
skip_records(const struct cut_search *search, size_t at, uint64_t *records)
{
    sequence_lines_form *run = NULL;
    size_t size = search->size - at;

#ifdef SCAN_HAS_AVX2
    if (scan_avx2_is_possible())
        run = sequence_lines_avx2;
#endif
#ifdef SCAN_HAS_AVX512
    if (scan_avx512_is_possible())
        run = sequence_lines_avx512;
#endif
    if (run == NULL)
        return at;
    return at + run(search->data + at,
                    (uint32_t)(size < SCAN_BYTES_MAX ? size : SCAN_BYTES_MAX),
                    records);
}

/*
 * Where records of four lines are skipped: in a span of the data, from START
 * to END, or between spans.
 */
struct cut_skip {
    const struct sequence_sketch *sketch; /* LEFT of them, for spans that ... */
    size_t left;                          /* ... start at END */
    size_t start;
    size_t end;
    uint32_t lines;    /* of the sketch of the span; 0: it is of no use */
    bool may_scan;     /* otherwise, records are long or odd */
    uint64_t sketched; /* bytes skipped without a look */
};

static struct cut_skip
start_skipping(const struct sequence_sketches *sketches, size_t size)
{
    if (sketches == NULL)
        return (struct cut_skip){.end = size, .may_scan = true};
    return (struct cut_skip){.sketch = sketches->sketch,
                             .left = sketches->count,
                             .end = sketches->at < size ? sketches->at : size,
                             .may_scan = true};
}

/* Go on to the span with byte AT of the data, which have SIZE bytes. */
static void
find_span(struct cut_skip *skip, size_t at, size_t size)
{
    while (skip->end <= at) {
        skip->start = skip->end;
        skip->end = size;
        skip->lines = 0;
        skip->may_scan = true;
        if (skip->left == 0)
            continue;
        skip->left--;
        const struct sequence_sketch *sketch = skip->sketch++;
        if (sketch->bytes > size - skip->start)
            continue;
        skip->end = skip->start + sketch->bytes;
        skip->lines = sketch->lines;
    }
}

/* The end of line number I, from 0 on, of the lines that end before END, the
   last one first; 0: they are fewer, or no such line ends after AT. */
static size_t
find_line_back(const unsigned char *data, size_t at, size_t end, uint32_t i)
{
    for (;; i--) {
        const unsigned char *found = memrchr(data + at, '\n', end - at);
        if (found == NULL)
            return 0;
        end = (size_t)(found - data);
        if (i == 0)
            return end + 1;
    }
}

/*
 * A record starts at AT, behind the start of a span that is sketched.  Returns
 * the end of the last whole record of the span, or AT: none, or not all are
 * sure to have four lines.  Adds their number to *RECORDS.
 */
static size_t
skip_sketched(struct cut_skip *skip, const unsigned char *data, size_t at,
              uint64_t *records)
{
    const uint32_t fits = skip->lines >> SEQUENCE_SKETCH_FITS;
    const uint32_t lines = skip->lines & ((1u << SEQUENCE_SKETCH_FITS) - 1);
    const struct cut_search span = {.data = data, .size = at};
    uint32_t before = 0; /* lines that end before AT */

    skip->lines = 0;
    for (size_t i = skip->start; i < at && before < SKETCH_LINES; before++)
        i = find_byte(&span, '\n', i) + 1;
    if (before == SKETCH_LINES || before > lines ||
        (fits >> (before - 1) % SEQUENCE_SKETCH_LINES & 1) == 0)
        return at;
    const uint32_t after = lines - before;
    size_t end = after < SEQUENCE_SKETCH_LINES
                     ? 0
                     : find_line_back(data, at, skip->end,
                                      after % SEQUENCE_SKETCH_LINES);
    /* What follows is odd, or a device counted wrong: bytes decide. */
    if (end > 0 && end < skip->end && data[end] != '@')
        return at;
    /* After these records there is but the start of another one. */
    skip->may_scan = false;
    if (end == 0)
        return at;
    *records += after / SEQUENCE_SKETCH_LINES;
    skip->sketched += end - at;
    return end;
}

/* As skip_records(), unless that is not worth it. */
static size_t
skip_some(struct cut_skip *skip, const struct cut_search *search, size_t at,
          uint64_t *records)
{
    find_span(skip, at, search->size);
    if (skip->lines > 0 && at == skip->start)
        return at;
    size_t next =
        skip->lines > 0 ? skip_sketched(skip, search->data, at, records) : at;
    if (next > at || !skip->may_scan)
        return next;
    const struct cut_search span = {.data = search->data, .size = skip->end};
    next = skip_records(&span, at, records);
    skip->may_scan = next > at;
    return next;
}

/* The quality goes on at AT.  Returns where the line ends. */
static size_t
pass_quality(struct sequence_cut *cut, const struct cut_search *search,
             size_t at)
{
    size_t end = find_byte(search, '\n', at);

    if (end == search->size) {
        cut->quality += end - at;
        if (end > at)
            cut->is_after_return = search->data[end - 1] == '\r';
        return end;
    }
    if (end > at)
        cut->quality += line_bytes(search->data, at, end);
    else if (cut->is_after_return)
        cut->quality--;
    cut->is_after_return = false;
    if (cut->quality == cut->bases)
        cut->place = SEQUENCE_AT_START;
    else if (cut->quality > cut->bases)
        cut->place = SEQUENCE_IN_ERROR;
    return end + 1;
}

/* A line starts at AT, after the name.  Returns where it goes on. */
static size_t
pass_line_start(struct sequence_cut *cut, const struct cut_search *search,
                size_t at)
{
    unsigned char byte = search->data[at];

    if (sequence_is_start(byte)) {
        cut->place = cut->is_fastq ? SEQUENCE_IN_ERROR : SEQUENCE_AT_START;
        return at;
    }
    if (cut->is_fastq && byte == '+') {
        cut->place = SEQUENCE_IN_PLUS;
        return at + 1;
    }
    cut->place = SEQUENCE_IN_LINE;
    return at;
}

/* The bases go on at AT.  Returns where they end. */
static size_t
pass_bases(struct sequence_cut *cut, struct cut_search *search, size_t at)
{
    size_t size = search->size;
    size_t end;

    if (cut->is_fastq) {
        end = find_byte(search, '\n', at);
        cut->bases += count_bases(search->data, at, end);
        if (end < size) {
            cut->place = SEQUENCE_AT_LINE;
            end++;
        }
        return end;
    }
    end = find_start(search, at);
    if (end < size || search->data[size - 1] == '\n')
        cut->place = SEQUENCE_AT_LINE;
    return end;
}

/* Blanks or a record start at AT.  Returns where they go on. */
static size_t
pass_start(struct sequence_cut *cut, const struct cut_search *search, size_t at)
{
    unsigned char byte = search->data[at];

    if (byte == '\n') {
        cut->place = SEQUENCE_AT_START;
        return at + 1;
    }
    if (sequence_is_blank(byte)) {
        cut->place = SEQUENCE_IN_BLANKS;
        return at + 1;
    }
    if (!sequence_is_start(byte) || cut->place == SEQUENCE_IN_BLANKS) {
        cut->place = SEQUENCE_IN_ERROR;
        return at;
    }
    if (byte == '@') {
        size_t next = four_lines(search, at);
        if (next > 0)
            return next;
    }
    *cut = (struct sequence_cut){.place = SEQUENCE_IN_NAME,
                                 .is_fastq = byte == '@'};
    return at + 1;
}

/* In the lines of the name or of the '+', the next part starts after AT. */
static size_t
pass_line(struct sequence_cut *cut, const struct cut_search *search, size_t at,
          enum sequence_place next)
{
    at = find_byte(search, '\n', at);
    if (at < search->size) {
        cut->place = next;
        at++;
    }
    return at;
}

static size_t
pass(struct sequence_cut *cut, struct cut_search *search, size_t at)
{
    switch (cut->place) {
    case SEQUENCE_AT_START:
    case SEQUENCE_IN_BLANKS:
        return pass_start(cut, search, at);
    case SEQUENCE_IN_NAME:
        return pass_line(cut, search, at, SEQUENCE_AT_LINE);
    case SEQUENCE_AT_LINE:
        return pass_line_start(cut, search, at);
    case SEQUENCE_IN_LINE:
        return pass_bases(cut, search, at);
    case SEQUENCE_IN_PLUS:
        return pass_line(cut, search, at, SEQUENCE_IN_QUALITY);
    case SEQUENCE_IN_QUALITY:
        return pass_quality(cut, search, at);
    case SEQUENCE_IN_ERROR:
        break;
    }
    return search->size;
}

static void
add_end(struct text_ends *ends, size_t at)
{
    if (!ends->has_any)
        ends->first = at;
    ends->has_any = true;
    ends->last = at;
}

struct text_ends
sequence_cut_find(struct sequence_cut *cut, const unsigned char *data,
                  size_t size, bool is_followed,
                  const struct sequence_sketches *sketches)
{
    struct cut_search search = {.data = data, .size = size};
    struct cut_skip skip = start_skipping(sketches, size);
    struct text_ends ends = {0};
    size_t at = 0;

    while (at < size) {
        bool is_record =
            cut->place == SEQUENCE_AT_START && sequence_is_start(data[at]);
        size_t next = at;
        /* The first end is wanted, too. */
        if (is_record && data[at] == '@' && ends.has_any)
            next = skip_some(&skip, &search, at, &ends.records);
        if (next == at) {
            ends.records += is_record;
            next = pass(cut, &search, at);
        }
        at = next;
        if (cut->place == SEQUENCE_AT_START)
            add_end(&ends, at);
    }
    ends.sketched = skip.sketched;
    if (is_followed && cut->place == SEQUENCE_AT_LINE && !cut->is_fastq) {
        cut->place = SEQUENCE_AT_START;
        add_end(&ends, size);
    }
    return ends;
}

size_t
sequence_cut_first(const unsigned char *data, size_t size)
{
    struct cut_search search = {.data = data, .size = size};
    struct sequence_cut cut = {0};
    size_t at = 0;

    while (at < size) {
        at = pass(&cut, &search, at);
        if (cut.place == SEQUENCE_AT_START)
            return at;
    }
    return 0;
}

/* ---- guesses ---- */

/* Whether the line at AT may be a line of bases, by its first bytes. */
static bool
is_like_bases(const struct cut_search *search, size_t at)
{
    size_t end =
        search->size - at > GUESS_BYTES ? at + GUESS_BYTES : search->size;

    while (at < end && (sequence_is_base(search->data[at]) ||
                        sequence_is_blank(search->data[at])))
        at++;
    return at == end || search->data[at] == '\n';
}

/* Whether a record seems to start with the line at AT. */
static bool
is_like_record(const struct cut_search *search, size_t at)
{
    const unsigned char *data = search->data;
    size_t size = search->size;
    bool is_fastq = data[at] == '@';

    if (!sequence_is_start(data[at]))
        return false;
    for (;;) {
        at = find_byte(search, '\n', at) + 1;
        if (at >= size)
            return false;
        if (is_fastq && data[at] == '+')
            return true;
        if (!is_fastq && data[at] == '>')
            return true;
        if (!is_like_bases(search, at))
            return false;
        if (!is_fastq)
            return true;
    }
}

size_t
sequence_guess_first(const unsigned char *data, size_t size, bool is_line)
{
    struct cut_search search = {.data = data, .size = size};
    size_t at = 0;

    if (is_line && size > 0 && is_like_record(&search, 0))
        return 0;
    for (unsigned int i = 0; i < GUESS_LINES; i++) {
        at = find_byte(&search, '\n', at) + 1;
        if (at >= size)
            return size;
        if (is_like_record(&search, at))
            return at;
    }
    while (at < size) {
        at = find_start(&search, at);
        if (at < size && is_like_record(&search, at))
            return at;
    }
    return size;
}

size_t
sequence_guess_last(const unsigned char *data, size_t size)
{
    const struct cut_search search = {.data = data, .size = size};
    size_t at = size;

    while (at > 0) {
        const unsigned char *end = memrchr(data, '\n', at - 1);
        if (end == NULL)
            return 0;
        at = (size_t)(end - data) + 1;
        if (is_like_record(&search, at))
            return at;
    }
    return 0;
}
