/* SPDX-License-Identifier: MIT */
/*
 * gen_text.c -- text: bases, lines of a log, English-like words
 *
 * Each word is copied with the same constant length, SLOT_BYTES; the next word
 * overwrites the excess.  Such a copy is one instruction; a copy of the exact
 * length would need a branch.
 */

#include <string.h>

#include "gen_text.h"

#define SLOT_BYTES 16
#define WORD(text)             \
    {                          \
        sizeof(text) - 1, text \
    }

struct word {
    unsigned char length;
    char text[SLOT_BYTES];
};

static unsigned char *
put_word(unsigned char *out, const struct word *word)
{
    memcpy(out, word->text, SLOT_BYTES);
    return out + word->length;
}

/* ---- bases ---- */

enum {
    BASES_IN_LINE = 100,
    LINES_IN_PIECE = 32,
    BASES_IN_PIECE = BASES_IN_LINE * LINES_IN_PIECE,
    ACGT_PIECE_BYTES = BASES_IN_PIECE + LINES_IN_PIECE,
};

static void
put_bases(struct gen_text *text, unsigned char *out)
{
    char bases[BASES_IN_PIECE];

    for (size_t i = 0; i < BASES_IN_PIECE; i += 32) {
        uint64_t word = gen_random_word(&text->random);
        for (size_t j = 0; j < 32; j += 4) {
            memcpy(bases + i + j, text->bases[word & 255], 4);
            word >>= 8;
        }
    }
    for (size_t line = 0; line < LINES_IN_PIECE; line++) {
        memcpy(out, bases + line * BASES_IN_LINE, BASES_IN_LINE);
        out[BASES_IN_LINE] = '\n';
        out += BASES_IN_LINE + 1;
    }
}

/* ---- a log ---- */

/* Sixteen words of each kind, equally likely. */
static const struct word levels[16] = {
    WORD("INFO "),  WORD("INFO "),  WORD("INFO "), WORD("INFO "),
    WORD("INFO "),  WORD("INFO "),  WORD("INFO "), WORD("INFO "),
    WORD("INFO "),  WORD("INFO "),  WORD("INFO "), WORD("DEBUG "),
    WORD("DEBUG "), WORD("DEBUG "), WORD("WARN "), WORD("ERROR "),
};
static const struct word paths[16] = {
    WORD("/index.html?v="), WORD("/favicon.ico?"),  WORD("/api/users/"),
    WORD("/api/users/"),    WORD("/api/orders/"),   WORD("/api/orders/"),
    WORD("/api/items/"),    WORD("/api/search?q="), WORD("/static/js/"),
    WORD("/static/css/"),   WORD("/img/thumb/"),    WORD("/img/full/"),
    WORD("/login?id="),     WORD("/cart/"),         WORD("/var/log/app."),
    WORD("/health?n="),
};
static const struct word statuses[16] = {
    WORD(" 200 "), WORD(" 200 "), WORD(" 200 "), WORD(" 200 "),
    WORD(" 200 "), WORD(" 200 "), WORD(" 200 "), WORD(" 200 "),
    WORD(" 200 "), WORD(" 201 "), WORD(" 204 "), WORD(" 304 "),
    WORD(" 304 "), WORD(" 301 "), WORD(" 404 "), WORD(" 500 "),
};

enum {
    LOG_LINE_MAX = 128,
    DAY_MS = 24 * 60 * 60 * 1000,
};

/* Write NUMBER with DIGITS digits, with leading zeros. */
static unsigned char *
put_digits(unsigned char *out, uint64_t number, unsigned int digits)
{
    for (unsigned int i = digits; i > 0; i--) {
        out[i - 1] = (unsigned char)('0' + number % 10);
        number /= 10;
    }
    return out + digits;
}

static unsigned char *
put_number(unsigned char *out, uint64_t number)
{
    unsigned int digits = 1;

    for (uint64_t power = 10; number >= power; power *= 10)
        digits++;
    return put_digits(out, number, digits);
}

static unsigned char *
put_log_line(struct gen_text *text, unsigned char *out)
{
    static const struct word date = WORD("2026-01-01T");
    uint64_t bits = gen_random_word(&text->random);
    uint64_t ms = text->time_ms;

    out = put_word(out, &date);
    out = put_digits(out, ms / 3600000, 2);
    *out++ = ':';
    out = put_digits(out, ms / 60000 % 60, 2);
    *out++ = ':';
    out = put_digits(out, ms / 1000 % 60, 2);
    *out++ = '.';
    out = put_digits(out, ms % 1000, 3);
    *out++ = ' ';
    out = put_word(out, &levels[bits & 15]);
    out = put_word(out, &paths[bits >> 4 & 15]);
    out = put_digits(out, bits >> 16 & 0xffff, 5);
    out = put_word(out, &statuses[bits >> 8 & 15]);
    out = put_number(out, bits >> 44); /* 20 bits */
    *out++ = ' ';
    out = put_digits(out, bits >> 32 & 511, 3);
    *out++ = 'm';
    *out++ = 's';
    *out++ = '\n';
    /* The date stays the same after midnight. */
    text->time_ms = (ms + (bits >> 41 & 7)) % DAY_MS;
    return out;
}

/* ---- words ---- */

