/*
 * time_command.c -- run a command several times and print what it cost
 *
 *     time_command [-n RUNS] [-i FILE | -p FILE] COMMAND [ARGUMENT]...
 *
 * -i: FILE is the command's standard input.  -p: so is a pipe from a `cat`
 * of FILE.  The command's standard output is dropped.  Prints, separated by
 * tabs: the median and the least wall-clock time from the start of the
 * command to its end, in milliseconds; the median of its user and system
 * time, likewise; its largest resident memory, in KiB.  Exit status 1 if any
 * run fails.
 */

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define RUNS_MAX 1000

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

/* Start ARGV with standard input and output from and to these; -1: as is. */
static pid_t
start(const char *const *argv, int input, int output)
{
    pid_t child = fork();

    if (child != 0)
        return child;
    if (input >= 0)
        dup2(input, STDIN_FILENO);
    if (output >= 0)
        dup2(output, STDOUT_FILENO);
    execvp(argv[0], (char *const *)(uintptr_t)argv); /* it changes none */
    perror(argv[0]);
    _exit(127);
}

int
main(int argc, char **argv)
{
    static double wall[RUNS_MAX];
    static double cpu[RUNS_MAX];
    const char *file = NULL;
    bool is_pipe = false;
    int runs = 1;
    long memory = 0;
    int option;

    while ((option = getopt(argc, argv, "+n:i:p:")) != -1) {
        if (option == 'n') {
            runs = atoi(optarg);
        } else if (option == 'i' || option == 'p') {
            file = optarg;
            is_pipe = option == 'p';
        } else {
            return 2;
        }
    }
    if (optind == argc || runs < 1 || runs > RUNS_MAX)
        return 2;

    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    for (int i = 0; i < runs; i++) {
        int ends[2] = {-1, -1};
        pid_t writer = 0;
        int input = -1;

        if (is_pipe) {
            const char *cat[] = {"cat", file, NULL};
            if (pipe2(ends, O_CLOEXEC) < 0)
                return 1;
            writer = start(cat, -1, ends[1]);
            close(ends[1]);
            input = ends[0];
        } else if (file != NULL) {
            input = open(file, O_RDONLY | O_CLOEXEC);
        }

        struct rusage usage;
        int status;
        double begin = now();
        pid_t child = start((const char *const *)argv + optind, input, nowhere);
        if (input >= 0)
            close(input);
        if (wait4(child, &status, 0, &usage) < 0 || status != 0)
            return 1;
        wall[i] = now() - begin;
        cpu[i] = milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
        memory = usage.ru_maxrss > memory ? usage.ru_maxrss : memory;
        if (writer > 0)
            waitpid(writer, NULL, 0);
    }
    qsort(wall, (size_t)runs, sizeof *wall, compare);
    qsort(cpu, (size_t)runs, sizeof *cpu, compare);
    printf("%.2f\t%.2f\t%.2f\t%ld\n", wall[runs / 2], wall[0], cpu[runs / 2],
           memory);
    return 0;
}
