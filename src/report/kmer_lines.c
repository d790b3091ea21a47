/* kmer_lines.c -- many lines of k-mers at a time */

#include <assert.h>
#include <string.h>

#include "report/kmer_lines.h"

/* All letters but the last ones, of the longest k-mers. */
#define PREFIX_BYTES 16

static bool
are_plain(const struct rows *rows)
{
    const struct column *column = &rows->column[0];

    return rows->report->spec->histogram[rows->histogram].rows == ROWS_KMERS &&
           column->axis->stride == 1 && rows->extras == 0 &&
           !rows->is_ranked && !rows->report->spec->has_weights &&
           rows->report->file == NULL && !rows_have_field(rows->report->spec);
}

bool
kmer_lines_open(struct kmer_lines *lines, const struct rows *rows,
                const char *between)
{
    const struct binning_axis *axis = rows->column[0].axis;
    uint64_t min_count = rows->report->options->min_count;
    char text[NUMBER_TEXT_BYTES];
    size_t size = strlen(between);

    if (!are_plain(rows))
        return false;
    size_t k = (size_t)(axis_put_value(axis, 0, text) - text);
    if (k < KMER_LINES_LETTERS || k > PREFIX_BYTES)
        return false;
    lines->between = between;
    lines->k = (unsigned int)k;
    lines->least = rows->nonzero || rows->hides_zeros;
    lines->least = min_count > lines->least ? min_count : lines->least;
    for (unsigned int w = 0; w < KMER_LINES_WORDS; w++) {
        char *end = axis_put_value(axis, w, text);
        memcpy(lines->word[w], end - KMER_LINES_LETTERS, KMER_LINES_LETTERS);
    }
    for (unsigned int c = 0; c < KMER_LINES_COUNTS; c++) {
        struct kmer_lines_tail *tail = &lines->tail[c];
        char *end = number_put(c, text);
        *end++ = '\n';
        size_t digits = (size_t)(end - text);
        assert(size + digits <= sizeof tail->text);
        memcpy(tail->text, between, size);
        memcpy(tail->text + size, text, digits);
        tail->line = c < lines->least ? 0 : (uint8_t)(k + size + digits);
    }
    return true;
}

/*
 * Put the lines of CELLS k-mers from BIN on, which have the same PREFIX and
 * these COUNTS.
 */
static void
put_group(const struct kmer_lines *lines, struct writer *out,
          const char prefix[PREFIX_BYTES], uint64_t bin, size_t cells,
          const uint64_t *counts)
{
    const unsigned int k = lines->k;

    for (size_t c = 0; c < cells; c++) {
        uint64_t count = counts[c];
        char *at = writer_piece(out);
        memcpy(at, prefix, PREFIX_BYTES);
        memcpy(at + k - KMER_LINES_LETTERS,
               lines->word[(bin + c) % KMER_LINES_WORDS], KMER_LINES_LETTERS);
        if (count < KMER_LINES_COUNTS) {
            memcpy(at + k, &lines->tail[count], sizeof lines->tail[count]);
            out->at = at + lines->tail[count].line;
        } else if (count >= lines->least) {
            size_t size = strlen(lines->between);
            memcpy(at + k, lines->between, size);
            at = number_put(count, at + k + size);
            *at++ = '\n';
            out->at = at;
        }
    }
}

void
kmer_lines_put(const struct kmer_lines *lines, struct writer *out,
               struct rows *rows)
{
    const struct binning_axis *axis = rows->column[0].axis;
    uint64_t bin = rows->next;
    uint64_t end = axis->bins < bin ? bin : axis->bins;
    uint64_t counts[KMER_LINES_WORDS];
    char prefix[NUMBER_TEXT_BYTES];
    size_t cells;

    end = rows->left < end - bin ? bin + rows->left : end;
    for (; bin < end && !writer_has_failed(out); bin += cells) {
        cells = KMER_LINES_WORDS - bin % KMER_LINES_WORDS;
        cells = cells < end - bin ? cells : (size_t)(end - bin);
        bool has_counts = histogram_read(rows->report->histogram,
                                         axis->base + bin, cells, counts);
        if (!has_counts && lines->least > 0)
            continue;
        (void)axis_put_value(axis, bin, prefix);
        put_group(lines, out, prefix, bin, cells, counts);
    }
    if (bin > rows->next)
        rows_skip(rows, bin - rows->next);
}
