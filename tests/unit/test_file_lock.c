/* SPDX-License-Identifier: MIT */
/* test_file_lock.c -- two paths of one file, while others replace it */

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../tap.h"
#include "base/file_lock.h"

#define REPLACEMENTS_MIN 200
#define LOOKS_MIN 20000

static atomic_bool is_over;
static atomic_uint replacements;

static int
make_file(const char *path)
{
    int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

    return fd < 0 ? -1 : close(fd);
}

/* Replace the file "total" again and again. */
static void *
replace(void *unused)
{
    while (!atomic_load(&is_over)) {
        if (make_file("new") < 0 || rename("new", "total") < 0)
            break;
        atomic_fetch_add(&replacements, 1);
    }
    return unused;
}

/* Returns how often the two names of the file seemed to be those of two. */
static unsigned int
look(void)
{
    unsigned int wrong = 0;

    for (unsigned int i = 0;
         i < LOOKS_MIN || atomic_load(&replacements) < REPLACEMENTS_MIN; i++) {
        wrong += !file_lock_is_same("total", "total");
        wrong += !file_lock_is_same("total", "link");
    }
    return wrong;
}

int
main(void)
{
    char directory[] = "file_lock.XXXXXX";
    pthread_t thread;

    if (mkdtemp(directory) == NULL || chdir(directory) < 0 ||
        make_file("total") < 0 || make_file("other") < 0 ||
        symlink("total", "link") < 0)
        return EXIT_FAILURE;
    ok(file_lock_is_same("total", "link"), "a symbolic link is its file");
    ok(!file_lock_is_same("total", "other"), "two files differ");
    ok(!file_lock_is_same("total", "none"),
       "a file is not one that is missing");
    ok(!file_lock_is_same("none", "none"), "a missing file is none");
    if (pthread_create(&thread, NULL, replace, NULL) != 0)
        return EXIT_FAILURE;
    unsigned int wrong = look();
    atomic_store(&is_over, true);
    pthread_join(thread, NULL);
    ok(wrong == 0, "a file that is replaced meanwhile is one (%u times not)",
       wrong);
    unlink("total");
    unlink("other");
    unlink("link");
    unlink("new");
    ok(chdir("..") == 0 && rmdir(directory) == 0, "nothing is left behind");
    return done_testing();
}
