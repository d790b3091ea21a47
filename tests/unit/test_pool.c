/* SPDX-License-Identifier: MIT */
/*
 * test_pool.c -- the ledger of chunks: states, order, waiting and waking
 *
 * A likely failure is a thread that sleeps for ever, so an alarm ends the whole
 * test.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../sleeper.h"
#include "../tap.h"
#include "sync/pool.h"

#define WATCHDOG_SECONDS 300
#define CHUNK_BYTES 64

static void
open_pool(struct pool *pool, size_t chunk_count)
{
    struct error error = ERROR_NONE;

    if (pool_open(pool, chunk_count, CHUNK_BYTES, false, &error) < 0)
        abort();
    pool_add(pool, chunk_count);
}

/* Fill COUNT chunks; the first byte of each is its number, from 0. */
static void
fill(struct pool *pool, unsigned char count)
{
    for (unsigned char i = 0; i < count; i++) {
        struct chunk *chunk = pool_fill_start(pool);
        chunk->data[0] = i;
        chunk->used = 1;
        pool_fill_end(pool, chunk);
    }
}

/* The number of the chunk that TAKER gets now; -1: none.  It stays TAKEN. */
static int
take_number(struct pool *pool, enum consumer_kind kind)
{
    struct chunk *chunk = pool_take(pool, kind, POOL_NO_WAIT);

    return chunk == NULL ? -1 : chunk->data[0];
}

/* ---- one thread ---- */

static void
test_memory(size_t chunk_count, size_t chunk_bytes, bool huge_pages)
{
    struct error error = ERROR_NONE;
    struct pool pool;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    bool is_aligned = true, is_empty = true, is_private = true;

    bool is_open =
        pool_open(&pool, chunk_count, chunk_bytes, huge_pages, &error) == 0;
    ok(is_open, "%zu chunks of %zu bytes%s", chunk_count, chunk_bytes,
       huge_pages ? " in huge pages" : "");
    if (!is_open)
        return;
    for (size_t i = 0; i < chunk_count; i++) {
        memset(pool.chunks[i].data, (int)i, chunk_bytes);
        is_aligned &= (uintptr_t)pool.chunks[i].data % page == 0;
        is_empty &= pool.chunks[i].state == CHUNK_EMPTY;
    }
    for (size_t i = 0; i < chunk_count; i++) {
        for (size_t j = 0; j < chunk_bytes; j++)
            is_private &= pool.chunks[i].data[j] == (unsigned char)i;
    }
    ok(is_aligned && is_empty && is_private,
       "... EMPTY, on pages and in memory of their own");
    if (huge_pages)
        ok((uintptr_t)pool.chunks[0].data % (2u << 20) == 0,
           "... aligned for huge pages");
    pool_close(&pool);
}

static void
test_no_memory(void)
{
    struct error error = ERROR_NONE;
    struct pool pool;
    size_t too_much = SIZE_MAX / 4 - ((size_t)1 << 20);

    int result = pool_open(&pool, 4, too_much, false, &error);
    ok(result < 0 && error.status == EXIT_DATA && error.text != NULL,
       "too much memory is an error");
    error_clear(&error);
}

/* Chunks are handed out once they have been added. */
static void
test_add(void)
{
    struct error error = ERROR_NONE;
    struct chunk *chunk[3];
    struct pool pool;

    if (pool_open(&pool, 3, CHUNK_BYTES, false, &error) < 0)
        abort();
    ok(pool.empty.first == NULL, "no chunk is EMPTY before it is added");
    pool_add(&pool, 1);
    chunk[0] = pool_fill_start(&pool);
    ok(pool.empty.first == NULL, "one was added");
    pool_add(&pool, 2);
    chunk[1] = pool_fill_start(&pool);
    chunk[2] = pool_fill_start(&pool);
    ok(pool.empty.first == NULL && chunk[0] != chunk[1] &&
           chunk[1] != chunk[2] && chunk[0] != chunk[2],
       "and two more");
    for (int i = 0; i < 3; i++) {
        chunk[i]->used = 0;
        pool_fill_end(&pool, chunk[i]);
    }
    pool_close(&pool);
}

static void
test_states(void)
{
    struct pool pool;

    open_pool(&pool, 2);
    struct chunk *chunk = pool_fill_start(&pool);
    ok(chunk->state == CHUNK_FILLING, "EMPTY to FILLING");
    ok(pool_take(&pool, CONSUMER_HOST, POOL_NO_WAIT) == NULL,
       "FILLING is not taken");
    chunk->used = CHUNK_BYTES;
    pool_fill_end(&pool, chunk);
    ok(chunk->state == CHUNK_FULL && pool_has_work(&pool, CONSUMER_HOST),
       "FILLING to FULL");
    bool is_same = pool_take(&pool, CONSUMER_HOST, POOL_NO_WAIT) == chunk;
    ok(is_same && chunk->state == CHUNK_TAKEN &&
           !pool_has_work(&pool, CONSUMER_HOST),
       "FULL to TAKEN");
    pool_give_back(&pool, chunk);
    ok(chunk->state == CHUNK_FULL && chunk->used == CHUNK_BYTES,
       "TAKEN to FULL, with what it holds");
    is_same = pool_take(&pool, CONSUMER_DEVICE, POOL_NO_WAIT) == chunk;
    ok(is_same, "and another engine gets it");
    pool_release(&pool, chunk);
    ok(chunk->state == CHUNK_EMPTY, "TAKEN to EMPTY");
    chunk = pool_fill_start(&pool);
    chunk->used = 0;
    pool_fill_end(&pool, chunk);
    ok(chunk->state == CHUNK_EMPTY && !pool_has_work(&pool, CONSUMER_HOST),
       "FILLING to EMPTY: nothing was read");
    pool_close(&pool);
}

