/* SPDX-License-Identifier: MIT */
/* cu_visible.c -- the GPUs that the CUDA driver starts */

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/gpu/cuda/cu_visible.h"
#include "engine/gpu/device/gpu_probe.h"

#define VARIABLE "CUDA_VISIBLE_DEVICES"

/* In a line that the kernel writes about a GPU. */
#define EXCLUDED "GPU Excluded:"

/* No machine has a GPU with a longer number. */
#define DIGITS_MAX 6

/* An entry of the list: LENGTH characters at TEXT. */
struct visible_entry {
    const char *text;
    size_t length;
    int number; /* or -1: a UUID */
};

/*
 * Whether an instance of MIG, a part of a GPU, is listed in the directory
 * CAPABILITIES.
 */
static bool
has_instance(const char *capabilities)
{
    char pattern[PATH_MAX];
    glob_t found = {0};

    snprintf(pattern, sizeof pattern, "%s/gpu*/mig/gi*", capabilities);
    int result = glob(pattern, GLOB_NOSORT, NULL, &found);
    globfree(&found);
    return result != GLOB_NOMATCH;
}

/*
 * Parse the entry at TEXT.  Returns whether the meaning is known.  An instance
 * of MIG may hide the other entries, so its entry counts as unknown.
 */
static bool
parse_entry(struct visible_entry *entry, const char *text)
{
    size_t digits = strspn(text, "0123456789");

    *entry = (struct visible_entry){text, strcspn(text, ","), -1};
    if (digits > 0 && digits == entry->length && digits <= DIGITS_MAX &&
        (digits == 1 || *text != '0')) {
        entry->number = atoi(text);
        return true;
    }
    return strncmp(text, "GPU-", 4) == 0;
}

/*
 * Whether A and B may name the same GPU.  A UUID may be shortened.  Only the
 * driver knows the number of a UUID.
 */
static bool
may_be_same(const struct visible_entry *a, const struct visible_entry *b)
{
    size_t common = a->length < b->length ? a->length : b->length;

    if (a->number >= 0 || b->number >= 0)
        return a->number < 0 || b->number < 0 || a->number == b->number;
    return memcmp(a->text, b->text, common) == 0;
}

/*
 * Parse LIST.  Returns the number of entries, or 0: LIST may have a GPU twice,
 * has too many entries, or has an unknown entry.
 */
static size_t
parse_list(struct visible_entry entry[CU_VISIBLE_MAX], const char *list)
{
    for (size_t count = 0; count < CU_VISIBLE_MAX; count++) {
        if (!parse_entry(&entry[count], list))
            return 0;
        for (size_t i = 0; i < count; i++) {
            if (may_be_same(&entry[i], &entry[count]))
                return 0;
        }
        list += entry[count].length;
        if (*list++ == '\0')
            return count + 1;
    }
    return 0;
}

static bool
has_ordinal(const int *ordinals, size_t count, size_t ordinal)
{
    for (size_t i = 0; i < count; i++) {
        if ((size_t)ordinals[i] == ordinal)
            return true;
    }
    return false;
}

static size_t
greatest(const int *ordinals, size_t count)
{
    int most = 0;

    for (size_t i = 0; i < count; i++) {
        if (ordinals[i] > most)
            most = ordinals[i];
    }
    return (size_t)most;
}

/*
 * Append the entry of ORDINAL, LENGTH characters at TEXT, to LIST.  Returns
 * whether LIST has room.
 */
static bool
show(struct cu_visible *visible, char list[CU_VISIBLE_BYTES], size_t ordinal,
     const char *text, size_t length)
{
    size_t used = strlen(list);

    if (visible->shown_count == CU_VISIBLE_MAX ||
        used + 1 + length >= CU_VISIBLE_BYTES)
        return false;
    snprintf(list + used, CU_VISIBLE_BYTES - used, "%s%.*s",
             used > 0 ? "," : "", (int)length, text);
    visible->shown[visible->shown_count++] = (int)ordinal;
    return true;
}

/*
 * Without a list of the user: the ordinals, in ascending order, because an
 * entry without a GPU ends the list.
 */
static bool
choose_ordinals(struct cu_visible *visible, char list[CU_VISIBLE_BYTES],
                const int *ordinals, size_t count)
{
    size_t next = 0;

    for (size_t shown = 0; shown < count; shown++) {
        size_t least = INT_MAX;
        char text[16];
        for (size_t i = 0; i < count; i++) {
            size_t ordinal = (size_t)ordinals[i];
            if (ordinal >= next && ordinal < least)
                least = ordinal;
        }
        int length = snprintf(text, sizeof text, "%zu", least);
        if (!show(visible, list, least, text, (size_t)length))
            return false;
        next = least + 1;
    }
    return true;
}

/*
 * From the user's list: the entries of the ordinals.  An entry without a GPU
 * ends the user's list, so an earlier entry may be left out only if the entry
 * has a GPU.  It has a GPU if a greater number in the new list has a GPU.
 */
static bool
choose_entries(struct cu_visible *visible, char list[CU_VISIBLE_BYTES],
               const int *ordinals, size_t count)
{
    struct visible_entry entry[CU_VISIBLE_MAX];
    size_t entries = parse_list(entry, visible->before);
    size_t last = greatest(ordinals, count);

    if (last >= entries)
        return false;
    for (size_t i = 0; i <= last; i++) {
        size_t next = i;
        while (!has_ordinal(ordinals, count, next))
            next++;
        bool is_left_out =
            entry[i].number >= 0 && entry[i].number < entry[next].number;
        if (!is_left_out &&
            !show(visible, list, i, entry[i].text, entry[i].length))
            return false;
    }
    return true;
}

