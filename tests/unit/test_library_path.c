/* SPDX-License-Identifier: MIT */
/* test_library_path.c -- libraries of this and of the other size of pointers,
   in directories and in a cache */

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../tap.h"
#include "base/library_path.h"

#define OWN (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32)
#define OTHER (sizeof(void *) == 8 ? ELFCLASS32 : ELFCLASS64)

static void
write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "w");

    if (file == NULL || fwrite(bytes, 1, size, file) != size ||
        fclose(file) != 0)
        exit(EXIT_FAILURE);
}

static void
write_library(const char *path, int class)
{
    unsigned char head[EI_NIDENT] = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3,
                                     (unsigned char)class};

    write_file(path, head, sizeof head);
}

/* One test: the library NAME is the file PATH of the working directory, or, if
   PATH is NULL, none. */
static void
found(const char *name, const char *path, const char *text)
{
    char *real = path != NULL ? realpath(path, NULL) : NULL;
    char *got = library_path(name, "cache");

    ok(got == NULL || real == NULL ? got == real : strcmp(got, real) == 0, "%s",
       text);
    free(real);
    free(got);
}

int
main(void)
{
    char directory[] = "library_path.XXXXXX";
    static const char cache[] =
        "magic\1\0\0\2\0/nowhere/liba.so.1\0other/liba.so.1\0own/liba.so.1\0"
        "own/libb.so.1\0own/libb.so.10\0own/libd.so.1";

    if (mkdtemp(directory) == NULL || chdir(directory) < 0 ||
        mkdir("own", 0700) < 0 || mkdir("other", 0700) < 0 ||
        symlink("liba.so.1.2.3", "own/liba.so.1") < 0)
        return EXIT_FAILURE;
    write_library("own/liba.so.1.2.3", OWN);
    write_library("own/libb.so.10", OWN);
    write_library("own/libd.so.1", OWN);
    write_library("other/liba.so.1", OTHER);
    write_file("own/libc.so.1", "text", 4);

    unsetenv("LD_LIBRARY_PATH");
    found("liba.so.1", NULL, "no cache");
    write_file("cache", cache, sizeof cache - 1);
    found("liba.so.1", "own/liba.so.1.2.3",
          "a cache: not what is gone, nor of the other size; without the link");
    found("libb.so.1", NULL,
          "a library that is gone, beside one with its name "
          "as a beginning");
    found("libd.so.1", "own/libd.so.1", "a cache that ends too early");
    found("libc.so.1", NULL, "not in the cache");

    setenv("LD_LIBRARY_PATH", "", 1);
    found("liba.so.1", "own/liba.so.1.2.3", "an empty LD_LIBRARY_PATH");
    setenv("LD_LIBRARY_PATH", "nowhere;other:own", 1);
    found("libb.so.10", "own/libb.so.10", "the last directory of a list");
    found("libc.so.1", NULL, "what is no library");
    write_library("liba.so.1", OWN);
    setenv("LD_LIBRARY_PATH", "other:", 1);
    found("liba.so.1", "liba.so.1",
          "an empty directory is the working one, "
          "and comes before the cache");

    static const char *const made[] = {
        "own/liba.so.1.2.3",
        "own/liba.so.1",
        "own/libb.so.10",
        "own/libd.so.1",
        "own/libc.so.1",
        "other/liba.so.1",
        "liba.so.1",
        "cache",
        "own",
        "other",
    };
    int gone = 0;
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        gone += remove(made[i]) == 0;
    ok(gone == sizeof made / sizeof *made && chdir("..") == 0 &&
           rmdir(directory) == 0,
       "nothing is left behind");
    return done_testing();
}