/* A chunk may be moved to other memory once; its pages are released. */
static void
test_replace(void)
{
    unsigned char memory[2][CHUNK_BYTES] = {{0}};
    void *spare = NULL;
    struct pool pool;

    open_pool(&pool, 2);
    fill(&pool, 1);
    struct chunk *chunk = pool_take(&pool, CONSUMER_DEVICE, POOL_NO_WAIT);
    unsigned char *own = chunk->data;
    memset(own, 1, CHUNK_BYTES);
    chunk->used = 2;
    pool_replace(&pool, chunk, &spare);
    ok(chunk->data == own && own[0] == 1, "no memory to replace it with");
    spare = memory[0];
    pool_replace(&pool, chunk, &spare);
    ok(chunk->data == memory[0] && spare == NULL, "its memory is replaced");
    ok(memory[0][0] == 1 && memory[0][1] == 1 && memory[0][2] == 0,
       "and has what it holds");
    ok(own[0] == 0 && own[CHUNK_BYTES - 1] == 0,
       "and its pages are given back");
    pool_release(&pool, chunk);

    fill(&pool, 1);
    chunk = pool_take(&pool, CONSUMER_DEVICE, POOL_NO_WAIT);
    spare = memory[1];
    pool_replace(&pool, chunk, &spare);
    ok(chunk->data == memory[0] && spare == memory[1], "it is not, again");
    pool_release(&pool, chunk);
    fill(&pool, 2);
    for (int i = 0; i < 2; i++)
        pool_replace(&pool, pool_take(&pool, CONSUMER_DEVICE, POOL_NO_WAIT),
                     &spare);
    ok(spare == NULL && chunk->data == memory[0], "another chunk's is");
    pool_close(&pool);
}

/* An owner, which counts the leases of each place that have ended. */
static atomic_uint ended[64];

static void
end_lease(void *owner, unsigned int place)
{
    atomic_fetch_add(&((atomic_uint *)owner)[place], 1);
}

static struct lease
lease_of(unsigned char *data, size_t bytes, unsigned int place)
{
    return (struct lease){.data = data,
                          .bytes = bytes,
                          .end = end_lease,
                          .owner = ended,
                          .slot = place};
}

/* Fill the next chunk with what is leased, of PLACE. */
static struct chunk *
fill_leased(struct pool *pool, unsigned char *data, unsigned int place)
{
    struct chunk *chunk = pool_fill_start(pool);
    struct lease lease = lease_of(data, CHUNK_BYTES, place);

    pool_lease(chunk, &lease);
    if (lease.data != NULL || lease.end != NULL)
        abort();
    chunk->used = CHUNK_BYTES;
    pool_fill_end(pool, chunk);
    return chunk;
}

/* What is leased to a chunk is its data until it is EMPTY, however it gets
   so. */
static void
test_lease(void)
{
    unsigned char leased[CHUNK_BYTES];
    unsigned char memory[CHUNK_BYTES] = {0};
    void *spare = memory;
    struct pool pool;

    memset(leased, 7, sizeof leased);
    memset(ended, 0, sizeof ended);
    open_pool(&pool, 4);
    pool_count_device(&pool, 1);
    struct chunk *chunk = fill_leased(&pool, leased, 0);
    unsigned char *usual = chunk->usual;
    ok(pool_is_leased(chunk) && chunk->data == leased && usual != leased,
       "a chunk holds what is lent");
    pool_take(&pool, CONSUMER_DEVICE, POOL_WAIT);
    pool_replace(&pool, chunk, &spare);
    ok(chunk->data == leased && spare == memory, "it is not replaced");
    pool_give_back(&pool, chunk);
    ok(ended[0] == 0 && chunk->data == leased, "given back: it still holds it");
    pool_take(&pool, CONSUMER_DEVICE, POOL_WAIT);
    pool_refuse(&pool, chunk);
    ok(ended[0] == 0 && chunk->data == leased, "refused: it still holds it");
    pool_take(&pool, CONSUMER_HOST, POOL_WAIT);
    pool_release(&pool, chunk);
    ok(ended[0] == 1 && chunk->data == usual && !pool_is_leased(chunk),
       "released: the lease has ended, once");

    chunk = fill_leased(&pool, leased, 1);
    pool_take(&pool, CONSUMER_DEVICE, POOL_WAIT);
    usual = chunk->usual;
    pool_own(chunk);
    ok(ended[1] == 1 && chunk->data == usual &&
           memcmp(usual, leased, sizeof leased) == 0,
       "copied to its usual memory: the lease has ended");
    pool_own(chunk);
    pool_replace(&pool, chunk, &spare);
    ok(chunk->data == memory && memory[1] == 7, "... and it can be replaced");
    pool_release(&pool, chunk);
    ok(ended[1] == 1 && chunk->data == memory, "... and ends no other lease");

    chunk = pool_fill_start(&pool);
    usual = chunk->data;
    struct lease lease = lease_of(leased, CHUNK_BYTES, 2);
    pool_lease(chunk, &lease);
    chunk->used = 0;
    pool_fill_end(&pool, chunk);
    ok(ended[2] == 1 && chunk->data == usual, "nothing is in it: ended");

    chunk = pool_fill_start(&pool);
    lease = lease_of(leased, CHUNK_BYTES, 3);
    pool_lease(chunk, &lease);
    pool_restore(&pool, chunk);
    ok(ended[3] == 1, "restored: ended");
    lease = lease_of(leased, CHUNK_BYTES, 4);
    pool_lease(chunk, &lease);
    bool is_large = pool_enlarge(&pool, chunk, 2 * CHUNK_BYTES) == 0;
    ok(is_large && ended[4] == 1 && !pool_is_leased(chunk), "enlarged: ended");
    chunk->used = 2 * CHUNK_BYTES;
    pool_fill_end(&pool, chunk);
    pool_take(&pool, CONSUMER_DEVICE, POOL_WAIT);
    pool_release(&pool, chunk);
    fill_leased(&pool, leased, 5);
    fill_leased(&pool, leased, 6);
    pool_take(&pool, CONSUMER_DEVICE, POOL_WAIT);
    pool_stop(&pool);
    ok(ended[5] == 0 && ended[6] == 0, "a run that stops ends none");
    pool_close(&pool);
    ok(ended[5] == 1 && ended[6] == 1, "... before the pool is closed");
}

static struct pool large_pool;

