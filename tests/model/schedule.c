/* SPDX-License-Identifier: MIT */
/* schedule.c -- threads that run one at a time, in every possible order */

#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "schedule.h"

/* Here they are the system's. */
#undef calloc
#undef free

#define STACK_BYTES ((size_t)16384)
#define MOVES_MAX 16
#define DEPTH_MAX 4000
/* Below the frame address: what pause_thread() has there, registers above all. */
#define FRAME_BYTES 64
/* Ticks of the clock after which the watcher must have acted. */
#define IDLE_TICKS_MAX 80
/* What calls between two pauses have on the stack, about. */
#define CLEAN_BYTES 2048

/* What a thread does next, once it is let. */
enum action {
    ACTION_NONE, /* it has ended */
    ACTION_START,
    ACTION_CHOOSE,
    ACTION_SIGNAL,
    ACTION_LOCK,
    ACTION_JOIN,
    ACTION_RETURN, /* from a call */
    ACTION_HANG,   /* in a call */
    ACTION_WAIT,   /* only by a signal, a spurious wakeup, or the clock */
};

static const char *const action_names[] = {
    "end",  "start",  "choose", "signal",  "lock",
    "join", "return", "hang",   "wake up",
};

struct thread {
    enum action action;
    struct schedule_mutex *mutex; /* to lock, or to lock once woken */
    struct schedule_cond *cond;   /* to signal, or to wait for */
    unsigned int other;           /* to join */
    unsigned int count;           /* to choose from */
    unsigned int answer;
    bool is_timed; /* the clock wakes it, too */
    void *(*function)(void *);
    void *argument;
    char *low; /* its stack is in use from here on */
    jmp_buf place;
};

/* With the program's world and the stacks: all of a state. */
static struct {
    struct thread thread[SCHEDULE_THREADS_MAX];
    unsigned int thread_count;
    unsigned int spurious_wakeups; /* still possible */
    unsigned int
        idle_ticks; /* ticks of the clock while no thread could continue */
} now;

static _Alignas(64) char stacks[SCHEDULE_THREADS_MAX][STACK_BYTES];
static jmp_buf scheduler;
static struct thread *current;
static const struct schedule_program *program;

/* One way to go on. */
struct move {
    unsigned char thread;
    unsigned char answer;
};

/* A state with moves that have not been made. */
struct step {
    char *saved;
    unsigned int move_count;
    unsigned int next;
    struct move move[MOVES_MAX];
};

static struct step path[DEPTH_MAX];
static char trace[DEPTH_MAX * 24];

/* ---- threads ---- */

static char *
stack_end(const struct thread *thread)
{
    return stacks[thread - now.thread] + STACK_BYTES;
}

/* Let the scheduler decide when the current thread does ACTION. */
static void __attribute__((noinline)) pause_thread(enum action action)
{
    current->action = action;
    current->low = (char *)__builtin_frame_address(0) - FRAME_BYTES;
    if (_setjmp(current->place) == 0)
        _longjmp(scheduler, 1);
    current->cond = NULL;
    current->mutex = NULL;
}

static void
thread_main(void)
{
    current->function(current->argument);
    current->action = ACTION_NONE;
    current->low = stack_end(current);
    memset(current->place, 0, sizeof current->place);
    _longjmp(scheduler, 1);
}

/* Run THREAD until it pauses again. */
static void
resume(struct thread *thread, unsigned int answer)
{
    current = thread;
    thread->answer = answer;
    /* Neither what was called before nor another state leaves traces here. */
    memset(thread->low - CLEAN_BYTES, 0, CLEAN_BYTES);
    if (_setjmp(scheduler) != 0)
        return;
    if (thread->action != ACTION_START)
        _longjmp(thread->place, 1);

    ucontext_t context;
    getcontext(&context);
    context.uc_stack.ss_sp = stacks[thread - now.thread];
    context.uc_stack.ss_size = STACK_BYTES;
    context.uc_link = NULL;
    makecontext(&context, thread_main, 0);
    setcontext(&context);
}

