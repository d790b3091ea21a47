/* SPDX-License-Identifier: MIT */
/*
 * matrix.c -- run a command repeatedly, each time with another failing call
 *
 *     matrix [-p FILE] [-o FILE] [-m LINES] [-c TEXT] [-n FIRST,STEP]
 *            SHIM WANTED COMMAND...
 *
 * COMMAND runs with the preloaded library SHIM (tests/fault/shim.c) and gets
 * the bytes of the file after -p, if any, through a pipe.  Without a fault it
 * must print the contents of the file WANTED.  Then, for each kind of call and
 * each n up to the last call (or every STEP-th from FIRST on), the nth call
 * fails: once alone, and once with all later calls.  With every fault, COMMAND
 * must
 *
 *     end with 0, print WANTED, and nothing on standard error; or
 *     end with 1 to 3, print nothing, and one line on standard error (at most
 *     LINES, if it reads several inputs), which starts with its name, or with
 *     TEXT, if a library ends the process; if a write failed, what it printed
 *     may be cut off.
 *
 * Where memory runs out, no line may say that data are corrupt or truncated.
 *
 * An interrupted read, or a call that does less than requested, must have no
 * effect.  Before each run the file after -o is created with the text "old".
 * After the run it must be the old one, or the one written without a fault,
 * and no other file may be left in its directory.
 *
 * It prints how many faults have fired, and what was wrong.  The status is 0 if
 * nothing was wrong.
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared_fault.h"

/* The time limit of a run, for a loaded machine. */
#define SECONDS_MAX 60

#define REASONS_MAX 3

/*
 * How each kind of call fails.  A reason that is over for good is one that the
 * program must get over, in any case.
 */
static const struct kind {
    const char *name;
    int reason[REASONS_MAX]; /* 0: no further */
    bool is_partial;         /* it may also do less, or be interrupted */
    bool is_output;          /* what was printed until then stays printed */
} kinds[FAULT_CALLS] = {
    [FAULT_NONE] = {"none", {0}, false, false},
    [FAULT_MEMORY] = {"memory", {ENOMEM}, false, false},
    [FAULT_MMAP] = {"mmap", {ENOMEM}, false, false},
    [FAULT_THREAD] = {"thread", {EAGAIN}, false, false},
    [FAULT_OPEN] = {"open", {EMFILE, EACCES, ENOENT}, false, false},
    [FAULT_READ] = {"read", {EIO, EISDIR, EBADF}, true, false},
    [FAULT_PREAD] = {"pread", {EIO, ESTALE}, true, false},
    [FAULT_WRITE] = {"write", {ENOSPC, EIO, EPIPE}, true, true},
    [FAULT_SCRATCH] = {"scratch", {ENOSPC, EIO}, true, false},
    [FAULT_CLOSE] = {"close", {EIO, EDQUOT}, false, true},
    [FAULT_STAT] = {"stat", {EIO, EOVERFLOW}, false, false},
    [FAULT_SEEK] = {"seek", {ESPIPE, EINVAL}, false, false},
    [FAULT_CONTROL] = {"fcntl", {EPERM, EBADF}, false, false},
    [FAULT_ADVICE] = {"advice", {EINVAL, ENOSYS}, false, false},
    [FAULT_SYNC] = {"fsync", {EIO, ENOSPC}, false, false},
    [FAULT_RENAME] = {"rename", {EXDEV, ENOSPC}, false, false},
    [FAULT_RANDOM] = {"random", {ENOSYS}, false, false},
    [FAULT_PATH] = {"path", {EACCES, ELOOP}, false, false},
};

/* The whole of a file in memory. */
struct text {
    char *data;
    size_t size;
};

struct matrix {
    char **command;
    struct text input; /* through a pipe */
    bool has_pipe;
    struct text wanted;
    const char *target;     /* of -o; NULL: none */
    struct text new_target; /* what is in it without a fault */
    unsigned int lines_max;
    const char *complaint; /* of a library; NULL: none */
    struct fault *fault;
    unsigned long first; /* of the calls that fail, and ... */
    unsigned long step;  /* ... those between two of them, and one */
    unsigned long calls[FAULT_CALLS]; /* without a fault */
    int out;                          /* what the command printed ... */
    int err;                          /* ... and complained of */
    unsigned long fired;
    unsigned int bad;
};

