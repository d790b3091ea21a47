/* percentile.c -- a percentage, as the user writes it */

#include "report/percentile.h"
#include "base/wide_integer.h"

/* 100 percent, in 10^-9 percent. */
#define NANO_MAX UINT64_C(100000000000)

int
percentile_parse(struct percentile *percentile, const char *text, size_t length)
{
    uint64_t nano = 0;
    int decimals = -1; /* -1 until the decimal point */

    for (size_t i = 0; i < length; i++) {
        if (text[i] == '.' && decimals < 0) {
            decimals = 0;
            continue;
        }
        if (text[i] < '0' || text[i] > '9' || decimals == 9 || nano > NANO_MAX)
            return -1;
        nano = nano * 10 + (uint64_t)(text[i] - '0');
        decimals += decimals >= 0;
    }
    for (int i = decimals < 0 ? 0 : decimals; i < 9; i++) {
        if (nano > NANO_MAX)
            return -1;
        nano *= 10;
    }
    if (nano == 0 || nano > NANO_MAX)
        return -1;
    *percentile = (struct percentile){nano, text, (int)length};
    return 0;
}

uint64_t
percentile_rank(uint64_t nano, uint64_t count)
{
    struct wide product = wide_product(count, nano);
    uint64_t rest;
    uint64_t whole = wide_divide(product, NANO_MAX, &rest).low;

    return whole + (rest > 0);
}
