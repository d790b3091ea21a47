/* SPDX-License-Identifier: MIT */
/* sequence_options.c -- options for records, of sequences, too */

#include <string.h>

#include "kernels/seq/sequence.h"
#include "seq/alignment_values.h"
#include "seq/read_filter.h"
#include "seq/sequence_names.h"
#include "seq/sequence_options.h"

int
sequence_options_format(const struct text_options *options,
                        struct text_format *format, struct error *error)
{
    if (text_options_format(options, format, error) < 0)
        return -1;
    if (format->kind != TEXT_SEQUENCES)
        return 0;
    const int comment = format->comment;
    const char *why = comment == TEXT_NO_COMMENT ? NULL
                      : sequence_is_start((binning_u32)comment)
                          ? "begins a record"
                      : sequence_is_base((binning_u32)comment) ? "is a base"
                      : comment == '\n'                        ? "ends a line"
                                                               : NULL;

    *format = text_format_of(TEXT_SEQUENCES);
    format->comment = comment;
    format->phred = options->phred == PHRED_64 ? 64 : 33;
    if (options->min_quality > 0)
        format->least_quality = format->phred + options->min_quality;
    format->keeps_case = options->keeps_case;
    format->kmer = options->kmer;
    format->is_canonical = options->is_canonical;
    format->as_aligned = options->as_aligned;
    format->all_alignments = options->all_alignments;
    format->counts_references = options->counts_references;
    format->sums_checksums = options->sums_checksums;
    if (why == NULL)
        return 0;
    error_set(error, EXIT_USAGE, "--comment: this byte %s of FASTA and FASTQ",
              why);
    return -1;
}

/* Check that only texts of LIST have modifiers, which give one text or number
   each.  Returns 0, or -1 with *ERROR set. */
static int
check_chains(const struct field_list *list, struct error *error)
{
    for (size_t i = 0; i < list->count; i++) {
        const bool is_text =
            !sequence_part_is_computed((enum text_part)list->field[i].part);
        const char *wrong =
            is_text
                ? "gives several elements, and a sequence has no lists"
                : "has modifiers, and of the fields of sequences only texts "
                  "can have any, such as name and sequence";
        if (is_text ? !field_list_has_parts(list, i)
                    : list->chain[i].count == 0)
            continue;
        error_set(error, EXIT_USAGE, "%s %s", list->name[i], wrong);
        return -1;
    }
    return 0;
}

/* Returns the text that is compared with, or looked for in, the bases of a
   sequence after CHAIN: VALUE (NULL: none) or what index looks for; or NULL. */
static const char *
compared_bases(const struct modifiers *chain, const char *value)
{
    size_t i = 0;

    while (i < chain->count && chain->modifier[i].type->keeps_bytes)
        i++;
    if (i == chain->count)
        return value;
    return strcmp(chain->modifier[i].type->name, "index") == 0
               ? chain->modifier[i].text
               : NULL;
}

/* Check that the bases compared with PART, named NAME, after CHAIN can be in a
   sequence of FORMAT.  Returns 0, or -1 with *ERROR set. */
static int
check_capitals(const struct text_format *format, const char *name,
               enum text_part part, const struct modifiers *chain,
               const char *value, struct error *error)
{
    const char *text = part == TEXT_PART_SEQUENCE && !format->keeps_case
                           ? compared_bases(chain, value)
                           : NULL;

    if (text == NULL || strpbrk(text, "abcdefghijklmnopqrstuvwxyz") == NULL)
        return 0;
    error_set(error, EXIT_USAGE,
              "%s: without --keep-case bases are capital letters, and '%s' has "
              "others",
              name, text);
    return -1;
}

/* Set the part and the modifiers of CONDITION.  Returns 0, or -1 with *ERROR
   set. */
static int
find_part(const struct text_format *format, struct condition *condition,
          struct error *error)
{
    const struct field_parts parts = {condition->field, condition->chain,
                                      condition->is_quoted};
    struct field_list one = {.find = condition->is_flag
                                         ? sequence_names_find_flag
                                         : sequence_names_find};
    int result = field_list_parse_one(&one, format, "where", &parts, error);

