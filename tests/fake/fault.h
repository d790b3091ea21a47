/* SPDX-License-Identifier: MIT */
/*
 * fault.h -- the nth call of a driver's function goes wrong
 *
 * For fake_cuda.c and cuda_faults.c.  The environment, read once:
 *
 *     FAKE_CU_FAIL=SYMBOL:N:CODE[:HOW]
 *                             call number N of SYMBOL (from 1, all threads
 *                             together) returns CODE and does nothing; HOW:
 *                             persist  so does every later call of SYMBOL
 *                             sticky   so does every later call of anything
 *                             lost     so does every later call that is made
 *                                      with the same device's context
 *                             hang     it never returns
 *                             late     it hangs for FAKE_CU_LATE_MS, and then
 *                                      goes on as if nothing had happened
 *                             exit     it calls exit(0); quick: quick_exit(0)
 *                             thread   so does a thread of its own, and the
 *                                      call never returns
 *                             abort    it calls abort()
 *                             crash    it writes to address 0
 *                             trap     of cuLaunchKernel: the kernel gets the
 *                                      address of no histogram
 *                             cuGetErrorName() and cuGetErrorString() go on
 *     FAKE_CU_LATE_MS=N       (500)
 *     FAKE_CU_LATE_FIFO=FIFO  it hangs until somebody writes to FIFO instead
 *     FAKE_CU_FIRED=FILE      append "fired SYMBOL N CODE" when that happens,
 *                             with " early" where a gate is closed; and
 *                             "woke SYMBOL N CODE" when it was late
 *     FAKE_CU_GATE=SYMBOL:N:FIFO
 *                             write a line into FIFO at call number N of
 *                             SYMBOL, or before that when FAKE_CU_FAIL fires;
 *                             and a second one at the next call of anything
 *
 * There is no lock: the callers lock.
 */

#ifndef GPUHIST_FAULT_H
#define GPUHIST_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/gpu/cuda/cu_api.h"

/* CALL_cuInit, ... */
enum call {
#define CALL(symbol, parameters) CALL_##symbol,
    CU_API(CALL)
#undef CALL
        CALLS
};

enum fault_mode {
    FAULT_NONE,
    FAULT_ONCE,
    FAULT_PERSIST,
    FAULT_STICKY,
    FAULT_LOST,
    FAULT_HANG,
    FAULT_LATE,
    FAULT_TRAP,
    FAULT_EXIT,
    FAULT_QUICK,
    FAULT_THREAD,
    FAULT_ABORT,
    FAULT_CRASH,
};

/* The exported name. */
const char *fault_call_name(enum call call);

/* Read the environment; before anything below. */
void fault_configure(void);

/*
 * CALL starts: count it, and open the gate if it is the one.  Returns in what
 * way it has to go wrong, having told FAKE_CU_FIRED; *CODE is what to return.
 */
enum fault_mode fault_enter(enum call call, CUresult *code);

/* Returns how often CALL has started. */
uint64_t fault_calls(enum call call);

/* Hang for ever, or until it is late enough; not under a lock. */
void __attribute__((noreturn)) fault_hang(void);

/* End the process if MODE is a way to do that; not under a lock. */
void fault_end(enum fault_mode mode);
void fault_be_late(void);

/* Report that CALL, which was late, continues. */
void fault_tell_woken(enum call call);

/* End the process: the environment is wrong. */
void __attribute__((noreturn))
fault_bad_config(const char *name, const char *value);

/* The number in the variable NAME, 0 to 1000000, or OTHERWISE. */
int fault_config_number(const char *name, int otherwise);

void fault_sleep_ms(int ms);

#endif
