/* SPDX-License-Identifier: MIT */
/*
 * schedule.h -- threads that run one at a time, in every possible order
 *
 * Include it before everything else (-include), so that code for POSIX threads
 * runs on these threads.  schedule_explore() runs a program repeatedly, with
 * all its threads, until it has covered every order in which they can take
 * locks, be woken, and get results of schedule_choose().
 *
 * A thread is interrupted only when it takes a lock, waits, chooses or joins.
 * That is enough if all shared data is under some lock, which a thread
 * sanitizer checks: no other thread can observe what a thread does between two
 * such places.
 *
 * The state of the program is its memory (WORLD) and the stacks of its threads.
 * If there are several possible moves, the state is copied, to return to it,
 * and hashed, to recognise a state that was explored before.  Different orders
 * mostly lead to the same states, so all states can be covered.  Explicit-state
 * model checkers work like this (Holzmann, "The Model Checker SPIN", 1997), but
 * here on the code itself.
 */

#ifndef GPUHIST_SCHEDULE_H
#define GPUHIST_SCHEDULE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#define SCHEDULE_THREADS_MAX 6

struct schedule_mutex {
    unsigned int owner; /* a thread's number and 1; 0: free */
};

struct schedule_cond {
    char unused; /* its address is what counts */
};

/* The result of an exploration. */
struct schedule_result {
    const char *failure;  /* NULL: none */
    const char *trace;    /* then: the moves that led to it */
    unsigned long states; /* different ones */
    unsigned long moves;  /* from one state to another */
    unsigned long ends;   /* ways in which the program ended */
    bool is_complete;     /* nothing is left to be explored */
};

struct schedule_program {
    /* The first thread; when it returns, the program has ended. */
    void (*run)(void);
    /* After that: what is wrong, or NULL. */
    const char *(*check)(void);
    /* All memory that its threads write, but for their stacks. */
    void *world;
    size_t world_bytes;
    /* How often waits may end without a signal, in all. */
    unsigned int spurious_wakeups;
    unsigned long states_max;
};

/* Explore PROGRAM, from the current state of WORLD. */
struct schedule_result schedule_explore(const struct schedule_program *program);

/* For the program: any number less than COUNT. */
unsigned int schedule_choose(unsigned int count);

/* The number of the thread that runs; the first is 0. */
unsigned int schedule_self(void);

/*
 * The program is in a call that may return at any time, or never.  The clock
 * advances only during such a call, and only if no other thread can run.
 */
void schedule_call(bool returns);

/* Whether every thread but the first has ended. */
bool schedule_is_alone(void);

/* Like their namesakes; create never fails by itself. */
int schedule_lock(struct schedule_mutex *mutex);
int schedule_unlock(struct schedule_mutex *mutex);
int schedule_wait(struct schedule_cond *cond, struct schedule_mutex *mutex);
int schedule_timed_wait(struct schedule_cond *cond,
                        struct schedule_mutex *mutex);
int schedule_signal(struct schedule_cond *cond);
int schedule_broadcast(struct schedule_cond *cond);
int schedule_create(unsigned int *thread, void *(*function)(void *),
                    void *argument);
int schedule_join(unsigned int thread);

/* Allocated in WORLD. */
void *world_allocate(size_t count, size_t size);

#define pthread_mutex_t struct schedule_mutex
#define pthread_cond_t struct schedule_cond
#define pthread_t unsigned int
#define pthread_mutex_init(mutex, attributes) ((mutex)->owner = 0)
#define pthread_mutex_destroy(mutex) ((void)(mutex))
#define pthread_mutex_lock schedule_lock
#define pthread_mutex_unlock schedule_unlock
#define pthread_cond_init(cond, attributes) ((cond)->unused = 0)
#define pthread_cond_destroy(cond) ((void)(cond))
#define pthread_cond_wait schedule_wait
#define pthread_cond_timedwait(cond, mutex, end) \
    ((void)(end), schedule_timed_wait(cond, mutex))
#define pthread_cond_signal schedule_signal
#define pthread_cond_broadcast schedule_broadcast
#define pthread_create(thread, attributes, function, argument) \
    schedule_create(thread, function, argument)
#define pthread_join(thread, result) schedule_join(thread)
#define pthread_self schedule_self
#define pthread_equal(one, other) ((one) == (other))
#define calloc world_allocate
#define free(pointer) ((void)(pointer))

#endif
