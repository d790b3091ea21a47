/* SPDX-License-Identifier: MIT */
/* test_progress.c -- the line of progress */

#include <stdbool.h>
#include <string.h>

#include "../tap.h"
#include "sync/progress.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static void
test_texts(void)
{
    static const struct {
        struct progress_snapshot snapshot;
        const char *text;
    } cases[] = {
        {{PROGRESS_STARTING, 0, 0, PROGRESS_UNKNOWN, 0, 0, 0, 0, 0},
         "0 bytes read in 0.0 s; starting"},
        {{PROGRESS_COUNTING, 0.25, 1, PROGRESS_UNKNOWN, 0, 0, 0, 0, 0},
         "1 byte read in 0.2 s, 4 B/s"},
        {{PROGRESS_COUNTING, 1, 999, PROGRESS_UNKNOWN, 1, 0, 0, 0, 0},
         "999 bytes read in 1.0 s, 999 B/s; 1 CPU thread"},
        {{PROGRESS_COUNTING, 1, 1000, PROGRESS_UNKNOWN, 2, 0, 0, 0, 0},
         "1000 bytes read in 1.0 s, 1.00 kB/s; 2 CPU threads"},
        {{PROGRESS_COUNTING, 1, 1024, 4096, 0, 1, 0, 0, 0},
         "1024 bytes (1.00 KiB) read in 1.0 s, 1.02 kB/s, 25 %, 0:03 left; "
         "1 GPU starting"},
        {{PROGRESS_COUNTING, 3.2, 1610612736, 4294967296, 4, 2, 1, 0, 0},
         "1610612736 bytes (1.50 GiB) read in 3.2 s, 503 MB/s, 37 %, "
         "0:06 left; "
         "4 CPU threads, 1 GPU, 2 GPUs starting"},
        {{PROGRESS_COUNTING, 1, 1048575, PROGRESS_UNKNOWN, 0, 0, 2, 0, 0},
         "1048575 bytes (1.00 MiB) read in 1.0 s, 1.05 MB/s; 2 GPUs"},
        {{PROGRESS_COUNTING, 10, 99949, PROGRESS_UNKNOWN, 0, 0, 0, 0, 0},
         "99949 bytes (97.6 KiB) read in 10.0 s, 9.99 kB/s"},
        {{PROGRESS_COUNTING, 1, 99950, PROGRESS_UNKNOWN, 0, 0, 0, 0, 0},
         "99950 bytes (97.6 KiB) read in 1.0 s, 100 kB/s"},
        {{PROGRESS_COUNTING, 1, 999999, 1000000, 0, 0, 0, 0, 0},
         "999999 bytes (977 KiB) read in 1.0 s, 1.00 MB/s, 99 %, 0:01 left"},
        /* How long it takes: up to an hour, up to 100 hours, in days. */
        {{PROGRESS_COUNTING, 1, 1, 3600, 0, 0, 0, 0, 0},
         "1 byte read in 1.0 s, 1 B/s, 0 %, 59:59 left"},
        {{PROGRESS_COUNTING, 1, 1, 3601, 0, 0, 0, 0, 0},
         "1 byte read in 1.0 s, 1 B/s, 0 %, 1:00:00 left"},
        {{PROGRESS_COUNTING, 2, 2, 3725, 0, 0, 0, 0, 0},
         "2 bytes read in 2.0 s, 1 B/s, 0 %, 1:02:03 left"},
        {{PROGRESS_COUNTING, 1, 1, 360000, 0, 0, 0, 0, 0},
         "1 byte read in 1.0 s, 1 B/s, 0 %, 99:59:59 left"},
        {{PROGRESS_COUNTING, 1, 1, 360001, 0, 0, 0, 0, 0},
         "1 byte read in 1.0 s, 1 B/s, 0 %, 4 days left"},
        {{PROGRESS_COUNTING, 1, 1, 86400000000001, 99, 0, 0, 0, 0},
         "1 byte read in 1.0 s, 1 B/s, 0 %, 1000000000 days left; "
         "99 CPU threads"},
        /* Of holes in sparse files, 90 bytes of 390 have been passed. */
        {{PROGRESS_COUNTING, 1, 10, 10, 0, 0, 0, 90, 390},
         "10 bytes read in 1.0 s, 10 B/s, 25 %, 0:03 left"},
        /* No estimate: nothing read yet, and nothing left. */
        {{PROGRESS_COUNTING, 1, 0, 9, 0, 0, 0, 0, 0},
         "0 bytes read in 1.0 s, 0 B/s, 0 %"},
        {{PROGRESS_COUNTING, 0, 1, 9, 0, 0, 0, 0, 0},
         "1 byte read in 0.0 s, 11 %"},
        {{PROGRESS_COUNTING, 1, 9, 9, 0, 0, 0, 0, 0},
         "9 bytes read in 1.0 s, 9 B/s, 100 %"},
        {{PROGRESS_PRINTING, 1, 1, 9, 0, 0, 0, 0, 0},
         "1 byte read in 1.0 s, 1 B/s, 11 %; printing"},
        {{PROGRESS_PRINTING, 1, 5, 5, 9, 0, 9, 0, 0},
         "5 bytes read in 1.0 s, 5 B/s, 100 %; printing"},
        /* The input grew; it is empty; it is as large as can be. */
        {{PROGRESS_PRINTING, 1, 6, 5, 0, 0, 0, 0, 0},
         "6 bytes read in 1.0 s, 6 B/s, 100 %; printing"},
        {{PROGRESS_COUNTING, 1, 0, 0, 0, 0, 0, 0, 0},
         "0 bytes read in 1.0 s, 0 B/s"},
        {{PROGRESS_COUNTING, 1e-9, UINT64_MAX, UINT64_MAX - 1, 0, 0, 0, 0, 0},
         "18446744073709551615 bytes (16.0 EiB) read in 0.0 s, "
         "18446744073710 PB/s, 100 %"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[PROGRESS_TEXT_BYTES];
        progress_text(&cases[i].snapshot, text);
        ok(strcmp(text, cases[i].text) == 0, "%s", cases[i].text);
        if (strcmp(text, cases[i].text) != 0)
            printf("# got: %s\n", text);
    }
}

static void
test_looking(void)
{
    struct progress progress;

    progress_open(&progress);
    progress_add(&progress, 7);
    progress_add(&progress, UINT64_C(1) << 40);
    progress_add(NULL, 1);
    progress_expect_zeros(&progress, 9);
    progress_expect_zeros(NULL, 1);
    progress_add_zeros(&progress, 8);
    progress_add_zeros(NULL, 1);
    atomic_fetch_add(&progress.gpus_starting, 2);
    struct progress_snapshot seen = progress_look(&progress);
    ok(seen.read_bytes == (UINT64_C(1) << 40) + 7 && seen.seconds >= 0 &&
           seen.seconds < 60 && seen.phase == PROGRESS_STARTING &&
           seen.expected_bytes == PROGRESS_UNKNOWN && seen.gpus_starting == 2 &&
           seen.gpus_counting == 0 && seen.host_threads == 0 &&
           seen.expected_zeros == 9 && seen.zero_bytes == 8,
       "what was noted is seen");
}

int
main(void)
{
    test_texts();
    test_looking();
    return done_testing();
}
