/* record.c -- the layout of a record: its elements and their types */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hist/record.h"

/* In the order of enum sample_type. */
static const struct {
    const char *code;
    const char *name;
} types[] = {
    {"u1", "uint8"},   {"i1", "int8"},    {"u2", "uint16"},  {"i2", "int16"},
    {"u4", "uint32"},  {"i4", "int32"},   {"u8", "uint64"},  {"i8", "int64"},
    {"f2", "float16"}, {"f4", "float32"}, {"f8", "float64"},
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

    if (*text < '0' || *text > '9')
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
record_begin(struct record *record)
{
    *record = (struct record){0};
    record->element = calloc(RECORD_ELEMENTS_MAX, sizeof *record->element);
    return record->element != NULL ? 0 : -1;
}

int
record_copy(struct record *copy, const struct record *record)
{
    if (record_begin(copy) < 0)
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

int
record_parse(struct record *record, const char *text,
             enum byte_order default_order, const char *option,
             struct error *error)
{
    if (record_begin(record) < 0)
        return error_fail_memory(error);
    for (const char *word = text;;) {
        size_t length = strcspn(word, "*,");
        const char *end = word + length;
        size_t repeat = 1;
        if (*end == '*')
            end = parse_count(end + 1, RECORD_BYTES_MAX, &repeat);
        if (end == NULL || (*end != '\0' && *end != ',') ||
            record_append(record, word, length, repeat, default_order) < 0) {
            error_set(error, EXIT_USAGE,
                      "%s: '%.*s' is not a type (u1 i1 u2 i2 u4 i4 u8 i8 f2 "
                      "f4 f8, or a name like uint16; int, num and decimal are "
                      "for text), or makes the record too long",
                      option, (int)strcspn(word, ","), word);
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

/* The fields that a list has so far. */
struct fields {
    const struct record *record;
    bool *is_taken; /* of each element */
    size_t *taken;  /* COUNT of them */
    size_t count;
};

/* Append field N, from 0 on.  Returns 0, or -1: it is listed already. */
static int
take_field(struct fields *fields, size_t n)
{
    if (fields->is_taken[n])
        return -1;
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

/* Append the fields that ITEM names.  Returns the text after it, or NULL. */
static const char *
take_named(struct fields *fields, const char *item, struct error *error)
{
    const struct record *record = fields->record;
    size_t length = strcspn(item, ",");
    size_t found = 0;

    for (size_t n = 0; n < record->count; n++) {
        if (!is_named(record->name[n], item, length))
            continue;
        found++;
        if (take_field(fields, n) < 0)
            return NULL;
    }
    if (found > 0)
        return item + length;
    error_set(error, EXIT_DATA,
              "no field is named '%.*s'; the first of %zu is '%s'", (int)length,
              item, record->count, record->name[0]);
    return NULL;
}

/* Append the fields of ITEM.  Returns the text after it, or NULL. */
static const char *
take_item(struct fields *fields, const char *item, struct error *error)
{
    size_t first = 0;
    size_t last = 0;
    const char *end =
        parse_fields_item(item, fields->record->count, &first, &last);

    if (end != NULL && *end != '\0' && *end != ',')
        end = NULL;
    if (end == NULL && fields->record->name != NULL &&
        strspn(item, "0123456789-") < strcspn(item, ","))
        return take_named(fields, item, error);
    for (size_t n = first; end != NULL && n <= last; n++) {
        if (take_field(fields, n - 1) < 0)
            return NULL;
    }
    return end;
}

int
record_parse_fields(const struct record *record, const char *list,
                    size_t **field, size_t *count, struct error *error)
{
    struct fields fields = {
        .record = record,
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
            /* Keeps another error that is set. */
            error_set(error, EXIT_USAGE,
                      "--fields=%s: '%.*s' is not a field from 1 to %zu, or "
                      "is listed twice%s",
                      list, (int)strcspn(item, ","), item, record->count,
                      record->count > 1
                          ? ""
                          : " (fields of text need -W, --tsv, "
                            "--csv, --clf, --jsonl, --seq or -d)");
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
