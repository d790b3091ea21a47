/* SPDX-License-Identifier: MIT */
/* outcome.c -- the messages at the end of a run */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/near_names.h"
#include "cli/outcome.h"
#include "input/read/findings.h"
#include "run/gpu_decoding.h"
#include "text/field_chain.h"

/* The text of a warning before the members of JSON or logfmt. */
#define MEMBERS_START "; the first record has "
#define MEMBERS_BYTES (sizeof MEMBERS_START + NEAR_NAMES_BYTES)

/* Print the shortages of PIPELINE.  Returns whether there are some. */
static bool
put_shortages(struct messages *messages, const struct pipeline *pipeline)
{
    const struct pool *pool = &pipeline->pool;
    bool is_short = false;

    if (pool->huge_pages_refused != 0) {
        messages_put(messages,
                     "no huge pages: ", strerror(pool->huge_pages_refused));
        is_short = true;
    }
    if (pipeline->consumers.shortage.status != EXIT_DONE) {
        messages_put(messages, "", pipeline->consumers.shortage.text);
        is_short = true;
    }
    for (size_t i = 0; i < pipeline->consumers.count; i++) {
        const struct consumer *consumer = &pipeline->consumers.consumer[i];
        if (consumer->is_starting || consumer->is_lost ||
            consumer->engine->shortage.status == EXIT_DONE)
            continue;
        messages_put(messages, "memory was refused, so it is slower: ",
                     consumer->engine->shortage.text);
        is_short = true;
    }
    return is_short;
}

/* Print how many comments --comment has left out, and blank lines of CSV. */
static void
put_comments(struct messages *messages, const struct tracks *tracks)
{
    const struct text_format *format = &tracks->pipeline->consumers.spec->text;
    uint64_t comments = tracks_comments(tracks);
    bool has_blanks = text_type_of(format->kind)->skips_blank;
    const char *what = has_blanks ? "blank line" : "comment";
    const char *ending = comments == 1 ? "" : "s";
    char text[80];

    if (comments == 0)
        return;
    if (has_blanks && format->comment >= 0) {
        what = comments == 1 ? "comment or blank line"
                             : "comments and blank lines";
        ending = "";
    }
    snprintf(text, sizeof text, "%" PRIu64 " %s%s left out", comments, what,
             ending);
    messages_put(messages, "", text);
}

/* Print that this shard has all of INPUT. */
static void
put_uncut(struct messages *messages, const struct finding *input)
{
    messages_put(messages, "this shard counts all of what cannot be cut: ",
                 input->archive != NULL ? input->archive : input->name);
}

/* Print how many keys were not in memory only. */
static void
put_spills(struct messages *messages, const struct tracks *tracks)
{
    uint64_t bytes;
    uint64_t runs = tracks_spills(tracks, &bytes);
    char text[120];

    if (runs == 0)
        return;
    snprintf(text, sizeof text,
             "keys beyond --memory-limit: %" PRIu64 " run%s in temporary "
             "files, %" PRIu64 " bytes",
             runs, runs == 1 ? "" : "s", bytes);
    messages_put(messages, "", text);
}

/* Print how many members an archive, or a file of arrays, has. */
static void
put_members(struct messages *messages, const struct finding *input)
{
    struct error members = ERROR_NONE;
    bool is_archive = strcmp(input->noun, "file") == 0;
    char others[80] = "";
    char unchosen[80] = "";

    if (is_archive)
        snprintf(others, sizeof others,
                 "; %" PRIu64 " of links, directories and devices left out",
                 input->others);
    if (input->unchosen > 0)
        snprintf(unchosen, sizeof unchosen, "; --array leaves out %" PRIu64,
                 input->unchosen);
    error_set(&members, EXIT_DATA, "%s: %" PRIu64 " %s%s%s%s", input->archive,
              input->members, input->noun, input->members == 1 ? "" : "s",
              others, unchosen);
    messages_put(messages, "", members.text);
    error_clear(&members);
}