/* The test itself has failed. */
static void
give_up(const char *what)
{
    fprintf(stderr, "matrix: %s: %s\n", what, strerror(errno));
    exit(99);
}

/* ---- files ---- */

/* The contents of FD, from its start; for free(). */
static struct text
read_text(int fd)
{
    struct stat status;

    if (fstat(fd, &status) < 0)
        give_up("fstat");
    struct text text = {malloc((size_t)status.st_size + 1),
                        (size_t)status.st_size};
    if (text.data == NULL ||
        pread(fd, text.data, text.size, 0) != (ssize_t)text.size)
        give_up("cannot read");
    text.data[text.size] = '\0';
    return text;
}

static struct text
read_path(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        give_up(path);
    struct text text = read_text(fd);
    close(fd);
    return text;
}

static bool
is_same(const struct text *a, const struct text *b)
{
    return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

/* A file in memory, with a path for others in PATH. */
static int
make_file(const char *name, char *path, size_t path_bytes)
{
    int fd = memfd_create(name, MFD_CLOEXEC);

    if (fd < 0)
        give_up("memfd_create");
    snprintf(path, path_bytes, "/proc/%ld/fd/%d", (long)getpid(), fd);
    return fd;
}

/* ---- the file of -o ---- */

static void
put_target(const struct matrix *matrix)
{
    if (matrix->target == NULL)
        return;
    int fd =
        open(matrix->target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0 || write(fd, "old", 3) != 3 || close(fd) < 0)
        give_up(matrix->target);
}

/* How many files there are in the directory of PATH. */
static unsigned int
count_beside(const char *path)
{
    char *directory = strdup(path);
    unsigned int count = 0;

    if (directory == NULL)
        give_up("strdup");
    char *slash = strrchr(directory, '/');
    if (slash == NULL)
        give_up("-o FILE is to be in a directory of its own");
    *slash = '\0';
    DIR *opened = opendir(directory);
    if (opened == NULL)
        give_up(directory);
    for (const struct dirent *entry; (entry = readdir(opened)) != NULL;)
        count += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
    closedir(opened);
    free(directory);
    return count;
}

/* Whether that file is the old one (not if MUST_BE_NEW) or the new one. */
static bool
is_target_good(const struct matrix *matrix, bool must_be_new)
{
    static char old_text[] = "old";
    const struct text old = {old_text, 3};

    if (matrix->target == NULL)
        return true;
    struct text now = read_path(matrix->target);
    bool is_good = is_same(&now, &matrix->new_target) ||
                   (!must_be_new && is_same(&now, &old));
    free(now.data);
    return is_good && count_beside(matrix->target) == 1;
}

/* ---- one run ---- */

/* A pipe that holds all of the input. */
static int
open_input(const struct matrix *matrix)
{
    int ends[2];

    if (!matrix->has_pipe)
        return open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (pipe2(ends, O_CLOEXEC) < 0)
        give_up("pipe2");
    if (matrix->input.size > 65536)
        give_up("the input does not fit into a pipe");
    if (write(ends[1], matrix->input.data, matrix->input.size) !=
        (ssize_t)matrix->input.size)
        give_up("cannot fill a pipe");
    close(ends[1]);
    return ends[0];
}

static void
run_child(const struct matrix *matrix, int in)
{
    dup2(in, STDIN_FILENO);
    dup2(matrix->out, STDOUT_FILENO);
    dup2(matrix->err, STDERR_FILENO);
    alarm(SECONDS_MAX); /* it outlives exec, and kills */
    execvp(matrix->command[0], matrix->command);
    _exit(127);
}

/* Run the command; returns what waitpid() says of it. */
static int
run(struct matrix *matrix)
{
    int status;
    int in = open_input(matrix);

    if (in < 0 || ftruncate(matrix->out, 0) < 0 ||
        ftruncate(matrix->err, 0) < 0 || lseek(matrix->out, 0, SEEK_SET) < 0 ||
        lseek(matrix->err, 0, SEEK_SET) < 0)
        give_up("cannot prepare a run");
    put_target(matrix);
    for (size_t i = 0; i < FAULT_CALLS; i++)
        atomic_store(&matrix->fault->count[i], 0);
    atomic_store(&matrix->fault->fired, 0);

    pid_t child = fork();
    if (child < 0)
        give_up("fork");
    if (child == 0)
        run_child(matrix, in);
    close(in);
    if (waitpid(child, &status, 0) != child)
        give_up("waitpid");
    return status;
}

/* Whether LINE starts with TEXT. */
static bool
starts_with(const char *line, const char *text)
{
    return strncmp(line, text, strlen(text)) == 0;
}

/* Whether ERR is one line or more, but not too many, each with our name. */
static bool
is_complaint(const struct matrix *matrix, const struct text *err)
{
    unsigned int lines = 0;

    for (const char *line = err->data; *line != '\0'; lines++) {
        const char *end = strchr(line, '\n');
        if (end == NULL || !(starts_with(line, "gpuhist: ") ||
                             (matrix->complaint != NULL &&
                              starts_with(line, matrix->complaint))))
            return false;
        line = end + 1;
    }
    return lines >= 1 && lines <= matrix->lines_max;
}

/* Whether ERR says that the input is bad. */
static bool
blames_data(const struct text *err)
{
    return strstr(err->data, ": corrupt ") != NULL ||
           strstr(err->data, ": truncated ") != NULL;
}

/* Whether OUT is what there was of the wanted text before a write failed. */
static bool
is_cut_off(const struct matrix *matrix, const struct text *out)
{
    return out->size < matrix->wanted.size &&
           memcmp(out->data, matrix->wanted.data, out->size) == 0;
}

/* Whether the run that ended with STATUS did what it may after a fault. */
static bool
is_good(const struct matrix *matrix, int status, const struct text *out,
        const struct text *err)
{
    const struct kind *kind = &kinds[matrix->fault->call];
    int reason = matrix->fault->reason;
    /* stdio treats an interrupted write as a failure and reports it. */
    bool is_harmless = kind->is_partial &&
                       (reason == 0 || (reason == EINTR && !kind->is_output));

    if (!WIFEXITED(status))
        return false;
    if (WEXITSTATUS(status) == 0)
        return err->size == 0 && is_same(out, &matrix->wanted) &&
               is_target_good(matrix, true);
    if (is_harmless || WEXITSTATUS(status) > 3 ||
        (matrix->fault->call == FAULT_MEMORY && blames_data(err)))
        return false;
    /* All output is written before the file of -o is replaced. */
    bool may_be_whole = kind->is_output || matrix->target != NULL;
    return (out->size == 0 || (kind->is_output && is_cut_off(matrix, out)) ||
            (may_be_whole && is_same(out, &matrix->wanted))) &&
           is_complaint(matrix, err) && is_target_good(matrix, false);
}

/* Run with the fault that is set; true: it fired. */
static bool
try(struct matrix *matrix)
{
    const struct fault *fault = matrix->fault;
    int status = run(matrix);
    struct text out = read_text(matrix->out);
    struct text err = read_text(matrix->err);

    if (!is_good(matrix, status, &out, &err)) {
        matrix->bad++;
        printf("# %s %lu%s, %s: %s %d, %zu bytes printed, complaint: %s%s",
               kinds[fault->call].name, fault->nth,
               fault->persists ? " and on" : "",
               fault->reason != 0 ? strerror(fault->reason) : "a part only",
               WIFEXITED(status) ? "exit" : "signal",
               WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status),
               out.size, err.data,
               err.size > 0 && err.data[err.size - 1] == '\n' ? "" : "\n");
    }
    free(out.data);
    free(err.data);
    bool has_fired = atomic_load(&fault->fired) > 0;
    matrix->fired += has_fired;
    return has_fired;
}

