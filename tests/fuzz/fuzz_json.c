/* SPDX-License-Identifier: MIT */
/*
 * fuzz_json.c -- lines of JSON, or of anything else
 *
 * The first byte chooses what becomes of wrong lines, comments and how many
 * records are asked for at a time; the rest is the text, which ends where the
 * memory does.  Each form of the scan must find what the simple reader of
 * json_check.h finds.
 */

#include "../json_check.h"
#include "fuzz.h"

/* The simple reader calls itself. */
#define BYTES_MAX 20000

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = {data, size};
    uint64_t choice = fuzz_take(&fuzz, 1);
    struct json_check check;

    if (fuzz.size > BYTES_MAX)
        return 0;
    json_check_open(&check, (choice & 1) != 0,
                    (choice & 2) != 0 ? '#' : TEXT_NO_COMMENT);
    const char *wrong =
        json_check_data(&check, fuzz.data, fuzz.size, 1 + (choice >> 2));
    fuzz_must(wrong == NULL, wrong);
    json_check_close(&check);
    return 0;
}
