/* SPDX-License-Identifier: MIT */
/*
 * test_series.c -- sums over bytes in order, against simple loops
 *
 * The totals of few bytes are whole numbers below 2^53, so that doubles have
 * the right figures.
 */

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "../arena.h"
#include "../noise.h"
#include "../tap.h"
#include "hist/series.h"

#define ARENA_BYTES ((size_t)1 << 20)
#define SMALL ((size_t)100)
#define RADIUS 16777215.0

static unsigned char *arena; /* ARENA_BYTES between two guard pages */

static const struct {
    const char *name;
    void (*add)(struct series_sum *, const unsigned char *, size_t);
    uint64_t (*inside)(const unsigned char *, size_t);
} forms[] = {
    {"portable", series_sum_add_portable, series_sum_inside_portable},
    {"fast", series_sum_add, series_sum_inside},
};

/* ---- simple loops ---- */

struct figures {
    double correlation;
    double pi;
    uint64_t points;
};

/* Whether the point at DATA is in the circle, computed as ent does it. */
static bool
is_inside(const unsigned char *data)
{
    double x = 0;
    double y = 0;

    for (int i = 0; i < 3; i++) {
        x = x * 256.0 + data[i];
        y = y * 256.0 + data[i + 3];
    }
    return x * x + y * y <= RADIUS * RADIUS;
}

/* The sums of COUNT inputs, of SIZE[I] bytes each, one after the other. */
static struct figures
find_figures(const unsigned char *data, const size_t *size, size_t count)
{
    double n = 0, sum = 0, squares = 0, products = 0, inside = 0, points = 0;

    for (size_t i = 0; i < count; i++) {
        n += (double)size[i];
        for (size_t b = 0; b < size[i]; b++) {
            double next = b + 1 < size[i] ? data[b + 1] : data[0];
            sum += data[b];
            squares += (double)data[b] * data[b];
            products += data[b] * next;
        }
        for (size_t b = 0; b + 6 <= size[i]; b += 6) {
            points++;
            inside += is_inside(data + b);
        }
        data += size[i];
    }
    double below = n * squares - sum * sum;
    return (struct figures){
        .correlation =
            below == 0 ? (double)NAN : (n * products - sum * sum) / below,
        .pi = points == 0 ? (double)NAN : 4 * inside / points,
        .points = (uint64_t)points,
    };
}

/* Whether A and B are equal, or both NaN. */
static bool
is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool
is_right(const struct series_total *total, const struct figures *wanted)
{
    return is_same(series_total_correlation(total), wanted->correlation) &&
           is_same(series_total_pi(total), wanted->pi) &&
           total->points == wanted->points;
}

/* ---- data ---- */

static void
fill_random(unsigned char *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        data[i] = (unsigned char)(noise() >> 32);
}

/* Coordinates near the circle: the last bits decide. */
static void
fill_circle(unsigned char *data, size_t points)
{
    for (size_t i = 0; i < points; i++) {
        uint32_t x = (uint32_t)(noise() >> 40);
        uint32_t y =
            (uint32_t)lround(sqrt(RADIUS * RADIUS - (double)x * (double)x));
        y += (uint32_t)(noise() >> 32) % 3;
        y = y > 0 ? y - 1 : y;
        y = y > (uint32_t)RADIUS ? (uint32_t)RADIUS : y;
        for (int b = 0; b < 3; b++) {
            data[6 * i + (size_t)b] = (unsigned char)(x >> (16 - 8 * b));
            data[6 * i + 3 + (size_t)b] = (unsigned char)(y >> (16 - 8 * b));
        }
    }
}

/* ---- tests ---- */

/* SIZE bytes that end at the guard page. */
static bool
adds_right(size_t f, size_t size)
{
    const unsigned char *data = arena + ARENA_BYTES - size - 1;
    struct series_sum sum = {1, 2, 3};
    struct series_sum wanted = {1, 2, 3};

    for (size_t i = 0; i < size; i++) {
        wanted.bytes += data[i];
        wanted.squares += (uint64_t)data[i] * data[i];
        wanted.products += (uint64_t)data[i] * data[i + 1];
    }
    forms[f].add(&sum, data, size);
    return memcmp(&sum, &wanted, sizeof sum) == 0;
}

static bool
finds_inside(size_t f, size_t points)
{
    const unsigned char *data = arena + ARENA_BYTES - 6 * points;
    uint64_t wanted = 0;

    for (size_t i = 0; i < points; i++)
        wanted += is_inside(data + 6 * i);
    return forms[f].inside(data, points) == wanted;
}

static void
test_forms(void)
{
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        size_t wrong = 0;
        fill_random(arena, ARENA_BYTES);
        for (size_t size = 0; size < 300; size++)
            wrong += !adds_right(f, size);
        wrong += !adds_right(f, ARENA_BYTES - 1);
        memset(arena, 255, ARENA_BYTES);
        wrong += !adds_right(f, ARENA_BYTES - 1);
        ok(wrong == 0, "%s: sums of pairs (%zu wrong)", forms[f].name, wrong);
        fill_circle(arena + ARENA_BYTES % 6, ARENA_BYTES / 6);
        wrong = 0;
        for (size_t points = 0; points < 100; points++)
            wrong += !finds_inside(f, points);
        wrong += !finds_inside(f, ARENA_BYTES / 6);
        ok(wrong == 0, "%s: points (%zu wrong)", forms[f].name, wrong);
    }
}

