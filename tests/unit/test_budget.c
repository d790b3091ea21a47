/* SPDX-License-Identifier: MIT */
/* test_budget.c -- the limit holds, and every waiting thread wakes */

#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

#include "../sleeper.h"
#include "../tap.h"
#include "sync/budget.h"

#define WATCHDOG_SECONDS 60

struct taking {
    struct budget *budget;
    uint64_t bytes;
    struct sleeper sleeper;
    bool result;
    pthread_t thread;
};

static void *
taking_main(void *argument)
{
    struct taking *taking = argument;

    sleeper_start(&taking->sleeper);
    taking->result = budget_take(taking->budget, taking->bytes);
    sleeper_end(&taking->sleeper);
    return NULL;
}

static void
taking_start(struct taking *taking, struct budget *budget, uint64_t bytes)
{
    *taking = (struct taking){.budget = budget, .bytes = bytes};
    pthread_create(&taking->thread, NULL, taking_main, taking);
}

static bool
taking_is_waiting(struct taking *taking)
{
    return sleeper_waits(&taking->sleeper);
}

static bool
taking_finish(struct taking *taking)
{
    pthread_join(taking->thread, NULL);
    return taking->result;
}

static void
test_limits(void)
{
    static const struct {
        uint64_t total, bytes;
        bool fits;
    } table[] = {
        {0, 0, true},
        {0, 1, false},
        {10, 0, true},
        {10, 10, true},
        {10, 11, false},
        {10, UINT64_MAX, false},
        {UINT64_MAX, UINT64_MAX, true},
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct budget budget;
        budget_open(&budget, table[i].total);
        bool fits = budget_take(&budget, table[i].bytes);
        bool is_exact =
            budget.left == table[i].total - (fits ? table[i].bytes : 0);
        ok(fits == table[i].fits && is_exact, "%llu of %llu: %s",
           (unsigned long long)table[i].bytes,
           (unsigned long long)table[i].total,
           table[i].fits ? "taken" : "refused");
        budget_close(&budget);
    }
}

static void
test_resizing(void)
{
    static const struct {
        uint64_t total, taken, resized;
        uint64_t left; /* of the resized one */
    } table[] = {
        {10, 0, 20, 20},
        {10, 0, 3, 3},
        {10, 0, 0, 0},
        {10, 4, 20, 16},
        {10, 4, 10, 6},
        {10, 4, 5, 1},
        {10, 4, 4, 0},
        {10, 10, 11, 1},
        {0, 0, UINT64_MAX, UINT64_MAX},
        {UINT64_MAX, 1, 8, 7},
        /* The total never becomes less than what is reserved. */
        {10, 4, 3, 0},
        {10, 10, 0, 0},
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        uint64_t taken = table[i].taken, left = table[i].left;
        struct budget budget, share;
        budget_open(&budget, table[i].total);
        budget_open_share(&share, &budget);
        budget_take(&budget, taken);
        budget_resize(&budget, table[i].resized);
        bool is_right = budget.left == left && budget.total == left + taken;
        is_right &= budget_total(&budget) == left + taken &&
                    budget_total(&share) == left + taken;
        budget_return(&budget, taken);
        is_right &= budget.left == budget.total;
        /* Neither of them waits. */
        is_right &= budget_take(&budget, left + taken) &&
                    (left + taken == UINT64_MAX ||
                     !budget_take(&budget, left + taken + 1));
        ok(is_right, "%llu of %llu taken, resized to %llu",
           (unsigned long long)taken, (unsigned long long)table[i].total,
           (unsigned long long)table[i].resized);
        budget_close(&budget);
    }
}

static void
test_waiting(void)
{
    struct budget budget;
    struct taking big, small;

    budget_open(&budget, 10);
    budget_take(&budget, 8);
    taking_start(&big, &budget, 9);
    taking_start(&small, &budget, 3);
    ok(taking_is_waiting(&big) && taking_is_waiting(&small),
       "who finds too little waits");

    struct taking late;
    taking_start(&late, &budget, 2);
    ok(taking_finish(&late), "who finds enough does not");

    budget_return(&budget, 2);
    budget_return(&budget, 4);
    ok(taking_finish(&small), "a return wakes the one that it is enough for");
    ok(taking_is_waiting(&big), "and not the other");
    budget_return(&budget, 3);
    ok(taking_is_waiting(&big), "6 of 9 are not enough");
    budget_return(&budget, 4);
    ok(taking_finish(&big), "10 are");
    ok(!budget_take(&budget, 11), "more than there will ever be: no waiting");
    budget_return(&budget, 9);
    budget_close(&budget);
}

static void
test_helpers(void)
{
    struct budget budget;

    budget_open(&budget, 1);
    ok(budget_take_helpers(&budget, 3) == 0, "no helpers at first");
    budget_return_helpers(&budget, 5);
    ok(budget_take_helpers(&budget, 3) == 3 &&
           budget_take_helpers(&budget, 0) == 0 &&
           budget_take_helpers(&budget, 3) == 2 &&
           budget_take_helpers(&budget, 1) == 0,
       "as many as there are");
    budget_return_helpers(&budget, 1);
    ok(budget_take_helpers(&budget, 9) == 1, "one is free again");
    budget_close(&budget);
}