/* Print the failures of decoding GPUs, if any. */
static void
put_decoding(struct messages *messages, const struct pipeline *pipeline)
{
    const struct budget *budget = pipeline->inputs->budget;
    const char *warning =
        gpu_decoding_device(budget, 1) == NULL
            ? "warning: a device failed, the CPU decoded the rest: "
            : "warning: a device failed, others decoded the rest: ";
    const struct decoding_device *device;
    bool has_failed = false;
    struct progress *progress = pipeline->inputs->reading.progress;
    bool was_useful = atomic_load(&progress->device_frames) > 0 ||
                      atomic_load(&progress->device_blocks) > 0;
    bool is_demanded = pipeline->plan->decoding == GPU_DECODE_ALWAYS;

    for (size_t i = 0; (device = gpu_decoding_device(budget, i)) != NULL; i++) {
        const struct error *error = gpu_decoding_error(device);
        if (error == NULL)
            continue;
        has_failed = true;
        if (was_useful || is_demanded ? !messages->is_quiet
                                      : messages->is_verbose)
            messages_put(messages,
                         was_useful || is_demanded ? warning
                                                   : "no GPU decodes: ",
                         error->text);
    }
    if (!has_failed && is_demanded && !was_useful && messages->is_verbose) {
        messages_put(messages, "",
                     "a GPU had nothing to decode: it decodes zstd and BGZF in "
                     "regular files");
    }
}

void
outcome_put_engines(struct messages *messages, const struct tracks *tracks)
{
    const struct pipeline *pipeline = tracks->pipeline;

    for (size_t i = 0; i < pipeline->consumers.count; i++) {
        const struct consumer *consumer = &pipeline->consumers.consumer[i];
        if (consumer->is_starting || consumer->state != CONSUMER_FAILED)
            continue;
        if (consumer->was_open ? !messages->is_quiet : messages->is_verbose)
            messages_put(messages,
                         consumer->was_open
                             ? "warning: a device failed, its chunks were "
                               "counted again: "
                             : "no GPU: ",
                         consumer->error.text);
    }
    put_decoding(messages, pipeline);
    if (!messages->is_verbose)
        return;
    for (size_t i = 0; i < tracks->inputs->count; i++) {
        const struct finding input = findings_of(tracks->inputs, i);
        if (input.archive != NULL)
            put_members(messages, &input);
        if (input.is_uncut)
            put_uncut(messages, &input);
    }
    /* What one track lacks, others lack, too. */
    for (size_t i = 0; i < tracks->count; i++) {
        if (put_shortages(messages, tracks_pipeline(tracks, i)))
            break;
    }
    put_comments(messages, tracks);
    put_spills(messages, tracks);
}

/* Warn that BYTES of an incomplete record at the end of NAME were dropped. */
static void
put_dropped(struct messages *messages, const char *name, uint64_t bytes)
{
    struct error left_out = ERROR_NONE;

    if (bytes == 0)
        return;
    error_set(&left_out, EXIT_DATA,
              "%s: left out %" PRIu64
              " byte%s of an incomplete record at the end",
              name, bytes, bytes == 1 ? "" : "s");
    messages_put(messages, "warning: ", left_out.text);
    error_clear(&left_out);
}

/* The same for the members of INPUT, if it is an archive. */
static void
put_ragged(struct messages *messages, const struct finding *input)
{
    struct error left_out = ERROR_NONE;

    if (input->ragged < 2) {
        put_dropped(messages, input->first_ragged, input->ragged_bytes);
        return;
    }
    error_set(&left_out, EXIT_DATA,
              "%s and %zu more of its files: left out %" PRIu64
              " bytes of incomplete records at their ends",
              input->first_ragged, input->ragged - 1, input->ragged_bytes);
    messages_put(messages, "warning: ", left_out.text);
    error_clear(&left_out);
}

