/* key_amounts.c -- the counts and the sums of keys, in cells */

#include <stdatomic.h>

#include "base/thread.h"
#include "hist/key_amounts.h"
#include "hist/sum.h"

/* Keys that a thread takes at a time; of a list in files, they are in memory at
   a time. */
#define KEYS_AT_A_TIME 16384

struct putting {
    const struct key_list *list;
    struct histogram *counts;
    uint64_t first;             /* the cell of the first key */
    atomic_uint_fast64_t taken; /* keys that a thread sets or has set */
};

/* Set the cells of KEYS_AT_A_TIME keys, and again until all are set. */
static void
put_some(void *task, unsigned int member)
{
    struct putting *putting = task;
    const struct key_list *list = putting->list;
    struct histogram *counts = putting->counts;
    uint64_t begin;

    (void)member;
    while ((begin = atomic_fetch_add(&putting->taken, KEYS_AT_A_TIME)) <
           list->count) {
        uint64_t count = list->count - begin;
        count = count < KEYS_AT_A_TIME ? count : KEYS_AT_A_TIME;
        for (uint64_t k = begin; k < begin + count; k++) {
            const unsigned char *entry = key_list_entry(list, k);
            uint64_t *value = counts->value + putting->first + k;
            *value = key_entry_count_of(entry);
            if (counts->planes > 1) {
                struct decimal_sum sum = key_entry_sum(entry);
                sum_add_decimal(&sum, value + counts->cells,
                                (size_t)counts->cells);
            }
        }
        key_list_forget(list, begin, count);
        histogram_forget(counts, putting->first + begin, count);
    }
}

void
key_amounts_put(const struct key_list *list, struct histogram *counts,
                uint64_t first, unsigned int threads)
{
    struct putting putting = {.list = list, .counts = counts, .first = first};
    uint64_t members = list->count / KEYS_AT_A_TIME + 1;

    members = members < threads ? members : threads;
    members = members < CREW_MAX ? members : CREW_MAX;
    crew_run((unsigned int)members, put_some, &putting);
}
