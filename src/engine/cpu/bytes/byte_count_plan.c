/* SPDX-License-Identifier: MIT */
/* byte_count_plan.c -- choose the frequent values to count in classes */

#include <string.h>

#include "engine/cpu/bytes/byte_count_plan.h"

static void
count_sample(const unsigned char *data, unsigned int count[BYTE_COUNT_BINS])
{
    uint16_t table[4][BYTE_COUNT_BINS];

    memset(table, 0, sizeof table);
    for (int i = 0; i < COUNT_SAMPLE_BYTES; i += 4) {
        table[0][data[i]]++;
        table[1][data[i + 1]]++;
        table[2][data[i + 2]]++;
        table[3][data[i + 3]]++;
    }
    for (int v = 0; v < BYTE_COUNT_BINS; v++)
        count[v] =
            (unsigned int)table[0][v] + table[1][v] + table[2][v] + table[3][v];
}

/* Sort all values by COUNT, the highest first. */
static void
sort_values(const unsigned int count[BYTE_COUNT_BINS],
            unsigned char value[BYTE_COUNT_BINS])
{
    /*
     * Higher counts are treated as MOST.  Fewer than eight values can have such
     * counts, and all of them get into the first class anyway.
     */
    enum {
        MOST = COUNT_SAMPLE_BYTES / COUNT_CLASS_VALUES
    };
    unsigned int level[BYTE_COUNT_BINS];
    unsigned int before[MOST + 2] = {0};

    for (int v = 0; v < BYTE_COUNT_BINS; v++) {
        level[v] = MOST - (count[v] < MOST ? count[v] : MOST);
        before[level[v] + 1]++;
    }
    for (int l = 1; l <= MOST; l++)
        before[l] += before[l - 1];
    for (int v = 0; v < BYTE_COUNT_BINS; v++)
        value[before[level[v]]++] = (unsigned char)v;
}

/* Set the number of classes with the least cost, and the escapes. */
static void
choose_classes(struct count_plan *plan, const struct count_costs *costs,
               const unsigned int count[BYTE_COUNT_BINS],
               const unsigned char value[BYTE_COUNT_BINS])
{
    unsigned int least = costs->otherwise;
    unsigned int left = COUNT_SAMPLE_BYTES;

    plan->classes = 0;
    plan->escapes = 0;
    for (unsigned int g = 1; g <= COUNT_CLASSES_MAX && left > 0; g++) {
        for (unsigned int i = 1; i <= COUNT_CLASS_VALUES; i++)
            left -= count[value[g * COUNT_CLASS_VALUES - i]];
        unsigned int cost = costs->look + costs->class * g +
                            (left > 0 ? costs->escape : 0) +
                            costs->all_escape * left / COUNT_SAMPLE_BYTES;
        if (cost < least) {
            least = cost;
            plan->classes = g;
            plan->escapes = left;
        }
    }
}

void
count_plan_make(struct count_plan *plan, const struct count_costs *costs,
                const unsigned char sample[COUNT_SAMPLE_BYTES],
                uint64_t bin[BYTE_COUNT_BINS])
{
    unsigned int count[BYTE_COUNT_BINS];
    unsigned char value[BYTE_COUNT_BINS];

    count_sample(sample, count);
    for (int v = 0; v < BYTE_COUNT_BINS; v++)
        bin[v] += count[v];
    sort_values(count, value);
    choose_classes(plan, costs, count, value);

    plan->ranks = 0;
    while (plan->ranks < plan->classes * COUNT_CLASS_VALUES &&
           count[value[plan->ranks]] > 0) {
        plan->value[plan->ranks] = value[plan->ranks];
        plan->ranks++;
    }
}
