/* text_options.c -- the options for records and fields of text */

#include <string.h>

#include "kernels/seq/sequence.h"
#include "text/read_filter.h"
#include "text/sequence_names.h"
#include "text/text_options.h"

static int
fail_byte(const char *option, const char *text, struct error *error)
{
    error_set(error, EXIT_USAGE, "--%s=%s: not a single byte (\\t is a tab)",
              option, text);
    return -1;
}

/* Parse the argument TEXT of OPTION: one byte, or \t. */
static int
parse_byte(const char *option, const char *text, unsigned int *byte,
           struct error *error)
{
    if (strcmp(text, "\\t") == 0)
        *byte = '\t';
    else if (text[0] != '\0' && text[1] == '\0')
        *byte = (unsigned char)text[0];
    else
        return fail_byte(option, text, error);
    return 0;
}

/* Set the comment of FORMAT to the argument of --comment, if it is given.
   Returns 0, or -1 with *ERROR set. */
static int
set_comment(const struct text_options *options, struct text_format *format,
            struct error *error)
{
    unsigned int byte;

    if (options->comment == NULL)
        return 0;
    if (parse_byte("comment", options->comment, &byte, error) < 0)
        return -1;
    const char *why = format->kind != TEXT_SEQUENCES ? NULL
                      : sequence_is_begin(byte)      ? "begins a record"
                      : sequence_is_base(byte)       ? "is a base"
                      : byte == '\n'                 ? "ends a line"
                                                     : NULL;
    if (why != NULL) {
        error_set(error, EXIT_USAGE,
                  "--comment: this byte %s of FASTA and FASTQ", why);
        return -1;
    }
    format->comment = (int)byte;
    return 0;
}

/* Set *FORMAT to that of sequences.  Returns 0, or -1 with *ERROR set. */
static int
set_sequences(const struct text_options *options, struct text_format *format,
              struct error *error)
{
    *format = text_format_of(TEXT_SEQUENCES);
    format->phred = options->phred == PHRED_64 ? 64 : 33;
    format->keeps_case = options->keeps_case;
    format->kmer = options->kmer;
    format->is_canonical = options->is_canonical;
    return set_comment(options, format, error);
}

int
text_options_format(const struct text_options *options,
                    struct text_format *format, struct error *error)
{
    static const enum text_kind kinds[] = {
        [RECORDS_BINARY] = TEXT_DELIMITED, /* --delimiter or --counts */
        [RECORDS_LINES] = TEXT_LINES,
        [RECORDS_TSV] = TEXT_DELIMITED,
        [RECORDS_CSV] = TEXT_CSV,
        [RECORDS_WHITESPACE] = TEXT_WHITESPACE,
        [RECORDS_CLF] = TEXT_CLF,
        [RECORDS_JSON] = TEXT_JSON,
        [RECORDS_WORDS] = TEXT_WORDS,
    };
    unsigned int byte;

    if (text_options_are_sequences(options))
        return set_sequences(options, format, error);
    *format = text_format_of(
        options->counts == COUNTS_UNIQ ? TEXT_LINES : kinds[options->records]);
    if (options->counts == COUNTS_UNIQ)
        format->counts = TEXT_COUNTS_FIRST;
    else if (options->counts == COUNTS_TSV)
        format->counts = TEXT_COUNTS_LAST;
    if (options->is_zero_terminated)
        format->end = 0;
    if (options->delimiter != NULL) {
        if (parse_byte("delimiter", options->delimiter, &byte, error) < 0)
            return -1;
        format->delimiter = byte;
    }
    format->counts_invalid = text_options_count_invalid(options);
    /* As gpuhist writes it. */
    format->is_escaped = options->counts == COUNTS_TSV &&
                         format->kind == TEXT_DELIMITED &&
                         format->delimiter == '\t';
    if (format->kind == TEXT_DELIMITED && format->delimiter == format->end) {
        error_set(error, EXIT_USAGE, "--delimiter: this byte ends the records");
        return -1;
    }
    if (format->kind == TEXT_CSV &&
        (format->delimiter == format->end || format->delimiter == '"' ||
         format->delimiter == '\r')) {
        error_set(error, EXIT_USAGE,
                  "--delimiter: this byte has a meaning of its own in CSV");
        return -1;
    }
    return set_comment(options, format, error);
}