/* ---- all of them ---- */

/* Have each call of this kind fail for this REASON; returns how many did. */
static unsigned long
try_each(struct matrix *matrix, enum fault_call call, int reason)
{
    struct fault *fault = matrix->fault;
    unsigned long before = matrix->fired;
    /* How many calls there are depends on the threads, but where only some are
       tried no run is wasted on the question. */
    unsigned long last = matrix->step > 1 ? matrix->calls[call] : ULONG_MAX;
    bool has_fired = true;

    fault->call = call;
    fault->reason = reason;
    for (fault->nth = matrix->first; has_fired && fault->nth <= last;
         fault->nth += matrix->step) {
        fault->persists = false;
        has_fired = try(matrix);
        /* A call that is always interrupted never makes progress. */
        if (!has_fired || reason == EINTR)
            continue;
        fault->persists = true;
        (void)try(matrix);
    }
    return matrix->fired - before;
}

/* Without a fault: all is well, and the file of -o is what it should be. */
static void
try_none(struct matrix *matrix)
{
    matrix->fault->call = FAULT_NONE;
    int status = run(matrix);
    struct text out = read_text(matrix->out);

    if (matrix->target != NULL)
        matrix->new_target = read_path(matrix->target);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 ||
        !is_same(&out, &matrix->wanted)) {
        errno = 0;
        give_up("the command fails without a fault");
    }
    for (unsigned int i = 0; i < FAULT_CALLS; i++)
        matrix->calls[i] = atomic_load(&matrix->fault->count[i]);
    free(out.data);
}

