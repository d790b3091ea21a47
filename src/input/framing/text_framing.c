/* text_framing.c -- framing of the records of text */

#include "input/framing/text_framing.h"
#include "input/framing/line_framing.h"
#include "input/framing/sequence_framing.h"
#include "text/csv_cut.h"

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

/* Where DATA begin, an end byte inside of quotes goes before if it is open. */
static struct text_ends
find_csv_ends(const struct framing *framing, struct framing_state *state,
              const unsigned char *data, size_t size, bool is_followed)
{
    bool is_inside = state->is_open;
    struct text_ends ends = {.first = 0};

    (void)is_followed;
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
    return csv_cut_first(&framing->text, false, data, size);
}

static bool
is_open_csv(const struct framing *framing, const unsigned char *data,
            size_t size, size_t *at)
{
    return csv_cut_is_open(&framing->text, data, size, at);
}

struct framing
text_framing_make(const struct text_format *format)
{
    static const struct framing_type words = {
        .whole = whole_words, .first = first_word, .is_local = true};
    static const struct framing_type quoted = {
        .first = first_csv, .find_ends = find_csv_ends, .is_open = is_open_csv};
    struct framing framing = line_framing_make((unsigned char)format->end);

    framing.text = *format;
    switch (text_type_of(format->kind)->ends) {
    case TEXT_ENDS_WORDS:
        framing.type = &words;
        break;
    case TEXT_ENDS_QUOTED:
        framing.type = &quoted;
        break;
    case TEXT_ENDS_SEQUENCES:
        return sequence_framing_make();
    default:
        break;
    }
    return framing;
}
