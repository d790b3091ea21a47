/* SPDX-License-Identifier: MIT */
/*
 * text_framing.c -- framing of the records of text
 *
 * One section for each way in which records end: see enum text_ending of
 * text_type.h.
 */

#include <string.h>

#include "input/framing/text_framing.h"
#include "kernels/seq/sequence.h"
#include "text/csv_cut.h"

/* ---- records that end with a byte, such as lines ---- */

static size_t
whole_lines(const struct framing *framing, const unsigned char *data,
            size_t size)
{
    const unsigned char *end = memrchr(data, framing->end_byte, size);

    return end == NULL ? 0 : (size_t)(end - data) + 1;
}

static size_t
first_line(const struct framing *framing, const unsigned char *data,
           size_t size)
{
    const unsigned char *end = memchr(data, framing->end_byte, size);

    return end == NULL ? 0 : (size_t)(end - data) + 1;
}

/* ---- words ---- */

/* Words may be cut at any blank; so a line of words may have any length. */
static bool
ends_word(const struct framing *framing, unsigned char byte)
{
    return fields_is_blank(byte) || byte == framing->end_byte;
}

static size_t
whole_words(const struct framing *framing, const unsigned char *data,
            size_t size)
{
    while (size > 0 && !ends_word(framing, data[size - 1]))
        size--;
    return size;
}

static size_t
first_word(const struct framing *framing, const unsigned char *data,
           size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (ends_word(framing, data[i]))
            return i + 1;
    }
    return 0;
}

/* ---- records with quotes: CSV ---- */

/* Where DATA start, an end byte inside of quotes goes before if it is open. */
static struct text_ends
find_csv_ends(const struct framing *framing, struct framing_state *state,
              const unsigned char *data, size_t size, bool is_followed,
              const struct sequence_sketches *sketches)
{
    bool is_inside = state->is_open;
    struct text_ends ends = {.first = 0};

    (void)is_followed;
    (void)sketches;
    ends.last = csv_cut_find(&framing->text, is_inside, data, size);
    ends.has_any = ends.last > 0;
    if (ends.has_any)
        state->is_open = false;
    if (is_inside && ends.has_any)
        ends.first = csv_cut_first(&framing->text, true, data, ends.last);
    if (ends.last < size)
        state->is_open = true;
    return ends;
}

static size_t
first_csv(const struct framing *framing, const unsigned char *data, size_t size)
{
    size_t line = first_line(framing, data, size);

    /* Most records have no quote. */
    if (line > 0 && memchr(data, '"', line) == NULL)
        return line;
    return csv_cut_first(&framing->text, false, data, size);
}

static bool
is_open_csv(const struct framing *framing, const unsigned char *data,
            size_t size, size_t *at)
{
    return csv_cut_is_open(&framing->text, data, size, at);
}

/* ---- FASTA and FASTQ ---- */

static struct text_ends
find_sequence_ends(const struct framing *framing, struct framing_state *state,
                   const unsigned char *data, size_t size, bool is_followed,
                   const struct sequence_sketches *sketches)
{
    struct sequence_cut *cut = &state->sequence;
    size_t start = cut->place == SEQUENCE_AT_START ? 0 : SIZE_MAX;

    state->records += sequence_cut_is_in_record(cut);
    struct text_ends ends =
        sequence_cut_find(cut, data, size, is_followed, sketches);
    state->records += ends.records - sequence_cut_is_in_record(cut);
    state->sketched += ends.sketched;
    state->is_open = cut->place != SEQUENCE_AT_START;
    state->is_broken = cut->place == SEQUENCE_IN_ERROR;
    state->is_piece = framing->has_pieces && sequence_cut_is_fasta(cut);
    if (!state->is_piece)
        return ends;
    state->is_open = false;
    sequence_piece_pass(&state->piece, cut->place,
                        ends.has_any ? ends.last : start, data, size,
                        framing->overlap);
    return (struct text_ends){
        .has_any = true,
        .first = ends.has_any ? ends.first : size,
        .last = size,
    };
}

/* Whether bytes of BEFORE are followed by DATA in a line of bases. */
static bool
goes_on(const struct framing_state *before, const unsigned char *data,
        size_t size)
{
    if (!before->is_piece || size == 0)
        return false;
    return before->piece.place == SEQUENCE_IN_LINE ||
           (before->piece.place == SEQUENCE_AT_LINE &&
            !sequence_is_start(data[0]));
}

static bool
join(const struct framing *framing, const struct framing_state *before,
     const unsigned char *data, size_t size, struct framing_state *state)
{
    if (!goes_on(before, data, size))
        return false;
    if (state->is_piece)
        sequence_piece_join(&before->piece, &state->piece, framing->overlap);
    state->records += before->records;
    return true;
}

static size_t
first_sequence(const struct framing *framing, const unsigned char *data,
               size_t size)
{
    (void)framing;
    return sequence_cut_first(data, size);
}

static size_t
guess_first(const struct framing *framing, const unsigned char *data,
            size_t size, bool is_line)
{
    (void)framing;
    return sequence_guess_first(data, size, is_line);
}

static size_t
guess_last(const struct framing *framing, const unsigned char *data,
           size_t size)
{
    (void)framing;
    return sequence_guess_last(data, size);
}

/* ---- of a format ---- */

struct framing
text_framing_make_lines(unsigned char end_byte)
{
    static const struct framing_type lines = {
        .whole = whole_lines, .first = first_line, .is_local = true};

    return (struct framing){
        .type = &lines, .step = SIZE_MAX, .end_byte = end_byte};
}

struct framing
text_framing_make(const struct text_format *format)
{
    static const struct framing_type words = {
        .whole = whole_words, .first = first_word, .is_local = true};
    static const struct framing_type quoted = {
        .first = first_csv, .find_ends = find_csv_ends, .is_open = is_open_csv};
    static const struct framing_type sequences = {.first = first_sequence,
                                                  .find_ends =
                                                      find_sequence_ends,
                                                  .guess_first = guess_first,
                                                  .guess_last = guess_last,
                                                  .join = join};
    struct framing framing =
        text_framing_make_lines((unsigned char)format->end);

    framing.text = *format;
    switch (text_type_of(format->kind)->ends) {
    case TEXT_ENDS_WORDS:
        framing.type = &words;
        break;
    case TEXT_ENDS_QUOTED:
        framing.type = &quoted;
        break;
    case TEXT_ENDS_SEQUENCES:
        return (struct framing){.type = &sequences, .step = SIZE_MAX};
    default:
        break;
    }
    return framing;
}
