/* SPDX-License-Identifier: MIT */
/* other_format.c -- files that are not archives that are read */

#include <string.h>

#include "input/archive/other_format.h"

#define START_BYTES 8

/* The start of a file, and what the file is. */
struct start {
    const char *bytes;
    size_t size;
    const char *name;
};

static const struct start programs[] = {
    {"MZ", 2, "a program"},
    {"#!", 2, "a script"},
    {"\177ELF", 4, "a program"},
};

static const struct start archives[] = {
    {"Rar!\x1a\x07", 6, "a RAR archive"},
    {"!<arch>\n", 8, "an ar archive, such as a .deb package or a library"},
    {"\xed\xab\xee\xdb", 4,
     "an RPM package (rpm2cpio writes its cpio archive)"},
    {"07070X", 6, "a cpio archive of RPM, without names"},
    {"070727", 6, "a cpio archive of afio, with large files"},
    {"MSCF", 4, "a CAB archive"},
    {"MSWIM\0\0\0", 8, "a WIM archive"},
    {"xar!", 4, "a xar archive"},
    {"\x60\xea", 2, "an ARJ archive"},
    {"hsqs", 4, "a SquashFS image"},
};

/* Returns the name of the one of COUNT starts that BYTES have, or NULL. */
static const char *
find(struct archive_bytes *bytes, const struct start *starts, size_t count)
{
    unsigned char start[START_BYTES];
    size_t has = archive_bytes_look(bytes, 0, start, sizeof start);

    for (size_t i = 0; i < count; i++) {
        if (starts[i].size <= has &&
            memcmp(start, starts[i].bytes, starts[i].size) == 0)
            return starts[i].name;
    }
    return NULL;
}

bool
other_format_is_program(struct archive_bytes *bytes)
{
    return find(bytes, programs, sizeof programs / sizeof *programs) != NULL;
}

const char *
other_format_name(struct archive_bytes *bytes)
{
    return find(bytes, archives, sizeof archives / sizeof *archives);
}