/* Warn of inputs that look like text, but were counted as binary numbers. */
static void
put_texts(struct messages *messages, const struct inputs *inputs)
{
    struct error warning = ERROR_NONE;
    const char *first;
    size_t texts = findings_count_texts(inputs, &first);
    const char *hint = inputs->reading.text_hint;

    if (texts == 0)
        return;
    if (texts == 1 || hint != NULL)
        error_set(&warning, EXIT_DATA, "%s: looks like text, but %s", first,
                  hint != NULL ? hint : "was counted as binary numbers");
    else
        error_set(&warning, EXIT_DATA,
                  "%s and %zu more input%s look like text, but were counted as "
                  "binary numbers",
                  first, texts - 1, texts == 2 ? "" : "s");
    messages_put(messages, "warning: ", warning.text);
    error_clear(&warning);
}

/* Warn of inputs without a line feed, which are one line. */
static void
put_unlined(struct messages *messages, const struct inputs *inputs)
{
    const char *first = NULL;
    size_t unlined = findings_count_unlined(inputs, &first);

    messages_put_inputs(
        messages, first, unlined,
        "carriage returns, but no line feed, which ends a line: all is one "
        "line (tr '\\r' '\\n' divides it)");
}

/* Warn of inputs whose names say compressed, but whose content is not. */
static void
put_misnamed(struct messages *messages, const struct inputs *inputs)
{
    struct error warning = ERROR_NONE;
    const char *first = NULL;
    const char *seems = NULL;
    size_t misnamed = findings_count_misnamed(inputs, &first, &seems);

    if (misnamed != 1) {
        messages_put_inputs(messages, first, misnamed,
                            "compressed, their names say, but not recognized: "
                            "the bytes are counted as they are");
        return;
    }
    error_set(&warning, EXIT_DATA,
              "%s: %s data, its name says, but %s: the bytes are counted as "
              "they are",
              first, seems,
              strcmp(seems, "lzma") == 0 ? "only --decompress=lzma decodes that"
                                         : "not recognized");
    messages_put(messages, "warning: ", warning.text);
    error_clear(&warning);
}

static bool
lacks_end_mark(const struct finding *input)
{
    return input->lacks_end_mark;
}

static bool
lacks_end(const struct finding *input)
{
    return input->lacks_end;
}

static bool
has_more(const struct finding *input)
{
    return input->has_more;
}

/* Warn of each input for which IS_SO() is true; WHAT is the text. */
static void
put_ends(struct messages *messages, const struct inputs *inputs,
         bool (*is_so)(const struct finding *input), const char *what)
{
    const char *first = NULL;
    size_t count = 0;

    for (size_t i = inputs->count; i-- > 0;) {
        const struct finding input = findings_of(inputs, i);
        if (!is_so(&input))
            continue;
        first = input.name;
        count++;
    }
    messages_put_inputs(messages, first, count, what);
}

/* Warn of inputs with a wrong end. */
static void
put_all_ends(struct messages *messages, const struct inputs *inputs)
{
    put_ends(messages, inputs, lacks_end_mark,
             "no empty block at the end of BGZF: it may be cut off");
    put_ends(messages, inputs, lacks_end,
             "no end of the tar archive: it may be cut off");
    put_ends(messages, inputs, has_more,
             "left out what follows the end of the archive");
}

void
outcome_put_misfits(struct messages *messages, const struct pipeline *pipeline)
{
    const struct misfits *before = &pipeline->consumers.keys.all_misfits;
    const struct misfits *last = &pipeline->consumers.keys.misfits;
    uint64_t count = before->count + last->count;
    struct error warning = ERROR_NONE;

    if (count == 0 || messages->is_quiet)
        return;
    const struct spec *spec = pipeline->consumers.keys.spec;
    error_set(&warning, EXIT_DATA,
              count == 1 ? "%" PRIu64 " line does not fit %s, and counts as "
                           "\\invalid: %s"
                         : "%" PRIu64 " lines do not fit %s, and count as "
                           "\\invalid; the first one is %s",
              count, text_type_of(spec->text.kind)->option,
              before->count > 0 ? before->error.text : last->error.text);
    messages_put(messages, "warning: ", warning.text);
    error_clear(&warning);
}

