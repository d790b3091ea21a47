/* SPDX-License-Identifier: MIT */
/*
 * main.c -- the order of work
 *
 * On a signal, a separate thread (signals.h) ends the process; with
 * --interrupted=print, the partial counts are printed first.
 */

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/confinement.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/machine.h"
#include "base/scratch_file.h"
#include "base/visible.h"
#include "cli/advice.h"
#include "cli/driver_end.h"
#include "cli/information.h"
#include "cli/merging.h"
#include "cli/messages.h"
#include "cli/option_parse.h"
#include "cli/options.h"
#include "cli/passes.h"
#include "cli/results.h"
#include "cli/signals.h"
#include "engine/gpu/cuda/engine_cuda.h"
#include "input/read/inputs.h"

/*
 * Open the descriptors 0 to 2 if closed: otherwise a file or device opened
 * later would become standard output by accident.  Each is opened in the wrong
 * direction, so any use fails.
 */
static void
guard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

/* ---- names of inputs: --files0-from ---- */

struct file_names {
    char *text;
    char **path; /* COUNT of them, in TEXT */
    size_t count;
    uint64_t bytes; /* of memory, with the slots of the inputs */
};

/* Set *ERROR: COUNT names or more do not fit into LIMIT bytes.  Returns -1. */
static int
fail_limit(const char *file, size_t count, uint64_t limit, struct error *error)
{
    error_set(error, EXIT_DATA,
              "--files0-from=%s: %zu names or more do not fit into "
              "--memory-limit, %llu bytes: each takes its length and %zu bytes",
              file, count, (unsigned long long)limit, inputs_name_bytes());
    return -1;
}

/* Returns how many NULs are in the SIZE bytes of TEXT. */
static size_t
count_ends(const char *text, size_t size)
{
    size_t ends = 0;

    for (size_t i = 0; i < size; i++)
        ends += text[i] == '\0';
    return ends;
}

/*
 * Read all of STREAM to NAMES->text, with a NUL, as long as the text fits into
 * LIMIT bytes.  Sets *SIZE, which excludes the NUL.  Returns 0, or -1 with
 * *ERROR set.
 */
static int
read_text(struct file_names *names, FILE *stream, const char *file,
          uint64_t limit, size_t *size, struct error *error)
{
    size_t room = 4096;

    *size = 0;
    for (;;) {
        char *grown = realloc(names->text, room);
        if (grown == NULL)
            return error_fail_memory(error);
        names->text = grown;
        *size += fread(grown + *size, 1, room - 1 - *size, stream);
        if (*size < room - 1)
            break;
        if (*size > limit)
            return fail_limit(file, count_ends(grown, *size), limit, error);
        room *= 2;
    }
    names->text[*size] = '\0';
    if (ferror(stream) == 0)
        return 0;
    error_set(error, EXIT_DATA, "--files0-from=%s: read error: %s", file,
              strerror(errno));
    return -1;
}

/* Set *ERROR: NAME, the last of NAMES, has line feeds, and no file has it. */
static void
fail_lines(const struct file_names *names, const char *name, const char *file,
           struct error *error)
{
    char shown[VISIBLE_BYTES];

    error_set(error, EXIT_DATA,
              "--files0-from=%s: name %zu, '%s', is not a file: a NUL ends a "
              "name, not a line feed (tr '\\n' '\\0' makes them NULs)",
              file, names->count, visible_name(shown, name, strlen(name)));
}

/* Set the paths to the names in SIZE bytes of text, if the paths fit into LIMIT
   bytes. */
static int
divide(struct file_names *names, size_t size, const char *file, uint64_t limit,
       struct error *error)
{
    bool is_stdin = strcmp(file, "-") == 0;
    size_t most = count_ends(names->text, size) + 1;

    names->bytes = size + most * inputs_name_bytes();
    if (names->bytes > limit)
        return fail_limit(file, most - 1, limit, error);
    names->path = calloc(most, sizeof *names->path);
    if (names->path == NULL)
        return error_fail_memory(error);
    for (char *name = names->text; name < names->text + size;
         name += strlen(name) + 1) {
        names->path[names->count++] = name;
        if (*name == '\0')
            error_set(error, EXIT_DATA, "--files0-from=%s: name %zu is empty",
                      file, names->count);
        else if (strchr(name, '\n') != NULL && access(name, F_OK) < 0)
            fail_lines(names, name, file, error);
        else if (is_stdin && strcmp(name, "-") == 0)
            error_set(error, EXIT_DATA,
                      "--files0-from=-: name %zu is standard input, which has "
                      "the names",
                      names->count);
        if (error->status != EXIT_DONE)
            return -1;
    }
    return 0;
}

/*
 * Read names from FILE, "-" for standard input.  Each name ends with a NUL; the
 * last NUL may be missing.  Names and the slots of their inputs may take LIMIT
 * bytes of memory; more is an error.  Returns 0, or -1 with *ERROR set; the
 * caller calls file_names_close() in both cases.
 */
static int
file_names_read(struct file_names *names, const char *file, uint64_t limit,
                struct error *error)
{
    bool is_stdin = strcmp(file, "-") == 0;
    size_t size;

