/* SPDX-License-Identifier: MIT */
/* record.c -- the layout of a record: its elements and their types */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/near_names.h"
#include "base/quoted.h"
#include "hist/record.h"
#include "text/field_number.h"

/* In the order of enum sample_type. */
static const struct {
    const char *code;
    const char *name;
} types[] = {
    {"u1", "uint8"},
    {"i1", "int8"},
    {"u2", "uint16"},
    {"i2", "int16"},
    {"u4", "uint32"},
    {"i4", "int32"},
    {"u8", "uint64"},
    {"i8", "int64"},
    {"f2", "float16"},
    {"f4", "float32"},
    {"f8", "float64"},
    {"bf16", "bfloat16"},
    {"f8e4m3", "float8_e4m3fn"},
    {"f8e5m2", "float8_e5m2"},
};

const char *
record_type_name(enum sample_type type)
{
    return types[type].code;
}

static bool
machine_is_big(void)
{
    const uint16_t one = 1;
    unsigned char first;

    memcpy(&first, &one, 1);
    return first == 0;
}

static bool
is_word(const char *word, const char *text, size_t length)
{
    return strlen(word) == length && memcmp(word, text, length) == 0;
}

static int
find_type(const char *text, size_t length, enum sample_type *type)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (is_word(types[i].code, text, length) ||
            is_word(types[i].name, text, length)) {
            *type = (enum sample_type)i;
            return 0;
        }
    }
    return -1;
}

/* Parse a number from 1 to MAX.  Returns the text after it, or NULL. */
static const char *
parse_count(const char *text, size_t max, size_t *count)
{
    char *end;

    if (!ascii_is_digit(*text))
        return NULL;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno != 0 || value < 1 || value > max)
        return NULL;
    *count = (size_t)value;
    return end;
}

int
record_append(struct record *record, const char *word, size_t length,
              size_t repeat, enum byte_order order)
{
    struct element element = {0};

    if (is_word("x", word, length)) {
        record->bytes += repeat;
        return record->bytes <= RECORD_BYTES_MAX ? 0 : -1;
    }
    if (*word == '<' || *word == '>') {
        order = *word == '<' ? ORDER_LITTLE : ORDER_BIG;
        word++;
        length--;
    }
    if (find_type(word, length, &element.type) < 0)
        return -1;
    size_t size = binning_size(element.type);
    if (order == ORDER_MACHINE)
        order = machine_is_big() ? ORDER_BIG : ORDER_LITTLE;
    element.is_swapped = size > 1 && order == ORDER_BIG;
    if (repeat > RECORD_ELEMENTS_MAX - record->count)
        return -1;
    for (; repeat > 0; repeat--) {
        element.offset = record->bytes;
        record->element[record->count++] = element;
        record->bytes += size;
    }
    return record->bytes <= RECORD_BYTES_MAX ? 0 : -1;
}

int
record_start(struct record *record)
{
    *record = (struct record){0};
    record->element = calloc(RECORD_ELEMENTS_MAX, sizeof *record->element);
    return record->element != NULL ? 0 : -1;
}

int
record_copy(struct record *copy, const struct record *record)
{
    if (record_start(copy) < 0)
        return -1;
    copy->bytes = record->bytes;
    copy->count = record->count;
    memcpy(copy->element, record->element,
           record->count * sizeof *record->element);
    if (record->name == NULL)
        return 0;
    copy->name = calloc(record->count, sizeof *copy->name);
    for (size_t i = 0; copy->name != NULL && i < record->count; i++) {
        copy->name[i] = strdup(record->name[i]);
        if (copy->name[i] == NULL)
            return -1;
    }
    return copy->name != NULL ? 0 : -1;
}