static void
try_all(struct matrix *matrix)
{
    try_none(matrix);
    for (enum fault_call call = FAULT_NONE; call < FAULT_CALLS; call++) {
        const struct kind *kind = &kinds[call];
        unsigned long fired = 0;

        for (size_t i = 0; i < REASONS_MAX && kind->reason[i] != 0; i++)
            fired += try_each(matrix, call, kind->reason[i]);
        if (kind->is_partial) {
            fired += try_each(matrix, call, 0);
            fired += try_each(matrix, call, EINTR);
        }
        if (fired > 0)
            printf("%s %lu\n", kind->name, fired);
    }
}

int
main(int argc, char **argv)
{
    char path[64];
    struct matrix matrix = {.lines_max = 1, .first = 1, .step = 1};

    for (int option; (option = getopt(argc, argv, "+p:o:m:c:n:")) != -1;) {
        switch (option) {
        case 'p':
            matrix.has_pipe = true;
            matrix.input = read_path(optarg);
            break;
        case 'o':
            matrix.target = optarg;
            break;
        case 'm':
            matrix.lines_max = (unsigned int)atoi(optarg);
            break;
        case 'c':
            matrix.complaint = optarg;
            break;
        case 'n':
            if (sscanf(optarg, "%lu,%lu", &matrix.first, &matrix.step) != 2)
                return 99;
            break;
        default:
            return 99;
        }
    }
    if (argc - optind < 3)
        return 99;
    setenv("LD_PRELOAD", argv[optind], 1);
    matrix.wanted = read_path(argv[optind + 1]);
    matrix.command = argv + optind + 2;

    int fd = make_file("fault", path, sizeof path);
    if (ftruncate(fd, sizeof *matrix.fault) < 0)
        give_up("ftruncate");
    void *memory = mmap(NULL, sizeof *matrix.fault, PROT_READ | PROT_WRITE,
                        MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED)
        give_up("mmap");
    matrix.fault = memory;
    setenv(FAULT_VARIABLE, path, 1);
    matrix.out = make_file("out", path, sizeof path);
    matrix.err = make_file("err", path, sizeof path);
    /* The command handles it, unless it is ignored. */
    signal(SIGPIPE, SIG_IGN);

    try_all(&matrix);
    printf("fired %lu\n", matrix.fired);
    free(matrix.input.data);
    free(matrix.wanted.data);
    free(matrix.new_target.data);
    return matrix.bad > 0;
}