size_t
outcome_put_inputs(struct messages *messages, const struct inputs *inputs)
{
    size_t bad = 0;

    for (size_t i = 0; i < inputs->count; i++) {
        const struct error *wrong = inputs_error(inputs, i);
        const struct finding input = findings_of(inputs, i);
        if (wrong->status != EXIT_DONE) {
            messages_put(messages, "", wrong->text);
            bad++;
        } else if (!messages->is_quiet) {
            put_ragged(messages, &input);
            put_dropped(messages, input.name, input.dropped_bytes);
        }
    }
    if (!messages->is_quiet)
        put_texts(messages, inputs);
    if (!messages->is_quiet)
        put_misnamed(messages, inputs);
    if (bad == 0 && !messages->is_quiet)
        put_unlined(messages, inputs);
    if (bad == 0 && !messages->is_quiet)
        put_all_ends(messages, inputs);
    return bad;
}

/* Whether all fields are keys, so that only a field may be missing. */
static bool
is_of_keys(const struct spec *spec)
{
    for (size_t i = 0; i < spec->axis_count; i++) {
        if (axis_bins(&spec->shown[i]) != AXIS_KEYS ||
            axis_is_kmers(&spec->shown[i]))
            return false;
    }
    return true;
}

/* Warn of COUNT values, if any; ONE is the text for a single value. */
static void
put_count(struct messages *messages, uint64_t count, const char *one,
          const char *several)
{
    char text[120];

    if (count == 0 || messages->is_quiet)
        return;
    snprintf(text, sizeof text, "%" PRIu64 " %s", count,
             count == 1 ? one : several);
    messages_put(messages, "warning: ", text);
}

/* Warn of the values of SPEC that are counted and not shown. */
static void
put_hidden(struct messages *messages, const struct spec *spec,
           const struct report_hidden *hidden)
{
    if (is_of_keys(spec)) {
        put_count(messages, hidden->flow,
                  spec->is_sparse ? "record lacks a field and is not shown"
                                  : "record lacks the field and is not shown",
                  spec->is_sparse ? "records lack a field and are not shown"
                                  : "records lack the field and are not shown");
        put_count(messages, hidden->other, "record of another key is not shown",
                  "records of other keys are not shown");
        return;
    }
    if (spec->is_spectrum) {
        put_count(messages, hidden->other, "key of another line is not shown",
                  "keys of other lines are not shown");
        return;
    }
    put_count(messages, hidden->flow, "value is in no bin and not shown",
              "values are in no bin and not shown");
    put_count(messages, hidden->other, "value of another line is not shown",
              "values of other lines are not shown");
}

/*
 * Write to TEXT, after a comma, the members of the first object of JSON or the
 * keys of the first line of logfmt, first the members that resemble WANTED;
 * write nothing without members.
 */
static void
list_members(const struct first_values *first, const char *wanted,
             char text[MEMBERS_BYTES])
{
    struct json_members members = {.count = 0};

    text[0] = '\0';
    if (first != NULL)
        first_values_members(first, &members);
    const struct near_names names = {near_names_string, members.path,
                                     members.count, "'"};
    if (members.count > 0) {
        strcpy(text, MEMBERS_START);
        near_names_list(&names, wanted, strlen(wanted), text + strlen(text));
    }
    json_members_close(&members);
}

/* Whether no record has the field of axis I of SPEC.  A record has no operation
   then, and any other field is missing in each element. */
static bool
is_of_no_record(const struct spec *spec, const struct unshown *unshown,
                size_t i)
{
    const enum text_part part = (enum text_part)spec->text_fields.field[i].part;

    if (spec->kind == SPEC_SEQUENCES &&
        sequence_part_unit(part) == SEQUENCE_OPERATIONS)
        return unshown->records > 0 && unshown->operations == 0;
    return unshown->elements[i] > 0 &&
           unshown->missing[i] == unshown->elements[i];
}

