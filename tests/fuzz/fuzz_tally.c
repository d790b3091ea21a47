/* SPDX-License-Identifier: MIT */
/*
 * fuzz_tally.c -- counting records of any kind, every way that there is
 *
 * The first arguments are a command line, up to an empty one; records made of
 * the rest of the data are counted by it.  record_count_reference(), which is
 * binning.h alone, is what the others are compared with.
 */

#include "../count_shared.h"
#include "base/writer.h"
#include "cli/option_parse.h"
#include "engine/cpu/cells/record_count.h"
#include "fuzz.h"
#include "hist/rebin.h"
#include "hist/spec.h"
#include "report/report.h"
#include "run/auto_range.h"

#define WORDS_MAX 12 /* of the command line */
#define MEMORY_BYTES ((uint64_t)1 << 20)
#define HISTOGRAM_MAX ((uint64_t)80000) /* numbers in one */
#define DATA_BYTES ((size_t)6 << 10)
#define RECORDS_MAX 300 /* more than a row */
#define REPORTED_CELLS_MAX 2000

static unsigned char records[DATA_BYTES];

/* Fill RECORDS from the data, again and again, a bit different each time. */
static size_t
fill(const struct fuzz *fuzz, size_t record_bytes)
{
    size_t most = DATA_BYTES / record_bytes;
    size_t size = (most < RECORDS_MAX ? most : RECORDS_MAX) * record_bytes;
    unsigned char shift = 0;

    if (fuzz->size == 0)
        return 0;
    for (size_t done = 0; done < size; shift++) {
        size_t piece = size - done < fuzz->size ? size - done : fuzz->size;
        memcpy(records + done, fuzz->data, piece);
        records[done + shift % piece] =
            (unsigned char)(records[done + shift % piece] + shift);
        done += piece;
    }
    return size;
}

typedef void tally_fn(const struct spec *spec, const unsigned char *data,
                      size_t size, struct histogram *histogram);

/*
 * Count the first PIECE of the SIZE bytes and then the rest; axes may grow in
 * between.
 */
static void
count(struct auto_range *ranging, tally_fn *tally, size_t size, size_t piece,
      struct histogram *histogram)
{
    size_t bytes = ranging->first->record.bytes;
    const struct spec *spec = ranging->current;

    memset(histogram->value, 0,
           histogram->cells * histogram->planes * sizeof(uint64_t));
    for (size_t done = 0; done < size; done += piece) {
        if (done > 0 || piece > size)
            piece = size - done;
        const struct spec *next =
            auto_range_extend(ranging, records + done, piece);
        if (next == NULL || rebin_histogram(spec, next, histogram) < 0)
            abort();
        spec = next;
        tally(spec, records + done, piece, histogram);
    }
    /* A sum has one form only when all is carried in. */
    if (spec->has_weights)
        histogram_carry(histogram, spec->weight.type);
    fuzz_must(spec_adds_up(spec, histogram, size / bytes),
              "each record is counted once");
}

static void
drain_to_stream(struct writer *writer)
{
    size_t size = (size_t)(writer->at - writer->room);

    if (fwrite(writer->room, 1, size, writer->context) != size)
        abort();
    writer->at = writer->room;
}

/* Whether what is printed adds up to RECORDS on each axis. */
static void
check_report(const struct spec *spec, struct histogram *histogram,
             uint64_t count)
{
    const struct report_options options = {.flow = FLOW_SHOW};
    struct report report = {
        .spec = spec, .histogram = histogram, .options = &options};
    struct report_hidden hidden;
    struct error error = ERROR_NONE;
    struct writer writer;
    char room[1024];
    char *text = NULL;
    size_t size = 0;
    uint64_t sum = 0;

    spec_find_ranges(spec, histogram);
    if (spec_fold(spec, histogram) < 0)
        abort();
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        abort();
    writer_open_room(&writer, room, sizeof room, drain_to_stream, out);
    fuzz_must(report_print(&writer, &report, &error) == 0 &&
                  writer_flush(&writer) == 0 &&
                  report_hidden(&report, &hidden, &error) == 0 &&
                  hidden.flow == 0 && hidden.other == 0,
              "nothing is hidden");
    fclose(out);
    for (char *line = text; *line != '\0';) {
        char *end = strchr(line, '\n');
        fuzz_must(end != NULL, "lines");
        *end = '\0';
        char *last = strrchr(line, '\t');
        fuzz_must(last != NULL, "columns");
        sum += strtoull(last + 1, NULL, 10);
        line = end + 1;
    }
    fuzz_must(spec->has_weights || sum == count * spec_histograms(spec),
              "the lines add up");
    free(text);
}

/* record_count_shared() by one thread. */
static void
count_shared(const struct spec *spec, const unsigned char *data, size_t size,
             struct histogram *histogram)
{
    count_shared_within(spec, data, size, 0, histogram);
}

static void
check(const struct spec *spec, size_t size)
{
    static const struct {
        const char *name;
        tally_fn *tally;
    } hows[] = {
        {"record_count_fast() agrees", record_count_fast},
        {"record_count_shared() agrees", count_shared},
    };
    size_t bytes = spec->record.bytes;
    size_t piece = (size / bytes / 8 + 1) * bytes;
    struct histogram wanted = {0};
    struct histogram got = {0};
    struct auto_range ranging;

    if (histogram_open(&wanted, spec->cells, spec->planes) < 0 ||
        histogram_open(&got, spec->cells, spec->planes) < 0 ||
        auto_range_open(&ranging, spec) < 0)
        abort();
    count(&ranging, record_count_reference, size, size, &wanted);
    for (size_t i = 0; i < sizeof hows / sizeof *hows; i++) {
        struct auto_range again;
        if (spec->has_weights && hows[i].tally == count_shared)
            continue;
        if (auto_range_open(&again, spec) < 0)
            abort();
        count(&again, hows[i].tally, size, piece, &got);
        fuzz_must(memcmp(got.value, wanted.value,
                         spec->cells * spec->planes * sizeof(uint64_t)) == 0,
                  hows[i].name);
        auto_range_close(&again);
    }
    if (spec->shown_cells <= REPORTED_CELLS_MAX)
        check_report(auto_range_current(&ranging), &wanted, size / bytes);
    auto_range_close(&ranging);
    histogram_close(&wanted);
    histogram_close(&got);
}

/* What the command line asks for; -1: nothing that can be counted here. */
static int
make_spec(struct spec *spec, struct fuzz_line *line, struct error *error)
{
    struct options options;

    if (option_parse(&options, line->argc, line->argv, error) < 0 ||
        options.image || text_options_are_given(&options.spec.text))
        return -1;
    for (size_t i = 0; i < options.spec.axis.edges.count; i++) {
        if (*options.spec.axis.edges.text[i] == '@')
            return -1;
    }
    options.plan.memory_limit = MEMORY_BYTES;
    return spec_make(spec, &options.spec, NULL, options.plan.memory_limit,
                     error);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = {data, size};
    struct fuzz_line line;
    struct spec spec = {0};
    struct error error = ERROR_NONE;

    fuzz_take_line(&fuzz, &line, WORDS_MAX, true);
    if (make_spec(&spec, &line, &error) == 0 &&
        spec.cells * spec.planes <= HISTOGRAM_MAX)
        check(&spec, fill(&fuzz, spec.record.bytes));
    spec_close(&spec);
    error_clear(&error);
    fuzz_free_line(&line);
    return 0;
}
