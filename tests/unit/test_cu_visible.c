/*
 * test_cu_visible.c -- lists of GPUs that must not be narrowed
 *
 * tests/cuda/visible.sh tests all other lists.  Its driver has no GPUs that are
 * divided by MIG.
 */

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