/* Set *SERIES to the SIZE bytes at DATA, cut into pieces that are joined in any
   order.  START is the place of the first byte; UINT64_MAX: unknown. */
static void
join_pieces(struct series *series, const unsigned char *data, size_t size,
            uint64_t start)
{
    unsigned int phases =
        start == UINT64_MAX ? SERIES_ALL_PHASES : series_phase(start);
    struct series after = {0};

    if (size < 2 || noise() % 4 == 0) {
        size_t half = size / 2;
        series_extend(series, data, half, phases);
        series_extend(series, data + half, size - half, phases);
        return;
    }
    size_t cut = 1 + (size_t)(noise() % (size - 1));
    join_pieces(series, data, cut, start);
    join_pieces(&after, data + cut, size - cut,
                start == UINT64_MAX ? UINT64_MAX : start + cut);
    series_join(series, &after);
}

/* Several inputs of up to MOST bytes, in pieces.  Returns whether the figures
   are right. */
static bool
is_right_in_pieces(size_t most, bool is_placed)
{
    size_t size[3];
    size_t count = 1 + (size_t)(noise() % 3);
    const unsigned char *data = arena;
    struct series_total total = {0};

    for (size_t i = 0; i < count; i++) {
        struct series series = {0};
        size[i] = (size_t)(noise() % (most + 1));
        join_pieces(&series, data, size[i], is_placed ? 0 : UINT64_MAX);
        series_total_add(&total, &series);
        data += size[i];
    }
    const struct figures wanted = find_figures(arena, size, count);
    return is_right(&total, &wanted);
}

static void
test_pieces(void)
{
    size_t wrong = 0;

    fill_random(arena, ARENA_BYTES);
    for (size_t i = 0; i < 20000; i++)
        wrong += has_turn(20) && !is_right_in_pieces(i % 20, i % 2 == 0);
    ok(wrong == 0, "a few bytes in pieces (%zu wrong)", wrong);
    wrong = 0;
    for (size_t i = 0; i < 2000; i++)
        wrong += has_turn(20) && !is_right_in_pieces(SMALL, i % 2 == 0);
    for (size_t i = 0; i < 40; i++)
        wrong += has_turn(20) && !is_right_in_pieces(80000, i % 2 == 0);
    ok(wrong == 0, "more bytes in pieces (%zu wrong)", wrong);
}

static void
test_zeros(void)
{
    size_t wrong = 0;

    for (int i = 0; i < 2000; i++) {
        size_t before = (size_t)(noise() % 20);
        size_t zeros = (size_t)(noise() % 20);
        size_t size = before + zeros + (size_t)(noise() % 20);
        struct series series = {0};
        struct series_total total = {0};
        fill_random(arena, size);
        memset(arena + before, 0, zeros);
        series_extend(&series, arena, before, SERIES_ALL_PHASES);
        series_extend_zeros(&series, zeros);
        series_extend(&series, arena + before + zeros, size - before - zeros,
                      SERIES_ALL_PHASES);
        series_total_add(&total, &series);
        const struct figures wanted = find_figures(arena, &size, 1);
        wrong += !is_right(&total, &wanted);
    }
    ok(wrong == 0, "holes (%zu wrong)", wrong);
}

static void
test_figures(void)
{
    static const unsigned char equal[] = "aaaaaaaaaaaa";
    static const unsigned char turns[] = {0, 1, 0, 1, 0, 1, 0, 1};
    struct series_total total = {0};
    struct series series = {0};

    ok(isnan(series_total_correlation(&total)) &&
           isnan(series_total_pi(&total)),
       "no bytes");
    series_extend(&series, equal, 12, SERIES_ALL_PHASES);
    series_total_add(&total, &series);
    ok(isnan(series_total_correlation(&total)) && series_total_pi(&total) == 4,
       "equal bytes have no correlation");
    total = (struct series_total){0};
    series = (struct series){0};
    series_extend(&series, turns, 8, SERIES_ALL_PHASES);
    series_total_add(&total, &series);
    ok(series_total_correlation(&total) == -1, "bytes that take turns");

    /* 2^62 bytes of 255 and then as many zeros: 2^63 pairs, two of which, at
       the ends, differ. */
    const uint64_t half = UINT64_C(1) << 62;
    total = (struct series_total){
        .count = 2 * half,
        .bytes = wide_product(255, half),
        .squares = wide_product(65025, half),
        .products = wide_product(65025, half - 1),
        .points = 1,
        .inside = 1,
    };
    ok(series_total_correlation(&total) == 1 - 2.0 / (double)half,
       "the longest input");
}

int
main(void)
{
    alarm(300);
    arena = arena_open(ARENA_BYTES);
    test_forms();
    test_pieces();
    test_zeros();
    test_figures();
    return done_testing();
}
