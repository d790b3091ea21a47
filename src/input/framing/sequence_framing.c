/* sequence_framing.c -- framing of the records of FASTA and FASTQ */

#include "input/framing/sequence_framing.h"
#include "kernels/seq/sequence.h"

static struct text_ends
find_ends(const struct framing *framing, struct framing_state *state,
          const unsigned char *data, size_t size, bool is_followed)
{
    struct sequence_cut *cut = &state->sequence;
    size_t begin = cut->place == SEQUENCE_AT_BEGIN ? 0 : SIZE_MAX;

    state->records += sequence_cut_is_in_record(cut);
    struct text_ends ends = sequence_cut_find(cut, data, size, is_followed);
    state->records += ends.records - sequence_cut_is_in_record(cut);
    state->is_open = cut->place != SEQUENCE_AT_BEGIN;
    state->is_broken = cut->place == SEQUENCE_IN_ERROR;
    state->is_piece = framing->has_pieces && sequence_cut_is_fasta(cut);
    if (!state->is_piece)
        return ends;
    state->is_open = false;
    sequence_piece_pass(&state->piece, cut->place,
                        ends.has_any ? ends.last : begin, data, size,
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
            !sequence_is_begin(data[0]));
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
first(const struct framing *framing, const unsigned char *data, size_t size)
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

struct framing
sequence_framing_make(void)
{
    static const struct framing_type type = {.first = first,
                                             .find_ends = find_ends,
                                             .guess_first = guess_first,
                                             .guess_last = guess_last,
                                             .join = join};

    return (struct framing){.type = &type, .step = SIZE_MAX};
}