    if (result == 0)
        result = check_chains(&one, error);
    if (result == 0) {
        condition->part = (enum text_part)one.field[0].part;
        condition->chain_of_part = one.chain[0];
        one.chain[0] = (struct modifiers){0};
        result = condition_modify(condition, &condition->chain_of_part, error);
    }
    field_list_close(&one);
    return result;
}

/* Check that a base of FORMAT can be the value of CONDITION.  Returns 0, or -1
   with *ERROR set. */
static int
check_base(const struct text_format *format, const struct condition *condition,
           struct error *error)
{
    const bool is_base = condition->size == 1 &&
                         sequence_is_base((unsigned char)*condition->value);
    const bool is_small =
        is_base && *condition->value >= 'a' && *condition->value <= 'z';

    if (condition->kind == CONDITION_MISSING ||
        (is_base && (format->keeps_case || !is_small)) ||
        (condition->op != CONDITION_EQUAL &&
         condition->op != CONDITION_UNEQUAL))
        return 0;
    if (is_small)
        error_set(error, EXIT_USAGE,
                  "--where: without --keep-case a base is a capital letter, "
                  "and '%s' is none",
                  condition->value);
    else
        error_set(error, EXIT_USAGE,
                  "--where: a base is one letter, and '%s' is none",
                  condition->value);
    return -1;
}

/* Check that an operation can be the value of CONDITION.  Returns 0, or -1 with
   *ERROR set. */
static int
check_operation(const struct condition *condition, struct error *error)
{
    if (condition->kind == CONDITION_MISSING ||
        (condition->size == 1 && *condition->value != '\0' &&
         strchr("MIDNSHP=XB", *condition->value) != NULL) ||
        (condition->op != CONDITION_EQUAL &&
         condition->op != CONDITION_UNEQUAL))
        return 0;
    error_set(error, EXIT_USAGE,
              "--where: an operation is one of M, I, D, N, S, H, P, =, X and "
              "B, and '%s' is none",
              condition->value);
    return -1;
}

/* Find the field of CONDITION, of FORMAT.  Returns 0, or -1 with *ERROR set. */
static int
find_condition(const struct text_format *format, struct condition *condition,
               struct error *error)
{
    const char *name = condition->field;

    if (find_part(format, condition, error) < 0)
        return -1;
    if (condition->is_flag && !alignment_values_are_bits(condition->part)) {
        error_set(error, EXIT_USAGE,
                  "--where: %s is no flag: write FIELD OP VALUE", name);
        return -1;
    }
    if (condition->part == TEXT_PART_KMER) {
        error_set(error, EXIT_USAGE,
                  "--where: there are no conditions on kmer, only on its "
                  "position and on fields of the whole sequence");
        return -1;
    }
    if (condition->kind == CONDITION_EXPRESSION &&
        sequence_part_is_computed(condition->part)) {
        error_set(error, EXIT_USAGE,
                  "--where: =~ and !~ are for texts, such as name, not for %s",
                  name);
        return -1;
    }
    const bool is_compared = condition->kind == CONDITION_TEXT &&
                             (condition->op == CONDITION_EQUAL ||
                              condition->op == CONDITION_UNEQUAL);
    if (check_capitals(format, "--where", condition->part,
                       &condition->chain_of_part,
                       is_compared ? condition->value : NULL, error) < 0)
        return -1;
    if (condition->part == TEXT_PART_BASE)
        return check_base(format, condition, error);
    if (condition->part == TEXT_PART_CIGAR_OPS)
        return check_operation(condition, error);
    if (condition->kind != CONDITION_TEXT ||
        sequence_part_type(condition->part) == SEQUENCE_KEY)
        return 0;
    error_set(error, EXIT_USAGE, "--where: %s is a number, and '%s' is none",
              name, condition->value);
    return -1;
}

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

/* Check that FORMAT and the fields of LIST and CONDITIONS fit together.
   Returns 0, or -1 with *ERROR set. */