/* The name of a type in other programs, and the name here. */
static const struct {
    const char *other;
    const char *type;
} other_types[] = {
    {"fp16", "f2"},        {"half", "f2"},         {"float", "f4"},
    {"single", "f4"},      {"fp32", "f4"},         {"double", "f8"},
    {"fp64", "f8"},        {"u16", "u2"},          {"u32", "u4"},
    {"u64", "u8"},         {"i16", "i2"},          {"i32", "i4"},
    {"i64", "i8"},         {"f16", "f2"},          {"f32", "f4"},
    {"f64", "f8"},         {"byte", "u1"},         {"uchar", "u1"},
    {"char", "i1"},        {"bool", "u1"},         {"short", "i2"},
    {"ushort", "u2"},      {"long", "i8"},         {"ulong", "u8"},
    {"uint", "u4"},        {"integer", "i4"},      {"float_", "f8"},
    {"int_", "i8"},        {"BF16", "bf16"},       {"bfloat", "bf16"},
    {"e4m3", "f8e4m3"},    {"e4m3fn", "f8e4m3"},   {"f8e4m3fn", "f8e4m3"},
    {"F8_E4M3", "f8e4m3"}, {"fp8_e4m3", "f8e4m3"}, {"float8_e4m3", "f8e4m3"},
    {"e5m2", "f8e5m2"},    {"F8_E5M2", "f8e5m2"},  {"fp8_e5m2", "f8e5m2"},
};

/* Returns the type that the LENGTH bytes at WORD are elsewhere; NULL: none. */
static const char *
find_other_type(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof other_types / sizeof *other_types; i++) {
        if (is_word(other_types[i].other, word, length))
            return other_types[i].type;
    }
    return NULL;
}

/*
 * Set *ERROR: WORD, up to the next comma, is wrong.  The type has LENGTH bytes;
 * IS_COUNT: how often it repeats is wrong.
 */
static void
fail_type(const char *option, const char *word, size_t length, bool is_count,
          struct error *error)
{
    bool has_order = *word == '<' || *word == '>';
    const char *name = word + has_order;
    size_t size = length - has_order;
    enum sample_type type;
    bool is_type = find_type(name, size, &type) == 0;
    const char *other = find_other_type(name, size);
    char shown[VISIBLE_BYTES];

    visible_name(shown, word, strcspn(word, ","));
    if (is_type || is_word("x", word, length))
        error_set(error, EXIT_USAGE,
                  is_count ? "%s: '%s': the number after * is from 1 to 65536"
                           : "%s: '%s' makes the record too long",
                  option, shown);
    else if (other != NULL)
        error_set(error, EXIT_USAGE,
                  "%s: '%s' is not a type (did you mean %s?%s)", option, shown,
                  other,
                  strlen(other) == 2 ? " The digit is the size in bytes" : "");
    else
        error_set(error, EXIT_USAGE,
                  "%s: '%s' is not a type (u1 i1 u2 i2 u4 i4 u8 i8 f2 f4 f8 "
                  "bf16 f8e4m3 f8e5m2, or a name like uint16; int, num and "
                  "decimal are for text)",
                  option, shown);
}

int
record_parse(struct record *record, const char *text,
             enum byte_order default_order, const char *option,
             struct error *error)
{
    if (record_start(record) < 0)
        return error_fail_memory(error);
    for (const char *word = text;;) {
        size_t length = strcspn(word, "*,");
        const char *end = word + length;
        size_t repeat = 1;
        if (*end == '*')
            end = parse_count(end + 1, RECORD_BYTES_MAX, &repeat);
        bool is_count = end == NULL || (*end != '\0' && *end != ',');
        if (is_count ||
            record_append(record, word, length, repeat, default_order) < 0) {
            fail_type(option, word, length, is_count, error);
            return -1;
        }
        if (*end == '\0')
            break;
        word = end + 1;
    }
    if (record->count == 0) {
        error_set(error, EXIT_USAGE, "%s: '%s' has no field", option, text);
        return -1;
    }
    return 0;
}

/* Parse one item of a list of fields.  Returns the text after it, or NULL. */
static const char *
parse_fields_item(const char *item, size_t fields, size_t *first, size_t *last)
{
    const char *end = item;

    *first = 1;
    *last = fields;
    if (*item != '-') {
        end = parse_count(item, fields, first);
        *last = *first;
    }
    if (end != NULL && *end == '-') {
        end++;
        *last = fields;
        if (*end != '\0' && *end != ',')
            end = parse_count(end, fields, last);
        else if (*item == '-')
            return NULL;
    }
    return *first <= *last ? end : NULL;
}

