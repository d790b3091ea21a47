/*
 * fuzz_logfmt.c -- lines of logfmt, or of anything else
 *
 * The first byte chooses the wanted keys, comments and how many records are
 * asked for at a time; the rest is the text, which ends where the memory does.
 * Each form of the scan must find what the simple reader of logfmt_check.h
 * finds.
 */

#include "../logfmt_check.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = {data, size};
    uint64_t choice = fuzz_take(&fuzz, 1);
    struct logfmt_check check;

    logfmt_check_open(&check, choice % LOGFMT_CHECK_LISTS,
                      (choice & 8) != 0 ? '#' : TEXT_NO_COMMENT);
    const char *wrong =
        logfmt_check_data(&check, fuzz.data, fuzz.size, 1 + (choice >> 4));
    fuzz_must(wrong == NULL, wrong);
    logfmt_check_close(&check);
    return 0;
}
