/* SPDX-License-Identifier: MIT */
/* fault.c -- the nth call of a driver's function goes wrong */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fault.h"

static const char *const call_name[] = {
#define CALL_NAME(symbol, parameters) #symbol,
    CU_API(CALL_NAME)
#undef CALL_NAME
};

/* In the order of enum fault_mode, from FAULT_ONCE on. */
static const char *const mode_name[] = {
    "",      ":persist", ":sticky", ":lost",   ":hang",  ":late",
    ":trap", ":exit",    ":quick",  ":thread", ":abort", ":crash",
};

enum {
    MODES = sizeof mode_name / sizeof *mode_name,
    GATE_LINES = 2,
};

/* Set by fault_configure() for good. */
static struct {
    enum fault_mode mode; /* FAULT_NONE: no fault is asked for */
    enum call call;
    uint64_t number;
    CUresult code;
    int late_ms;
    const char *fired;
    const char *late_fifo; /* NULL: none */
    const char *gate;      /* likewise */
    enum call gate_call;
    uint64_t gate_number;
} config;

static uint64_t calls[CALLS];
static int gate_lines; /* that have been written */

const char *
fault_call_name(enum call call)
{
    return call_name[call];
}

uint64_t
fault_calls(enum call call)
{
    return calls[call];
}

void
fault_bad_config(const char *name, const char *value)
{
    fprintf(stderr, "driver of the tests: %s: what is '%s'?\n", name, value);
    abort();
}

int
fault_config_number(const char *name, int otherwise)
{
    const char *value = getenv(name);
    char *end;

    if (value == NULL || *value == '\0')
        return otherwise;
    long number = strtol(value, &end, 10);
    if (*end != '\0' || number < 0 || number > 1000000)
        fault_bad_config(name, value);
    return (int)number;
}

/* Read "SYMBOL:N:" of the variable NAME; returns what follows. */
static const char *
config_call(const char *name, const char *value, enum call *call,
            uint64_t *number)
{
    size_t length = strcspn(value, ":");
    char *end = NULL;

    for (int i = 0; i < CALLS; i++) {
        if (strlen(call_name[i]) == length &&
            memcmp(call_name[i], value, length) == 0 && value[length] == ':') {
            *call = (enum call)i;
            *number = strtoull(value + length + 1, &end, 10);
        }
    }
    if (end == NULL || *end != ':' || *number == 0)
        fault_bad_config(name, value);
    return end + 1;
}

static void
config_fault(const char *value)
{
    char *end;

    const char *tail =
        config_call("FAKE_CU_FAIL", value, &config.call, &config.number);
    config.code = (CUresult)strtol(tail, &end, 10);
    for (int i = 0; i < MODES; i++) {
        if (strcmp(end, mode_name[i]) == 0)
            config.mode = (enum fault_mode)(FAULT_ONCE + i);
    }
    if (config.mode == FAULT_NONE || config.code <= 0 ||
        (config.mode == FAULT_TRAP && config.call != CALL_cuLaunchKernel))
        fault_bad_config("FAKE_CU_FAIL", value);
}

void
fault_configure(void)
{
    const char *fault = getenv("FAKE_CU_FAIL");
    const char *gate = getenv("FAKE_CU_GATE");

    if (fault != NULL && *fault != '\0')
        config_fault(fault);
    if (gate != NULL && *gate != '\0')
        config.gate = config_call("FAKE_CU_GATE", gate, &config.gate_call,
                                  &config.gate_number);
    config.late_ms = fault_config_number("FAKE_CU_LATE_MS", 500);
    config.late_fifo = getenv("FAKE_CU_LATE_FIFO");
    config.fired = getenv("FAKE_CU_FIRED");
}

void
fault_sleep_ms(int ms)
{
    struct timespec left = {ms / 1000, ms % 1000 * 1000000L};

    while (nanosleep(&left, &left) < 0 && errno == EINTR)
        continue;
}

/* Wake the reader of the FIFO; never waits for a reader. */
static void
write_gate(void)
{
    if (config.gate == NULL || gate_lines == GATE_LINES)
        return;
    gate_lines++;
    /* It stays open: unread bytes are lost when the last end is closed. */
    int fd = open(config.gate, O_RDWR | O_CLOEXEC);
    if (fd < 0 || write(fd, "\n", 1) != 1)
        fault_bad_config("FAKE_CU_GATE", config.gate);
}

static void
tell(const char *what, enum call call)
{
    if (config.fired == NULL)
        return;
    FILE *file = fopen(config.fired, "a");
    if (file == NULL)
        fault_bad_config("FAKE_CU_FIRED", config.fired);
    fprintf(file, "%s %s %" PRIu64 " %d%s\n", what, call_name[call],
            config.number, config.code,
            config.gate != NULL && gate_lines == 0 ? " early" : "");
    fclose(file);
}

enum fault_mode
fault_enter(enum call call, CUresult *code)
{
    uint64_t number = ++calls[call];
    bool is_later = config.mode == FAULT_PERSIST && number > config.number;

    bool is_due = config.mode != FAULT_NONE && call == config.call &&
                  (number == config.number || is_later);
    if (is_due && !is_later)
        tell("fired", call);
    if (is_due || gate_lines > 0 ||
        (call == config.gate_call && number == config.gate_number))
        write_gate();
    *code = is_due ? config.code : CUDA_SUCCESS;
    return is_due ? config.mode : FAULT_NONE;
}

static void *
end_in_thread(void *argument)
{
    (void)argument;
    exit(0);
}

void
fault_end(enum fault_mode mode)
{
    pthread_t thread;

    switch (mode) {
    case FAULT_EXIT:
        exit(0);
    case FAULT_QUICK:
        quick_exit(0);
    case FAULT_THREAD:
        if (pthread_create(&thread, NULL, end_in_thread, NULL) != 0)
            abort();
        fault_hang();
    case FAULT_ABORT:
        abort();
    case FAULT_CRASH:
        raise(SIGSEGV);
        abort();
    default:
        return;
    }
}

void
fault_hang(void)
{
    for (;;)
        pause();
}

void
fault_be_late(void)
{
    if (config.late_fifo == NULL)
        fault_sleep_ms(config.late_ms);
    else if (open(config.late_fifo, O_RDONLY | O_CLOEXEC) < 0)
        fault_bad_config("FAKE_CU_LATE_FIFO", config.late_fifo);
}

void
fault_tell_woken(enum call call)
{
    tell("woke", call);
}