/* Narrow the variable to the ordinals, if that is possible. */
static void
narrow(struct cu_visible *visible, const int *ordinals, size_t count)
{
    char list[CU_VISIBLE_BYTES] = "";

    visible->shown_count = 0;
    bool is_possible = visible->was_set
                           ? choose_entries(visible, list, ordinals, count)
                           : choose_ordinals(visible, list, ordinals, count);
    /* An error is ignored: the driver then starts more slowly. */
    visible->is_narrowed = is_possible && setenv(VARIABLE, list, 1) == 0;
}

void
cu_visible_narrow(struct cu_visible *visible, const char *capabilities,
                  const int *ordinals, size_t count)
{
    const char *before = getenv(VARIABLE);

    *visible = (struct cu_visible){.was_set = before != NULL};
    if (has_instance(capabilities) ||
        (before != NULL && strlen(before) >= sizeof visible->before))
        return;
    if (before != NULL)
        snprintf(visible->before, sizeof visible->before, "%s", before);
    narrow(visible, ordinals, count);
}

/* ---- fewer GPUs than the user lists ---- */

/*
 * Whether this process may use the GPU that the kernel describes in the file
 * INFORMATION.  Others are hidden from a container or a job of a cluster, or
 * excluded by the administrator, and the driver does not count them.
 */
static bool
is_usable(const char *information, const char *device)
{
    char line[256];
    char path[PATH_MAX];
    int minor = -1;
    bool is_excluded = false;
    FILE *lines = fopen(information, "re");

    if (lines == NULL)
        return false;
    while (fgets(line, sizeof line, lines) != NULL) {
        sscanf(line, "Device Minor: %d", &minor);
        is_excluded |= strncmp(line, EXCLUDED, strlen(EXCLUDED)) == 0 &&
                       strstr(line, "Yes") != NULL;
    }
    fclose(lines);
    snprintf(path, sizeof path, "%s%d", device, minor);
    /* The groups of processes that the kernel keeps from devices count, too. */
    return minor >= 0 && !is_excluded && access(path, R_OK | W_OK) == 0;
}

/* Returns how many GPUs this process may use, or fewer. */
static size_t
count_usable(const char *gpus, const char *device)
{
    char pattern[PATH_MAX];
    glob_t found = {0};
    size_t count = 0;

    snprintf(pattern, sizeof pattern, "%s/*/information", gpus);
    if (glob(pattern, GLOB_NOSORT, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            count += is_usable(found.gl_pathv[i], device);
    }
    globfree(&found);
    return count;
}

/* Whether GPUs with the COUNT ordinals exist if the first USABLE numbers do. */
static bool
all_exist(const struct cu_visible *visible, const int *ordinals, size_t count,
          size_t usable)
{
    struct visible_entry entry[CU_VISIBLE_MAX];
    size_t last = greatest(ordinals, count);

    if (!visible->was_set)
        return last < usable;
    if (last >= parse_list(entry, visible->before))
        return false;
    /* Which GPU has a UUID is not looked up. */
    for (size_t i = 0; i <= last; i++) {
        if (entry[i].number < 0 || (size_t)entry[i].number >= usable)
            return false;
    }
    return true;
}

void
cu_visible_limit(struct cu_visible *visible, const char *gpus,
                 const char *device, const int *ordinals, size_t count,
                 size_t used)
{
    struct cu_visible before = *visible;

    if (visible->is_narrowed &&
        all_exist(visible, ordinals, count, count_usable(gpus, device))) {
        narrow(visible, ordinals, used);
        if (visible->is_narrowed)
            return;
        *visible = before;
    }
    visible->unused_count = count - used;
    memcpy(visible->unused, ordinals + used, (count - used) * sizeof *ordinals);
}

int
cu_visible_missing(const struct cu_visible *visible, int count)
{
    for (size_t i = 0; i < visible->unused_count; i++) {
        if (cu_visible_number(visible, visible->unused[i]) >= count)
            return visible->unused[i];
    }
    return -1;
}

int
cu_visible_number(const struct cu_visible *visible, int ordinal)
{
    int number = 0;

    if (!visible->is_narrowed)
        return ordinal;
    while (visible->shown[number] != ordinal)
        number++;
    return number;
}

/* ---- all GPUs ---- */

static void
count_line(void *context, const char *line)
{
    int *count = context;

    *count += strncmp(line, "cuda:", strlen("cuda:")) == 0;
}

/*
 * Returns a copy of the environment with the variable as it was before, or
 * NULL: out of memory.  The caller frees the array.
 */
static char **
wide_environment(char *variable)
{
    size_t count = 0;
    size_t used = 0;

    while (environ[count] != NULL)
        count++;
    char **copy = calloc(count + 2, sizeof *copy);
    if (copy == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        if (strncmp(environ[i], VARIABLE "=", strlen(VARIABLE "=")) != 0)
            copy[used++] = environ[i];
    }
    copy[used] = variable;
    return copy;
}

int
cu_visible_count(const struct cu_visible *visible)
{
    char variable[sizeof VARIABLE "=" + CU_VISIBLE_BYTES];
    char device[] = "--device=cuda";
    int count = 0;

    snprintf(variable, sizeof variable, VARIABLE "=%s", visible->before);
    char **environment = wide_environment(visible->was_set ? variable : NULL);
    if (environment == NULL)
        return -1;
    int result = gpu_probe_list(device, environment, count_line, &count);
    free(environment);
    return result == 0 ? count : -1;
}
