/* SPDX-License-Identifier: MIT */
/* endpoint.c -- the parts of ADDRESS:PORT */

#include "text/pattern/endpoint.h"
#include "kernels/text/clf.h"

struct text_slice
endpoint_part(const unsigned char *data, struct text_slice value, uint32_t part)
{
    uint32_t end = value.at + value.size;
    uint32_t colon = end;

    if (value.at == TEXT_SLICE_MISSING)
        return value;
    while (colon > value.at && data[colon - 1] != ':')
        colon--;
    if (part == TEXT_PART_PORT)
        return colon > value.at ? (struct text_slice){colon, end - colon}
                                : clf_missing();
    if (colon > value.at)
        end = colon - 1;
    if (end - value.at > 1 && data[value.at] == '[' && data[end - 1] == ']') {
        value.at++;
        end--;
    }
    return (struct text_slice){value.at, end - value.at};
}