/* Enlarge ARGUMENT, a chunk of LARGE_POOL, when no other one is. */
static void *
enlarge_main(void *argument)
{
    struct chunk *chunk = argument;

    return pool_enlarge(&large_pool, chunk, 4 * CHUNK_BYTES) == 0 ? chunk
                                                                  : NULL;
}

/* A chunk with more memory, until it is counted; one at a time. */
static void
test_enlarge(void)
{
    struct pool *pool = &large_pool;
    pthread_t thread;
    void *result;

    open_pool(pool, 3);
    struct chunk *first = pool_fill_start(pool);
    struct chunk *second = pool_fill_start(pool);
    unsigned char *usual = first->data;
    ok(pool_enlarge(pool, first, 2 * CHUNK_BYTES) == 0 &&
           pool_enlarge(pool, first, 3 * CHUNK_BYTES) == 0,
       "a chunk is enlarged, twice");
    memset(first->data, 1, 3 * CHUNK_BYTES);
    pthread_create(&thread, NULL, enlarge_main, second);
    first->used = 3 * CHUNK_BYTES;
    pool_fill_end(pool, first);
    struct chunk *taken = pool_take(pool, CONSUMER_HOST, POOL_WAIT);
    ok(taken == first && taken->data != usual && taken->data[taken->used - 1],
       "it is taken with all that it holds");
    ok(second->large_bytes == 0, "another one waits");
    pool_release(pool, taken);
    ok(first->data == usual && first->large_bytes == 0,
       "its memory is the usual one afterwards");
    pthread_join(thread, &result);
    ok(result == second && second->large_bytes == 4 * CHUNK_BYTES,
       "then the other one is enlarged");
    pool_restore(pool, second);
    ok(second->large_bytes == 0 && pool_enlarge(pool, second, 999) == 0,
       "and restored, and enlarged");
    second->used = 0;
    pool_fill_end(pool, second);
    ok(second->large_bytes == 0, "and restored if it holds nothing");

    first = pool_fill_start(pool);
    second = pool_fill_start(pool);
    ok(pool_enlarge(pool, first, 2 * CHUNK_BYTES) == 0, "one is enlarged");
    pthread_create(&thread, NULL, enlarge_main, second);
    pool_stop(pool);
    pthread_join(thread, &result);
    ok(result == NULL, "after pool_stop() nobody waits for it");
    pool_close(pool);
}

static void
test_order(void)
{
    struct pool pool;
    struct chunk *chunk[4];

    open_pool(&pool, 4);
    for (int i = 0; i < 4; i++)
        chunk[i] = pool_fill_start(&pool);
    static const int order[] = {2, 0, 3, 1};
    for (int i = 0; i < 4; i++) {
        chunk[order[i]]->used = 0;
        pool_fill_end(&pool, chunk[order[i]]);
    }
    bool is_stack = true;
    for (int i = 3; i >= 0; i--)
        is_stack &= pool_fill_start(&pool) == chunk[order[i]];
    ok(is_stack, "the last that became EMPTY is filled first");

    for (int i = 0; i < 4; i++) {
        chunk[order[i]]->used = 1;
        pool_fill_end(&pool, chunk[order[i]]);
    }
    bool is_queue = true;
    for (int i = 0; i < 4; i++)
        is_queue &=
            pool_take(&pool, CONSUMER_HOST, POOL_NO_WAIT) == chunk[order[i]];
    ok(is_queue, "the first that became FULL is taken first");

    for (int i = 0; i < 4; i++)
        pool_release(&pool, chunk[i]);
    is_queue = true;
    for (int i = 0; i < 4; i++)
        is_queue &= pool_fill_start(&pool) == chunk[i];
    ok(is_queue, "those that the CPU released are filled in that order");

    for (int i = 0; i < 4; i++) {
        chunk[i]->used = 1;
        pool_fill_end(&pool, chunk[i]);
    }
    for (int i = 0; i < 4; i++)
        pool_take(&pool, i < 2 ? CONSUMER_HOST : CONSUMER_DEVICE, POOL_NO_WAIT);
    for (int i = 0; i < 4; i++)
        pool_release(&pool, chunk[i]);
    ok(pool_fill_start(&pool) == chunk[3] &&
           pool_fill_start(&pool) == chunk[2] &&
           pool_fill_start(&pool) == chunk[0] &&
           pool_fill_start(&pool) == chunk[1],
       "those that a device released first, the last one first");
    pool_close(&pool);
}

/* One reader and one CPU thread with more chunks than they need. */
static void
test_few(void)
{
    struct pool pool;
    size_t touched = 0;

    open_pool(&pool, 30);
    for (int i = 0; i < 100; i++) {
        struct chunk *chunk = pool_fill_start(&pool);
        touched += chunk->used == 0;
        chunk->used = 1;
        pool_fill_end(&pool, chunk);
        pool_release(&pool, pool_take(&pool, CONSUMER_HOST, POOL_NO_WAIT));
    }
    ok(touched == 13, "twelve others are filled before a chunk is used again");
    for (int i = 0; i < 30; i++) {
        pool_fill_start(&pool)->used = 1;
    }
    ok(pool.empty.first == NULL && pool.filling_count == 30,
       "no chunk is lost");
    pool_close(&pool);
}

/* Fill the next chunk with a lease of TOKEN. */
static struct chunk *
fill_tied(struct pool *pool, const char *token)
{
    static unsigned char bytes[CHUNK_BYTES];
    struct chunk *chunk = pool_fill_start(pool);
    struct lease lease = lease_of(bytes, CHUNK_BYTES, 0);

    lease.token = (void *)(uintptr_t)token;
    pool_lease(chunk, &lease);
    chunk->used = CHUNK_BYTES;
    pool_fill_end(pool, chunk);
    return chunk;
}

