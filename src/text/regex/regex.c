/* SPDX-License-Identifier: MIT */
/* regex.c -- regular expressions of PCRE2 */

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/api_load.h"
#include "text/regex/regex.h"

/* PCRE2's own limit of steps: a line that needs more would take seconds. */
#define STEPS_MAX 10000000

/* The stack of compiled code grows up to this. */
#define STACK_LEAST ((size_t)32 << 10)
#define STACK_MOST ((size_t)16 << 20)

/* ---- the library ---- */

/* X(type, function, parameters) */
#define PCRE2_API(X)                                                           \
    X(int, config, (uint32_t what, void *where))                               \
    X(pcre2_code *, compile,                                                   \
      (PCRE2_SPTR text, PCRE2_SIZE size, uint32_t options, int *error,         \
       PCRE2_SIZE *at, pcre2_compile_context *context))                        \
    X(void, code_free, (pcre2_code * code))                                    \
    X(int, jit_compile, (pcre2_code * code, uint32_t options))                 \
    X(int, pattern_info, (const pcre2_code *code, uint32_t what, void *where)) \
    X(int, get_error_message, (int error, PCRE2_UCHAR *text, PCRE2_SIZE size)) \
    X(pcre2_match_context *, match_context_create,                             \
      (pcre2_general_context * general))                                       \
    X(void, match_context_free, (pcre2_match_context * context))               \
    X(int, set_match_limit, (pcre2_match_context * context, uint32_t most))    \
    X(pcre2_match_data *, match_data_create_from_pattern,                      \
      (const pcre2_code *code, pcre2_general_context *general))                \
    X(void, match_data_free, (pcre2_match_data * match))                       \
    X(PCRE2_SIZE *, get_ovector_pointer, (pcre2_match_data * match))           \
    X(int, match,                                                              \
      (const pcre2_code *code, PCRE2_SPTR text, PCRE2_SIZE size,               \
       PCRE2_SIZE from, uint32_t options, pcre2_match_data *match,             \
       pcre2_match_context *context))                                          \
    X(int, jit_match,                                                          \
      (const pcre2_code *code, PCRE2_SPTR text, PCRE2_SIZE size,               \
       PCRE2_SIZE from, uint32_t options, pcre2_match_data *match,             \
       pcre2_match_context *context))                                          \
    X(pcre2_jit_stack *, jit_stack_create,                                     \
      (size_t least, size_t most, pcre2_general_context * general))            \
    X(void, jit_stack_free, (pcre2_jit_stack * stack))                         \
    X(void, jit_stack_assign,                                                  \
      (pcre2_match_context * context, pcre2_jit_callback callback,             \
       void *data))

struct pcre2_api {
#define PCRE2_API_MEMBER(type, function, parameters) type(*function) parameters;
    PCRE2_API(PCRE2_API_MEMBER)
#undef PCRE2_API_MEMBER
};

struct regex {
    struct pcre2_api api;
    pcre2_code *code;
    bool is_compiled; /* to machine code */
};

struct regex_matcher {
    const struct regex *regex;
    pcre2_match_data *match;
    pcre2_match_context *context;
    pcre2_jit_stack *stack; /* NULL: 32 KiB of the thread's stack are enough */
};

