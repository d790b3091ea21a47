/* stripe.h -- bytes that come piece by piece, for a hash of whole stripes */

#ifndef GPUHIST_STRIPE_H
#define GPUHIST_STRIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/*
 * Go on with the stripe of STRIPE bytes at REST, of which KEPT are there, with
 * the first ones of the *SIZE bytes at *DATA; what remains is there then.
 * Returns whether the stripe is whole.
 */
static inline bool
stripe_fill(unsigned char *rest, size_t stripe, size_t kept,
            const unsigned char **data, size_t *size)
{
    size_t more = stripe - kept;

    if (more > *size)
        more = *size;
    memcpy(rest + kept, *data, more);
    *data += more;
    *size -= more;
    return kept + more == stripe;
}

#endif