/* A device leaves chunks that are in the memory of another one. */
static void
test_ties(void)
{
    const char *first = "first";
    const char *second = "second";
    const char *third = "third";
    struct pool pool;

    open_pool(&pool, 6);
    pool_count_device(&pool, 1);
    pool_count_device(&pool, 1);
    pool_tie(&pool, first);
    pool_tie(&pool, second);
    struct chunk *of_second = fill_tied(&pool, second);
    struct chunk *of_first = fill_tied(&pool, first);
    struct chunk *of_third = fill_tied(&pool, third);
    ok(pool_take_tied(&pool, first, POOL_WAIT) == of_first,
       "a device takes what is tied to it");
    ok(pool_take_tied(&pool, first, POOL_WAIT) == of_third,
       "... or what is tied to none");
    ok(pool_take_tied(&pool, first, POOL_NO_WAIT) == NULL &&
           pool_take(&pool, CONSUMER_DEVICE, POOL_NO_WAIT) == NULL,
       "... but leaves the others");
    ok(pool_take_tied(&pool, second, POOL_WAIT) == of_second,
       "... to the other one");
    pool_give_back(&pool, of_second);
    pool_untie(&pool, second);
    ok(pool_take_tied(&pool, first, POOL_WAIT) == of_second,
       "what was tied to one that failed is everyone's");
    pool_tie(&pool, second);
    of_second = fill_tied(&pool, second);
    fill_tied(&pool, third);
    fill_tied(&pool, third);
    ok(pool_take_tied(&pool, first, POOL_WAIT) == of_second,
       "without EMPTY chunks nothing is left to the other one");
    pool_release(&pool, of_first);
    fill_tied(&pool, third);
    pool_release(&pool, of_third);
    for (int i = 0; i < 3; i++)
        pool_release(&pool, pool_take_tied(&pool, first, POOL_WAIT));
    of_second = fill_tied(&pool, second);
    pool_end(&pool);
    ok(pool_take_tied(&pool, first, POOL_WAIT) == of_second,
       "... nor after the end");
    pool_stop(&pool);
    pool_close(&pool);
}

/* While a device is up, the host helps only when no chunk is EMPTY. */
static void
test_reserve(void)
{
    struct pool pool;

    open_pool(&pool, 4);
    pool_count_device(&pool, 1);
    fill(&pool, 3);
    ok(take_number(&pool, CONSUMER_HOST) == -1 &&
           !pool_has_work(&pool, CONSUMER_HOST),
       "three chunks are left to the device while one is EMPTY");
    pool_count_device(&pool, 1);
    pool_count_device(&pool, -1);
    ok(take_number(&pool, CONSUMER_HOST) == -1,
       "also when one of two has ended");
    fill(&pool, 1);
    ok(pool_has_work(&pool, CONSUMER_HOST) &&
           take_number(&pool, CONSUMER_HOST) == 0,
       "none EMPTY: the host takes the oldest");
    ok(take_number(&pool, CONSUMER_DEVICE) == 1, "the device takes the next");
    pool_count_device(&pool, -1);
    ok(pool_has_work(&pool, CONSUMER_HOST) &&
           take_number(&pool, CONSUMER_HOST) == 2,
       "no device, no reserve");
    ok(take_number(&pool, CONSUMER_HOST) == 0, "nor for the last");
    ok(take_number(&pool, CONSUMER_DEVICE) == -1, "nothing is left");
    pool_close(&pool);

    open_pool(&pool, 4);
    pool_count_device(&pool, 1);
    fill(&pool, 2);
    pool_end(&pool);
    ok(pool_has_work(&pool, CONSUMER_HOST) &&
           take_number(&pool, CONSUMER_HOST) == 0,
       "the host helps with what is left after the end");
    pool_close(&pool);
}

/* What a device refuses is for the CPU, at once and only for it. */
static void
test_refused(void)
{
    struct pool pool;

    open_pool(&pool, 5);
    pool_count_device(&pool, 1);
    fill(&pool, 3);
    struct chunk *refused = pool_take(&pool, CONSUMER_DEVICE, POOL_NO_WAIT);
    ok(take_number(&pool, CONSUMER_RESERVE) == -1 &&
           !pool_has_work(&pool, CONSUMER_RESERVE),
       "nothing is refused: the reserve has nothing to do");
    pool_refuse(&pool, refused);
    ok(refused->state == CHUNK_FULL && pool_has_work(&pool, CONSUMER_RESERVE) &&
           pool_has_work(&pool, CONSUMER_HOST),
       "TAKEN to FULL, for the CPU, while chunks are EMPTY");
    struct chunk *second = pool_take(&pool, CONSUMER_DEVICE, POOL_NO_WAIT);
    ok(second->data[0] == 1, "a device does not get it again");
    pool_refuse(&pool, second);
    ok(take_number(&pool, CONSUMER_DEVICE) == 2 &&
           take_number(&pool, CONSUMER_DEVICE) == -1,
       "nor the next one");
    pool_end(&pool);
    ok(take_number(&pool, CONSUMER_RESERVE) == 0 &&
           take_number(&pool, CONSUMER_HOST) == 1,
       "the reserve and a host take both, in order");
    pool_release(&pool, refused);
    pool_release(&pool, second);
    ok(pool_wait(&pool, 0.001) == POOL_TIME_OVER, "the device still has one");
    pool_count_device(&pool, -1);
    pool_give_back(&pool, &pool.chunks[2]);
    ok(take_number(&pool, CONSUMER_RESERVE) == -1,
       "what is given back is not refused");
    ok(take_number(&pool, CONSUMER_HOST) == 2, "a host takes it");
    pool_close(&pool);

    open_pool(&pool, 1);
    pool_count_device(&pool, 1);
    fill(&pool, 1);
    refused = pool_take(&pool, CONSUMER_DEVICE, POOL_NO_WAIT);
    pool_refuse(&pool, refused);
    pool_end(&pool);
    ok(pool_wait(&pool, 0.001) == POOL_TIME_OVER,
       "the pool is not drained while a chunk is refused");
    pool_release(&pool, pool_take(&pool, CONSUMER_RESERVE, POOL_WAIT));
    ok(pool_wait(&pool, 1) == POOL_DRAINED, "drained once that is counted");
    pool_close(&pool);

    /* A reader that can count: it fills a chunk rather. */
    open_pool(&pool, 2);
    pool_count_device(&pool, 1);
    fill(&pool, 1);
    refused = pool_take(&pool, CONSUMER_DEVICE, POOL_NO_WAIT);
    pool_refuse(&pool, refused);
    ok(pool_take_refused(&pool) == NULL, "a reader fills what is EMPTY");
    fill(&pool, 1);
    ok(pool_take_refused(&pool) == refused && refused->state == CHUNK_TAKEN,
       "... and takes what is refused if nothing is");
    pool_release(&pool, refused);
    ok(pool_take_refused(&pool) == NULL, "... but not what is FULL");
    pool_refuse(&pool, pool_take(&pool, CONSUMER_DEVICE, POOL_NO_WAIT));
    pool_stop(&pool);
    ok(pool_take_refused(&pool) == NULL, "... and nothing after a failure");
    pool_close(&pool);
}

