/* text_framing.c -- framing of the records of text */

#include "input/text_framing.h"
#include "input/line_framing.h"
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

static size_t
whole_csv(const struct framing *framing, const unsigned char *data, size_t size)
{
    return csv_cut_find(&framing->text, false, data, size);
}

static size_t
first_csv(const struct framing *framing, const unsigned char *data, size_t size)
{
    return csv_cut_first(&framing->text, false, data, size);
}

static size_t
whole_csv_inside(const struct framing *framing, const unsigned char *data,
                 size_t size)
{
    return csv_cut_find(&framing->text, true, data, size);
}

static size_t
first_csv_inside(const struct framing *framing, const unsigned char *data,
                 size_t size)
{
    return csv_cut_first(&framing->text, true, data, size);
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
    static const struct framing_type csv = {.whole = whole_csv,
                                            .first = first_csv,
                                            .whole_inside = whole_csv_inside,
                                            .first_inside = first_csv_inside,
                                            .is_open = is_open_csv};
    struct framing framing = line_framing_make((unsigned char)format->end);

    framing.text = *format;
    if (format->kind == TEXT_WORDS)
        framing.type = &words;
    else if (format->kind == TEXT_CSV)
        framing.type = &csv;
    return framing;
}