/* The fields of a list so far. */
struct fields {
    const struct record *record;
    const char *option; /* that the list belongs to */
    const char *list;   /* all of it */
    bool *is_taken;     /* of each element */
    size_t *taken;      /* COUNT of them */
    size_t count;
};

/* Set *ERROR: WHAT is wrong with ITEM of a list.  Returns -1. */
static int
fail_item(const struct fields *fields, const char *item, const char *what,
          struct error *error)
{
    char shown[VISIBLE_BYTES];

    error_set(error, EXIT_USAGE, "%s=%s: '%s' %s", fields->option, fields->list,
              visible_name(shown, item, strcspn(item, ",")), what);
    return -1;
}

/* Append field N, from 0 on, of ITEM.  Returns 0, or -1 with *ERROR set. */
static int
take_field(struct fields *fields, size_t n, const char *item,
           struct error *error)
{
    if (fields->is_taken[n])
        return fail_item(fields, item,
                         field_number_is_range(item, strcspn(item, ","))
                             ? "has a field that is listed already"
                             : "is listed twice",
                         error);
    fields->is_taken[n] = true;
    fields->taken[fields->count++] = n;
    return 0;
}

/*
 * Whether NAME is the LENGTH bytes at ITEM, or has them in front of a part.
 * ITEM need not have the indices of NAME.
 */
static bool
is_named(const char *name, const char *item, size_t length)
{
    if (length == 0)
        return false;
    for (size_t i = 0; i < length;) {
        if (*name == '\0')
            return false;
        if (*name == item[i]) {
            name++;
            i++;
        } else if (*name == '[') {
            name += strcspn(name, "]");
            name += *name == ']';
        } else {
            return false;
        }
    }
    return *name == '\0' || *name == '.' || *name == '[';
}

/* Append the fields that the LENGTH bytes at NAME, of ITEM, name.  Returns 0,
   or -1 with *ERROR set. */
static int
take_named(struct fields *fields, const char *name, size_t length,
           const char *item, struct error *error)
{
    const struct record *record = fields->record;
    const struct near_names names = {near_names_string, record->name,
                                     record->count, "'"};
    size_t found = 0;
    char shown[VISIBLE_BYTES];
    char list[NEAR_NAMES_BYTES];

    for (size_t n = 0; n < record->count; n++) {
        if (!is_named(record->name[n], name, length))
            continue;
        found++;
        if (take_field(fields, n, item, error) < 0)
            return -1;
    }
    if (found > 0)
        return 0;
    error_set(error, EXIT_DATA, "no field is named '%s'; there %s %s",
              visible_name(shown, name, length),
              record->count == 1 ? "is" : "are",
              near_names_list(&names, name, length, list));
    return -1;
}

/* As take_named(), for ITEM, which has LENGTH bytes and is quoted. */
static int
take_quoted(struct fields *fields, const char *item, size_t length,
            struct error *error)
{
    char *name = malloc(length);
    size_t size;

    if (name == NULL)
        return error_fail_memory(error);
    (void)quoted_read(item, name, &size);
    int result = take_named(fields, name, size, item, error);
    free(name);
    return result;
}

/* Append the field that ITEM is the word of.  Returns the text after it, or
   NULL with *ERROR set. */
static const char *
take_word(struct fields *fields, const char *item, struct error *error)
{
    const struct record *record = fields->record;
    const struct near_names words = {near_names_string, record->word,
                                     record->count, ""};
    size_t length = strcspn(item, ",");
    char shown[VISIBLE_BYTES];
    char list[NEAR_NAMES_BYTES];

    for (size_t n = 0; n < record->count; n++) {
        const char *word = record->word[n];
        if (strlen(word) == length && memcmp(word, item, length) == 0)
            return take_field(fields, n, item, error) < 0 ? NULL
                                                          : item + length;
    }
    error_set(error, EXIT_USAGE, "%s=%s: no field is named '%s'; there %s %s",
              fields->option, fields->list, visible_name(shown, item, length),
              record->count == 1 ? "is" : "are",
              near_names_list(&words, item, length, list));
    return NULL;
}