/* Whether FIELDS, the argument of an option or NULL, has names. */
static bool
has_names(const char *fields)
{
    return fields != NULL && field_list_needs_header(fields);
}

bool
text_options_have_header(const struct text_options *options,
                         const struct text_format *format,
                         const struct text_wanted *wanted,
                         const struct condition_list *conditions)
{
    bool is_implied =
        has_names(wanted->weights) || has_names(options->group_by);

    for (size_t i = 0; i < wanted->lists; i++)
        is_implied |= has_names(wanted->fields[i]);
    for (size_t i = 0; i < conditions->count; i++)
        is_implied |= condition_has_name(&conditions->condition[i]);
    return text_format_may_have_header(format) &&
           (options->has_header || is_implied);
}

/* Set FIELDS->weight to the field TEXT, the argument of OPTION. */
static int
find_weight(const struct text_format *format, const struct text_header *header,
            const char *option, const char *text, struct text_fields *fields,
            struct error *error)
{
    struct field_list one;
    int result = field_list_parse(&one, format, option, text, error);

    if (result == 0 && one.count != 1) {
        error_set(error, EXIT_USAGE, "--%s=%s: more than one field", option,
                  text);
        result = -1;
    }
    if (result == 0)
        result = field_list_resolve(&one, 0, 1, option, header, error);
    if (result == 0)
        result =
            field_list_include(&fields->list, &one, &fields->weight, error);
    field_list_close(&one);
    return result;
}

/* ---- conditions ---- */

/* Whether FORMAT has no fields: a record is field 1. */
static bool
is_whole(const struct text_format *format)
{
    return format->kind == TEXT_LINES || format->kind == TEXT_WORDS;
}

/* Find the field of CONDITION, and append it to FIELDS if it is not there. */
static int
find_condition(const struct text_format *format,
               const struct text_header *header, struct condition *condition,
               struct text_fields *fields, struct error *error)
{
    struct field_list one;

    if (is_whole(format) &&
        (condition->is_quoted || strcmp(condition->field, "1") != 0)) {
        error_set(error, EXIT_USAGE,
                  "--where: '%s' is no field: a whole %s is field 1",
                  condition->field,
                  format->kind == TEXT_WORDS ? "word" : "line");
        return -1;
    }
    int result = field_list_parse_one(&one, format, "where", condition->field,
                                      condition->is_quoted, error);
    if (result == 0)
        result = field_list_resolve(&one, 0, 1, "where", header, error);
    if (result == 0)
        result =
            field_list_include(&fields->list, &one, &condition->column, error);
    field_list_close(&one);
    return result;
}

/* Find the field of CONDITION, on sequences. */
static int
find_read_condition(struct condition *condition, struct error *error)
{
    const char *name = condition->field;
    struct text_field field;

    if (sequence_names_find("where", name, strlen(name), &field, error) < 0)
        return -1;
    condition->part = (enum text_part)field.part;
    if (condition->part == TEXT_PART_KMER) {
        error_set(error, EXIT_USAGE,
                  "--where: there are no conditions on kmer, only on its "
                  "position and on fields of the whole sequence");
        return -1;
    }
    if (condition->kind != CONDITION_TEXT ||
        sequence_part_type(condition->part) == SEQUENCE_KEY)
        return 0;
    error_set(error, EXIT_USAGE, "--where: %s is a number, and '%s' is none",
              name, condition->value);
    return -1;
}

/* ---- sequences ---- */

/* Whether LIST has a field whose part is from FIRST to LAST. */
static bool
has_part(const struct field_list *list, enum text_part first,
         enum text_part last)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->field[i].part >= (binning_u32)first &&
            list->field[i].part <= (binning_u32)last)
            return true;
    }
    return false;
}

