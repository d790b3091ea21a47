/* SPDX-License-Identifier: MIT */
/*
 * fuzz_logfmt.c -- lines of logfmt, or of anything else
 *
 * The first byte chooses the wanted keys, comments and how many records are
 * asked for at a time; the rest is the text, which ends where the memory does.
 * Each form of the scan must find what the simple reader of logfmt_check.h
 * finds.  The keys of the first line are the names of a message.
 */

#include "../logfmt_check.h"
#include "fuzz.h"
#include "text/logfmt_members.h"

/* Each key of the SIZE bytes at DATA is there once, and is a key. */
static void
check_members(const unsigned char *data, size_t size)
{
    struct json_members members;

    logfmt_members_find(&members, data, size);
    for (size_t i = 0; i < members.count; i++) {
        fuzz_must(members.path[i][0] != '\0' &&
                      strpbrk(members.path[i], "= \n") == NULL,
                  "a key");
        for (size_t k = 0; k < i; k++)
            fuzz_must(strcmp(members.path[k], members.path[i]) != 0, "once");
    }
    json_members_close(&members);
}

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
    check_members(fuzz.data, fuzz.size);
    return 0;
}
