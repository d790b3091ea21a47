/* information.c -- --help, --version and the lists of devices, strategies */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/machine.h"
#include "base/output.h"
#include "base/writer.h"
#include "cli/driver_end.h"
#include "cli/explain.h"
#include "cli/information.h"
#include "cli/option_table.h"
#include "engine/gpu/cuda/engine_cuda.h"
#include "input/archive/members.h"
#include "input/decode/decoders.h"
#include "text/regex/regex.h"

/* ---- help ---- */

/* The column, from 0, in which the descriptions of options start. */
#define TEXT_COLUMN 26
#define COLUMNS_MAX 79

static const char *const introduction =
    "Usage: gpuhist [OPTION]... [FILE]...\n"
    "Count how often each value occurs in the FILEs.  Print one line for each\n"
    "value: the value, a tab, the count; or for each bin: both edges, the\n"
    "count.  Without options, the values are bytes.\n"
    "\n"
    "Without FILE, or if FILE is -, read standard input.  The counts of\n"
    "several inputs are added up.\n";

static const char *const conclusion =
    "\n"
    "SIZE is a number of bytes with an optional unit: k M G T are powers of\n"
    "1000, Ki Mi Gi Ti of 1024; a B may follow.  Examples: 1e6, 1.5GiB,\n"
    "0x1000.\n"
    "The N of --bins and --top takes the same units.\n"
    "\n"
    "Exit status: 0 everything is counted and printed, 1 bad input or output,\n"
    "2 wrong usage, 3 the requested device is not usable.\n";

/* Print "  -f, --fields=LIST".  Returns the number of characters printed. */
static size_t
put_names(FILE *out, const struct option_row *row)
{
    int length;

    if (row->letter != '\0')
        length = fprintf(out, "  -%c, --%s", row->letter, row->name);
    else
        length = fprintf(out, "      --%s", row->name);
    if (row->argument != NULL)
        length +=
            fprintf(out, row->is_optional ? "[=%s]" : "=%s", row->argument);
    return length > 0 ? (size_t)length : 0;
}

/* Print TEXT, wrapped, on a line that already has COLUMN characters.  A line
   feed in TEXT is a blank. */
static void
put_text(FILE *out, size_t column, const char *text)
{
    /* A long name has a line of its own. */
    if (column >= TEXT_COLUMN) {
        putc('\n', out);
        column = 0;
    }
    while (*text != '\0') {
        size_t length = strcspn(text, " \n");
        size_t gap = column < TEXT_COLUMN ? TEXT_COLUMN - column : 1;

        if (column + gap + length > COLUMNS_MAX) {
            putc('\n', out);
            column = 0;
            gap = TEXT_COLUMN;
        }
        fprintf(out, "%*s%.*s", (int)gap, "", (int)length, text);
        column += gap + length;
        text += length + (text[length] != '\0');
    }
    putc('\n', out);
}

static void
put_row(FILE *out, const struct option_row *row)
{
    const char *place = strstr(row->help, "%w");
    char words[OPTION_LIST_BYTES];
    char text[2 * OPTION_LIST_BYTES];

    if (place == NULL) {
        snprintf(text, sizeof text, "%s", row->help);
    } else {
        option_row_list_words(row, words);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(place - row->help),
                 row->help, words, place + 2);
    }
    put_text(out, put_names(out, row), text);
}

void
information_put_help(FILE *out)
{
    fputs(introduction, out);
    for (size_t i = 0; i < option_count; i++) {
        if (option_table[i].heading != NULL)
            fprintf(out, "\n%s:\n", option_table[i].heading);
        put_row(out, &option_table[i]);
    }
    fputs(conclusion, out);
}

/* ---- devices ---- */

/*
 * The number of devices of a kind: COUNT, or 0 if COUNT is -1.  In this case -v
 * prints WHY.  WHY is cleared.
 */
static int
devices_found(int count, struct error *why, struct messages *messages)
{
    if (count >= 0)
        return count;
    if (messages->is_verbose)
        messages_put(messages, "no GPU: ", why->text);
    error_clear(why);
    return 0;
}

/*
 * Find the devices that --device allows, for free_devices(); -v prints why a
 * kind has none.
 */
static void
find_devices(const struct options *options, struct devices *devices,
             struct messages *messages)
{
    struct error missing = ERROR_NONE;

    *devices = (struct devices){0};
    if (options->plan.device == DEVICE_CPU)
        return;
    driver_end_bound(options->plan.gpu_timeout, EXIT_NO_DEVICE,
                     "a GPU's driver did not answer within --gpu-timeout");
    if (options->plan.device != DEVICE_OPENCL)
        devices->cuda_count = devices_found(
            engine_cuda_list(&devices->cuda, &missing), &missing, messages);
    if (options->plan.device != DEVICE_CUDA)
        devices->opencl_count = devices_found(
            cl_devices_list(&devices->opencl, &missing), &missing, messages);
}

static void
free_devices(struct devices *devices)
{
    free(devices->cuda);
    free(devices->opencl);
}

enum exit_status
information_put(const struct options *options, const struct spec *spec,
                struct messages *messages)
{
    struct error error = ERROR_NONE;
    struct devices devices = {0};
    struct writer writer;
    FILE *out = writer_open_stream(&writer, STDOUT_FILENO);

    if (out == NULL) {
        (void)error_fail_memory(&error);
        return messages_put_error(messages, &error);
    }
    if (options->action == ACTION_HELP) {
        information_put_help(out);
    } else if (options->action == ACTION_VERSION) {
        fputs("gpuhist " VERSION "\n", out);
        decoders_put(out);
        members_put(out);
        regex_put(out);
    } else {
        find_devices(options, &devices, messages);
        if (options->action == ACTION_LIST_DEVICES)
            explain_devices(out, machine_cpus(), &devices);
        else
            explain_strategies(out, spec, &devices);
        free_devices(&devices);
    }
    int result = writer_close_stream(&writer, out) < 0
                     ? output_fail_standard(STDOUT_FILENO, &error)
                     : output_close_stdout(&error);
    return result < 0 ? messages_put_error(messages, &error) : EXIT_DONE;
}
