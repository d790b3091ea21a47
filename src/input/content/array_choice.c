/* SPDX-License-Identifier: MIT */
/* array_choice.c -- which arrays of files with several arrays are counted */

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/near_names.h"
#include "base/visible.h"
#include "input/content/array_choice.h"

/* The most names that are kept for a message. */
#define OTHERS_MAX 65536

/* The end of the name of an array in a file .npz. */
#define SUFFIX ".npy"

int
array_choice_open(struct array_choice *choice, const char *const *name,
                  size_t count, struct error *error)
{
    *choice =
        (struct array_choice){.name = name, .count = count, .lost = count};
    pthread_mutex_init(&choice->lock, NULL);
    choice->is_found = calloc(count, sizeof *choice->is_found);
    return choice->is_found != NULL ? 0 : error_fail_memory(error);
}

/* Whether NAME is WANTED, or WANTED and a suffix. */
static bool
is_name(const char *name, const char *wanted, bool has_suffix)
{
    size_t size = strlen(wanted);

    return strncmp(name, wanted, size) == 0 &&
           (name[size] == '\0' ||
            (has_suffix && strcmp(name + size, SUFFIX) == 0));
}

static int
compare(const void *one, const void *two)
{
    return strcmp(one, two);
}

/* Make room for one more name.  Returns 0, or -1.  Under the lock. */
static int
grow(struct array_choice *choice)
{
    if (choice->others < choice->other_room)
        return 0;
    size_t room = choice->others > 0 ? 2 * choice->others : 16;
    char **grown = realloc(choice->other, room * sizeof *grown);
    if (grown == NULL)
        return -1;
    choice->other = grown;
    choice->other_room = room;
    return 0;
}

/* Keep NAME, of an array that is not counted, unless it is kept or memory runs
   out.  Under the lock. */
static void
keep(struct array_choice *choice, const char *name, bool has_suffix)
{
    size_t size = strlen(name);

    if (has_suffix && size > strlen(SUFFIX) &&
        strcmp(name + size - strlen(SUFFIX), SUFFIX) == 0)
        size -= strlen(SUFFIX);
    char *kept = choice->others < OTHERS_MAX && grow(choice) == 0
                     ? strndup(name, size)
                     : NULL;
    char **node = kept != NULL ? tsearch(kept, &choice->tree, compare) : NULL;
    if (node != NULL && *node == kept)
        choice->other[choice->others++] = kept;
    else
        free(kept);
}

bool
array_choice_takes(struct array_choice *choice, const char *name,
                   bool has_suffix)
{
    bool takes = false;

    pthread_mutex_lock(&choice->lock);
    for (size_t i = 0; i < choice->count; i++) {
        if (!is_name(name, choice->name[i], has_suffix))
            continue;
        choice->lost -= !choice->is_found[i];
        choice->is_found[i] = true;
        takes = true;
    }
    if (!takes && choice->lost > 0)
        keep(choice, name, has_suffix);
    pthread_mutex_unlock(&choice->lock);
    return takes;
}

int
array_choice_check(const struct array_choice *choice, const char *where,
                   struct error *error)
{
    const struct near_names names = {near_names_string, choice->other,
                                     choice->others, "'"};
    char list[NEAR_NAMES_BYTES] = "";
    char shown[VISIBLE_BYTES];
    size_t lost = 0;

    if (choice->lost == 0)
        return 0;
    while (choice->is_found[lost])
        lost++;
    const char *name = choice->name[lost];
    visible_name(shown, name, strlen(name));
    if (choice->others > 0)
        near_names_list(&names, name, strlen(name), list);
    if (choice->others > 0)
        error_set(error, EXIT_DATA, "%s: no array '%s' (--array), but %s%s",
                  where, shown, list,
                  choice->others == OTHERS_MAX ? " at least" : "");
    else
        error_set(error, EXIT_DATA, "%s: no array '%s' (--array)", where,
                  shown);
    return -1;
}

void
array_choice_close(struct array_choice *choice)
{
    if (choice->name == NULL)
        return;
    for (size_t i = 0; i < choice->others; i++) {
        tdelete(choice->other[i], &choice->tree, compare);
        free(choice->other[i]);
    }
    free(choice->other);
    free(choice->is_found);
    pthread_mutex_destroy(&choice->lock);
    *choice = (struct array_choice){0};
}
