/* device_lines.h -- the list of devices, made by another process */

#ifndef GPUHIST_DEVICE_LINES_H
#define GPUHIST_DEVICE_LINES_H

/*
 * Run this program again with --list-devices -v and DEVICE, an option, in
 * ENVIRONMENT.  Call TAKE with CONTEXT and each line of standard output and
 * standard error.  Returns 0, or an error number.
 */
int device_lines(char *device, char *const environment[],
                 void (*take)(void *context, const char *line), void *context);

#endif
