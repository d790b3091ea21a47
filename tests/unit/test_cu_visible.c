/* SPDX-License-Identifier: MIT */
/*
 * test_cu_visible.c -- lists of GPUs that must not be narrowed
 *
 * tests/cuda/visible.sh tests all other lists.  Its driver has no GPUs that are
 * divided by MIG, and the kernel lists none of its GPUs.
 */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../scratch.h"
#include "../tap.h"
#include "engine/gpu/cuda/cu_visible.h"

#define VARIABLE "CUDA_VISIBLE_DEVICES"

/* For the GPU with this ORDINAL, BEFORE becomes AFTER; NULL: no variable. */
static void
test_list(const char *name, const char *before, int ordinal, const char *after)
{
    struct cu_visible visible;

    unsetenv(VARIABLE);
    if (before != NULL)
        setenv(VARIABLE, before, 1);
    cu_visible_narrow(&visible, ".", &ordinal, 1);

    const char *list = getenv(VARIABLE);
    bool is_same = list == NULL || after == NULL ? list == after
                                                 : strcmp(list, after) == 0;
    ok(is_same, "%s: '%s' for %d", name, before == NULL ? "" : before, ordinal);
    ok(cu_visible_number(&visible, ordinal) ==
           (visible.is_narrowed ? 0 : ordinal),
       "%s: its number", name);
}

static void
make_directory(const char *path)
{
    if (mkdir(path, 0777) < 0)
        abort();
}

/* Write TEXT to the file PATH. */
static void
write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        abort();
}

/*
 * The kernel lists GPU I, if its file of a device is there, as INFORMATION
 * says.
 */
static void
make_gpu(int i, bool has_device, const char *information)
{
    char path[64];
    char text[256];

    snprintf(path, sizeof path, "gpus/0000:%02x:00.0", 20 - i);
    make_directory(path);
    snprintf(path, sizeof path, "gpus/0000:%02x:00.0/information", 20 - i);
    snprintf(text, sizeof text, "Model: \t\t NVIDIA H200\n%s", information);
    write_file(path, text);
    snprintf(path, sizeof path, "nvidia%d", i);
    if (has_device)
        write_file(path, "");
}

/*
 * Under the list BEFORE, NULL: none, the first USED of the COUNT ordinals are
 * used: the variable becomes AFTER, and a driver that shows SHOWN devices lacks
 * MISSING.
 */
static void
test_limit(const char *name, const char *before, const int *ordinals,
           size_t count, size_t used, const char *after, int shown, int missing)
{
    struct cu_visible visible;

    unsetenv(VARIABLE);
    if (before != NULL)
        setenv(VARIABLE, before, 1);
    cu_visible_narrow(&visible, ".", ordinals, count);
    cu_visible_limit(&visible, "gpus", "nvidia", ordinals, count, used);
    const char *list = getenv(VARIABLE);
    ok(list != NULL && strcmp(list, after) == 0,
       "%s, %zu of %zu: '%s' becomes '%s'", name, used, count,
       before == NULL ? "" : before, list != NULL ? list : "(none)");
    ok(cu_visible_missing(&visible, shown) == missing, "%s: %d missing", name,
       cu_visible_missing(&visible, shown));
    bool is_right = true;
    for (size_t i = 0; visible.is_narrowed && i < used; i++)
        is_right &=
            cu_visible_number(&visible, ordinals[i]) < (int)visible.shown_count;
    ok(is_right, "%s: their numbers", name);
}

/* Fewer GPUs are used than listed. */
static void
test_limits(void)
{
    static const int four[] = {0, 1, 2, 3};
    static const int others[] = {3, 1};

    test_limit("nothing known", NULL, four, 4, 1, "0,1,2,3", 4, -1);
    test_limit("nothing known", NULL, four, 4, 1, "0,1,2,3", 3, 3);
    test_limit("nothing known", NULL, four, 4, 2, "0,1,2,3", 2, 2);
    make_directory("gpus");
    test_limit("an empty folder", NULL, four, 4, 1, "0,1,2,3", 1, 1);
    make_gpu(0, true, "Device Minor: \t 0\nGPU Excluded:\t No\n");
    make_gpu(1, true, "Device Minor: \t 1\n");
    make_gpu(2, true, "GPU Excluded:\t No\nDevice Minor: \t 2\n");
    test_limit("three of four", NULL, four, 4, 1, "0,1,2,3", 3, 3);
    test_limit("all three", NULL, four, 3, 1, "0", 1, -1);
    test_limit("all three", NULL, four, 3, 2, "0,1", 2, -1);
    make_gpu(3, false, "Device Minor: \t 3\n");
    test_limit("one that is hidden", NULL, four, 4, 1, "0,1,2,3", 3, 3);
    make_gpu(4, true, "Device Minor: \t 4\nGPU Excluded:\t Yes\n");
    test_limit("one that is excluded", NULL, four, 4, 1, "0,1,2,3", 3, 3);
    make_gpu(5, true, "no number\n");
    test_limit("one without a number", NULL, four, 4, 1, "0,1,2,3", 3, 3);
    make_gpu(6, true, "Device Minor: \t 6\n");
    test_limit("all four", NULL, four, 4, 1, "0", 1, -1);
    test_limit("in another order", NULL, others, 2, 1, "3", 1, -1);

    test_limit("a list", "3,1,2,0", four, 4, 1, "3", 1, -1);
    test_limit("a list", "3,1,2,0", others, 2, 1, "3,1,2,0", 4, -1);
    test_limit("a list with a greater number", "1,4", four, 2, 1, "1,4", 1, 1);
    test_limit("a list with a UUID", "GPU-a,1", four, 2, 1, "GPU-a,1", 2, -1);
    test_limit("more than the list", "2,1", four, 3, 1, "2,1", 2, 2);
    test_limit("a short list", "2", four, 1, 1, "2", 1, -1);
}

int
main(void)
{
    scratch_open();
    test_list("whole GPUs", NULL, 1, "1");
    test_list("whole GPUs", "GPU-a,GPU-b", 0, "GPU-a");

    test_list("an instance", "0,MIG-a", 0, "0,MIG-a");
    test_list("an instance", "GPU-a,MIG-b", 0, "GPU-a,MIG-b");
    test_list("an instance", "MIG-a,MIG-b", 0, "MIG-a,MIG-b");
    test_list("an instance", "MIG-GPU-a/1/0,2", 0, "MIG-GPU-a/1/0,2");

    test_limits();

    make_directory("mig");
    make_directory("gpu1");
    make_directory("gpu1/mig");
    test_list("a GPU without instances", NULL, 1, "1");
    make_directory("gpu1/mig/gi3");
    test_list("a GPU with an instance", NULL, 1, NULL);
    test_list("a GPU with an instance", "0,1", 0, "0,1");
    test_list("a GPU with an instance", "GPU-a,GPU-b", 0, "GPU-a,GPU-b");
    return done_testing();
}
