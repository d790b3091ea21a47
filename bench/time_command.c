/* SPDX-License-Identifier: MIT */
/*
 * time_command.c -- run commands in turn, several times, and print their costs
 *
 *     time_command -H
 *     time_command [-n RUNS] [-m LEAST] [-s SECONDS] [-e EXPECTED]
 *                  [-i INPUT] [-d DATA] [-b BYTES] <PLAN
 *
 * PLAN has a line for each command, with fields separated by tabs: its NAME in
 * the table; FLAGS; the file for its standard input; the words of the command.
 * The word | starts the next command of a pipeline.  FLAGS are any of
 *
 *     w  the first command of the pipeline only writes the input of the others:
 *        its processor time and memory are not counted
 *     c  the output of the last command must equal the file EXPECTED
 *
 * No shell is involved.  The program measures the time from the first fork to
 * the last exit, and takes processor time and memory from the kernel.
 *
 * Each round runs each command once, so that a change of the machine's speed
 * affects all commands alike.  A command takes part in RUNS rounds.  It takes
 * part in fewer rounds, but at least LEAST, if it would take more than SECONDS
 * in total.  The first command of PLAN is the limit.  It takes part in all
 * rounds; the others are compared with its run in the same round.  If RUNS is
 * more than WARM_RUNS, an additional first round is not counted.
 *
 * The program prints a line for each command; -H prints the names of the
 * columns.  INPUT, DATA and BYTES describe the input.
 *
 *     wall_ms       median of the wall time
 *     deviation_ms  median distance from wall_ms
 *     cpu_ms        median of user and system time
 *     peak_KiB      largest resident memory of any process of the command; at
 *                   least the memory of this program, which it is forked from
 *     GB/s          BYTES / wall_ms
 *     of_limit      median of the limit's time / the command's time
 *
 * Exit status: 1 if a command fails or prints wrong output, 2 if the options or
 * PLAN are wrong.
 */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    RUNS_MAX = 1000,
    COMMANDS_MAX = 64,
    STAGES_MAX = 8,
    ANSWER_BYTES_MAX = 1 << 16,
    WARM_RUNS = 10,
};

static const char columns[] =
    "input\tdata\tbytes\tprogram\truns\twall_ms\tleast_ms\tdeviation_ms\t"
    "cpu_ms\tcpu_s_per_GB\tpeak_KiB\tGB/s\tof_limit\n";

struct settings {
    int runs;
    int runs_min;
    double milliseconds;
    const char *expected_name;
    const char *input;
    const char *data;
    double bytes;
};

/* The expected output of checked commands, and the file for all output. */
struct answer {
    char text[ANSWER_BYTES_MAX];
    size_t bytes;
    int output;
};

struct cost {
    double wall; /* milliseconds */
    double cpu;
    long peak; /* KiB */
};

struct command {
    char *line; /* the other strings point into it */
    const char *name;
    const char *file;
    char **words; /* a NULL after each command of the pipeline */
    char **stages[STAGES_MAX];
    int stage_count;
    bool has_writer;
    bool is_checked;
    /* Measurements. */
    double wall[RUNS_MAX];
    double cpu[RUNS_MAX];
    double of_limit[RUNS_MAX];
    double spent; /* milliseconds */
    long peak;
    int runs;
};

static void
complain(const char *what, const char *why)
{
    fprintf(stderr, "time_command: %s: %s\n", what, why);
}

static double
milliseconds(struct timeval time)
{
    return (double)time.tv_sec * 1e3 + (double)time.tv_usec * 1e-3;
}

static double
now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static int
compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The median of VALUES, which are sorted in place. */
static double
median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/*
 * Read the first bytes of FILE into TEXT, of ANSWER_BYTES_MAX.  Returns the
 * number of bytes, which also detects excess output.
 */
static size_t
read_text(int file, char *text)
{
    ssize_t got = pread(file, text, ANSWER_BYTES_MAX, 0);

    return got < 0 ? 0 : (size_t)got;
}

/* Open ANSWER, and read the file NAME unless it is NULL.  Returns 0 or -1. */
static int
open_answer(struct answer *answer, const char *name)
{
    /* In memory, so that printing costs almost nothing. */
    answer->output = memfd_create("output", MFD_CLOEXEC);
    if (answer->output < 0) {
        complain("output", strerror(errno));
        return -1;
    }
    if (name == NULL)
        return 0;
    int file = open(name, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        complain(name, strerror(errno));
        return -1;
    }
    answer->bytes = read_text(file, answer->text);
    close(file);
    return 0;
}

