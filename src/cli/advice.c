/* SPDX-License-Identifier: MIT */
/* advice.c -- messages that name the option or program for a content */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/advice.h"
#include "input/read/findings.h"

/* Returns a message on content like GUESS: its format, and the advice. */
static const char *
advice_on(enum guess guess)
{
    switch (guess) {
    case GUESS_PARQUET:
        return "looks like Parquet, which is not read: convert it to CSV";
    case GUESS_SQLITE:
        return "looks like a database of SQLite: sqlite3 -csv FILE 'select "
               "...' makes CSV";
    case GUESS_BAM:
        return "looks like BAM: --seq counts its reads, samtools view makes "
               "text";
    case GUESS_CRAM:
        return "looks like CRAM: samtools fastq makes FASTQ, samtools view "
               "makes text";
    case GUESS_WAV:
        return "looks like a WAV file: --skip-bytes leaves out its header, "
               "usually 44 bytes";
    case GUESS_UTF16:
        return "looks like UTF-16: iconv -f UTF-16 -t UTF-8 makes text that is "
               "read";
    case GUESS_SAM:
        return "looks like SAM: --seq counts its reads";
    case GUESS_GENBANK:
        return "looks like GenBank, which is not read: convert it to FASTA";
    case GUESS_JSON_ARRAY:
        return "looks like an array of JSON: jq -c '.[]' makes lines for "
               "--jsonl";
    case GUESS_JSON_SPREAD:
        return "looks like JSON in several lines: jq -c . makes lines for "
               "--jsonl";
    case GUESS_JSON:
        return "looks like JSON: --jsonl reads an object in each line";
    case GUESS_NPY:
        return "looks like a numpy file: --npy counts its values";
    case GUESS_SAFETENSORS:
        return "looks like safetensors: --safetensors counts its arrays, "
               "--array=NAME one of them";
    default:
        return "looks like something else";
    }
}

void
advice_put_looks(struct messages *messages, const struct inputs *inputs,
                 bool have_failed)
{
    struct looks looks = findings_look(inputs, have_failed);

    if (looks.count == 0 || messages->is_quiet)
        return;
    messages_put_inputs(messages, looks.first, looks.count,
                        advice_on(looks.guess));
}

/* Returns how to count content that looks like GUESS. */
static const char *
option_for(enum guess guess)
{
    switch (guess) {
    case GUESS_NPY:
        return "looks like a numpy file: --npy counts its values";
    case GUESS_SAFETENSORS:
        return "looks like safetensors: --safetensors counts its arrays, "
               "--array=NAME one of them";
    case GUESS_IMAGE:
        return "looks like an image: --image counts its pixels";
    case GUESS_OTHER_IMAGE:
        return "looks like an image: magick IMAGE ppm:- | gpuhist --image "
               "counts its pixels";
    case GUESS_FASTA:
        return "looks like FASTA: --seq counts its bases, --kmers=K its k-mers";
    case GUESS_BAM:
        return "looks like BAM: --seq counts its bases, --seq -f quality its "
               "qualities";
    case GUESS_SAM:
        return "looks like SAM: --seq counts its bases, --seq -f quality its "
               "qualities";
    case GUESS_FASTQ:
        return "looks like FASTQ: --seq counts its bases, --seq -f quality its "
               "qualities";
    case GUESS_CSV:
        return "looks like CSV: --csv -f 1 counts the values of the first "
               "column, -f NAME those of another";
    case GUESS_TSV:
        return "looks like text with tabs: --tsv -f 1 counts the values of the "
               "first column, -f NAME those of another";
    case GUESS_JSON:
        return "looks like JSON: --jsonl -f NAME counts the values of a field";
    case GUESS_LINES:
        return "looks like text: --lines counts its lines, --words its words";
    default:
        return NULL;
    }
}

/* Whether no option says what to count, so that bytes are counted. */
static bool
is_left_open(const struct options *options)
{
    const struct spec_options *spec = &options->spec;

    return options_are_of_bytes(options) && spec->fields.count == 0 &&
           spec->where.count == 0 && options->skip_bytes == 0 &&
           options->decompress != DECOMPRESS_NONE;
}

bool
advice_put_countable(struct messages *messages, const struct options *options,
                     const struct inputs *inputs)
{
    struct error note = ERROR_NONE;

    if (messages->is_quiet || !is_left_open(options) || !isatty(STDERR_FILENO))
        return false;
    struct looks looks = findings_look_countable(inputs);
    const char *option = option_for(looks.guess);
    if (option == NULL)
        return false;
    error_set(&note, EXIT_DATA, "bytes were counted, but %s %s", looks.first,
              option);
    messages_put(messages, "", note.text);
    error_clear(&note);
    return true;
}

void
advice_put_bases(struct messages *messages, const struct options *options,
                 const struct spec *spec)
{
    const struct figures *figures = &options->report.figures;
    bool is_chosen = options->spec.fields.count > 0 || spec->group_count > 0;

    if (messages->is_quiet || is_chosen || figures->count == 0 ||
        spec->kind != SPEC_SEQUENCES ||
        spec->text_fields.field[0].part != TEXT_PART_BASE)
        return;
    for (size_t i = 0; i < figures->count; i++) {
        if (figures->figure[i].kind != FIGURE_COUNT &&
            figures->figure[i].kind != FIGURE_RECORDS)
            return;
    }
    messages_put(messages, "warning: ",
                 "these are bases; -f length --columns=count counts reads");
}

/* Whether standard input is read: without a file, or as "-". */
static bool
reads_stdin(const struct options *options)
{
    const struct provenance *provenance = &options->provenance;

    if (options->files0_from != NULL && strcmp(options->files0_from, "-") == 0)
        return true;
    if (provenance->paths == NULL)
        return options->files0_from == NULL;
    for (size_t i = 0; i < provenance->path_count; i++) {
        if (strcmp(provenance->paths[i], "-") == 0)
            return true;
    }
    return false;
}

void
advice_put_long(struct messages *messages, const struct options *options,
                uint64_t lines, size_t rows)
{
    const struct report_options *report = &options->report;
    bool has_order =
        (report_formats[report->format].unsupported & REPORT_ORDER) == 0;
    bool is_chosen = report->top != 0 || report->top_each != 0 ||
                     report->full || report->profile;
    struct error note = ERROR_NONE;

    if (messages->is_quiet || !has_order || is_chosen ||
        options->spec.spectrum || options->plan.per_file ||
        !isatty(STDERR_FILENO) || lines <= rows)
        return;
    error_set(&note, EXIT_DATA,
              "%" PRIu64 " lines: --top=20 prints the greatest counts, "
              "--plot=only a picture",
              lines);
    messages_put(messages, "", note.text);
    error_clear(&note);
}

void
advice_put_terminal(struct messages *messages, const struct options *options)
{
    if (messages->is_quiet || !reads_stdin(options) || !isatty(STDIN_FILENO))
        return;
    messages_put(messages, "",
                 "standard input is a terminal: Ctrl-D at the start of a line "
                 "ends it (--help shows how to name files)");
}
