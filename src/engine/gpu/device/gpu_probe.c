/* gpu_probe.c -- whether a driver has a GPU, tested in another process */

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/gpu/device/device_lines.h"
#include "engine/gpu/device/gpu_probe.h"

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

    if (strncmp(line, "cuda:", strlen("cuda:")) == 0) {
        found->devices++;
        found->has_gpu = true;
    } else if (strncmp(line, "opencl:", strlen("opencl:")) == 0) {
        found->devices++;
        found->has_gpu |= length >= strlen(gpu) &&
                          strcmp(line + length - strlen(gpu), gpu) == 0;
    } else if (strncmp(line, no_gpu, strlen(no_gpu)) == 0) {
        snprintf(found->why, sizeof found->why, "%.*s",
                 (int)strcspn(line + strlen(no_gpu), "\n"),
                 line + strlen(no_gpu));
    }
}

/* Probe the driver that the option DEVICE, "--device=KIND", names. */
static int
probe(char *device, struct error *error)
{
    const char *kind = strchr(device, '=') + 1;
    struct found found = {0};
    int result = device_lines(device, environ, read_line, &found);

    if (result == 0 && found.has_gpu)
        return 0;
    if (result != 0)
        error_set(error, EXIT_NO_DEVICE, "%s: cannot list devices: %s", kind,
                  strerror(result));
    else if (found.devices > 0)
        error_set(error, EXIT_NO_DEVICE, "%s: no GPU among %zu device%s", kind,
                  found.devices, found.devices == 1 ? "" : "s");
    else if (found.why[0] != '\0')
        error_set(error, EXIT_NO_DEVICE, "%s", found.why);
    else
        error_set(error, EXIT_NO_DEVICE, "%s: the list of devices failed",
                  kind);
    return -1;
}

int
gpu_probe_cuda(struct error *error)
{
    char device[] = "--device=cuda";

    return probe(device, error);
}

int
gpu_probe_opencl(struct error *error)
{
    char device[] = "--device=opencl";

    return probe(device, error);
}
