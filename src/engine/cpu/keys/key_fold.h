/*
 * key_fold.h -- tuples with bins, from those that stand for a growing range
 *
 * While the range of an axis is found, codes have edges of bins as numbers
 * (key_codes.h).  When it is known, each number is in one bin, and several
 * codes become one.  Their order changes, too.
 */

#ifndef GPUHIST_KEY_FOLD_H
#define GPUHIST_KEY_FOLD_H

#include "engine/cpu/keys/key_counter.h"
#include "hist/spec.h"

/*
 * Add to TO, which is empty, the keys of FROM, which has none afterwards:
 * the codes of histogram I of SPEC, whose ranges are known.  Nobody counts in
 * either.  Returns KEY_OK; or why it failed, for KEY_FAILED in TO->failure.
 */
enum key_result key_fold(const struct spec *spec, size_t i,
                         struct key_counts *from, struct key_counts *to);

#endif