/* Warn of each field of text that no record has. */
static void
put_missing(struct messages *messages, const struct spec *spec,
            const struct unshown *unshown, const struct first_values *first)
{
    char number[SPEC_FIELD_BYTES];
    char members[MEMBERS_BYTES];
    char note[FIELD_CHAIN_NOTE_BYTES];

    if (messages->is_quiet || spec->kind == SPEC_SAMPLES || spec->all_fields)
        return;
    for (size_t i = 0; i < spec->axis_count; i++) {
        struct error warning = ERROR_NONE;
        if (!is_of_no_record(spec, unshown, i))
            continue;
        const char *field = spec_field_text(spec, i, number);
        list_members(first, field, members);
        field_chain_note(field, note);
        error_set(&warning, EXIT_DATA, "no record has field %s%s%s", field,
                  members, note);
        messages_put(messages, "warning: ", warning.text);
        error_clear(&warning);
    }
}

/*
 * Set *WARNING: no element, ONE, fulfils all conditions of SPEC.  Of several
 * choices, it names the first one that no record is left after; this is not
 * known of sequences and of states.
 */
static void
set_unfulfilled(const struct spec *spec, const struct unshown *unshown,
                const char *sample, const char *one, struct error *warning)
{
    struct condition_choice choice[CONDITIONS_MAX];
    size_t choices = condition_list_choices(&spec->conditions, choice);
    size_t c = 0;

    while (c < choices && (unshown->fulfilled >> choice[c].first & 1) != 0)
        c++;
    if (choices > 1 && (spec->kind == SPEC_SEQUENCES || c == choices)) {
        error_set(warning, EXIT_DATA,
                  "no %s fulfils all %zu conditions of --where%s", one, choices,
                  sample != NULL ? " and --sample" : "");
        return;
    }
    c = choices > 1 ? c : 0;
    const struct condition *condition =
        &spec->conditions.condition[choice[c].first];
    /* What the user typed, with quotes and units. */
    const struct condition *owner = condition;
    while (owner->where == NULL)
        owner--;
    const char *text = owner->where + condition->begin;
    int length = (int)(spec->conditions.condition[choice[c].end - 1].end -
                       condition->begin);
    if (choices == 1 && sample != NULL)
        error_set(warning, EXIT_DATA, "no %s fulfils --sample=%s", one, sample);
    else if (choices == 1)
        error_set(warning, EXIT_DATA, "no %s fulfils --where=%.*s", one, length,
                  text);
    else
        error_set(warning, EXIT_DATA,
                  "no %s fulfils all %zu conditions of --where: %.*s leaves "
                  "none",
                  one, choices, length, text);
}

/* Warn of a condition on a field that no record has, unless the condition asks
   for the absence of the field; or else if no record meets all conditions.  Do
   not warn without records. */
static void
put_unmet(struct messages *messages, const struct spec *spec,
          const struct unshown *unshown, const struct first_values *first,
          const char *sample)
{
    const struct condition *condition = spec->conditions.condition;
    size_t count = spec->conditions.count;
    struct error warning = ERROR_NONE;
    const char *one = !spec_chooses_elements(spec)                ? "record"
                      : spec->histogram[0].unit == SEQUENCE_BASES ? "base"
                      : spec->histogram[0].unit == SEQUENCE_OPERATIONS
                          ? "CIGAR operation"
                          : "k-mer";
    char members[MEMBERS_BYTES];
    size_t unmet = 0;

    if (messages->is_quiet || count == 0 ||
        (unshown->records == 0 && unshown->left_out == 0))
        return;
    while (unmet < count && ((unshown->met >> unmet & 1) != 0 ||
                             condition_holds_missing(&condition[unmet])))
        unmet++;
    if (unmet < count) {
        list_members(first, condition[unmet].field, members);
        error_set(&warning, EXIT_DATA,
                  "no record has field %s, which --where names%s",
                  condition[unmet].field, members);
    } else if (unshown->records == 0) {
        set_unfulfilled(spec, unshown, sample, one, &warning);
    }
    if (warning.status != EXIT_DONE)
        messages_put(messages, "warning: ", warning.text);
    error_clear(&warning);
}

