/* SPDX-License-Identifier: MIT */
/*
 * fuzz_start.c -- comments and the header at the start of text
 *
 * The first bytes choose the format, where the names are and the size of the
 * pieces in which the text comes; then come the argument of --comment and the
 * text.  The start must be that of a simple reader, and the same in one piece.
 * The bytes after the start are those of the text.
 */

#include "fuzz.h"
#include "input/content/start.h"
#include "text/field_value.h"
#include "text/text_options.h"

#define NAMES_MAX 64

/* The text, which comes in pieces. */
struct pieces {
    struct source_supply base;
    const unsigned char *data;
    size_t size;
    size_t piece;
    size_t at;
};

static ssize_t
read_piece(struct source_supply *supply, void *buffer, size_t capacity,
           struct error *error)
{
    struct pieces *pieces = (struct pieces *)supply;
    size_t size = pieces->size - pieces->at;

    (void)error;
    if (size > pieces->piece)
        size = pieces->piece;
    if (size > capacity)
        size = capacity;
    if (size > 0)
        memcpy(buffer, pieces->data + pieces->at, size);
    pieces->at += size;
    return (ssize_t)size;
}

static uint64_t
no_zeros(const struct source_supply *supply)
{
    (void)supply;
    return 0;
}

/* What a reader says of a start. */
struct start {
    int result;
    bool has_header;
    uint64_t bytes;
    struct text_header header; /* its names are owned */
};

/* Read the start of the SIZE bytes at DATA in pieces of PIECE bytes; the bytes
   after the start must be those of the data. */
static struct start
read_start(const struct reading *reading, const unsigned char *data,
           size_t size, size_t piece)
{
    struct pieces pieces = {{read_piece, no_zeros, NULL}, data, size, piece, 0};
    struct content content = {
        .source = {.display_name = "text", .supply = &pieces.base, .fd = -1}};
    struct start start = {.result = -1};
    struct decoder *spare = NULL;
    unsigned char *rest = malloc(size + 1);

    if (rest == NULL)
        abort();
    fuzz_must(content_open(&content, reading, NULL, &spare) == 0, "it opens");
    start.result = start_read_text(&content, reading, &start.header);
    start.has_header = content.has_header;
    start.bytes = content.start_bytes;
    fuzz_must((start.result < 0) == (content.source.error.status != EXIT_DONE),
              "a message or none");
    if (start.result == 0) {
        ssize_t got = content_read(&content, rest, size + 1);
        fuzz_must(start.bytes <= size && got == (ssize_t)(size - start.bytes) &&
                      memcmp(rest, data + start.bytes, (size_t)got) == 0,
                  "the bytes after the start");
    }
    free(rest);
    content_close(&content);
    content_free(&content);
    return start;
}

/* ---- a simple reader ---- */

struct line {
    size_t at;
    size_t end;
    size_t next;
    bool is_comment;
    bool is_blank; /* of CSV, without a byte */
};

struct simple {
    const struct text_format *format;
    const unsigned char *data;
    size_t size;
    struct text_slice name[NAMES_MAX];
    size_t count;
    uint64_t bytes; /* of the start */
};

/* Find the line at AT. */
static struct line
find_line(const struct simple *simple, size_t at)
{
    const struct text_format *format = simple->format;
    const unsigned char *start = simple->data + at;
    const unsigned char *end =
        memchr(start, (int)format->end, simple->size - at);
    size_t size = end != NULL ? (size_t)(end - start) : simple->size - at;
    size_t mark = format->comment_more + (size_t)1;

    return (struct line){
        .at = at,
        .end = at + size,
        .next = at + size + (end != NULL),
        .is_blank =
            format->skips_blank && (size == 0 || (size == 1 && *start == '\r')),
        .is_comment = format->comment != TEXT_NO_COMMENT && size >= mark &&
                      *start == format->comment &&
                      memcmp(start + 1, format->comment_rest, mark - 1) == 0};
}

/* Set the names to the fields from AT to END. */
static void
cut(struct simple *simple, size_t at, size_t end, bool is_blank)
{
    const struct text_format *format = simple->format;
    size_t from = at;

    simple->count = 0;
    if (format->kind == TEXT_CSV && end > at && simple->data[end - 1] == '\r')
        end--;
    for (; at <= end && simple->count < NAMES_MAX; at++) {
        bool is_cut =
            at == end ||
            (is_blank ? simple->data[at] == ' ' || simple->data[at] == '\t' ||
                            simple->data[at] == '\n'
                      : simple->data[at] == format->delimiter);
        if (!is_cut)
            continue;
        if (!is_blank || at > from)
            simple->name[simple->count++] =
                (struct text_slice){(uint32_t)from, (uint32_t)(at - from)};
        from = at + 1;
    }
}

/* Whether WORD and a blank are at AT, before END, and something follows.  If
   so, moves *AT to what follows. */
static bool
take_word(const struct simple *simple, size_t *at, size_t end, const char *word)
{
    size_t size = strlen(word);
    size_t names = *at + size;

    if (end <= names || memcmp(simple->data + *at, word, size) != 0 ||
        strchr(" \t\n", simple->data[names]) == NULL ||
        simple->data[names] == '\0')
        return false;
    if (simple->data[names] != ' ')
        names++;
    while (names < end && simple->data[names] == ' ' &&
           simple->data[*at + size] == ' ')
        names++;
    if (names == end)
        return false;
    *at = names;
    return true;
}