/* Returns NULL, or why the library is missing. */
static const char *
load(struct pcre2_api *api)
{
    static const struct api_symbol symbols[] = {
#define PCRE2_API_ENTRY(type, function, parameters) \
    {"pcre2_" #function "_8", offsetof(struct pcre2_api, function)},
        PCRE2_API(PCRE2_API_ENTRY)
#undef PCRE2_API_ENTRY
    };
    static const struct api_library library = {
        .name = "libpcre2-8.so.0",
        .missing = "no library of regular expressions (libpcre2-8.so.0: in "
                   "Debian libpcre2-8-0)",
        .old = "the library of regular expressions is too old "
               "(libpcre2-8.so.0)",
        .symbols = symbols,
        .count = sizeof symbols / sizeof *symbols,
    };

    return api_load(&library, api);
}

/* ---- expressions ---- */

/* Set *ERROR: PCRE2 refuses EXPRESSION with CODE, after AT bytes. */
static void
fail_expression(const struct regex *regex, const char *option,
                const char *expression, int code, size_t at,
                struct error *error)
{
    char text[256] = "";

    regex->api.get_error_message(code, (PCRE2_UCHAR *)text, sizeof text);
    error_set(error, EXIT_USAGE, "--%s: '%s': %s, at byte %zu of it", option,
              expression, text, at + 1);
}

struct regex *
regex_new(const char *option, const char *expression, struct error *error)
{
    struct regex *regex = calloc(1, sizeof *regex);
    const char *missing = regex != NULL ? load(&regex->api) : NULL;
    size_t at = 0;
    size_t compiled = 0;
    int code = 0;

    if (regex == NULL || missing != NULL) {
        free(regex);
        if (missing == NULL)
            (void)error_fail_memory(error);
        else
            error_set(error, EXIT_USAGE, "--%s: %s", option, missing);
        return NULL;
    }
    /* Bytes: an expression cannot ask for UTF-8, which could be invalid. */
    regex->code =
        regex->api.compile((PCRE2_SPTR)expression, strlen(expression),
                           PCRE2_NEVER_UTF | PCRE2_NEVER_UCP, &code, &at, NULL);
    if (regex->code == NULL) {
        fail_expression(regex, option, expression, code, at, error);
        regex_free(regex);
        return NULL;
    }
    /* Where this fails, the interpreter does. */
    (void)regex->api.jit_compile(regex->code, PCRE2_JIT_COMPLETE);
    regex->is_compiled = regex->api.pattern_info(
                             regex->code, PCRE2_INFO_JITSIZE, &compiled) == 0 &&
                         compiled > 0;
    return regex;
}

void
regex_free(struct regex *regex)
{
    if (regex == NULL)
        return;
    if (regex->code != NULL)
        regex->api.code_free(regex->code);
    free(regex);
}

/* Returns the number that PCRE2 knows as WHAT of REGEX. */
static uint32_t
find_info(const struct regex *regex, uint32_t what)
{
    uint32_t number = 0;

    (void)regex->api.pattern_info(regex->code, what, &number);
    return number;
}

size_t
regex_groups(const struct regex *regex)
{
    return find_info(regex, PCRE2_INFO_CAPTURECOUNT);
}

size_t
regex_names(const struct regex *regex)
{
    return find_info(regex, PCRE2_INFO_NAMECOUNT);
}

const char *
regex_name(const struct regex *regex, size_t i)
{
    const char *table = NULL;

    (void)regex->api.pattern_info(regex->code, PCRE2_INFO_NAMETABLE, &table);
    /* An entry is the number in two bytes, and the name with a NUL. */
    return table + i * find_info(regex, PCRE2_INFO_NAMEENTRYSIZE) + 2;
}

size_t
regex_group(const struct regex *regex, const char *name, size_t length)
{
    size_t count = regex_names(regex);

    for (size_t i = 0; i < count; i++) {
        const char *own = regex_name(regex, i);
        const unsigned char *entry = (const unsigned char *)own - 2;
        if (strlen(own) == length && memcmp(own, name, length) == 0)
            return (size_t)entry[0] << 8 | entry[1];
    }
    return 0;
}

/* Whether BYTE is not a letter, whose other case could match. */
static bool
has_one_case(uint32_t byte)
{
    uint32_t letter = byte | 0x20;

    return letter < 'a' || letter > 'z';
}

int
regex_needed_byte(const struct regex *regex)
{
    if (find_info(regex, PCRE2_INFO_LASTCODETYPE) == 1) {
        uint32_t last = find_info(regex, PCRE2_INFO_LASTCODEUNIT);
        if (has_one_case(last))
            return (int)last;
    }
    if (find_info(regex, PCRE2_INFO_FIRSTCODETYPE) == 1) {
        uint32_t first = find_info(regex, PCRE2_INFO_FIRSTCODEUNIT);
        if (has_one_case(first))
            return (int)first;
    }
    return -1;
}

/* ---- matching ---- */

struct regex_matcher *
regex_matcher_new(const struct regex *regex)
{
    struct regex_matcher *matcher = calloc(1, sizeof *matcher);

    if (matcher == NULL)
        return NULL;
    matcher->regex = regex;
    matcher->match =
        regex->api.match_data_create_from_pattern(regex->code, NULL);
    matcher->context = regex->api.match_context_create(NULL);
    if (matcher->match != NULL && matcher->context != NULL) {
        (void)regex->api.set_match_limit(matcher->context, STEPS_MAX);
        return matcher;
    }
    regex_matcher_free(matcher);
    return NULL;
}

void
regex_matcher_free(struct regex_matcher *matcher)
{
    if (matcher == NULL)
        return;
    const struct pcre2_api *api = &matcher->regex->api;
    if (matcher->match != NULL)
        api->match_data_free(matcher->match);
    if (matcher->context != NULL)
        api->match_context_free(matcher->context);
    if (matcher->stack != NULL)
        api->jit_stack_free(matcher->stack);
    free(matcher);
}

/* Run the compiled code, or the interpreter.  Returns as pcre2_match(). */
static int
run(struct regex_matcher *matcher, const unsigned char *text, size_t size,
    size_t from)
{
    const struct regex *regex = matcher->regex;

    return (regex->is_compiled ? regex->api.jit_match : regex->api.match)(
        regex->code, text, size, from, 0, matcher->match, matcher->context);
}

enum regex_result
regex_match(struct regex_matcher *matcher, const unsigned char *text,
            size_t size, size_t from)
{
    const struct pcre2_api *api = &matcher->regex->api;
    int result = run(matcher, text, size, from);

    if (result > 0)
        return REGEX_MATCH;
    if (result == PCRE2_ERROR_NOMATCH)
        return REGEX_NO_MATCH;
    if (result == PCRE2_ERROR_JIT_STACKLIMIT && matcher->stack == NULL) {
        matcher->stack = api->jit_stack_create(STACK_LEAST, STACK_MOST, NULL);
        if (matcher->stack == NULL)
            return REGEX_NO_MEMORY;
        api->jit_stack_assign(matcher->context, NULL, matcher->stack);
        return regex_match(matcher, text, size, from);
    }
    return result == PCRE2_ERROR_NOMEMORY ? REGEX_NO_MEMORY : REGEX_LIMIT;
}

const size_t *
regex_places(const struct regex_matcher *matcher)
{
    return matcher->regex->api.get_ovector_pointer(matcher->match);
}

void
regex_put(FILE *out)
{
    struct pcre2_api api;
    const char *missing = load(&api);
    char version[64] = "";

    if (missing == NULL &&
        api.config(PCRE2_CONFIG_VERSION, NULL) <= (int)sizeof version)
        (void)api.config(PCRE2_CONFIG_VERSION, version);
    /* PCRE2 adds a date. */
    version[strcspn(version, " ")] = '\0';
    fprintf(out, "regular expressions: PCRE2 (%s%s)\n",
            missing != NULL ? missing : "libpcre2-8 ", version);
}