static void
test_broadcast(void)
{
    struct budget budget;
    struct taking taking[8];

    budget_open(&budget, 8);
    budget_take(&budget, 8);
    for (int i = 0; i < 8; i++)
        taking_start(&taking[i], &budget, 1);
    bool all_wait = true;
    for (int i = 0; i < 8; i++)
        all_wait &= taking_is_waiting(&taking[i]);
    budget_return(&budget, 8);
    for (int i = 0; i < 8; i++)
        taking_finish(&taking[i]);
    ok(all_wait, "one return wakes all that find enough");
    budget_close(&budget);
}

static void
test_shares(void)
{
    struct budget budget, first, second;
    struct taking taking;

    budget_open(&budget, 10);
    budget_open_share(&first, &budget);
    budget_open_share(&second, &budget);
    ok(budget_take(&first, 3) && budget_take(&first, 4) && budget.left == 3,
       "a share takes several reservations");
    ok(!budget_take(&first, 4), "no more than all, with what it holds");
    ok(budget_take(&first, 3), "all");
    budget_return(&first, 3);

    ok(budget_take(&second, 2), "a second share");
    taking_start(&taking, &first, 2);
    ok(taking_is_waiting(&taking), "a share waits for another one");
    budget_return(&second, 2);
    ok(taking_finish(&taking), "... and gets what this gives back");

    budget_take(&second, 1);
    taking_start(&taking, &second, 4);
    ok(taking_is_waiting(&taking), "a share that holds some waits");
    ok(!budget_take(&first, 1), "two must not wait for each other");
    budget_return(&first, 9);
    ok(taking_finish(&taking), "one of them goes on");
    budget_return(&second, 5);

    budget_take(&budget, 6);
    budget_take(&first, 4);
    taking_start(&taking, &first, 1);
    ok(taking_is_waiting(&taking), "a share waits for a single reservation");
    budget_return(&budget, 1);
    ok(taking_finish(&taking), "... which ends in time");
    taking_start(&taking, &first, 5);
    ok(taking_is_waiting(&taking), "a share waits again");
    budget_return(&budget, 5);
    ok(taking_finish(&taking), "... and goes on");
    budget_return(&first, 10);

    struct taking other;
    budget_take(&budget, 4);
    budget_take(&first, 3);
    budget_take(&second, 3);
    taking_start(&taking, &first, 5);
    taking_start(&other, &second, 2);
    ok(taking_is_waiting(&taking) && taking_is_waiting(&other), "both wait");
    budget_return(&budget, 4);
    ok(taking_finish(&other), "what came back is enough for one");
    ok(taking_is_waiting(&taking), "... and the other one waits for it");
    budget_return(&second, 5);
    ok(taking_finish(&taking), "... and goes on");
    budget_return(&first, 8);
    ok(budget.left == 10 && budget.stuck == 0, "everything came back");
    budget_close(&budget);
}

/* ---- many threads, sizes at random ---- */

#define STRESS_TOTAL 100u
#define STRESS_ROUNDS 5000

static struct budget stress_budget;
static atomic_uint stress_out;
static atomic_bool stress_exceeded;

static void *
stress_main(void *argument)
{
    unsigned int seed = *(unsigned int *)argument;

    for (int round = 0; round < STRESS_ROUNDS; round++) {
        seed = seed * 1664525u + 1013904223u;
        unsigned int bytes = 1 + (seed >> 16) % STRESS_TOTAL;
        if (!budget_take(&stress_budget, bytes))
            return argument;
        if (atomic_fetch_add(&stress_out, bytes) + bytes > STRESS_TOTAL)
            atomic_store(&stress_exceeded, true);
        if (round % 64 == 0)
            usleep(1);
        atomic_fetch_sub(&stress_out, bytes);
        budget_return(&stress_budget, bytes);
    }
    return NULL;
}

static void
test_stress(void)
{
    pthread_t thread[6];
    unsigned int seed[6];
    bool refused = false;

    budget_open(&stress_budget, STRESS_TOTAL);
    for (unsigned int i = 0; i < 6; i++) {
        seed[i] = i;
        pthread_create(&thread[i], NULL, stress_main, &seed[i]);
    }
    for (int i = 0; i < 6; i++) {
        void *result;
        pthread_join(thread[i], &result);
        refused |= result != NULL;
    }
    ok(!refused, "stress: nothing that fits is refused");
    ok(!atomic_load(&stress_exceeded), "stress: never more out than there is");
    ok(stress_budget.left == STRESS_TOTAL, "stress: everything came back");
    budget_close(&stress_budget);
}

static void
test_trying(void)
{
    struct budget budget, share;

    budget_open(&budget, 10);
    budget_open_share(&share, &budget);
    ok(budget_take(&budget, 4) && budget_try(&budget, 6) && budget.left == 0,
       "trying takes what is free");
    ok(!budget_try(&budget, 1) && budget.left == 0, "... and does not wait");
    budget_return(&budget, 6);
    ok(budget_try(&share, 2) && share.held == 2 && budget.left == 4,
       "... also by a share");
    budget_return(&share, 2);
    budget_return(&budget, 4);
    ok(budget.left == 10 && share.held == 0, "... and all comes back");
    budget_close(&budget);
}

int
main(void)
{
    alarm(WATCHDOG_SECONDS);
    test_limits();
    test_resizing();
    test_waiting();
    test_helpers();
    test_broadcast();
    test_shares();
    test_stress();
    test_trying();
    return done_testing();
}