/* Set *ERROR: ITEM, without a name, is not a field or range.  Returns NULL. */
static const char *
fail_number(const struct fields *fields, const char *item, struct error *error)
{
    size_t length = strcspn(item, ",");
    size_t first = 0;
    size_t last = 0;
    char what[240];

    if (length == 0) {
        (void)fail_item(fields, item,
                        "is not a field: a list has one between two commas",
                        error);
        return NULL;
    }
    const char *end = parse_count(item, fields->record->count, &first);
    if (end != NULL && *end == '-')
        end = parse_count(end + 1, fields->record->count, &last);
    if (end == item + length && last > 0 && first > last) {
        (void)fail_item(fields, item,
                        "is not a field: the range ends before it starts",
                        error);
        return NULL;
    }
    snprintf(what, sizeof what, "is not a field from 1 to %zu%s",
             fields->record->count,
             !fields->record->is_assumed
                 ? ""
                 : ": lines are not divided yet (fields of text need -W, "
                   "--tsv, --csv, --clf, --jsonl, --logfmt, --seq or -d)");
    (void)fail_item(fields, item, what, error);
    return NULL;
}

/* Append the fields of ITEM.  Returns the text after it, or NULL with *ERROR
   set. */
static const char *
take_item(struct fields *fields, const char *item, struct error *error)
{
    bool has_names = fields->record->name != NULL;
    size_t length = has_names ? quoted_item(item) : 0;
    size_t first = 0;
    size_t last = 0;

    if (length > 0)
        return take_quoted(fields, item, length, error) < 0 ? NULL
                                                            : item + length;
    const char *end =
        parse_fields_item(item, fields->record->count, &first, &last);
    length = strcspn(item, ",");
    if (end != NULL && *end != '\0' && *end != ',')
        end = NULL;
    bool is_word = strspn(item, "0123456789-") < length;
    if (end == NULL && is_word && has_names)
        return take_named(fields, item, length, item, error) < 0
                   ? NULL
                   : item + length;
    if (end == NULL && is_word && fields->record->word != NULL)
        return take_word(fields, item, error);
    if (end == NULL)
        return fail_number(fields, item, error);
    for (size_t n = first; n <= last; n++) {
        if (take_field(fields, n - 1, item, error) < 0)
            return NULL;
    }
    return end;
}

int
record_parse_fields(const struct record *record, const char *option,
                    const char *list, size_t **field, size_t *count,
                    struct error *error)
{
    struct fields fields = {
        .record = record,
        .option = option,
        .list = list,
        .is_taken = calloc(record->count, sizeof *fields.is_taken),
        .taken = calloc(record->count, sizeof *fields.taken),
    };
    const char *item = list;

    if (fields.is_taken == NULL || fields.taken == NULL) {
        (void)error_fail_memory(error);
        item = NULL;
    }
    while (item != NULL) {
        const char *end = take_item(&fields, item, error);
        if (end == NULL) {
            item = NULL;
        } else if (*end == '\0') {
            free(fields.is_taken);
            *field = fields.taken;
            *count = fields.count;
            return 0;
        } else {
            item = end + 1;
        }
    }
    free(fields.is_taken);
    free(fields.taken);
    return -1;
}

bool
record_is_wide(const struct record *record)
{
    for (size_t i = 0; i < record->count; i++) {
        if (binning_size(record->element[i].type) > 1)
            return true;
    }
    return false;
}

void
record_close(struct record *record)
{
    for (size_t i = 0; record->name != NULL && i < record->count; i++)
        free(record->name[i]);
    free(record->name);
    record->name = NULL;
    free(record->element);
    record->element = NULL;
}