/* Check that FORMAT, of sequences, and the fields of LIST fit together. */
static int
check_sequences(const struct text_format *format, const struct field_list *list,
                const struct condition_list *conditions, struct error *error)
{
    bool has_kmer = has_part(list, TEXT_PART_KMER, TEXT_PART_KMER);
    bool has_quality =
        has_part(list, TEXT_PART_QUALITY, TEXT_PART_QUALITY) ||
        has_part(list, TEXT_PART_MEAN_QUALITY, TEXT_PART_MEAN_ERROR_QUALITY) ||
        read_filter_has(conditions, TEXT_PART_QUALITY, TEXT_PART_QUALITY) ||
        read_filter_has(conditions, TEXT_PART_MEAN_QUALITY,
                        TEXT_PART_MEAN_ERROR_QUALITY);
    bool has_bases =
        has_part(list, TEXT_PART_BASE, TEXT_PART_BASE) ||
        has_part(list, TEXT_PART_SEQUENCE, TEXT_PART_SEQUENCE) ||
        read_filter_has(conditions, TEXT_PART_BASE, TEXT_PART_BASE) ||
        read_filter_has(conditions, TEXT_PART_SEQUENCE, TEXT_PART_SEQUENCE);
    const char *wrong = NULL;

    if (has_kmer && format->kmer == 0)
        wrong = "the field kmer needs --kmers=K";
    else if (!has_kmer && format->kmer > 0)
        wrong = "--kmers counts the field kmer, which --fields and --group-by "
                "do not have: add it to --fields";
    else if (!has_quality && format->phred != 33)
        wrong = "--phred=64 is for the fields quality, mean-quality and "
                "mean-error-quality";
    else if (!has_bases && format->keeps_case)
        wrong = "--keep-case is for the fields base and sequence";
    if (wrong == NULL)
        return 0;
    error_set(error, EXIT_USAGE, "%s", wrong);
    return -1;
}

/* Returns the field to count of records of FORMAT if there is no list; NULL:
   none. */
static const char *
default_field(const struct text_options *options,
              const struct text_format *format)
{
    if (format->kind == TEXT_LINES || format->kind == TEXT_WORDS ||
        (format->counts != TEXT_COUNTS_NONE && options->group_by == NULL))
        return "1";
    if (format->kind == TEXT_SEQUENCES && options->group_by == NULL)
        return format->kmer > 0 ? "kmer" : "base";
    return NULL;
}

/* Append the lists of WANTED to FIELDS, after the groups. */
static int
add_lists(struct text_fields *fields, const struct text_format *format,
          const struct text_wanted *wanted, struct error *error)
{
    struct field_list *list = &fields->list;

    list->shared = list->first = list->count;
    for (size_t i = 0; i < wanted->lists; i++) {
        if (wanted->is_joint)
            list->first = list->count;
        if (field_list_add(list, format, "fields", wanted->fields[i], error) <
            0)
            return -1;
        fields->end[i] = list->count;
    }
    list->first = list->shared;
    return 0;
}

int
text_options_fields(const struct text_options *options,
                    const struct text_format *format,
                    const struct text_header *header,
                    const struct text_wanted *wanted,
                    struct condition_list *conditions,
                    struct text_fields *fields, struct error *error)
{
    struct field_list *list = &fields->list;
    const char *text = default_field(options, format);

    *fields = (struct text_fields){0};
    if (options->group_by != NULL &&
        field_list_add(list, format, "group-by", options->group_by, error) < 0)
        return -1;
    fields->groups = list->count;
    if (wanted->lists > 0
            ? add_lists(fields, format, wanted, error) < 0
            : text != NULL &&
                  field_list_add(list, format, "fields", text, error) < 0)
        return -1;
    fields->counted = list->count;
    for (size_t i = 0; format->kind == TEXT_SEQUENCES && i < conditions->count;
         i++) {
        if (find_read_condition(&conditions->condition[i], error) < 0)
            return -1;
    }
    if (format->kind == TEXT_SEQUENCES)
        return check_sequences(format, list, conditions, error);
    if (field_list_resolve(list, 0, fields->groups, "group-by", header, error) <
            0 ||
        field_list_resolve(list, fields->groups, list->count, "fields", header,
                           error) < 0)
        return -1;
    const char *weight =
        format->counts == TEXT_COUNTS_LAST ? "NF" : wanted->weights;
    if (weight != NULL &&
        find_weight(format, header,
                    format->counts == TEXT_COUNTS_LAST ? "counts" : "weights",
                    weight, fields, error) < 0)
        return -1;
    for (size_t i = 0; i < conditions->count; i++) {
        if (find_condition(format, header, &conditions->condition[i], fields,
                           error) < 0)
            return -1;
    }
    return 0;
}