/* While a device is up, the host takes nothing from a reader that fills. */
static void
test_readers_first(void)
{
    struct pool pool;

    open_pool(&pool, 5);
    pool_count_device(&pool, 1);
    fill(&pool, 3);
    struct chunk *first = pool_fill_start(&pool);
    struct chunk *second = pool_fill_start(&pool);
    ok(!pool_has_work(&pool, CONSUMER_HOST) &&
           take_number(&pool, CONSUMER_HOST) == -1,
       "none EMPTY, but two readers fill");
    first->used = 1;
    pool_fill_end(&pool, first);
    ok(!pool_has_work(&pool, CONSUMER_HOST) &&
           take_number(&pool, CONSUMER_HOST) == -1,
       "one reader fills");
    second->used = 1;
    pool_fill_end(&pool, second);
    struct chunk *taken = pool_take(&pool, CONSUMER_HOST, POOL_NO_WAIT);
    ok(taken == &pool.chunks[0], "all readers wait: the host has one");
    ok(take_number(&pool, CONSUMER_HOST) == 1, "and another");
    pool_release(&pool, taken);
    ok(!pool_has_work(&pool, CONSUMER_HOST), "not while a chunk is EMPTY");
    struct chunk *third = pool_fill_start(&pool);
    ok(!pool_has_work(&pool, CONSUMER_HOST), "nor while it is filled");
    pool_count_device(&pool, -1);
    ok(take_number(&pool, CONSUMER_HOST) == 2, "no device, no limit");
    third->used = 1;
    pool_fill_end(&pool, third);
    pool_close(&pool);
}

static void
test_stopped(void)
{
    struct pool pool;

    open_pool(&pool, 4);
    fill(&pool, 2);
    pool_stop(&pool);
    ok(pool_take(&pool, CONSUMER_HOST, POOL_NO_WAIT) == NULL &&
           pool_take(&pool, CONSUMER_HOST, POOL_WAIT) == NULL &&
           pool_take(&pool, CONSUMER_DEVICE, POOL_WAIT) == NULL,
       "stopped: nothing to take, though there is");
    ok(pool_fill_start(&pool) == NULL, "stopped: nothing to fill");
    pool_wait(&pool, 0);
    ok(true, "stopped: nothing to wait for");
    pool_close(&pool);
}

static void
test_ended(void)
{
    struct pool pool;

    open_pool(&pool, 4);
    pool_end(&pool);
    pool_wait(&pool, 0);
    ok(pool_take(&pool, CONSUMER_HOST, POOL_WAIT) == NULL,
       "no input: drained at once");
    pool_close(&pool);

    open_pool(&pool, 4);
    fill(&pool, 2);
    pool_end(&pool);
    struct chunk *first = pool_take(&pool, CONSUMER_HOST, POOL_WAIT);
    struct chunk *second = pool_take(&pool, CONSUMER_DEVICE, POOL_WAIT);
    ok(first != NULL && second != NULL, "what was filled is handed out");
    pool_give_back(&pool, first);
    pool_release(&pool, second);
    first = pool_take(&pool, CONSUMER_DEVICE, POOL_WAIT);
    ok(first != NULL, "even what is given back after the end");
    pool_release(&pool, first);
    ok(pool_take(&pool, CONSUMER_DEVICE, POOL_WAIT) == NULL, "then no more");
    pool_close(&pool);
}

/* ---- one thread waits, another wakes it ---- */

enum wish {
    WISH_FILL,
    WISH_HOST,
    WISH_DEVICE,
    WISH_PATIENT, /* a device that holds chunks and prefers to get more */
    WISH_DRAINED,
};

struct waiter {
    struct pool *pool;
    enum wish wish;
    struct chunk *chunk; /* what it got */
    struct sleeper sleeper;
    pthread_t thread;
};

static void *
waiter_main(void *argument)
{
    struct waiter *waiter = argument;

    sleeper_start(&waiter->sleeper);
    switch (waiter->wish) {
    case WISH_FILL:
        waiter->chunk = pool_fill_start(waiter->pool);
        break;
    case WISH_HOST:
        waiter->chunk = pool_take(waiter->pool, CONSUMER_HOST, POOL_WAIT);
        break;
    case WISH_DEVICE:
        waiter->chunk = pool_take(waiter->pool, CONSUMER_DEVICE, POOL_WAIT);
        break;
    case WISH_PATIENT:
        waiter->chunk =
            pool_take(waiter->pool, CONSUMER_DEVICE, POOL_WAIT_UNLESS_STARVED);
        break;
    case WISH_DRAINED:
        pool_wait(waiter->pool, 0);
        break;
    }
    sleeper_end(&waiter->sleeper);
    return NULL;
}

static void
waiter_start(struct waiter *waiter, struct pool *pool, enum wish wish)
{
    *waiter = (struct waiter){.pool = pool, .wish = wish};
    pthread_create(&waiter->thread, NULL, waiter_main, waiter);
}

static bool
waiter_is_waiting(struct waiter *waiter)
{
    return sleeper_waits(&waiter->sleeper);
}

static struct chunk *
waiter_finish(struct waiter *waiter)
{
    pthread_join(waiter->thread, NULL);
    return waiter->chunk;
}