/* The most frequent words first, about as in English. */
static const struct word words[] = {
    WORD("the"),     WORD("of"),       WORD("and"),      WORD("to"),
    WORD("in"),      WORD("a"),        WORD("is"),       WORD("that"),
    WORD("for"),     WORD("it"),       WORD("was"),      WORD("as"),
    WORD("with"),    WORD("be"),       WORD("by"),       WORD("on"),
    WORD("not"),     WORD("he"),       WORD("his"),      WORD("but"),
    WORD("at"),      WORD("are"),      WORD("this"),     WORD("have"),
    WORD("from"),    WORD("or"),       WORD("had"),      WORD("an"),
    WORD("they"),    WORD("which"),    WORD("one"),      WORD("you"),
    WORD("were"),    WORD("all"),      WORD("her"),      WORD("she"),
    WORD("there"),   WORD("would"),    WORD("their"),    WORD("we"),
    WORD("him"),     WORD("been"),     WORD("has"),      WORD("when"),
    WORD("who"),     WORD("will"),     WORD("no"),       WORD("more"),
    WORD("if"),      WORD("out"),      WORD("so"),       WORD("up"),
    WORD("said"),    WORD("what"),     WORD("its"),      WORD("about"),
    WORD("than"),    WORD("into"),     WORD("them"),     WORD("can"),
    WORD("only"),    WORD("other"),    WORD("time"),     WORD("new"),
    WORD("some"),    WORD("could"),    WORD("these"),    WORD("two"),
    WORD("may"),     WORD("first"),    WORD("then"),     WORD("do"),
    WORD("any"),     WORD("like"),     WORD("my"),       WORD("now"),
    WORD("over"),    WORD("such"),     WORD("our"),      WORD("man"),
    WORD("me"),      WORD("even"),     WORD("most"),     WORD("made"),
    WORD("after"),   WORD("also"),     WORD("did"),      WORD("many"),
    WORD("before"),  WORD("must"),     WORD("well"),     WORD("back"),
    WORD("through"), WORD("years"),    WORD("much"),     WORD("where"),
    WORD("your"),    WORD("way"),      WORD("down"),     WORD("should"),
    WORD("because"), WORD("long"),     WORD("each"),     WORD("just"),
    WORD("people"),  WORD("world"),    WORD("still"),    WORD("between"),
    WORD("life"),    WORD("being"),    WORD("under"),    WORD("never"),
    WORD("day"),     WORD("same"),     WORD("another"),  WORD("know"),
    WORD("while"),   WORD("last"),     WORD("might"),    WORD("great"),
    WORD("old"),     WORD("year"),     WORD("off"),      WORD("come"),
    WORD("since"),   WORD("against"),  WORD("go"),       WORD("came"),
    WORD("right"),   WORD("used"),     WORD("take"),     WORD("three"),
    WORD("quite"),   WORD("question"), WORD("zero"),     WORD("exactly"),
    WORD("number"),  WORD("children"), WORD("possible"), WORD("important"),
};

enum {
    WORD_COUNT = sizeof words / sizeof *words,
    TEXT_WIDTH = 66,
};

/* Zipf's law as Mandelbrot refined it: 1 / (rank + 2.7). */
static int
make_words(struct gen_alias *alias)
{
    double weight[WORD_COUNT];

    for (int i = 0; i < WORD_COUNT; i++)
        weight[i] = 1 / (i + 3.7);
    return gen_alias_make(alias, weight, WORD_COUNT);
}

/* Write words, each with a mark or none, and with a space or a line feed. */
static unsigned char *
put_words(struct gen_text *text, unsigned char *out, const unsigned char *end)
{
    /* One word in sixteen has a full stop, one has a comma. */
    static const struct word marks[16] = {
        [0] = WORD("."),
        [1] = WORD(","),
    };
    struct gen_random random = text->random;
    const struct gen_alias alias = text->words;
    unsigned int column = text->column;
    unsigned char lower = text->is_sentence_started ? 0 : 32;

    while (end - out >= 3 * SLOT_BYTES) {
        uint64_t bits = gen_random_word(&random);
        const struct word *word = &words[gen_alias_entry(&alias, bits)];
        /* The lowest bits hardly affect the choice of the word. */
        const struct word *mark = &marks[bits & 15];
        unsigned char *start = out;

        out = put_word(out, word);
        *start = (unsigned char)(word->text[0] - lower);
        out = put_word(out, mark);
        lower = mark == &marks[0] ? 32 : 0;
        column += (unsigned int)(word->length + mark->length) + 1;
        *out++ = column > TEXT_WIDTH ? '\n' : ' ';
        column = column > TEXT_WIDTH ? 0 : column;
    }
    text->random = random;
    text->column = column;
    text->is_sentence_started = lower == 0;
    return out;
}

/* ---- any text ---- */

int
gen_text_open(struct gen_text *text, enum gen_text_kind kind, uint64_t seed)
{
    *text = (struct gen_text){.kind = kind};
    gen_random_seed(&text->random, seed);
    for (int byte = 0; byte < 256; byte++) {
        for (int i = 0; i < 4; i++)
            text->bases[byte][i] = "ACGT"[byte >> 2 * i & 3];
    }
    return kind == GEN_TEXT_WORDS ? make_words(&text->words) : 0;
}

size_t
gen_text_fill(struct gen_text *text, unsigned char *out, size_t room)
{
    unsigned char *at = out;
    const unsigned char *end = out + room;

    switch (text->kind) {
    case GEN_TEXT_ACGT:
        for (; end - at >= ACGT_PIECE_BYTES; at += ACGT_PIECE_BYTES)
            put_bases(text, at);
        break;
    case GEN_TEXT_LOG:
        while (end - at >= LOG_LINE_MAX)
            at = put_log_line(text, at);
        break;
    case GEN_TEXT_WORDS:
        at = put_words(text, at, end);
        break;
    }
    return (size_t)(at - out);
}

void
gen_text_close(struct gen_text *text)
{
    if (text->kind == GEN_TEXT_WORDS)
        gen_alias_close(&text->words);
}
