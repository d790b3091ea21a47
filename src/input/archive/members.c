/* members.c -- whether this program can read archives */

#include <stddef.h>

#include "input/archive/members.h"

#ifdef HAVE_ARCHIVE
#    define ARCHIVE &archive_members_type
#else
#    define ARCHIVE NULL
#endif

const struct members_type *
members_type(void)
{
    return ARCHIVE;
}

void
members_put(FILE *out)
{
    fprintf(out, "archives: tar and zip (%s)\n",
            members_type() != NULL ? "libarchive" : "not built in");
}