/* Beside a device, a reader prefers the chunks that it has filled before. */
static void
test_own(void)
{
    struct waiter other;
    struct pool pool;
    struct chunk *chunk[3];

    open_pool(&pool, 3);
    pool_count_device(&pool, 1);
    chunk[0] = pool_fill_start(&pool);
    chunk[1] = pool_fill_start(&pool);
    waiter_start(&other, &pool, WISH_FILL);
    chunk[2] = waiter_finish(&other);
    for (int i = 0; i < 3; i++) {
        chunk[i]->used = 1;
        pool_fill_end(&pool, chunk[i]);
        pool_take(&pool, CONSUMER_DEVICE, POOL_NO_WAIT);
    }
    for (int i = 0; i < 3; i++)
        pool_release(&pool, chunk[i]);
    ok(pool_fill_start(&pool) == chunk[1] && pool_fill_start(&pool) == chunk[0],
       "beside a device a reader fills its own chunks, the last one first");

    /* Behind the other reader's chunk, which is the only one left. */
    pool_count_device(&pool, -1);
    pool_fill_end(&pool, chunk[1]);
    pool_release(&pool, pool_take(&pool, CONSUMER_HOST, POOL_NO_WAIT));
    ok(pool_fill_start(&pool) == chunk[2] && pool_fill_start(&pool) == chunk[1],
       "without a device it fills the first one");
    pool_close(&pool);
}

/* Two chunks: A is held TAKEN, B is held FILLING with one byte. */
static struct chunk *held_a, *held_b;
/* The thread that waits, or is woken in vain and waits again. */
static struct waiter only_waiter;

static void
do_release(struct pool *pool)
{
    pool_release(pool, held_a);
}

static void
do_give_back(struct pool *pool)
{
    pool_give_back(pool, held_a);
}

static void
do_fill(struct pool *pool)
{
    pool_fill_end(pool, held_b);
}

static void
do_fill_nothing(struct pool *pool)
{
    held_b->used = 0;
    pool_fill_end(pool, held_b);
}

static void
do_release_ended(struct pool *pool)
{
    do_fill_nothing(pool);
    pool_end(pool);
    waiter_is_waiting(&only_waiter);
    pool_release(pool, held_a);
}

static void
do_give_back_ended(struct pool *pool)
{
    do_fill_nothing(pool);
    pool_end(pool);
    waiter_is_waiting(&only_waiter);
    pool_give_back(pool, held_a);
}

/* The host may not take what is given back, until the device has gone. */
static void
do_device_ends(struct pool *pool)
{
    pool_count_device(pool, 1);
    do_fill_nothing(pool);
    do_give_back(pool);
    waiter_is_waiting(&only_waiter);
    pool_count_device(pool, -1);
}

static void
do_count_everything(struct pool *pool)
{
    do_fill(pool);
    pool_end(pool);
    pool_release(pool, held_a);
    pool_release(pool, pool_take(pool, CONSUMER_HOST, POOL_WAIT));
}

static void
test_wake_ups(void)
{
    static const struct {
        enum wish wish;
        void (*wake)(struct pool *);
        bool gets_one;
        const char *name;
    } table[] = {
        {WISH_FILL, do_release, true, "a reader, by a release"},
        {WISH_FILL, do_fill_nothing, true, "a reader, by another's end"},
        {WISH_FILL, pool_stop, false, "a reader, by a stop"},
        {WISH_HOST, do_fill, true, "the host, by a FULL chunk"},
        {WISH_HOST, do_give_back, true, "the host, by one given back"},
        {WISH_HOST, do_device_ends, true, "the host, by a device's end"},
        {WISH_HOST, do_give_back_ended, true, "the host, by the last chunk"},
        {WISH_HOST, do_release_ended, false, "the host, by the last release"},
        {WISH_HOST, pool_stop, false, "the host, by a stop"},
        {WISH_DEVICE, do_give_back_ended, true, "a device, by the last chunk"},
        {WISH_DEVICE, do_release_ended, false, "a device, by the last release"},
        {WISH_DEVICE, pool_stop, false, "a device, by a stop"},
        {WISH_DRAINED, do_release_ended, false, "main, by the last release"},
        {WISH_DRAINED, do_count_everything, false, "main, by the last count"},
        {WISH_DRAINED, pool_stop, false, "main, by a stop"},
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct pool pool;

        open_pool(&pool, 2);
        bool is_device = table[i].wish == WISH_DEVICE;
        if (is_device)
            pool_count_device(&pool, 1);
        fill(&pool, 1);
        held_a = pool_take(&pool, CONSUMER_DEVICE, POOL_WAIT);
        held_b = pool_fill_start(&pool);
        held_b->used = 1;
        waiter_start(&only_waiter, &pool, table[i].wish);
        bool has_waited = waiter_is_waiting(&only_waiter);
        table[i].wake(&pool);
        bool got_one = waiter_finish(&only_waiter) != NULL;
        ok(has_waited && got_one == table[i].gets_one, "waits and wakes: %s",
           table[i].name);
        pool_close(&pool);
    }
}

/*
 * A device that is up is woken by each new chunk, the host by the reader that
 * has filled the last EMPTY one.
 */
static void
test_device_first(void)
{
    struct pool pool;
    struct waiter host, device;

    open_pool(&pool, 4);
    pool_count_device(&pool, 1);
    waiter_start(&host, &pool, WISH_HOST);
    waiter_start(&device, &pool, WISH_DEVICE);
    bool both_wait = waiter_is_waiting(&host) && waiter_is_waiting(&device);
    fill(&pool, 1);
    ok(both_wait && waiter_finish(&device) != NULL, "the device wakes first");
    fill(&pool, 2);
    ok(waiter_is_waiting(&host), "the host still waits with one EMPTY");
    struct chunk *last = pool_fill_start(&pool);
    ok(waiter_is_waiting(&host), "and while that one is filled");
    last->used = 1;
    pool_fill_end(&pool, last);
    ok(waiter_finish(&host) != NULL, "and wakes then");
    pool_close(&pool);
}

