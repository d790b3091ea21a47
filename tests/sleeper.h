/* SPDX-License-Identifier: MIT */
/*
 * sleeper.h -- see that a thread of a unit test waits
 *
 * A test that wants to see a thread wait need not guess how long the thread
 * takes to get there: the kernel says whether a thread sleeps.
 */

#ifndef GPUHIST_SLEEPER_H
#define GPUHIST_SLEEPER_H

#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* All zero before the thread is started. */
struct sleeper {
    atomic_int thread; /* its number, 0 until it runs */
    atomic_bool is_done;
};

/* The thread itself calls these, first and last. */
static void
sleeper_start(struct sleeper *sleeper)
{
    atomic_store(&sleeper->thread, (int)syscall(SYS_gettid));
}

static inline void
sleeper_end(struct sleeper *sleeper)
{
    atomic_store(&sleeper->is_done, true);
}

/* The state follows the name of the program, which is in parentheses. */
static bool
sleeper_is_asleep(const struct sleeper *sleeper)
{
    char path[64], text[512];

    snprintf(path, sizeof path, "/proc/self/task/%d/stat",
             atomic_load(&sleeper->thread));
    int fd = open(path, O_RDONLY);
    if (fd < 0)
        return false;
    ssize_t size = read(fd, text, sizeof text - 1);
    close(fd);
    text[size < 0 ? 0 : size] = '\0';
    const char *name_end = strrchr(text, ')');
    return name_end != NULL && strncmp(name_end, ") S", 3) == 0;
}

/*
 * Wait until the thread sleeps or is done; true if it sleeps.  It sleeps if it
 * does so twice: it may have met another thread at a lock.
 */
static bool
sleeper_waits(const struct sleeper *sleeper)
{
    int times = 0;

    while (!atomic_load(&sleeper->is_done)) {
        times = sleeper_is_asleep(sleeper) ? times + 1 : 0;
        if (times == 2)
            return true;
        usleep(200);
    }
    return false;
}

#endif
