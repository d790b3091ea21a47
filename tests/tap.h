/* SPDX-License-Identifier: MIT */
/* tap.h -- the Test Anything Protocol for the unit tests */

#ifndef GPUHIST_TAP_H
#define GPUHIST_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* In tests/model free() is a macro that frees nothing. */
#if defined __GLIBC__ && !defined free
#    define KEEPS_MEMORY
#    include <malloc.h>
#endif

/* Whether the processor is emulated (check-ports). */
#if defined TESTS_ARE_EMULATED
#    define IS_EMULATED true
#else
#    define IS_EMULATED false
#endif

/*
 * Whether a sanitizer is built in, or the processor is emulated, with which
 * everything takes much longer: what it looks for shows in fewer cases.
 */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || \
    defined TESTS_ARE_EMULATED
#    define IS_INSTRUMENTED true
#elif defined __has_feature
#    define IS_INSTRUMENTED \
        (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#    define IS_INSTRUMENTED false
#endif

/*
 * Whether a sanitizer looks for races.  What one thread does alone tells it
 * nothing, and other sanitizers look at that.
 */
#if defined __SANITIZE_THREAD__
#    define LOOKS_FOR_RACES true
#elif defined __has_feature
#    define LOOKS_FOR_RACES __has_feature(thread_sanitizer)
#else
#    define LOOKS_FOR_RACES false
#endif

#if defined KEEPS_MEMORY
/*
 * Memory that was freed is for the next case: what is mapped anew is cleared by
 * the kernel, page by page, which takes longer than some tests.  Sanitizers have
 * a malloc() of their own.
 */
static void __attribute__((constructor)) tap_keep_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, 32 << 20); /* the most that it allows */
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_TOP_PAD, 16 << 20);
}
#endif

static int tap_count;

/* Whether to try all cases, which takes minutes, and not only some of each kind,
   as tests/tap.sh tells scripts. */
static inline bool
is_expensive(void)
{
    const char *word = getenv("RUN_EXPENSIVE_TESTS");

    return !IS_INSTRUMENTED && word != NULL && strcmp(word, "yes") == 0;
}

/* Whether to try the next of many cases that are alike: all if all are wanted;
   else one of N, in turn, and in an emulator one of N * N.  N has no divisor in
   common with the lengths of the loops. */
static inline bool
has_turn(unsigned int n)
{
    static unsigned int turn;

    return turn++ % (IS_EMULATED ? n * n : n) == 0 || is_expensive();
}

/* How many of ALL rounds to do, which are drawn at random, if not all are wanted.
   A mistake in an access to memory, or in the order of bytes, shows in the first
   ones. */
static inline int
rounds_of(int all)
{
    if (is_expensive())
        return all;
    return 1 + all / (IS_EMULATED ? 40 : IS_INSTRUMENTED ? 10 : 3);
}

/* One test: whether it passed, and its printf() name. */
static inline void __attribute__((format(printf, 2, 3)))
ok(bool passed, const char *format, ...)
{
    va_list args;

    printf("%s %d - ", passed ? "ok" : "not ok", ++tap_count);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    fflush(stdout); /* a crash must not lose it */
}

/* At the end of main(): the plan. */
static inline int
done_testing(void)
{
    printf("1..%d\n", tap_count);
    return 0;
}

#endif