/* END or STOP wakes all, of every kind. */
static void
test_wake_all(bool is_stop)
{
    struct pool pool;
    struct waiter waiter[12];
    int count = 0;
    int empty_handed = 0;

    open_pool(&pool, 1);
    struct chunk *chunk = pool_fill_start(&pool);
    for (int i = 0; i < 3; i++) {
        waiter_start(&waiter[count++], &pool, WISH_HOST);
        waiter_start(&waiter[count++], &pool, WISH_DEVICE);
        waiter_start(&waiter[count++], &pool, WISH_DRAINED);
        if (is_stop)
            waiter_start(&waiter[count++], &pool, WISH_FILL);
    }
    bool all_wait = true;
    for (int i = 0; i < count; i++)
        all_wait &= waiter_is_waiting(&waiter[i]);
    chunk->used = 0;
    if (is_stop) {
        pool_stop(&pool);
    } else {
        pool_fill_end(&pool, chunk);
        pool_end(&pool);
    }
    for (int i = 0; i < count; i++)
        empty_handed += waiter_finish(&waiter[i]) == NULL;
    ok(all_wait && empty_handed == count, "%s wakes everybody",
       is_stop ? "a stop" : "the end");
    pool_close(&pool);
}

/* ---- a device that holds chunks and prefers to get more ---- */

/* Cases in which pool_take() returns at once. */
static void
test_patient_now(void)
{
    struct pool pool;

    open_pool(&pool, 3);
    pool_count_device(&pool, 1);
    fill(&pool, 1);
    struct chunk *first =
        pool_take(&pool, CONSUMER_DEVICE, POOL_WAIT_UNLESS_STARVED);
    ok(first != NULL, "patient: takes what is FULL");
    fill(&pool, 2);
    struct chunk *second =
        pool_take(&pool, CONSUMER_DEVICE, POOL_WAIT_UNLESS_STARVED);
    struct chunk *third =
        pool_take(&pool, CONSUMER_DEVICE, POOL_WAIT_UNLESS_STARVED);
    ok(second != NULL && third != NULL,
       "patient: takes what is FULL, too, where no chunk is EMPTY");
    ok(pool_take(&pool, CONSUMER_DEVICE, POOL_WAIT_UNLESS_STARVED) == NULL,
       "patient: does not wait where all are TAKEN");
    pool_release(&pool, first);
    struct chunk *filling = pool_fill_start(&pool);
    ok(pool_take(&pool, CONSUMER_DEVICE, POOL_WAIT_UNLESS_STARVED) == NULL,
       "patient: nor where the last one is being filled");
    pool_release(&pool, second);
    filling->used = 1;
    pool_fill_end(&pool, filling);
    pool_end(&pool);
    first = pool_take(&pool, CONSUMER_DEVICE, POOL_WAIT_UNLESS_STARVED);
    ok(first != NULL, "patient: takes the last one after the end");
    ok(pool_take(&pool, CONSUMER_DEVICE, POOL_WAIT_UNLESS_STARVED) == NULL,
       "patient: does not wait after the end, though others may give back");
    pool_give_back(&pool, third);
    ok(pool_take(&pool, CONSUMER_DEVICE, POOL_WAIT_UNLESS_STARVED) == third,
       "patient: takes what was given back");
    pool_stop(&pool);
    ok(pool_take(&pool, CONSUMER_DEVICE, POOL_WAIT_UNLESS_STARVED) == NULL,
       "patient: does not wait after a stop");
    pool_close(&pool);
}

/* Readers take the last two EMPTY chunks, and go on. */
static void
do_fill_last(struct pool *pool)
{
    pool_fill_start(pool);
    pool_fill_start(pool);
}

static void
do_give_back_one(struct pool *pool)
{
    pool_give_back(pool, held_a);
}

static void
do_fill_one(struct pool *pool)
{
    fill(pool, 1);
}

/* Of 4 chunks one is TAKEN by the waiter, one by another, two are EMPTY. */
static void
test_patient_wakes(void)
{
    static const struct {
        void (*wake)(struct pool *);
        bool gets_one;
        const char *name;
    } table[] = {
        {do_fill_one, true, "a FULL chunk"},
        {do_give_back_one, true, "one given back"},
        {do_fill_last, false, "the last EMPTY one that is taken"},
        {pool_end, false, "the end"},
        {pool_stop, false, "a stop"},
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct pool pool;
        struct waiter waiter;

        open_pool(&pool, 4);
        pool_count_device(&pool, 1);
        fill(&pool, 2);
        pool_take(&pool, CONSUMER_DEVICE, POOL_WAIT);
        held_a = pool_take(&pool, CONSUMER_DEVICE, POOL_WAIT);
        waiter_start(&waiter, &pool, WISH_PATIENT);
        bool has_waited = waiter_is_waiting(&waiter);
        table[i].wake(&pool);
        bool got_one = waiter_finish(&waiter) != NULL;
        ok(has_waited && got_one == table[i].gets_one, "patient: woken by %s",
           table[i].name);
        pool_close(&pool);
    }
}

/* All devices that are patient release what they have, not just one. */
static void
test_patient_all(void)
{
    struct pool pool;
    struct waiter waiter[3];
    bool all_wait = true;
    int empty_handed = 0;

    open_pool(&pool, 4);
    for (int i = 0; i < 3; i++) {
        pool_count_device(&pool, 1);
        fill(&pool, 1);
        pool_take(&pool, CONSUMER_DEVICE, POOL_WAIT);
    }
    for (int i = 0; i < 3; i++)
        waiter_start(&waiter[i], &pool, WISH_PATIENT);
    for (int i = 0; i < 3; i++)
        all_wait &= waiter_is_waiting(&waiter[i]);
    pool_fill_start(&pool);
    for (int i = 0; i < 3; i++)
        empty_handed += waiter_finish(&waiter[i]) == NULL;
    ok(all_wait && empty_handed == 3, "patient: all are woken by a reader");
    pool_close(&pool);
}

/* ---- many threads: every chunk is counted exactly once ---- */

#define NUMBERS 20000
#define READERS 4
#define HOSTS 3
#define DEVICES 3
#define DEPTH 4