unsigned int
schedule_self(void)
{
    return (unsigned int)(current - now.thread);
}

/* Clear dead data, so that states that differ in nothing else are equal. */
static unsigned int
take_answer(void)
{
    unsigned int answer = current->answer;

    current->answer = 0;
    return answer;
}

unsigned int
schedule_choose(unsigned int count)
{
    current->count = count;
    pause_thread(ACTION_CHOOSE);
    current->count = 0;
    return take_answer();
}

int
schedule_lock(struct schedule_mutex *mutex)
{
    current->mutex = mutex;
    pause_thread(ACTION_LOCK);
    mutex->owner = schedule_self() + 1;
    return 0;
}

int
schedule_unlock(struct schedule_mutex *mutex)
{
    mutex->owner = 0;
    return 0;
}

int
schedule_wait(struct schedule_cond *cond, struct schedule_mutex *mutex)
{
    mutex->owner = 0;
    current->cond = cond;
    current->mutex = mutex;
    pause_thread(ACTION_WAIT);
    mutex->owner = schedule_self() + 1;
    return 0;
}

int
schedule_timed_wait(struct schedule_cond *cond, struct schedule_mutex *mutex)
{
    current->is_timed = true;
    schedule_wait(cond, mutex);
    current->is_timed = false;
    return take_answer() != 0 ? ETIMEDOUT : 0;
}

void
schedule_call(bool returns)
{
    pause_thread(returns ? ACTION_RETURN : ACTION_HANG);
}

static bool
waits_for(const struct thread *thread, const struct schedule_cond *cond)
{
    return thread->action == ACTION_WAIT && thread->cond == cond;
}

int
schedule_broadcast(struct schedule_cond *cond)
{
    for (unsigned int i = 0; i < now.thread_count; i++) {
        if (waits_for(&now.thread[i], cond))
            now.thread[i].action = ACTION_LOCK;
    }
    return 0;
}

/* Which of those that wait is woken is for the scheduler to choose. */
int
schedule_signal(struct schedule_cond *cond)
{
    unsigned int count = 0;

    for (unsigned int i = 0; i < now.thread_count; i++)
        count += waits_for(&now.thread[i], cond);
    if (count < 2)
        return schedule_broadcast(cond);
    current->cond = cond;
    pause_thread(ACTION_SIGNAL);
    now.thread[take_answer()].action = ACTION_LOCK;
    return 0;
}

int
schedule_create(unsigned int *thread, void *(*function)(void *), void *argument)
{
    struct thread *new = &now.thread[now.thread_count];

    if (now.thread_count == SCHEDULE_THREADS_MAX)
        abort();
    *thread = now.thread_count++;
    *new = (struct thread){.action = ACTION_START,
                           .function = function,
                           .argument = argument,
                           .low = stack_end(new)};
    return 0;
}

int
schedule_join(unsigned int thread)
{
    current->other = thread;
    pause_thread(ACTION_JOIN);
    return 0;
}

bool
schedule_is_alone(void)
{
    bool is_alone = true;

    for (unsigned int i = 1; i < now.thread_count; i++)
        is_alone &= now.thread[i].action == ACTION_NONE;
    return is_alone;
}

/* ---- states ---- */

/* Copy the state to or from SAVED; returns how large it is. */
static size_t
copy_state(char *saved, bool is_saving)
{
    size_t at = 0;
    struct {
        void *data;
        size_t size;
    } part[2 + SCHEDULE_THREADS_MAX] = {{&now, sizeof now},
                                        {program->world, program->world_bytes}};
    unsigned int parts = 2;

    /* The first part says how much there is of the others. */
    for (unsigned int i = 0; i < parts; i++) {
        if (saved == NULL)
            ;
        else if (is_saving)
            memcpy(saved + at, part[i].data, part[i].size);
        else
            memcpy(part[i].data, saved + at, part[i].size);
        at += part[i].size;
        for (unsigned int t = 0; i == 0 && t < now.thread_count; t++) {
            part[parts].data = now.thread[t].low;
            part[parts++].size =
                (size_t)(stack_end(&now.thread[t]) - now.thread[t].low);
        }
    }
    return at;
}

