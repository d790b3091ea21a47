/* profile_keys.h -- the values of a field that is counted as keys */

#ifndef GPUHIST_PROFILE_KEYS_H
#define GPUHIST_PROFILE_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "hist/key_list.h"
#include "kernels/text/text_number.h"
#include "report/request.h"

/* A value: a key, which stays in its list, and its count. */
struct profile_value {
    const unsigned char *byte;
    uint32_t size;
    uint64_t count;
    struct text_number number; /* which number the bytes are */
};

/* A walk over the values of a histogram in the order of their bytes. */
struct profile_keys {
    const struct report *report;
    const struct binning_axis *axis;
    const struct key_list *list;
    uint64_t next;
    uint64_t empty; /* the count of the empty keys so far */
};

/* Start with the first value of histogram I of REPORT, which has keys. */
void profile_keys_open(struct profile_keys *keys, const struct report *report,
                       size_t i);

/* Go to the next value that occurs and is not empty.  Returns false at the
   end. */
bool profile_keys_next(struct profile_keys *keys, struct profile_value *value);

#endif