static int
check(const struct text_format *format, const struct field_list *list,
      const struct condition_list *conditions, struct error *error)
{
    bool has_kmer = has_part(list, TEXT_PART_KMER, TEXT_PART_KMER);
    bool has_quality =
        has_part(list, TEXT_PART_QUALITY, TEXT_PART_QUALITY) ||
        has_part(list, TEXT_PART_MEAN_QUALITY, TEXT_PART_MEAN_ERROR_QUALITY) ||
        read_filter_has(conditions, TEXT_PART_QUALITY, TEXT_PART_QUALITY) ||
        read_filter_has(conditions, TEXT_PART_MEAN_QUALITY,
                        TEXT_PART_MEAN_ERROR_QUALITY);
    bool has_gc = has_part(list, TEXT_PART_GC, TEXT_PART_GC_BASES) ||
                  read_filter_has(conditions, TEXT_PART_GC, TEXT_PART_GC_BASES);
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
    else if (!has_bases && !has_kmer && !has_gc && format->least_quality > 0)
        wrong = "--min-quality is for the fields base, sequence, gc and kmer";
    else if (!has_quality && format->phred != 33 && format->least_quality == 0)
        wrong = "--phred=64 is for the fields quality, mean-quality and "
                "mean-error-quality, and for --min-quality";
    else if (!has_bases && format->keeps_case)
        wrong = "--keep-case is for the fields base and sequence";
    if (wrong == NULL)
        return 0;
    error_set(error, EXIT_USAGE, "%s", wrong);
    return -1;
}

bool
sequence_options_need_bases(const struct field_list *list,
                            const struct condition_list *conditions)
{
    return has_part(list, TEXT_PART_SEQUENCE, TEXT_PART_KMER) ||
           read_filter_has(conditions, TEXT_PART_SEQUENCE, TEXT_PART_KMER);
}

unsigned int
sequence_options_alignment_words(const struct text_format *format,
                                 const struct field_list *list,
                                 const struct condition_list *conditions)
{
    unsigned int words =
        format->sums_checksums != 0 ? 1u << ALIGNMENT_WORD_CHECKSUMS : 0;

    for (size_t i = 0; i < list->count; i++)
        words |= alignment_values_words((enum text_part)list->field[i].part);
    for (size_t i = 0; i < conditions->count; i++)
        words |= alignment_values_words(conditions->condition[i].part);
    return words;
}

/* Find the field of TEXT, of --weights, and add it to FIELDS.  Returns 0, or -1
   with *ERROR set. */
static int
find_weight(const struct text_format *format, const char *text,
            struct text_fields *fields, struct error *error)
{
    struct field_list one = {.find = sequence_names_find};
    int result = field_list_add(&one, format, "weights", text, error);

    if (result == 0 && (one.count != 1 ||
                        sequence_part_type((enum text_part)one.field[0].part) !=
                            SEQUENCE_INTEGER)) {
        error_set(error, EXIT_USAGE,
                  "--weights=%s: of sequences, only one field of whole numbers "
                  "is a weight, such as length or quality",
                  text);
        result = -1;
    }
    if (result == 0)
        result = check_chains(&one, error);
    if (result == 0)
        result =
            field_list_include(&fields->list, &one, &fields->weight, error);
    field_list_close(&one);
    return result;
}

int
sequence_options_fields(const struct text_options *options,
                        const struct text_format *format,
                        const struct text_header *header,
                        const struct text_wanted *wanted,
                        struct condition_list *conditions,
                        struct text_fields *fields, struct error *error)
{
    const char *field = format->kmer > 0 ? "kmer" : "base";

    if (format->kind != TEXT_SEQUENCES)
        return text_options_fields(options, format, header, wanted, conditions,
                                   fields, error);
    *fields = (struct text_fields){.list.find = sequence_names_find};
    if (text_options_lists(options, format, wanted,
                           options->group_by == NULL ? field : NULL, fields,
                           error) < 0)
        return -1;
    if (wanted->weights != NULL &&
        find_weight(format, wanted->weights, fields, error) < 0)
        return -1;
    for (size_t i = 0; i < conditions->count; i++) {
        if (find_condition(format, &conditions->condition[i], error) < 0)
            return -1;
    }
    if (check_chains(&fields->list, error) < 0)
        return -1;
    for (size_t i = 0; i < fields->list.count; i++) {
        if (check_capitals(format, fields->list.name[i],
                           (enum text_part)fields->list.field[i].part,
                           &fields->list.chain[i], NULL, error) < 0)
            return -1;
    }
    return check(format, &fields->list, conditions, error);
}
