/* SPDX-License-Identifier: MIT */
/*
 * fuzz_pattern.c -- patterns of --log-format, and a line
 *
 * The data are a pattern, or the name of a format, and a line.  The values of a
 * line that fits, with the texts between them, are the line again; of a format
 * with a function of its own, they are in the line.  The same
 * data are scanned as lines, too: all forms of the scan find the same.
 */

#include "../pattern_check.h"
#include "fuzz.h"
#include "text/pattern/pattern_match.h"
#include "text/pattern/pattern_names.h"

/* Whether the text of SIZE bytes at TEXT, once or COUNT times, is at *AT of
   LINE; if so, moves *AT. */
static void
skip_text(const unsigned char *line, uint32_t end, uint32_t *at,
          const char *text, size_t size, bool is_padded)
{
    fuzz_must(end - *at >= size && memcmp(line + *at, text, size) == 0,
              "the text of the pattern is in the line");
    *at += (uint32_t)size;
    while (is_padded && size > 0 && end - *at >= size &&
           memcmp(line + *at, text, size) == 0)
        *at += (uint32_t)size;
}

/* LINE, of SIZE bytes, is matched by the function of PATTERN, or not. */
static void
check_values(const struct pattern *pattern, const unsigned char *line,
             uint32_t size)
{
    static struct text_slice value[PATTERN_FIELDS_MAX];
    struct pattern_fault fault = {0};

    if (!pattern->match(pattern, line, 0, size, value, &fault)) {
        fuzz_must(fault.reason != NULL && fault.at <= size, "a reason");
        return;
    }
    for (size_t i = 0; i < pattern->count; i++) {
        if (value[i].at == TEXT_SLICE_MISSING)
            continue;
        fuzz_must(value[i].at <= size && value[i].size <= size - value[i].at,
                  "a value is in the line");
    }
}

/* LINE, of SIZE bytes, is matched, or not. */
static void
check_line(const struct pattern *pattern, const unsigned char *line,
           uint32_t size)
{
    static struct text_slice value[PATTERN_FIELDS_MAX];
    struct pattern_fault fault = {0};
    uint32_t at = 0;

    if (!pattern_match(pattern, line, 0, size, value, &fault)) {
        fuzz_must(fault.reason != NULL && fault.at <= size, "a reason");
        return;
    }
    skip_text(line, size, &at, pattern->before, pattern->before_size, false);
    for (size_t i = 0; i < pattern->count; i++) {
        const struct pattern_field *field = &pattern->field[i];
        fuzz_must(value[i].at == at && value[i].size <= size - at,
                  "a value is where the text before it ends");
        at += value[i].size;
        skip_text(line, size, &at, field->after, field->after_size,
                  field->is_padded);
    }
    fuzz_must(at == size, "the values and texts are the line");
}

/* Each name is found. */
static void
check_names(const struct pattern *pattern)
{
    for (size_t i = 0; i < pattern->count; i++) {
        const struct pattern_field *field = &pattern->field[i];
        struct pattern_column column[2];
        if (field->is_left_out)
            continue;
        fuzz_must(pattern_names_find(pattern, field->spelled, column) ==
                          PATTERN_FOUND &&
                      column[0].place == i,
                  "a name as it is spelled");
        fuzz_must(pattern_names_find(pattern, field->own, column) !=
                          PATTERN_FOUND_NONE ||
                      (field->known != NULL && field->known->is_other),
                  "a name without its marks");
    }
}

/* All forms find the same in the SIZE bytes at LINES.  Of data that are short,
   only what is far from the end is found by masks: so the lines are there again
   and again. */
static void
check_forms(const char *text, const unsigned char *lines, size_t size)
{
    size_t all = size < 512 ? size * (1 + 512 / (size + 1)) : size;
    unsigned char *data = malloc(all + 1);
    struct pattern_forms check;

    if (data == NULL)
        abort();
    /* Forms do not look for names in comments, so the scan of w3c has none. */
    if (strncmp(text, "w3c ", 4) == 0)
        size = all = 0;
    for (size_t at = 0; at < all; at += size)
        memcpy(data + at, lines, size);
    for (int i = 0; i < 2; i++) {
        if (!pattern_check_open(&check, text, i == 0 ? '#' : TEXT_NO_COMMENT,
                                i == 0))
            break;
        const char *wrong = pattern_check_data(&check, data, all, 1);
        fuzz_must(wrong == NULL, wrong);
        pattern_check_close(&check);
    }
    free(data);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = {data, size};
    char *text = fuzz_take_text(&fuzz);
    unsigned char *line = malloc(fuzz.size > 0 ? fuzz.size : 1);
    struct error error = ERROR_NONE;
    struct log_patterns patterns;

    if (line == NULL)
        abort();
    if (fuzz.size > 0)
        memcpy(line, fuzz.data, fuzz.size);
    bool is_read = log_patterns_open(&patterns, text, &error) == 0;
    fuzz_must(is_read == (error.status == EXIT_DONE), "a message or none");
    for (size_t i = 0; is_read && i < patterns.count; i++) {
        if (patterns.pattern[i].match != NULL)
            check_values(&patterns.pattern[i], line, (uint32_t)fuzz.size);
        else
            check_line(&patterns.pattern[i], line, (uint32_t)fuzz.size);
        check_names(&patterns.pattern[i]);
    }
    log_patterns_close(&patterns);
    error_clear(&error);
    check_forms(text, line, fuzz.size);
    free(line);
    free(text);
    return 0;
}
