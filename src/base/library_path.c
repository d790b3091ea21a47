/* SPDX-License-Identifier: MIT */
/* library_path.c -- where a library is, without loading it */

#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/library_path.h"

/* Of pointers of this size. */
#define ELF_CLASS (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32)

/* Whether PATH is a file that this program could load: beside libraries of 64
   bits a machine may have those of 32. */
static bool
fits(const char *path)
{
    unsigned char head[EI_NIDENT];
    FILE *file = fopen(path, "re");

    if (file == NULL)
        return false;
    size_t size = fread(head, 1, sizeof head, file);
    fclose(file);
    return size == sizeof head && memcmp(head, ELFMAG, SELFMAG) == 0 &&
           head[EI_CLASS] == ELF_CLASS;
}

/* Returns PATH with all links resolved if it fits, or NULL. */
static char *
resolve(const char *path)
{
    return fits(path) ? realpath(path, NULL) : NULL;
}

/* Look in the directories of LIST, which colons or semicolons divide.  An empty
   one is the working directory. */
static char *
find_in_list(const char *list, const char *name)
{
    for (;;) {
        char *path = NULL;
        size_t length = strcspn(list, ":;");
        if (asprintf(&path, "%.*s/%s", length > 0 ? (int)length : 1,
                     length > 0 ? list : ".", name) < 0)
            return NULL;
        char *found = resolve(path);
        free(path);
        if (found != NULL || list[length] == '\0')
            return found;
        list += length + 1;
    }
}

/* In the cache paths end with a zero byte, as all texts there. */
static char *
find_in_cache(const char *cache, const char *name)
{
    FILE *file = fopen(cache, "re");
    char *text = NULL;
    size_t size = 0;
    char *found = NULL;

    if (file == NULL)
        return NULL;
    while (found == NULL && getdelim(&text, &size, '\0', file) > 0) {
        const char *base = strrchr(text, '/');
        if (base != NULL && strcmp(base + 1, name) == 0)
            found = resolve(text);
    }
    free(text);
    fclose(file);
    return found;
}

char *
library_path(const char *name, const char *cache)
{
    const char *list = getenv("LD_LIBRARY_PATH");
    char *found =
        list != NULL && *list != '\0' ? find_in_list(list, name) : NULL;

    return found != NULL ? found : find_in_cache(cache, name);
}