static uint64_t
hash_bytes(uint64_t hash, const void *data, size_t size)
{
    const char *byte = data;

    for (; size > 0; byte += 8, size -= size < 8 ? size : 8) {
        uint64_t word = 0;
        memcpy(&word, byte, size < 8 ? size : 8);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return hash;
}

static uint64_t
hash_state(void)
{
    uint64_t hash = hash_bytes(1, &now, sizeof now);

    hash = hash_bytes(hash, program->world, program->world_bytes);
    for (unsigned int t = 0; t < now.thread_count; t++) {
        char *low = now.thread[t].low;
        size_t size = (size_t)(stack_end(&now.thread[t]) - low);
        hash = hash_bytes(hash, low, size);
    }
    return hash | 1;
}

/* A set of hashes, none of which is 0. */
static uint64_t *seen;
static size_t seen_size; /* a power of two */

static bool
is_new(uint64_t hash)
{
    size_t i = (hash >> 20) & (seen_size - 1);

    for (; seen[i] != 0; i = (i + 1) & (seen_size - 1)) {
        if (seen[i] == hash)
            return false;
    }
    seen[i] = hash;
    return true;
}

/* ---- exploration ---- */

static void
add_move(struct step *step, unsigned int thread, unsigned int answer)
{
    if (step->move_count == MOVES_MAX)
        abort();
    step->move[step->move_count++] =
        (struct move){(unsigned char)thread, (unsigned char)answer};
}

/* All that thread T can do. */
static void
add_moves(struct step *step, unsigned int t)
{
    const struct thread *thread = &now.thread[t];

    switch (thread->action) {
    case ACTION_START:
    case ACTION_RETURN:
        add_move(step, t, 0);
        break;
    case ACTION_CHOOSE:
        for (unsigned int answer = 0; answer < thread->count; answer++)
            add_move(step, t, answer);
        break;
    case ACTION_SIGNAL:
        for (unsigned int w = 0; w < now.thread_count; w++) {
            if (waits_for(&now.thread[w], thread->cond))
                add_move(step, t, w);
        }
        break;
    case ACTION_LOCK:
        if (thread->mutex->owner == 0)
            add_move(step, t, 0);
        break;
    case ACTION_JOIN:
        if (now.thread[thread->other].action == ACTION_NONE)
            add_move(step, t, 0);
        break;
    case ACTION_HANG:
    case ACTION_WAIT:
    case ACTION_NONE:
        break;
    }
}

/* What the clock can do. */
static void
add_ticks(struct step *step)
{
    bool is_in_call = false;

    for (unsigned int t = 0; t < now.thread_count; t++) {
        enum action action = now.thread[t].action;
        is_in_call |= action == ACTION_RETURN || action == ACTION_HANG;
    }
    if (step->move_count > 0 && !is_in_call)
        return;
    for (unsigned int t = 0; t < now.thread_count; t++) {
        const struct thread *thread = &now.thread[t];
        if (thread->action == ACTION_WAIT && thread->is_timed &&
            thread->mutex->owner == 0 && now.idle_ticks < IDLE_TICKS_MAX)
            add_move(step, t, 1);
    }
}

/*
 * Find all possible moves.  A move that no other thread can observe, like the
 * first steps of a thread, is made at once.
 */
static void
find_moves(struct step *step)
{
    step->move_count = 0;
    step->next = 0;
    for (unsigned int t = 0; t < now.thread_count; t++) {
        enum action action = now.thread[t].action;
        if (action == ACTION_START || action == ACTION_CHOOSE ||
            action == ACTION_SIGNAL) {
            add_moves(step, t);
            return;
        }
    }
    for (unsigned int t = 0; t < now.thread_count; t++)
        add_moves(step, t);
    add_ticks(step);
    /* A spurious wakeup that is the only move does not count. */
    for (unsigned int t = 0; step->move_count > 0 && t < now.thread_count;
         t++) {
        const struct thread *thread = &now.thread[t];
        if (now.spurious_wakeups > 0 && thread->action == ACTION_WAIT &&
            thread->mutex->owner == 0)
            add_move(step, t, 0);
    }
}

static void
make_move(struct move move)
{
    struct thread *thread = &now.thread[move.thread];

    /* The thread that the clock wakes then continues by itself. */
    if (thread->action == ACTION_WAIT && move.answer != 0)
        now.idle_ticks++;
    else if (thread->action == ACTION_WAIT)
        now.spurious_wakeups--;
    else if (move.thread != 0)
        now.idle_ticks = 0;
    resume(thread, move.answer);
}

/* Describe the DEPTH moves that led to the state. */
static const char *
tell(size_t depth)
{
    int at = 0;

    copy_state(path[0].saved, false);
    for (size_t i = 0; i < depth; i++) {
        struct move move = path[i].move[path[i].next - 1];
        enum action action = now.thread[move.thread].action;
        at += sprintf(trace + at, "%u %s", move.thread, action_names[action]);
        if (action == ACTION_CHOOSE || action == ACTION_SIGNAL)
            at += sprintf(trace + at, " %u", move.answer);
        at += sprintf(trace + at, "; ");
        make_move(move);
    }
    return trace;
}

/* Go on from the last of DEPTH steps; returns how many there are then. */
static size_t
step_on(struct schedule_result *result, size_t depth)
{
    struct step *step = &path[depth - 1];

    if (step->next == step->move_count)
        return depth - 1;
    if (step->next > 0 || depth == 1)
        copy_state(step->saved, false);
    make_move(step->move[step->next++]);
    result->moves++;
    if (now.thread[0].action == ACTION_NONE) {
        result->ends++;
        result->failure = program->check();
        /* The next move starts with a copy of the state. */
        if (result->failure == NULL && step->next == step->move_count)
            return depth - 1;
        return depth;
    }
    if (!is_new(hash_state()))
        return depth;
    result->states++;
    if (depth == DEPTH_MAX)
        abort();

    step = &path[depth];
    find_moves(step);
    if (step->move_count == 0)
        result->failure = "nobody can go on";
    free(step->saved);
    step->saved = NULL;
    if (step->move_count > 1) {
        size_t size = copy_state(NULL, true);
        step->saved = malloc(size);
        if (step->saved == NULL)
            abort();
        copy_state(step->saved, true);
    }
    return depth + 1;
}

static void *
run_first(void *unused)
{
    (void)unused;
    program->run();
    return NULL;
}

struct schedule_result
schedule_explore(const struct schedule_program *explored)
{
    struct schedule_result result = {.states = 1};
    unsigned int first;
    size_t depth = 1;

    program = explored;
    memset(&now, 0, sizeof now);
    now.spurious_wakeups = program->spurious_wakeups;
    for (seen_size = 1024; seen_size < 2 * program->states_max;)
        seen_size *= 2;
    seen = calloc(seen_size, sizeof *seen);
    if (seen == NULL)
        abort();

    schedule_create(&first, run_first, NULL);
    find_moves(&path[0]);
    path[0].saved = malloc(copy_state(NULL, true));
    if (path[0].saved == NULL)
        abort();
    copy_state(path[0].saved, true);
    while (depth > 0 && result.failure == NULL &&
           result.states < program->states_max)
        depth = step_on(&result, depth);
    result.is_complete = depth == 0;
    if (result.failure != NULL)
        result.trace = tell(depth - (path[depth - 1].next == 0));
    for (size_t i = 0; i < DEPTH_MAX; i++) {
        free(path[i].saved);
        path[i].saved = NULL;
    }
    free(seen);
    return result;
}
