/* line_ends.h -- the ends of lines in a content, as far as it has been read */

#ifndef GPUHIST_LINE_ENDS_H
#define GPUHIST_LINE_ENDS_H

#include <stdatomic.h>
#include <stddef.h>

enum line_ends {
    LINE_ENDS_ANY,     /* line feeds, or nobody needs to know */
    LINE_ENDS_NONE,    /* none yet */
    LINE_ENDS_RETURNS, /* only carriage returns, which end no line */
};

/* Note in *ENDS, an enum line_ends, which ends the SIZE bytes at DATA have; if
   SIZE is 0, DATA may be NULL.  Any thread may call it. */
void line_ends_note(atomic_uint *ends, const unsigned char *data, size_t size);

#endif