static struct pool stress_pool;
static atomic_uint next_number;
static atomic_uchar times_counted[NUMBERS];
static atomic_uint readers_left;
static atomic_uint leases;
static unsigned char leased_memory[64][CHUNK_BYTES];

static unsigned int
draw(unsigned int *seed, unsigned int below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 16) % below;
}

static void *
reader_main(void *argument)
{
    unsigned int *seed = argument;
    struct chunk *chunk;

    while ((chunk = pool_fill_start(&stress_pool)) != NULL) {
        unsigned int number = NUMBERS;
        if (draw(seed, 8) > 0) /* else nothing was read this time */
            number = atomic_fetch_add(&next_number, 1);
        chunk->used = number < NUMBERS ? sizeof number : 0;
        /* What is leased to a chunk is in memory of that chunk. */
        if (draw(seed, 3) == 0) {
            size_t i = (size_t)(chunk - stress_pool.chunks);
            struct lease lease =
                lease_of(leased_memory[i], CHUNK_BYTES, (unsigned int)i);
            pool_lease(chunk, &lease);
            atomic_fetch_add(&leases, 1);
        }
        memcpy(chunk->data, &number, sizeof number);
        pool_fill_end(&stress_pool, chunk);
        if (number > NUMBERS) /* all are given out */
            break;
    }
    if (atomic_fetch_sub(&readers_left, 1) == 1)
        pool_end(&stress_pool);
    return NULL;
}

static void
count_chunk(struct chunk *chunk, bool is_own)
{
    unsigned int number;

    if (is_own)
        pool_own(chunk);
    memcpy(&number, chunk->data, sizeof number);
    memset(chunk->data, 0xff, chunk->used);
    if (number < NUMBERS && chunk->used == sizeof number)
        atomic_fetch_add(&times_counted[number], 1);
    pool_release(&stress_pool, chunk);
}

static void *
host_main(void *argument)
{
    unsigned int *seed = argument;
    struct chunk *chunk;

    while ((chunk = pool_take(&stress_pool, CONSUMER_HOST, POOL_WAIT)) !=
           NULL) {
        if (draw(seed, 4) == 0)
            pool_give_back(&stress_pool, chunk);
        else
            count_chunk(chunk, draw(seed, 4) == 0);
    }
    return NULL;
}

/* A device that holds several chunks, fails at times, and returns. */
static void *
device_main(void *argument)
{
    unsigned int *seed = argument;
    struct chunk *held[DEPTH];
    size_t count = 0;
    bool is_patient = *seed % 2 == 0;

    pool_count_device(&stress_pool, 1);
    for (;;) {
        struct chunk *chunk = NULL;
        if (count < DEPTH)
            chunk = pool_take(&stress_pool, CONSUMER_DEVICE,
                              count == 0   ? POOL_WAIT
                              : is_patient ? POOL_WAIT_UNLESS_STARVED
                                           : POOL_NO_WAIT);
        if (chunk == NULL && count == 0)
            break;
        if (chunk != NULL) {
            held[count++] = chunk;
        } else {
            count_chunk(held[0], is_patient);
            memmove(held, held + 1, --count * sizeof *held);
        }
        if (draw(seed, 64) == 0) {
            while (count > 0)
                pool_give_back(&stress_pool, held[--count]);
            pool_count_device(&stress_pool, -1);
            pool_count_device(&stress_pool, 1);
        }
    }
    pool_count_device(&stress_pool, -1);
    return NULL;
}

static void
test_stress(size_t chunk_count, int readers, int hosts, int devices)
{
    pthread_t thread[READERS + HOSTS + DEVICES];
    unsigned int seed[READERS + HOSTS + DEVICES];
    int threads = readers + hosts + devices;
    unsigned int missing = 0, doubled = 0;

    open_pool(&stress_pool, chunk_count);
    memset(times_counted, 0, sizeof times_counted);
    memset(ended, 0, sizeof ended);
    atomic_store(&leases, 0);
    atomic_store(&next_number, 0);
    atomic_store(&readers_left, (unsigned int)readers);
    for (int i = 0; i < threads; i++) {
        seed[i] = (unsigned int)i;
        pthread_create(&thread[i], NULL,
                       i < readers           ? reader_main
                       : i < readers + hosts ? host_main
                                             : device_main,
                       &seed[i]);
    }
    pool_wait(&stress_pool, 0);
    for (int i = 0; i < NUMBERS; i++) {
        missing += times_counted[i] == 0;
        doubled += times_counted[i] > 1;
    }
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);

    bool is_all_empty = stress_pool.full_count == 0 &&
                        stress_pool.taken_count == 0 &&
                        stress_pool.devices_up == 0;
    for (size_t i = 0; i < chunk_count; i++)
        is_all_empty &= stress_pool.chunks[i].state == CHUNK_EMPTY;
    for (size_t i = 0; i < chunk_count; i++)
        leases -= ended[i];
    ok(missing == 0 && doubled == 0 && is_all_empty && leases == 0,
       "%zu chunks, %d readers, %d hosts, %d devices: counted once each",
       chunk_count, readers, hosts, devices);
    pool_close(&stress_pool);
}

int
main(void)
{
    alarm(WATCHDOG_SECONDS);

    test_memory(2, 1, false);
    test_memory(3, 4095, false);
    test_memory(3, 4096, true);
    test_memory(2, 4097, true);
    test_memory(3, 3 << 20, true);
    test_no_memory();
    test_add();
    test_states();
    test_replace();
    test_lease();
    test_ties();
    test_enlarge();
    test_order();
    test_few();
    test_own();
    test_reserve();
    test_refused();
    test_readers_first();
    test_stopped();
    test_ended();

    test_wake_ups();
    test_device_first();
    test_wake_all(false);
    test_wake_all(true);
    test_patient_now();
    test_patient_wakes();
    test_patient_all();

    test_stress(2, 1, 1, 0);
    test_stress(2, READERS, HOSTS, DEVICES);
    test_stress(3, READERS, 0, DEVICES);
    test_stress(5, READERS, HOSTS, 0);
    test_stress(9, READERS, HOSTS, DEVICES);
    test_stress(48, READERS, HOSTS, DEVICES);
    return done_testing();
}