/* Warn of each condition that compares with a text such as 8k and 1,000, and
   not with a number. */
static void
put_compared_texts(struct messages *messages, const struct spec *spec)
{
    for (size_t c = 0; c < spec->conditions.count && !messages->is_quiet; c++) {
        const struct condition *condition = &spec->conditions.condition[c];
        struct error warning = ERROR_NONE;
        if (condition->reading == NULL)
            continue;
        error_set(&warning, EXIT_DATA,
                  "--where compares %s with the text '%s', not with a number; "
                  "%s:%s is a number",
                  condition->field, condition->value, condition->field,
                  condition->reading);
        messages_put(messages, "warning: ", warning.text);
        error_clear(&warning);
    }
}

/* A last edge between these is of percent: shares end at 1, and --log without a
   range goes on for ever. */
#define PERCENT_LEAST 2
#define PERCENT_MOST 1000

/* Warn of bins of GC content in percent. */
static void
put_percents(struct messages *messages, const struct spec *spec)
{
    if (spec->kind != SPEC_SEQUENCES || messages->is_quiet)
        return;
    for (size_t i = 0; i < spec->axis_count; i++) {
        const struct binning_axis *axis = &spec->shown[i];
        if (spec->text_fields.field[i].part != TEXT_PART_GC ||
            axis_is_key(axis))
            continue;
        double last = axis_edge(axis, &spec->edges, axis->bins);
        if (last < PERCENT_LEAST || last > PERCENT_MOST)
            continue;
        messages_put(messages, "warning: ",
                     "gc is from 0 to 1, and the bins go beyond: write 0.4 "
                     "for 40 %");
    }
}

/* Whether no line matches the expression of --regex or --matches, if there are
   lines: then no record has any field. */
static bool
matches_nothing(const struct spec *spec, const struct unshown *unshown)
{
    return spec->kind == SPEC_FIELDS &&
           text_type_of(spec->text.kind)->names == TEXT_NAMES_GROUPS &&
           !unshown->matches && unshown->bytes > 0;
}

/* Warn of records with more fields than are known of all records. */
static void
put_longer(struct messages *messages, const struct spec *spec,
           const struct unshown *unshown)
{
    size_t rest = spec->axis_count - 1;
    struct error warning = ERROR_NONE;

    if (!spec->has_rest || messages->is_quiet ||
        unshown->elements[rest] == unshown->missing[rest])
        return;
    uint64_t count = unshown->elements[rest] - unshown->missing[rest];
    error_set(&warning, EXIT_DATA,
              "%" PRIu64 " %s more than %zu fields; field %zu has a line, and "
              "later ones have with --fields",
              count, count == 1 ? "record has" : "records have", rest,
              rest + 1);
    messages_put(messages, "warning: ", warning.text);
    error_clear(&warning);
}

void
outcome_put_unshown(struct messages *messages, const struct spec *spec,
                    const struct unshown *unshown,
                    const struct first_values *first, const char *sample)
{
    bool has_fields = !matches_nothing(spec, unshown);

    put_compared_texts(messages, spec);
    put_percents(messages, spec);
    if (has_fields)
        put_unmet(messages, spec, unshown, first, sample);
    else if (!messages->is_quiet)
        messages_put(messages, "warning: ", "the expression matches no line");
    put_longer(messages, spec, unshown);
    put_hidden(messages, spec, &unshown->hidden);
    put_count(messages, unshown->hidden.valueless,
              "record has no value for --columns: missing, empty, invalid, nan",
              "records have no value for --columns: missing, empty, invalid or "
              "nan");
    bool is_of_list = spec_weight_list(spec) != 0 ||
                      (spec->kind == SPEC_SEQUENCES &&
                       spec->histogram[0].unit != SEQUENCE_READS);
    put_count(messages, unshown->unweighted,
              is_of_list ? "element has no weight" : "record has no weight",
              is_of_list ? "elements have no weight"
                         : "records have no weight");
    if (has_fields && unshown->hidden.flow == 0)
        put_missing(messages, spec, unshown, first);
}
