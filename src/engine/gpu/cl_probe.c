/* cl_probe.c -- whether OpenCL has a GPU, tested in another process */

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/gpu/cl_probe.h"
#include "engine/gpu/device_lines.h"

extern char **environ;

/* What the list of devices tells. */
struct found {
    size_t devices;
    bool has_gpu;
    char why[256]; /* why there is no device; "": unknown */
};

static void
read_line(void *context, const char *line)
{
    struct found *found = context;
    static const char no_gpu[] = "gpuhist: no GPU: ";
    static const char gpu[] = " (GPU)\n";
    size_t length = strlen(line);

    if (strncmp(line, "opencl:", strlen("opencl:")) == 0) {
        found->devices++;
        found->has_gpu |= length >= strlen(gpu) &&
                          strcmp(line + length - strlen(gpu), gpu) == 0;
    } else if (strncmp(line, no_gpu, strlen(no_gpu)) == 0) {
        snprintf(found->why, sizeof found->why, "%.*s",
                 (int)strcspn(line + strlen(no_gpu), "\n"),
                 line + strlen(no_gpu));
    }
}

int
cl_probe_gpu(struct error *error)
{
    struct found found = {0};
    char device[] = "--device=opencl";
    int result = device_lines(device, environ, read_line, &found);

    if (result == 0 && found.has_gpu)
        return 0;
    if (result != 0)
        error_set(error, EXIT_NO_DEVICE, "opencl: cannot list devices: %s",
                  strerror(result));
    else if (found.devices > 0)
        error_set(error, EXIT_NO_DEVICE, "opencl: no GPU among %zu device%s",
                  found.devices, found.devices == 1 ? "" : "s");
    else
        error_set(error, EXIT_NO_DEVICE, "%s",
                  found.why[0] != '\0' ? found.why
                                       : "opencl: the list of devices failed");
    return -1;
}