    *names = (struct file_names){0};
    FILE *stream = is_stdin ? stdin : fopen(file, "rb");
    if (stream == NULL) {
        error_set(error, EXIT_DATA, "--files0-from=%s: %s", file,
                  strerror(errno));
        return -1;
    }
    int result = read_text(names, stream, file, limit, &size, error);
    if (!is_stdin)
        fclose(stream);
    return result < 0 ? -1 : divide(names, size, file, limit, error);
}

static void
file_names_close(struct file_names *names)
{
    free(names->path);
    free(names->text);
    *names = (struct file_names){0};
}

/*
 * If --files0-from is given, read the paths to NAMES, let OPTIONS point to
 * NAMES, and lower the memory limit of OPTIONS by the memory of NAMES.  Returns
 * 0, or -1 with *ERROR set.
 */
static int
read_names(struct options *options, struct file_names *names,
           struct error *error)
{
    if (options->files0_from == NULL)
        return 0;
    if (file_names_read(names, options->files0_from, options->plan.memory_limit,
                        error) < 0)
        return -1;
    options->plan.memory_limit -= names->bytes;
    options->provenance.paths = names->path;
    options->provenance.path_count = names->count;
    if ((!options->image && !options->npy && !options->safetensors) ||
        names->count > 0)
        return 0;
    error_set(error, EXIT_DATA, "--files0-from=%s: names no %s",
              options->files0_from, options->image ? "image" : "file");
    return -1;
}

/* ---- the order of work ---- */

/*
 * Confine the process to what a run without devices does.  Drivers of devices
 * start programs and write files that only they know.
 */
static void
confine(const struct options *options, struct messages *messages)
{
    const char *const files[] = {options->output, options->equalize,
                                 options->svg, options->state};
    struct error refused = ERROR_NONE;
    struct confinement confinement;

    if (!IS_HARDENED || (options->plan.device != DEVICE_CPU && !options->merge))
        return;
    confinement_begin(&confinement);
    confinement_allow_directory(&confinement, scratch_file_directory());
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (files[i] != NULL)
            confinement_allow_output(&confinement, files[i]);
    }
    if (confinement_enter(&confinement, &refused) < 0 && messages->is_verbose)
        messages_put(messages, "", refused.text);
    error_clear(&refused);
}

/*
 * Start the thread that waits for signals.  On failure the run goes on, unless
 * the thread is needed: to remove temporary files, or for --interrupted=print.
 * Returns 0, or -1 with *ERROR set.
 */
static int
wait_for_signals(struct signals *signals, const struct options *options,
                 struct messages *messages, struct error *error)
{
    struct error refused = ERROR_NONE;
    enum status_line_when progress = options->progress;

    if (progress == STATUS_LINE_AUTO && options->quiet)
        progress = STATUS_LINE_NEVER;
    if (signals_open(signals, progress, &refused) == 0)
        return 0;
    if (results_have_files(options) ||
        options->interrupted == INTERRUPTED_PRINT) {
        error_move(error, &refused);
        return -1;
    }
    if (messages->is_verbose)
        messages_put(messages, "", refused.text);
    error_clear(&refused);
    return 0;
}

/*
 * Do what the command line says; unless MAY_USE_DEVICES, on the CPU.  Returns
 * the exit status or exits.
 */
static enum exit_status
work(int argc, char **argv, bool may_use_devices, struct signals *signals)
{
    struct messages messages = {0};
    struct options options;
    struct cu_visible visible = {0};
    struct error error = ERROR_NONE;

    if (option_parse(&options, argc, argv, &error) < 0)
        return messages_put_error(&messages, &error);
    messages.is_quiet = options.quiet;
    messages.is_verbose = options.verbose;
    options.plan.visible = &visible;
    if (!may_use_devices)
        options_forgo_devices(&options);
    /* Number the devices as nvidia-smi does. */
    if (options.plan.device != DEVICE_CPU)
        setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 0);
    /* OpenCL's devices depend on the same variable. */
    if (options.action == ACTION_COUNT && !options.merge &&
        (options.plan.device == DEVICE_CUDA ||
         options.plan.device == DEVICE_AUTO))
        cu_visible_narrow(&visible, CU_CAPABILITIES, options.plan.gpu,
                          options.plan.gpu_count);

    if (options.action != ACTION_COUNT &&
        options.action != ACTION_LIST_STRATEGIES)
        return information_put(&options, NULL, &messages);
    confine(&options, &messages);
    options.plan.memory_limit =
        plan_memory_limit(&options.plan, machine_memory());
    struct file_names names = {0};
    enum exit_status status;
    if (options.action == ACTION_COUNT)
        advice_put_terminal(&messages, &options);
    if (read_names(&options, &names, &error) < 0 ||
        wait_for_signals(signals, &options, &messages, &error) < 0)
        status = messages_put_error(&messages, &error);
    else if (options.merge)
        status = merging_run(&options, signals, &messages);
    else
        status = passes_run(&options, signals, &messages);
    file_names_close(&names);
    return status;
}

int
main(int argc, char **argv)
{
    /* Static, because other threads use SIGNALS after main() has returned. */
    static struct signals signals;

    heap_take_more();
    signals_start();
    guard_descriptors();
    bool is_restarted = driver_end_guard(&signals.outputs, &signals.line, argv);
    /* Only for the names in messages; LC_NUMERIC stays "C". */
    setlocale(LC_CTYPE, "");
    return driver_end_return(work(argc, argv, !is_restarted, &signals));
}