/* Start WORDS with this standard INPUT and OUTPUT.  Returns the pid, or -1. */
static pid_t
start(char **words, int input, int output)
{
    pid_t parent = getpid();
    pid_t child = fork();

    if (child != 0)
        return child;
    /* No command outlives this program. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    execvp(words[0], words);
    complain(words[0], strerror(errno));
    _exit(127);
}

/*
 * Start all commands of a pipeline; the last one prints to OUTPUT.  Closes
 * INPUT.  Returns the number of commands started; fewer than all after an
 * error.
 */
static int
start_all(const struct command *command, int input, int output, pid_t *pids)
{
    int started = 0;

    for (; started < command->stage_count; started++) {
        bool is_last = started + 1 == command->stage_count;
        int ends[2] = {-1, output};
        if (!is_last && pipe2(ends, O_CLOEXEC) < 0)
            break;
        pids[started] = start(command->stages[started], input, ends[1]);
        close(input);
        input = ends[0];
        if (!is_last)
            close(ends[1]);
        if (pids[started] < 0)
            break;
    }
    if (input >= 0)
        close(input);
    if (started < command->stage_count)
        complain(command->name, strerror(errno));
    return started;
}

/* Run COMMAND once.  Returns 0 with *COST set, or -1. */
static int
run(const struct command *command, int output, struct cost *cost)
{
    pid_t pids[STAGES_MAX];
    int input = open(command->file, O_RDONLY | O_CLOEXEC);
    int result = 0;

    *cost = (struct cost){0};
    if (input < 0) {
        complain(command->file, strerror(errno));
        return -1;
    }
    double start_time = now();
    int started = start_all(command, input, output, pids);
    if (started < command->stage_count)
        result = -1;
    for (int i = 0; i < started; i++) {
        struct rusage usage;
        int status;
        pid_t pid = wait4(-1, &status, 0, &usage);
        if (pid < 0)
            return -1;
        if (status != 0) {
            complain(command->name, "the command failed");
            result = -1;
        }
        if (command->has_writer && pid == pids[0])
            continue;
        cost->cpu +=
            milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
        if (cost->peak < usage.ru_maxrss)
            cost->peak = usage.ru_maxrss;
    }
    cost->wall = now() - start_time;
    return result;
}

/* Run COMMAND once and check its output.  Returns 0 or -1. */
static int
run_checked(const struct command *command, const struct answer *answer,
            struct cost *cost)
{
    static char text[ANSWER_BYTES_MAX];

    if (lseek(answer->output, 0, SEEK_SET) < 0 ||
        ftruncate(answer->output, 0) < 0) {
        complain("output", strerror(errno));
        return -1;
    }
    if (run(command, answer->output, cost) < 0)
        return -1;
    if (command->is_checked &&
        (read_text(answer->output, text) != answer->bytes ||
         memcmp(text, answer->text, answer->bytes) != 0)) {
        complain(command->name, "WRONG: its counts differ from those expected");
        return -1;
    }
    return 0;
}

/* Split LINE into fields; COMMAND takes ownership of LINE.  Returns 0 or -1. */
static int
parse(struct command *command, char *line)
{
    size_t words = 2; /* the field before the first tab, and a NULL */
    size_t count = 0;

    command->line = line;
    line[strcspn(line, "\n")] = '\0';
    for (const char *c = line; *c != '\0'; c++)
        words += *c == '\t';
    command->words = calloc(words, sizeof *command->words);
    if (command->words == NULL)
        return -1;

    command->name = strsep(&line, "\t");
    const char *flags = strsep(&line, "\t");
    command->file = strsep(&line, "\t");
    if (line == NULL)
        return -1;
    command->has_writer = strchr(flags, 'w') != NULL;
    command->is_checked = strchr(flags, 'c') != NULL;
    command->stages[command->stage_count++] = command->words;
    for (char *word; (word = strsep(&line, "\t")) != NULL; count++) {
        if (strcmp(word, "|") != 0) {
            command->words[count] = word;
        } else if (command->stage_count < STAGES_MAX) {
            command->stages[command->stage_count++] =
                command->words + count + 1;
        } else {
            return -1;
        }
    }
    return 0;
}

/* Read PLAN from standard input.  Returns the number of commands, or -1. */
static int
read_plan(struct command **commands)
{
    int count = 0;
    char *line = NULL;
    size_t room = 0;

    while (getline(&line, &room, stdin) >= 0) {
        if (count == COMMANDS_MAX)
            break;
        commands[count] = calloc(1, sizeof **commands);
        if (commands[count] == NULL)
            break;
        int result = parse(commands[count++], line);
        line = NULL;
        room = 0;
        if (result < 0)
            break;
    }
    free(line);
    return feof(stdin) && count > 0 ? count : -1;
}

/* Whether COMMAND may run once more. */
static bool
wants_more(const struct command *command, const struct settings *settings)
{
    int runs = command->runs;

    if (runs >= settings->runs)
        return false;
    return runs < settings->runs_min ||
           command->spent * (runs + 1) / runs <= settings->milliseconds;
}

/*
 * Run the first command and each other command that may run once more.  The
 * order alternates between rounds, so that a command does not always follow the
 * same one.  Returns 0 or -1.
 */
static int
run_round(struct command **commands, int count, int round,
          const struct settings *settings, const struct answer *answer)
{
    bool is_warming_up = round == 0 && settings->runs > WARM_RUNS;

    for (int i = 0; i < count; i++) {
        int place = round % 2 == 0 ? i : count - 1 - i;
        struct command *command = commands[place];
        struct cost cost;
        if (place > 0 && !wants_more(command, settings))
            continue;
        if (run_checked(command, answer, &cost) < 0)
            return -1;
        if (is_warming_up)
            continue;
        command->wall[command->runs] = cost.wall;
        command->cpu[command->runs] = cost.cpu;
        command->runs++;
        command->spent += cost.wall;
        if (command->peak < cost.peak)
            command->peak = cost.peak;
    }
    return 0;
}

/* Measure all COMMANDS.  Returns 0 or -1. */
static int
measure(struct command **commands, int count, const struct settings *settings,
        const struct answer *answer)
{
    bool is_more = true;

    for (int round = 0; is_more; round++) {
        if (run_round(commands, count, round, settings, answer) < 0)
            return -1;
        /* Stop when only the limit may run; but it may be the only command. */
        is_more = false;
        for (int i = count > 1; i < count; i++)
            is_more = is_more || wants_more(commands[i], settings);
    }
    /* Run n of each command is from round n, as is the limit's run n. */
    for (int i = 0; i < count; i++) {
        for (int n = 0; n < commands[i]->runs; n++)
            commands[i]->of_limit[n] =
                commands[0]->wall[n] / commands[i]->wall[n];
    }
    return 0;
}

/* Print the line of COMMAND.  The measurements are sorted in place. */
static void
print(struct command *command, const struct settings *settings)
{
    int runs = command->runs;
    double wall = median(command->wall, runs);
    double least = command->wall[0];
    double cpu = median(command->cpu, runs);

    for (int i = 0; i < runs; i++) {
        double distance = command->wall[i] - wall;
        command->wall[i] = distance < 0 ? -distance : distance;
    }
    printf("%s\t%s\t%.0f\t%s\t%d\t", settings->input, settings->data,
           settings->bytes, command->name, runs);
    printf("%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%ld\t%.6f\t%.4f\n", wall, least,
           median(command->wall, runs), cpu, cpu / settings->bytes * 1e6,
           command->peak, settings->bytes / wall / 1e6,
           median(command->of_limit, runs));
}

/* Read the options.  Returns 0, or -1 if ARGV is wrong. */
static int
read_options(struct settings *settings, int argc, char **argv)
{
    int option;

    while ((option = getopt(argc, argv, "n:m:s:e:i:d:b:")) != -1) {
        switch (option) {
        case 'n':
            settings->runs = atoi(optarg);
            break;
        case 'm':
            settings->runs_min = atoi(optarg);
            break;
        case 's':
            settings->milliseconds = atof(optarg) * 1e3;
            break;
        case 'e':
            settings->expected_name = optarg;
            break;
        case 'i':
            settings->input = optarg;
            break;
        case 'd':
            settings->data = optarg;
            break;
        case 'b':
            settings->bytes = atof(optarg);
            break;
        default:
            return -1;
        }
    }
    if (settings->runs_min > settings->runs)
        settings->runs_min = settings->runs;
    return optind == argc && settings->runs_min > 0 &&
                   settings->runs <= RUNS_MAX && settings->bytes > 0
               ? 0
               : -1;
}

int
main(int argc, char **argv)
{
    static struct answer answer;
    struct command *commands[COMMANDS_MAX];
    struct settings settings = {
        .runs = 1,
        .runs_min = 1,
        .milliseconds = 1e9,
        .input = "-",
        .data = "-",
        .bytes = 1,
    };

    if (argc == 2 && strcmp(argv[1], "-H") == 0) {
        fputs(columns, stdout);
        return fflush(stdout) != 0;
    }
    if (read_options(&settings, argc, argv) < 0) {
        complain("command line", "wrong options");
        return 2;
    }
    int count = read_plan(commands);
    if (count < 0) {
        complain("plan", "wrong format");
        return 2;
    }
    int result = open_answer(&answer, settings.expected_name);
    if (result == 0)
        result = measure(commands, count, &settings, &answer);
    for (int i = 0; i < count; i++) {
        if (result == 0)
            print(commands[i], &settings);
        free(commands[i]->words);
        free(commands[i]->line);
        free(commands[i]);
    }
    if (fflush(stdout) != 0) {
        complain("standard output", strerror(errno));
        return 1;
    }
    return result == 0 ? 0 : 1;
}