/* Set the names to those of the comment LINE.  Returns whether its first word
   says that there are names. */
static bool
cut_comment(struct simple *simple, const struct line *line)
{
    size_t at = line->at + 1 + simple->format->comment_more;
    size_t end = line->end;
    bool is_blank = simple->format->kind == TEXT_WHITESPACE;

    if (end > line->at && simple->data[end - 1] == '\r')
        end--;
    if (at > end)
        at = end;
    while (at < end && simple->data[at] == ' ')
        at++;
    bool is_w3c = take_word(simple, &at, end, "Fields:");
    bool is_directive = is_w3c || take_word(simple, &at, end, "fields");
    is_blank |=
        is_w3c && memchr(simple->data + at, (int)simple->format->delimiter,
                         end - at) == NULL;
    cut(simple, at, end, is_blank);
    return is_directive;
}

/* As start_read_text(), for a header in a comment if IS_COMMENT. */
static int
read_simple(struct simple *simple, bool is_comment, bool *has_header)
{
    bool is_directive = false;
    size_t at =
        simple->size >= 3 && memcmp(simple->data, "\xef\xbb\xbf", 3) == 0 ? 3
                                                                          : 0;

    *has_header = false;
    while (at < simple->size) {
        struct line line = find_line(simple, at);
        if (line.is_blank && !line.is_comment) {
            at = line.next;
            continue;
        }
        if (!line.is_comment && is_comment) {
            simple->bytes = at;
            return *has_header ? 0 : -1;
        }
        at = line.next;
        if (!line.is_comment) {
            cut(simple, line.at, line.end,
                simple->format->kind == TEXT_WHITESPACE);
            *has_header = true;
            break;
        }
        if (!is_comment)
            continue;
        struct simple other = *simple;
        bool is_other = cut_comment(&other, &line);
        if (is_other || !is_directive)
            *simple = other;
        is_directive |= is_other;
        *has_header = true;
    }
    simple->bytes = at;
    return 0;
}

static void
compare(const struct start *start, const struct simple *simple, int result,
        bool has_header)
{
    fuzz_must(start->result == result, "the same result");
    if (result < 0)
        return;
    fuzz_must(start->has_header == has_header, "a header or none");
    fuzz_must(start->bytes == simple->bytes, "the first record");
    if (!has_header || simple->count == NAMES_MAX)
        return;
    fuzz_must(start->header.count == simple->count, "so many names");
    for (size_t i = 0; i < simple->count; i++) {
        const struct text_name *name = &start->header.name[i];
        fuzz_must(name->size == simple->name[i].size &&
                      memcmp(name->bytes, simple->data + simple->name[i].at,
                             name->size) == 0,
                  "the same name");
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const unsigned int kinds[] = {TEXT_DELIMITED, TEXT_CSV,
                                         TEXT_WHITESPACE};
    struct fuzz fuzz = {data, size};
    uint64_t choice = fuzz_take(&fuzz, 1);
    size_t piece = 1 + (size_t)fuzz_take(&fuzz, 1);
    char *mark = fuzz_take_text(&fuzz);
    const struct text_options options = {
        .kind = kinds[choice % 3],
        .delimiter = choice / 3 % 2 != 0 ? ";" : NULL,
        .is_zero_terminated = choice / 6 % 4 == 0 && choice % 3 != 1,
        .comment = choice / 24 % 3 == 0 ? NULL : mark,
        .header = choice / 72 % 2 == 0 ? HEADER_COMMENT : HEADER_FIRST,
    };
    struct text_format format;
    struct error error = ERROR_NONE;

    if (text_options_format(&options, &format, &error) == 0) {
        bool is_comment = options.header == HEADER_COMMENT;
        format.skips_blank = format.kind == TEXT_CSV;
        const struct reading reading = {.decompress = DECOMPRESS_NONE,
                                        .read_bytes = UINT64_MAX,
                                        .text = &format,
                                        .has_header = true,
                                        .is_header_comment = is_comment,
                                        .header_bytes_max = 1 << 20};
        struct start start = read_start(&reading, fuzz.data, fuzz.size, piece);
        struct start whole =
            read_start(&reading, fuzz.data, fuzz.size, SIZE_MAX);
        size_t at;
        fuzz_must(start.result == whole.result && start.bytes == whole.bytes &&
                      text_header_is_equal(&start.header, &whole.header, &at),
                  "the same in pieces");
        struct simple simple = {
            .format = &format, .data = fuzz.data, .size = fuzz.size};
        bool has_header;
        int result = read_simple(&simple, is_comment, &has_header);
        /* The simple reader knows no quotes, and no mark that ends lines. */
        bool ends_lines = (unsigned int)format.comment == format.end;
        if ((format.kind != TEXT_CSV || fuzz.size == 0 ||
             memchr(fuzz.data, '"', fuzz.size) == NULL) &&
            !ends_lines)
            compare(&start, &simple, result, has_header);
        text_header_close(&start.header);
        text_header_close(&whole.header);
    }
    error_clear(&error);
    free(mark);
    return 0;
}
