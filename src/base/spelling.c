/* spelling.c -- the edit distance between two words */

#include <stdint.h>
#include <string.h>

#include "base/spelling.h"

static size_t
least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t
spelling_distance(const char *a, size_t length, const char *b)
{
    size_t b_length = strlen(b);
    /* [i][j]: between the first i letters of A and the first j of B. */
    size_t distance[SPELLING_LENGTH_MAX + 1][SPELLING_LENGTH_MAX + 1];

    if (length > SPELLING_LENGTH_MAX || b_length > SPELLING_LENGTH_MAX)
        return SIZE_MAX;
    for (size_t j = 0; j <= b_length; j++)
        distance[0][j] = j;
    for (size_t i = 1; i <= length; i++) {
        distance[i][0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t replaced =
                distance[i - 1][j - 1] + (size_t)(a[i - 1] != b[j - 1]);
            size_t other = least(distance[i - 1][j], distance[i][j - 1]) + 1;
            distance[i][j] = least(replaced, other);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                distance[i][j] =
                    least(distance[i][j], distance[i - 2][j - 2] + 1);
        }
    }
    return distance[length][b_length];
}
