/* SPDX-License-Identifier: MIT */
/*
 * test_plan.c -- rules for every plan, over a grid of facts
 *
 * Each rule below is checked for every point of the grid; the first point
 * that breaks it is printed.
 */

#include <inttypes.h>
#include <stdint.h>
#include <string.h>

#include "../tap.h"
#include "engine/cpu/cells/shared_counts.h"
#include "engine/engine.h"
#include "engine/gpu/device/checkpoint.h"
#include "run/plan.h"

#define MIB ((uint64_t)1 << 20)
#define GIB ((uint64_t)1 << 30)
#define TIB ((uint64_t)1 << 40)
#define COUNT(table) (sizeof(table) / sizeof *(table))

/* One point of the grid and what came of it. */
struct point {
    struct plan_options options;
    struct plan_facts facts;
    int result;
    struct error error;
    struct plan plan;
    uint64_t limit; /* on memory */
};

static void
make(struct point *point)
{
    uint64_t limit = point->options.memory_limit != PLAN_CHOOSE
                         ? point->options.memory_limit
                         : point->facts.memory_bytes / 2;

    point->error = ERROR_NONE;
    point->limit = limit < SIZE_MAX / 2 ? limit : SIZE_MAX / 2;
    memset(&point->plan, 0xee, sizeof point->plan);
    point->result =
        plan_make(&point->plan, &point->options, &point->facts, &point->error);
}

/* A chunk takes whole pages. */
static uint64_t
whole_pages(uint64_t bytes)
{
    return (bytes + 4095) / 4096 * 4096;
}

/* The memory of the chunks, including the spare ones. */
static uint64_t
pool_bytes(const struct plan *plan)
{
    size_t more = (plan->decoders - plan->readers) * plan->decoder_chunks +
                  plan->gpu_count * plan->held_chunks;

    return (plan->chunk_count + more + plan->spare_chunks) *
           whole_pages(plan->chunk_bytes);
}

/*
 * What the tables of a plan take: two for each GPU; one for each thread and
 * one for their sum, or one for all of that and the threads' lists.
 */
static uint64_t
table_bytes(const struct point *point)
{
    const struct plan *plan = &point->plan;
    uint64_t hosts = plan->host_shares ? 1 : plan->host_threads + 1;

    return (2 * plan->gpu_count + hosts) * point->facts.table_bytes +
           plan->host_bytes;
}

/* The least that THREADS take that share a table, beside it. */
static uint64_t
least_lists(const struct point *point, unsigned int threads)
{
    return shared_counts_bytes(point->facts.table_bytes / 8, threads, 0);
}

/* Whether only GPUs may count. */
static bool
is_for_gpus(const struct point *point)
{
    return point->options.device == DEVICE_CUDA ||
           point->options.device == DEVICE_OPENCL;
}

static unsigned int
threads_wanted(const struct point *point)
{
    return point->options.threads > 0 ? point->options.threads
                                      : point->facts.cpus;
}

/* BYTES, as much of it as whole records take; or one record. */
static uint64_t
whole_records(const struct point *point, uint64_t bytes)
{
    uint64_t record = point->facts.record_bytes;

    return bytes < record ? record : bytes - bytes % record;
}

/* ---- the rules: each returns whether it holds ---- */

/*
 * Refused only where two chunks, of the size asked for, have no room beside
 * the tables.  These may be as many as half of the limit holds, but they are
 * not why a run that needs less than half of the limit is refused.
 */
static bool
rule_refusal(const struct point *point)
{
    bool has_gpus = is_for_gpus(point);
    uint64_t chunk = whole_pages(whole_records(
        point, point->options.chunk_bytes > 0 ? point->options.chunk_bytes
                                              : 64 << 10));
    uint64_t table = point->facts.table_bytes;
    bool may_share = point->facts.may_share_table && table > 4 * MIB;
    uint64_t least = has_gpus    ? 2 * point->plan.gpu_count + 1
                     : may_share ? 1
                                 : 2;
    uint64_t most = has_gpus ? least : threads_wanted(point) + 3;

    if (point->result == 0)
        return point->error.status == EXIT_DONE &&
               point->limit >= 2 * chunk + table_bytes(point);
    return point->error.status == EXIT_USAGE && point->error.text != NULL &&
           point->limit < 2 * chunk + most * table &&
           point->limit / 2 < 2 * chunk + least * table;
}

/* What --device=cpu has room for, --device=auto has, too. */
static bool
rule_auto_as_cpu(const struct point *point)
{
    struct point cpu = *point;

    if (point->result == 0 || point->options.device != DEVICE_AUTO)
        return true;
    cpu.options.device = DEVICE_CPU;
    cpu.options.strategy = STRATEGY_AUTO;
    make(&cpu);
    error_clear(&cpu.error);
    return cpu.result < 0;
}

static bool
rule_two_chunks(const struct point *point)
{
    return point->plan.chunk_count >= 2;
}

/* One for each GPU that may be OpenCL's, unless there are few chunks at all. */
static bool
rule_spare_chunks(const struct point *point)
{
    const struct plan *plan = &point->plan;
    size_t wanted = point->options.device == DEVICE_CUDA ? 0 : plan->gpu_count;

    return plan->spare_chunks == wanted ||
           (plan->spare_chunks == 0 && plan->chunk_count < 8 + wanted);
}

/*
 * A reader that waits, for a pipe or for the memory of a decoder, holds a
 * chunk.  If such readers held all chunks, no thread could continue.
 */
static bool
rule_chunk_for_each_reader(const struct point *point)
{
    return point->plan.chunk_count >= point->plan.readers;
}

/* Longer ones are for a GPU that counts what one has decoded. */
static uint64_t
longest_chunk(const struct point *point)
{
    return point->plan.gpu_count > 0 && point->plan.gpu_after == 0 &&
                   !point->facts.has_keys &&
                   point->plan.decoding != GPU_DECODE_NEVER
               ? 16 * MIB
               : 2 * MIB;
}

static bool
rule_chunk_size(const struct point *point)
{
    const struct plan *plan = &point->plan;
    size_t asked = point->options.chunk_bytes;

    if (asked > 0)
        return plan->chunk_bytes == whole_records(point, asked);
    for (uint64_t bytes = 64 << 10; bytes <= longest_chunk(point); bytes *= 2) {
        if (plan->chunk_bytes == whole_records(point, bytes))
            return true;
    }
    return false;
}

static bool
rule_whole_records(const struct point *point)
{
    size_t chunk_bytes = point->plan.chunk_bytes;

    return chunk_bytes > 0 && chunk_bytes % point->facts.record_bytes == 0;
}

static bool
rule_memory_limit(const struct point *point)
{
    uint64_t tables = table_bytes(point);
    uint64_t pool = pool_bytes(&point->plan);

    return tables <= point->limit && pool <= point->limit - tables &&
           point->plan.decoder_bytes <= point->limit - tables - pool;
}

/*
 * Chunks take at most 96 MiB for any number of GPUs, or as many times more as
 * they are longer, unless larger chunks are requested.  Each reader after the
 * twelfth, which counts or decodes, adds two chunks.
 */
static bool
rule_96_mib(const struct point *point)
{
    const struct plan *plan = &point->plan;
    uint64_t more = 0;

    if (plan->readers > 12)
        more = (plan->readers - 12) * 2 * whole_pages(plan->chunk_bytes);
    return point->options.chunk_bytes > 0 ||
           plan->chunk_count * whole_pages(plan->chunk_bytes) <=
               48 * longest_chunk(point) + more;
}

/*
 * A GPU that is not alone and has a large table gets the chunks that it holds
 * back, as far as half of the memory that tables leave has room for them.
 */
static bool
rule_held(const struct point *point)
{
    const struct plan *plan = &point->plan;
    size_t wanted =
        checkpoint_held_chunks(point->facts.table_bytes, plan->chunk_bytes);
    uint64_t another = plan->gpu_count * whole_pages(plan->chunk_bytes);

    if (plan->gpu_count == 0 || plan->gpu_is_alone ||
        point->facts.table_bytes <= plan->chunk_bytes)
        return plan->held_chunks == 0;
    return plan->held_chunks == wanted ||
           (plan->held_chunks < wanted &&
            pool_bytes(plan) + another >
                (point->limit - table_bytes(point)) / 2);
}

/* Windows of 128 MiB are common; half of what tables leave is theirs. */
static bool
rule_decoders(const struct point *point)
{
    return point->plan.decoder_bytes >=
               (point->limit - table_bytes(point)) / 2 ||
           point->plan.chunk_count == 2 ||
           point->plan.chunk_count == point->plan.readers;
}

static bool
rule_readers(const struct point *point)
{
    return point->plan.readers >= 1 &&
           point->plan.readers <= threads_wanted(point);
}

/* Decoders are readers, one for a processor; each has a chunk to fill. */
static bool
rule_decoder_threads(const struct point *point)
{
    const struct plan *plan = &point->plan;

    return plan->decoders >= plan->readers && plan->decoder_chunks >= 1 &&
           plan->decoders <= threads_wanted(point) &&
           (plan->decoders == plan->readers ||
            plan->decoders <= point->facts.cpus);
}

/* With the inputs, no more threads than processors. */
static bool
rule_guessers(const struct point *point)
{
    const struct plan *plan = &point->plan;

    return plan->guessers == 0 ||
           (plan->guessers < plan->decoders &&
            plan->guessers + point->facts.input_count <= point->facts.cpus &&
            plan->guessers + point->facts.input_count <= threads_wanted(point));
}

/* What is read for one thread that counts stays in a cache. */
static bool
rule_lone_thread(const struct point *point)
{
    const struct plan *plan = &point->plan;

    return plan->gpu_count > 0 || plan->host_threads > 1 ||
           point->options.chunk_bytes > 0 ||
           plan->chunk_count * whole_pages(plan->chunk_bytes) <= 4 * MIB;
}

/* One pipe, or one small file, is read by one. */
static bool
rule_one_reader(const struct point *point)
{
    return point->facts.input_count > 1 || point->facts.known_bytes > MIB ||
           point->options.chunk_bytes > 0 ||
           point->limit - table_bytes(point) < 100 * MIB ||
           point->plan.readers == 1;
}

static bool
rule_device(const struct point *point)
{
    const struct plan_options *options = &point->options;
    const struct plan *plan = &point->plan;

    switch (options->device) {
    case DEVICE_CPU:
        return plan->gpu_count == 0 && !plan->gpu_is_demanded;
    case DEVICE_AUTO:
        return plan->gpu_count <= (point->facts.has_gpu_code ? 1 : 0) &&
               !plan->gpu_is_demanded &&
               (plan->gpu_count == 0 || plan->gpu[0] == 5);
    case DEVICE_CUDA:
    case DEVICE_OPENCL:
        return plan->device == options->device &&
               (options->device == DEVICE_CUDA
                    ? plan->gpu_count >= 1 &&
                          plan->gpu_count <= options->gpu_count
                    : plan->gpu_count == options->gpu_count) &&
               plan->gpus_listed == options->gpu_count &&
               plan->gpu_is_demanded && plan->gpu_after == 0 &&
               plan->gpu[0] == 5 && plan->host_threads == 0;
    }
    return false;
}

static uint64_t
content_of(uint64_t bytes, uint64_t said)
{
    return 4 * bytes > said ? 4 * bytes : said;
}

/* A GPU decodes if the user says so; or with auto where there is code for it
   and enough to decode: 4400 MiB of content on any machine, and never 290 MiB
   of zstd, or 45 if it starts anyway.  What says nothing has four bytes of
   content for each byte. */
static bool
rule_decoding(const struct point *point)
{
    const struct plan_facts *facts = &point->facts;
    bool may = (point->options.device == DEVICE_AUTO ||
                point->options.device == DEVICE_CUDA) &&
               decodable_bytes(&facts->decodable) > 0;
    bool is_used = point->plan.decoding != GPU_DECODE_NEVER;
    uint64_t content =
        content_of(facts->decodable.long_bytes, facts->decodable.long_content) +
        content_of(facts->decodable.many_bytes, facts->decodable.many_content);
    bool has_blocks = facts->decodable.block_bytes > 0;

    if (point->result < 0)
        return true;
    if (point->options.gpu_decode != GPU_DECODE_AUTO)
        return point->plan.decoding == point->options.gpu_decode;
    uint64_t least = point->options.device == DEVICE_CUDA ? 45 : 290;
    if (!may || (content < least * MIB && !has_blocks))
        return !is_used;
    /* Many files, frames or blocks are decoded side by side. */
    return is_used || facts->decodable.long_files > 1 ||
           facts->decodable.many_bytes > 0 || has_blocks ||
           content < 4400 * MIB ||
           facts->known_bytes < facts->decodable.long_bytes;
}

/* With auto: a GPU whose two tables have room in half of the limit. */
static bool
rule_gpu_tables(const struct point *point)
{
    uint64_t table = point->facts.table_bytes;
    uint64_t all = (2 + threads_wanted(point)) * table;

    if (point->options.device != DEVICE_AUTO || !point->facts.has_gpu_code)
        return true;
    if (point->plan.gpu_count == 0)
        return all > point->limit / 2;
    return 2 * table <= point->limit / 2;
}

/*
 * Without a demanded GPU, the CPU is always there to count, with the threads
 * asked for, unless each needs a table or lists and these need half of the
 * memory.
 */
static bool
rule_host(const struct point *point)
{
    unsigned int wanted = threads_wanted(point);
    unsigned int planned = point->plan.host_threads;
    uint64_t table = point->facts.table_bytes;
    uint64_t tail = point->limit - (1 + 2 * point->plan.gpu_count) * table;

    if (is_for_gpus(point) || planned == wanted)
        return true;
    if (point->plan.host_shares)
        return planned >= 1 && planned < wanted &&
               least_lists(point, planned + 1) > tail / 2;
    return planned >= 1 && planned < wanted && !point->plan.host_shares &&
           (planned + 1 + 2 * point->plan.gpu_count) * table > point->limit / 2;
}

/* Threads that share a table take no more beside it, except for the least. */
static bool
rule_lists(const struct point *point)
{
    const struct plan *plan = &point->plan;

    if (!plan->host_shares)
        return plan->host_bytes == 0;
    uint64_t least = least_lists(point, plan->host_threads);
    return plan->host_bytes == least ||
           (plan->host_bytes > least &&
            (plan->host_bytes <= 128 * MIB ||
             plan->host_bytes / 2 <= point->facts.table_bytes));
}

/* A table is shared where that is possible and it is a big one. */
static bool
rule_sharing(const struct point *point)
{
    bool shares = point->plan.host_shares;

    if (point->plan.host_threads == 0 || !point->facts.may_share_table)
        return !shares;
    return shares == (point->facts.table_bytes > 4 * MIB);
}

static bool
rule_strategy(const struct point *point)
{
    return point->plan.strategy == point->options.strategy;
}

static bool
rule_gpu_after(const struct point *point)
{
    uint64_t after = point->options.gpu_after;

    if (point->plan.gpu_count == 0 || point->plan.gpu_is_demanded ||
        after == PLAN_CHOOSE)
        return true;
    return point->plan.gpu_after ==
           (point->facts.known_bytes >= after ? 0 : after);
}

/* A GPU costs more than it gains below a gigabyte, and pays beyond a TiB; but
   one that decodes has started. */
static bool
rule_gpu_pays(const struct point *point)
{
    uint64_t known = point->facts.known_bytes;

    if (point->plan.gpu_count == 0 || point->plan.gpu_is_demanded ||
        point->options.gpu_after != PLAN_CHOOSE || point->facts.host_cost > 1 ||
        point->plan.decoding != GPU_DECODE_NEVER)
        return true;
    if (known < GIB)
        return point->plan.gpu_after > GIB;
    return known < TIB || point->plan.gpu_after == 0;
}

static struct {
    const char *name;
    bool (*holds)(const struct point *);
    bool is_for_refused; /* also where there is no plan */
    uint64_t broken;
} rules[] = {
    {"refused only for want of memory", rule_refusal, true, 0},
    {"auto has room where cpu has", rule_auto_as_cpu, true, 0},
    {"at least two chunks", rule_two_chunks, false, 0},
    {"a spare chunk for each GPU", rule_spare_chunks, false, 0},
    {"a chunk for each reader", rule_chunk_for_each_reader, false, 0},
    {"chunks of the size asked for", rule_chunk_size, false, 0},
    {"chunks of whole records", rule_whole_records, false, 0},
    {"all memory within the limit", rule_memory_limit, false, 0},
    {"a pool of no more than 96 MiB", rule_96_mib, false, 0},
    {"what GPUs hold back", rule_held, false, 0},
    {"half of the limit for decoders", rule_decoders, false, 0},
    {"readers: one, up to the threads", rule_readers, false, 0},
    {"decoders: up to the threads and processors", rule_decoder_threads, false,
     0},
    {"threads that no input needs", rule_guessers, false, 0},
    {"few chunks for one thread", rule_lone_thread, false, 0},
    {"one reader for one small input", rule_one_reader, false, 0},
    {"the device asked for", rule_device, false, 0},
    {"a GPU whose tables have room", rule_gpu_tables, false, 0},
    {"a GPU that decodes", rule_decoding, false, 0},
    {"CPU threads as asked for", rule_host, false, 0},
    {"a big table is shared", rule_sharing, false, 0},
    {"lists beside a shared table", rule_lists, false, 0},
    {"the strategy asked for", rule_strategy, false, 0},
    {"the GPU after the size asked for", rule_gpu_after, false, 0},
    {"the GPU where it pays", rule_gpu_pays, false, 0},
};

static void
print_point(const struct point *point)
{
    const struct plan_options *options = &point->options;
    const struct plan_facts *facts = &point->facts;
    const struct plan *plan = &point->plan;

    printf("# device %d, %u threads, chunk %zu, limit %" PRIu64
           ", after %" PRIu64 "\n",
           (int)options->device, options->threads, options->chunk_bytes,
           point->limit, options->gpu_after);
    printf("# %zu inputs of %" PRIu64 " bytes, %u cpus, code %d: result %d\n",
           facts->input_count, facts->known_bytes, facts->cpus,
           facts->has_gpu_code, point->result);
    printf("# records of %zu, tables of %" PRIu64 ", may be shared: %d\n",
           facts->record_bytes, facts->table_bytes, facts->may_share_table);
    if (point->result == 0)
        printf("# %u readers, %u hosts, %zu gpus after %" PRIu64
               ", %zu chunks of %zu\n",
               plan->readers, plan->host_threads, plan->gpu_count,
               plan->gpu_after, plan->chunk_count, plan->chunk_bytes);
}

static void
check_rules(struct point *point)
{
    make(point);
    for (size_t r = 0; r < COUNT(rules); r++) {
        if (point->result < 0 && !rules[r].is_for_refused)
            continue;
        if (rules[r].holds(point))
            continue;
        if (rules[r].broken++ == 0) {
            printf("# broken: %s\n", rules[r].name);
            print_point(point);
        }
    }
    error_clear(&point->error);
}

/* ---- the grid ---- */

static const enum device devices[] = {DEVICE_AUTO, DEVICE_CPU, DEVICE_CUDA,
                                      DEVICE_OPENCL};
static const unsigned int threads[] = {0, 1, 2, 8, 4096};
static const size_t chunk_sizes[] = {0, 1, 4095, 1 << 20, 1 << 30};
static const uint64_t limits[] = {
    PLAN_CHOOSE, 1,        2,         8190,      131071,  131072, MIB,
    4 * MIB,     10 * MIB, 100 * MIB, 300 * MIB, 2 * GIB, TIB,    INT64_MAX,
};
static const uint64_t gpu_afters[] = {PLAN_CHOOSE, 0, 1, GIB};
static const size_t input_counts[] = {1, 2, 3000};
static const uint64_t known_sizes[] = {
    0, 1, 64 * MIB - 1, 64 * MIB, GIB, 3 * GIB, TIB, (uint64_t)1 << 62,
};
static const unsigned int cpu_counts[] = {1, 2, 48, 1024};
static const uint64_t memory_sizes[] = {256 * MIB, 16 * GIB, 4 * TIB};

/* What is counted: bytes at first. */
static const struct shape {
    size_t record_bytes;
    uint64_t table_bytes;
    bool may_share_table;
} shapes[] = {
    {1, 2048, true},
    {2, 2048, false},
    {1, 8, true},
    {3, 4 * MIB, true},
    {8, 4 * MIB + 8, true},
    {24, 4 * MIB + 8, false},
    {4095, 64 * MIB, true},
    {4097, 64 * MIB, false},
    {64 << 10, 2048, true},
    {(64 << 10) - 1, 16 * GIB, true},
    {1, 16 * GIB, false},
    {16, 25 * MIB, false}, /* a quarter of a limit, with it below */
    {5, 75 * MIB - MIB / 2, true},
    {12, 70 * MIB, false},
    {1, GIB, true},
    {7, GIB / 2, false},
    {2, (uint64_t)1 << 41, true},
};

static void
check_shape(struct point *point, const struct shape *shape)
{
    point->facts.record_bytes = shape->record_bytes;
    point->facts.table_bytes = shape->table_bytes;
    point->facts.may_share_table = shape->may_share_table;
    check_rules(point);
}

static void
check_facts(struct point *point)
{
    static size_t turn; /* every shape meets every other choice */

    for (size_t i = 0; i < COUNT(input_counts) * COUNT(known_sizes) *
                               COUNT(cpu_counts) * COUNT(memory_sizes) * 4;
         i++) {
        size_t n = i;
        point->facts.has_gpu_code = n & 1;
        point->facts.has_unknown_length = n >> 1 & 1;
        point->facts.may_repeat = n >> 1 & 2;
        point->facts.host_cost = 1 + (double)(i % 3);
        point->facts.feed_cost = 1;
        n /= 4;
        point->facts.input_count = input_counts[n % COUNT(input_counts)];
        n /= COUNT(input_counts);
        point->facts.known_bytes = known_sizes[n % COUNT(known_sizes)];
        n /= COUNT(known_sizes);
        point->facts.cpus = cpu_counts[n % COUNT(cpu_counts)];
        n /= COUNT(cpu_counts);
        point->facts.memory_bytes = memory_sizes[n];
        point->facts.decodable = (struct decodable){
            .long_files = turn % 3,
            .long_bytes = turn % 3 > 0 ? (uint64_t)90 * MIB << turn % 5 : 0,
            .many_bytes = turn % 4 > 1 ? (uint64_t)90 * MIB << turn % 5 : 0};
        struct decodable *zstd = &point->facts.decodable;
        zstd->long_content = zstd->long_bytes * (turn % 2) * 9;
        zstd->many_content = zstd->many_bytes * (turn % 2) * 9;
        zstd->unsummed_bytes = zstd->long_bytes / 2 * (turn % 5 % 3);
        zstd->unsummed_content = zstd->long_content / 2 * (turn % 13 % 3);
        zstd->block_bytes = turn % 17 > 11 ? (uint64_t)90 * MIB << turn % 5 : 0;
        zstd->block_content = zstd->block_bytes * (1 + turn % 9);
        point->facts.needs_order = turn % 5 > 2;
        point->facts.has_ranges = turn % 5 > 3;
        if (turn % 7 == 0)
            *zstd = (struct decodable){0};
        point->options.gpu_decode = (enum gpu_decode)(turn % 11 % 3);
        if (turn % 5 == 0)
            check_shape(point, &shapes[0]);
        check_shape(point, &shapes[turn % COUNT(shapes)]);
        turn++;
    }
}

/* Frames that CPUS processors decode side by side. */
static bool
is_worth_many(enum device device, unsigned int cpus, uint64_t content)
{
    struct point point = {.options = {.device = device,
                                      .gpu_count = 1,
                                      .gpu_after = PLAN_CHOOSE,
                                      .memory_limit = PLAN_CHOOSE},
                          .facts = {.input_count = 1,
                                    .known_bytes = content / 4,
                                    .largest_bytes = content / 4,
                                    .host_cost = 1,
                                    .feed_cost = 1,
                                    .record_bytes = 1,
                                    .cpus = cpus,
                                    .memory_bytes = 64 * GIB,
                                    .table_bytes = 2048,
                                    .may_share_table = true,
                                    .decodable = {.many_bytes = content / 4}}};

    make(&point);
    return point.plan.decoding == GPU_DECODE_AUTO;
}

/* Plan for one file of zstd with 10 GiB of content, for CPUS processors.  What
   is counted costs them COST times as much as bytes, or has keys. */
static void
plan_zstd(struct point *point, unsigned int cpus, double cost, bool has_keys)
{
    uint64_t content = 10 * GIB;
    uint64_t bytes = content / 8;

    *point = (struct point){
        .options = {.gpu_count = 1,
                    .gpu_after = PLAN_CHOOSE,
                    .memory_limit = PLAN_CHOOSE},
        .facts = {.input_count = 1,
                  .known_bytes = bytes,
                  .largest_bytes = bytes,
                  .host_cost = cost,
                  .feed_cost = 1,
                  .record_bytes = 1,
                  .cpus = cpus,
                  .memory_bytes = 64 * GIB,
                  .table_bytes = 2048,
                  .gpu_bytes = 2048,
                  .may_share_table = true,
                  .has_gpu_code = true,
                  .has_keys = has_keys,
                  .gpu_keys = has_keys ? 100000 : 0,
                  .decodable = {.many_bytes = bytes, .many_content = content}}};
    make(point);
}

/* Returns whether the GPU that decodes counts this from the start. */
static bool
is_joined(unsigned int cpus, double cost, bool has_keys)
{
    struct point point;

    plan_zstd(&point, cpus, cost, has_keys);
    return point.plan.decoding == GPU_DECODE_AUTO &&
           point.plan.gpu_count == 1 && point.plan.gpu_after == 0;
}

/*
 * Whether a GPU decodes a file of BGZF with GIBS GiB of content, for CPUS
 * processors, which is packed to one RATIO-th.  If TEXT, it has keys; '@': in
 * FASTQ, '>': in FASTA, 'B': in BAM, ',': in CSV.
 */
static bool
is_worth_blocks(unsigned int cpus, uint64_t gibs, uint64_t ratio, char text)
{
    struct point point;

    plan_zstd(&point, cpus, 0.4, text != 0);
    point.facts.known_bytes = gibs * GIB / ratio;
    point.facts.largest_bytes = point.facts.known_bytes;
    point.facts.has_ranges = text == '@' || text == '>' || text == 'B';
    point.facts.needs_order = point.facts.has_ranges || text == ',';
    point.facts.decodable =
        (struct decodable){.block_bytes = point.facts.known_bytes,
                           .block_content = gibs * GIB,
                           .fastq_content = text == '@' ? gibs * GIB : 0,
                           .bam_content = text == 'B' ? gibs * GIB : 0};
    make(&point);
    return point.plan.decoding == GPU_DECODE_AUTO;
}

static void
test_blocks(void)
{
    ok(is_worth_blocks(16, 8, 3, 0) && is_worth_blocks(2, 1, 3, 0) &&
           !is_worth_blocks(16, 1, 3, 0) && !is_worth_blocks(16, 8, 11, 0) &&
           is_worth_blocks(16, 80, 11, 0) && is_worth_blocks(2, 8, 11, 0),
       "BGZF: a GPU decodes unless it is small, or packed well for many CPUs");
    ok(is_worth_blocks(2, 8, 3, '@') && is_worth_blocks(16, 4, 3, '@') &&
           is_worth_blocks(32, 80, 3, '@'),
       "... FASTQ, in which it finds the records");
    ok(is_worth_blocks(2, 8, 3, '>') && is_worth_blocks(8, 8, 3, '>') &&
           is_worth_blocks(16, 80, 3, '>') && !is_worth_blocks(32, 80, 3, '>'),
       "... FASTA, unless many CPUs divide it into records faster");
    ok(is_worth_blocks(2, 8, 3, 'B') && !is_worth_blocks(16, 80, 3, 'B'),
       "... BAM for few CPUs, as one reader makes text of it");
    ok(is_worth_blocks(16, 8, 3, ',') && is_worth_blocks(16, 80, 11, 'l') &&
           is_worth_blocks(2, 8, 11, 'l'),
       "... CSV, for which the CPU has one reader anyway, and lines");
}

static void
test_joined(void)
{
    struct point point;

    /* Bytes cost a sixth of what they cost without vectors, u4 two thirds. */
    ok(!is_joined(16, 0.16, false) && is_joined(16, 0.65, false) &&
           is_joined(4, 0.16, false) && is_joined(2, 0.65, false) &&
           !is_joined(2, 0.65, true),
       "a GPU counts what it decodes unless the processors can");

    plan_zstd(&point, 16, 0.16, false);
    point.options.threads = 1;
    make(&point);
    ok(point.plan.gpu_after == 0, "... or are many, but one may count");

    plan_zstd(&point, 4, 15, false);
    point.facts.decodable = (struct decodable){
        .long_files = 1, .long_bytes = 5 * GIB, .long_content = 20 * GIB};
    point.facts.known_bytes = 5 * GIB;
    make(&point);
    ok(point.plan.decoding == GPU_DECODE_AUTO && point.plan.gpu_after == 0,
       "... also a long frame, if counting takes longer than decoding");

    plan_zstd(&point, 16, 0.65, false);
    struct decodable *zstd = &point.facts.decodable;
    *zstd = (struct decodable){.long_files = 1,
                               .long_bytes = zstd->many_bytes,
                               .long_content = zstd->many_content};
    make(&point);
    bool is_joined_to_sum = point.plan.gpu_after == 0;
    zstd->unsummed_bytes = zstd->long_bytes;
    zstd->unsummed_content = zstd->long_content;
    make(&point);
    ok(point.plan.gpu_after == 0 && !is_joined_to_sum,
       "... or it has no checksum, which takes longest");

    plan_zstd(&point, 16, 2, true);
    ok(point.plan.gpu_is_adaptive && point.plan.gpu_after > 0 &&
           plan_gpu_pays(&point.plan, GIB, 3e-9, 100) &&
           !plan_gpu_pays(&point.plan, GIB, 0.3e-9, 100) &&
           !plan_gpu_pays(&point.plan, 11 * GIB, 3e-9, 100),
       "of keys, if the CPU turns out to be slow");

    plan_zstd(&point, 16, 2, true);
    point.facts.known_bytes = 100 * GIB;
    point.facts.decodable = (struct decodable){
        .long_files = 1, .long_bytes = GIB, .long_content = 8 * GIB};
    point.options.gpu_decode = GPU_DECODE_ALWAYS;
    make(&point);
    ok(plan_gpu_pays(&point.plan, GIB, 1e-9, 100),
       "... also if little of it is decoded, slowly");

    plan_zstd(&point, 8, 0.65, false);
    size_t chunk_bytes = point.plan.chunk_bytes;
    point.options.memory_limit = 256 * MIB;
    make(&point);
    ok(chunk_bytes == 16 * MIB && point.plan.chunk_bytes < 8 * MIB &&
           point.plan.readers == 8,
       "chunks are long, unless there is no memory for those of all readers");
}

static void
test_many(void)
{
    ok(is_worth_many(DEVICE_AUTO, 2, 2 * GIB) &&
           !is_worth_many(DEVICE_AUTO, 2, GIB / 4) &&
           is_worth_many(DEVICE_AUTO, 16, 8 * GIB) &&
           !is_worth_many(DEVICE_AUTO, 16, 4 * GIB) &&
           !is_worth_many(DEVICE_AUTO, 128, 400 * GIB),
       "many frames of zstd: a GPU pays with few processors or much content");
    ok(is_worth_many(DEVICE_CUDA, 16, 2 * GIB) &&
           !is_worth_many(DEVICE_CUDA, 16, GIB / 2) &&
           is_worth_many(DEVICE_CUDA, 32, 8 * GIB) &&
           !is_worth_many(DEVICE_CUDA, 128, 400 * GIB),
       "... or if it is to count");
}

/* Plan for COUNT files of zstd, each a frame with a checksum and 1 GiB of
   content, for CPUS processors. */
static void
plan_files(struct point *point, size_t count, unsigned int cpus)
{
    plan_zstd(point, cpus, 0.16, false);
    point->facts.input_count = count;
    point->facts.known_bytes = count * GIB / 8;
    point->facts.largest_bytes = GIB / 8;
    point->facts.decodable = (struct decodable){.files = count,
                                                .largest_bytes = GIB / 8,
                                                .long_files = count,
                                                .long_bytes = count * GIB / 8,
                                                .long_content = count * GIB,
                                                .window = 2 * MIB};
    make(point);
}

static unsigned int
belts(size_t count, unsigned int cpus)
{
    struct point point;

    plan_files(&point, count, cpus);
    return point.plan.decoding_belts;
}

static void
test_belts(void)
{
    struct point point;

    ok(belts(1, 16) == 1 && belts(3, 16) == 3 && belts(100, 16) == 8 &&
           belts(100, 2) == 2 && belts(100, 1) == 1,
       "a GPU decodes as many files at a time as the processors can sum");

    plan_files(&point, 9, 16);
    point.facts.decodable.largest_bytes *= 3;
    make(&point);
    bool is_right = point.plan.decoding_belts == 3;
    point.facts.decodable.window = 8 * MIB;
    make(&point);
    is_right = is_right && point.plan.decoding_belts == 3;
    point.facts.decodable.largest_bytes /= 3;
    make(&point);
    is_right = is_right && point.plan.decoding_belts == 4;
    point.facts.decodable.window = UINT64_MAX;
    make(&point);
    ok(is_right && point.plan.decoding_belts == 1,
       "... but the largest file has time enough, and windows have room");

    plan_files(&point, 9, 16);
    point.options.per_file = true;
    make(&point);
    ok(point.plan.decoding_belts == 1, "... or one that is counted alone");

    /* 8 files took a GPU 1.4 s, one after the other, and 16 processors 2.0. */
    plan_files(&point, 8, 16);
    point.options.per_file = true;
    point.facts.may_have_tracks = true;
    make(&point);
    is_right = point.plan.decoding == GPU_DECODE_AUTO && point.plan.tracks == 1;
    plan_files(&point, 64, 16);
    point.options.per_file = true;
    point.facts.may_have_tracks = true;
    make(&point);
    ok(is_right && point.plan.decoding == GPU_DECODE_NEVER &&
           point.plan.tracks == 16,
       "... or the processors decode many side by side");

    plan_files(&point, 8, 16);
    is_right = point.plan.decoding == GPU_DECODE_AUTO;
    plan_files(&point, 8, 2);
    ok(is_right && point.plan.decoding == GPU_DECODE_AUTO,
       "it decodes several files with checksums");
    plan_files(&point, 32, 32);
    ok(point.plan.decoding == GPU_DECODE_AUTO,
       "... also where many processors would share the memory");
}

/* Of inputs that are counted each by itself, several are counted at a time. */
static void
test_tracks(void)
{
    static const struct {
        const char *name;
        enum device device;
        size_t inputs;
        uint64_t known;   /* MiB */
        uint64_t largest; /* MiB */
        unsigned int cpus;
        unsigned int threads;
        uint64_t limit; /* MiB */
        bool is_shared; /* their counts are */
        bool is_piped;
        bool has_keys;
        unsigned int tracks;
    } table[] = {
        {"files", DEVICE_CPU, 16, 1600, 100, 16, 0, 8192, 0, 0, 0, 16},
        {"few files", DEVICE_CPU, 3, 300, 100, 16, 0, 8192, 0, 0, 0, 3},
        {"one file", DEVICE_CPU, 1, 300, 300, 16, 0, 8192, 0, 0, 0, 1},
        {"more threads", DEVICE_CPU, 99, 300, 100, 4, 8, 8192, 0, 0, 0, 8},
        {"one thread", DEVICE_CPU, 99, 300, 100, 4, 1, 8192, 0, 0, 0, 1},
        {"small files", DEVICE_CPU, 9999, 1, 0, 16, 0, 8192, 0, 0, 0, 16},
        {"few small files", DEVICE_CPU, 99, 1, 0, 16, 0, 8192, 0, 0, 0, 1},
        {"counted together", DEVICE_CPU, 99, 999, 9, 16, 0, 8192, 1, 0, 0, 1},
        {"a pipe", DEVICE_CPU, 99, 999, 9, 16, 0, 8192, 0, 1, 0, 1},
        {"auto", DEVICE_AUTO, 99, 999, 9, 16, 0, 8192, 0, 0, 0, 16},
        {"auto, long", DEVICE_AUTO, 9, 9999, 1024, 16, 0, 8192, 0, 0, 0, 1},
        {"a GPU", DEVICE_CUDA, 99, 999, 9, 16, 0, 8192, 0, 0, 0, 1},
        {"keys", DEVICE_CPU, 99, 999, 9, 16, 0, 8192, 0, 0, 1, 16},
        {"little memory", DEVICE_CPU, 99, 999, 9, 16, 0, 320, 0, 0, 1, 8},
        {"less", DEVICE_CPU, 99, 999, 9, 16, 0, 40, 0, 0, 1, 1},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        struct point point = {
            .options = {.gpu_count = 1,
                        .device = table[i].device,
                        .threads = table[i].threads,
                        .gpu_after = PLAN_CHOOSE,
                        .per_file = !table[i].is_shared,
                        .memory_limit = table[i].limit * MIB},
            .facts = {.input_count = table[i].inputs,
                      .known_bytes = table[i].known * MIB,
                      .largest_bytes = table[i].largest * MIB,
                      .may_have_tracks = !table[i].is_piped,
                      .cpus = table[i].cpus,
                      .has_gpu_code = true,
                      .host_cost = 1,
                      .feed_cost = 1,
                      .record_bytes = 1,
                      .has_keys = table[i].has_keys,
                      .table_bytes = table[i].has_keys ? 64 : 2048},
        };
        const struct plan *plan = &point.plan;

        make(&point);
        struct plan several = *plan;
        point.facts.may_have_tracks = false;
        make(&point);
        uint64_t used =
            several.decoder_bytes +
            several.tracks * (pool_bytes(&several) +
                              (several.tracks > 1 ? several.host_bytes : 0));
        ok(point.result == 0 && several.tracks == table[i].tracks &&
               plan->tracks == 1 && several.record_max == plan->record_max &&
               several.decoder_bytes >= plan->decoder_bytes / 2 &&
               used <= point.limit &&
               (several.tracks == 1 || several.gpu_count == 0),
           "%s: %u tracks", table[i].name, several.tracks);
    }
}

/* Returns how many of four GPUs decode COUNT files of 1 GiB each. */
static unsigned int
decoders(size_t count, uint64_t gpu_after, bool per_file)
{
    struct point point;

    plan_files(&point, count, 32);
    point.options.device = DEVICE_CUDA;
    point.options.gpu_count = 4;
    point.options.gpu_after = gpu_after;
    point.options.per_file = per_file;
    make(&point);
    if (point.plan.decoding == GPU_DECODE_NEVER ||
        point.plan.decoding_gpus > point.plan.gpu_count)
        return 0;
    for (size_t i = 0; i < point.plan.decoding_gpus; i++) {
        if (point.plan.gpu_mark[i] > 0)
            return 0;
    }
    return point.plan.decoding_gpus;
}

static void
test_decoders(void)
{
    unsigned int before = 1;
    unsigned int grows = 0;

    for (size_t count = 1; count < 400; count += 3) {
        unsigned int gpus = decoders(count, PLAN_CHOOSE, false);
        grows += gpus == before + 1;
        if (gpus < before || gpus > before + 1)
            grows = 100;
        before = gpus;
    }
    ok(grows == 3 && decoders(16, PLAN_CHOOSE, false) == 1 &&
           decoders(50, PLAN_CHOOSE, false) == 2,
       "more GPUs decode more files: those that pay");
    ok(decoders(400, PLAN_CHOOSE, true) <= 1, "... if it is at a time");
    ok(decoders(8, PLAN_CHOOSE, true) == 1,
       "... and one decodes files that are counted one after the other");
    ok(decoders(3, 0, false) == 3 && decoders(9, 0, false) == 4 &&
           decoders(9, UINT64_MAX / 2, false) == 1,
       "--gpu-after starts all, or none, but none without a file");
}

static void
test_rules(void)
{
    struct point point = {.options = {.gpu = {5, 6}}};
    struct plan_options *options = &point.options;

    for (size_t i = 0;
         i < COUNT(devices) * COUNT(threads) * COUNT(chunk_sizes) *
                 COUNT(limits) * COUNT(gpu_afters);
         i += IS_INSTRUMENTED ? 11 : 1) {
        size_t n = i;
        options->device = devices[n % COUNT(devices)];
        n /= COUNT(devices);
        options->threads = threads[n % COUNT(threads)];
        n /= COUNT(threads);
        options->chunk_bytes = chunk_sizes[n % COUNT(chunk_sizes)];
        n /= COUNT(chunk_sizes);
        options->memory_limit = limits[n % COUNT(limits)];
        n /= COUNT(limits);
        options->gpu_after = gpu_afters[n];
        options->gpu_count = is_for_gpus(&point) ? 2 : 1;
        options->strategy = options->device == DEVICE_CPU
                                ? STRATEGY_AUTO
                                : (enum strategy)(i % STRATEGY_COUNT);
        check_facts(&point);
    }
    for (size_t r = 0; r < COUNT(rules); r++)
        ok(rules[r].broken == 0, "%s (%" PRIu64 " broken)", rules[r].name,
           rules[r].broken);
}

/* ---- the break-even of a GPU ---- */

static bool
starts_at_once(uint64_t known_bytes, unsigned int host_threads,
               double host_cost)
{
    struct point point = {
        .options = {.gpu_count = 1,
                    .gpu_after = PLAN_CHOOSE,
                    .memory_limit = PLAN_CHOOSE,
                    .threads = host_threads},
        .facts = {.input_count = 1,
                  .known_bytes = known_bytes,
                  .cpus = 1024,
                  .memory_bytes = 16 * GIB,
                  .has_gpu_code = true,
                  .host_cost = host_cost,
                  .feed_cost = 1,
                  .record_bytes = 1,
                  .table_bytes = 2048,
                  .may_share_table = true},
    };

    make(&point);
    return point.result == 0 && point.plan.gpu_after == 0;
}

/* The least size that starts the GPU at once, by bisection. */
static uint64_t
break_even(unsigned int host_threads, double host_cost)
{
    uint64_t low = 0; /* does not */
    uint64_t high = (uint64_t)1 << 50;

    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (starts_at_once(middle, host_threads, host_cost))
            high = middle;
        else
            low = middle;
    }
    return high;
}

static void
test_break_even(void)
{
    bool is_threshold = true;
    bool is_monotone = true;
    bool is_sooner = true;
    uint64_t before = 0;

    for (unsigned int n = 1; n <= 4096; n = n < 64 ? n + 1 : n * 2) {
        uint64_t bytes = break_even(n, 1);
        is_monotone &= bytes >= before;
        before = bytes;
        is_sooner &= break_even(n, 2) <= bytes &&
                     (n > 16 || break_even(n, 8) < bytes / 2);
        for (uint64_t known = 1; known < (uint64_t)1 << 62; known *= 2)
            is_threshold &= starts_at_once(known, n, 1) == (known >= bytes);
    }
    ok(is_threshold, "one size decides, for each number of threads");
    ok(is_sooner, "the longer counting takes, the sooner a GPU pays");
    ok(is_monotone, "the more threads, the later a GPU pays");
    ok(break_even(1, 1) > GIB / 4 && break_even(1, 1) < 8 * GIB,
       "one thread: about a gigabyte (%" PRIu64 ")", break_even(1, 1));
    ok(break_even(4096, 1) < 1024 * GIB,
       "any number: some gigabytes (%" PRIu64 ")", break_even(4096, 1));
}

/* ---- text: the throughput of the CPU decides ---- */

/* A plan for KNOWN_BYTES of text, or for a pipe if that is 0. */
static struct point
plan_text(uint64_t known_bytes, unsigned int cpus, unsigned int thread_count,
          double feed_cost)
{
    struct point point = {
        .options = {.gpu_count = 1,
                    .gpu_after = PLAN_CHOOSE,
                    .memory_limit = PLAN_CHOOSE,
                    .threads = thread_count},
        .facts = {.input_count = 1,
                  .known_bytes = known_bytes,
                  .has_unknown_length = known_bytes == 0,
                  .may_repeat = known_bytes > 0,
                  .cpus = cpus,
                  .memory_bytes = 64 * GIB,
                  .has_gpu_code = true,
                  .host_cost = 2,
                  .feed_cost = feed_cost,
                  .record_bytes = 1,
                  .gpu_bytes = 8 * MIB,
                  .gpu_keys = 1 << 20,
                  .gpu_key_bytes = 88 * MIB,
                  .buffer_bytes = 300 << 10,
                  .has_keys = true},
    };

    make(&point);
    return point;
}

/* Whether a GPU pays if the CPU needs NANOSECONDS for a byte, with reading. */
static bool
pays(const struct plan *plan, double nanoseconds, uint64_t keys)
{
    return plan_gpu_pays(plan, 64 * MIB, nanoseconds * 1e-9, keys);
}

/* The choices for what was measured: bench/RESULTS.md. */
static void
test_throughput(void)
{
    static const struct {
        const char *name;
        double nanoseconds; /* of a thread, for a byte */
        double feed_cost;
        unsigned int cpus;
        double gigabytes; /* of input */
        uint64_t keys;
        bool pays;
    } table[] = {
        {"log lines", 0.33, 1, 4, 8.6, 4, false},
        {"lines of 17 bytes", 0.85, 1, 2, 4.3, 500, true},
        {"lines of 17 bytes", 0.85, 1, 4, 4.3, 500, true},
        {"lines of 17 bytes", 1.0, 1, 16, 4.3, 500, false},
        {"lines of 17 bytes", 1.0, 1, 16, 21, 500, true},
        {"CSV", 1.39, 1.65, 4, 2.7, 500, true},
        {"10^6 keys", 1.7, 1, 2, 4.3, 1000000, true},
        {"10^6 keys", 1.7, 1, 4, 4.3, 1000000, true},
        {"10^6 keys", 1.7, 1, 16, 4.3, 1000000, false},
        {"bases", 0.42, 1.5, 2, 4.3, 0, false},
        {"bases", 0.52, 1.5, 16, 4.3, 0, false},
        {"11-mers", 1.7, 1.5, 2, 4.3, 0, true},
        {"11-mers", 1.7, 1.5, 4, 4.3, 0, true},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        struct point point = plan_text((uint64_t)(table[i].gigabytes * 1e9),
                                       table[i].cpus, 0, table[i].feed_cost);
        const struct plan *plan = &point.plan;

        ok(point.result == 0 && plan->gpu_count == 1 && plan->gpu_is_adaptive &&
               plan->gpu_after > point.facts.known_bytes &&
               pays(plan, table[i].nanoseconds, table[i].keys) == table[i].pays,
           "%s, %.1f GB, %u processors: %s", table[i].name, table[i].gigabytes,
           table[i].cpus, table[i].pays ? "a GPU" : "the CPU");
    }

    struct point point = plan_text(100 * GIB, 4, 0, 1);
    const struct plan *plan = &point.plan;
    ok(!plan_gpu_pays(plan, 100 * GIB - GIB / 2, 2e-9, 0) &&
           plan_gpu_pays(plan, 90 * GIB, 2e-9, 0) &&
           !plan_gpu_pays(plan, 101 * GIB, 2e-9, 0),
       "near the end, no GPU starts");
    ok(pays(plan, 2, 1 << 20) && !pays(plan, 2, (1 << 20) + 1),
       "nor where there are more keys than it may know");
    point = plan_text(20 * GIB, 16, 1, 1);
    ok(pays(&point.plan, 0.4, 0), "one thread of 16 processors: a GPU");
    point = plan_text(0, 4, 0, 1);
    ok(!pays(&point.plan, 5, 0) && point.plan.gpu_after > GIB &&
           point.plan.gpu_after <= 16 * GIB,
       "a pipe: after %" PRIu64 " bytes", point.plan.gpu_after);
    point.options.gpu_after = 0;
    make(&point);
    ok(!point.plan.gpu_is_adaptive && point.plan.gpu_after == 0,
       "--gpu-after=0: at once");
}

/* What fits into the memory for keys does not depend on GPUs that may start. */
static void
test_gpu_room(void)
{
    for (uint64_t limit = MIB; limit <= 64 * GIB; limit *= 2) {
        struct point with = plan_text(100 * GIB, 4, 0, 1);
        struct point without = with;

        with.options.memory_limit = limit;
        without.options.memory_limit = limit;
        without.facts.has_gpu_code = false;
        make(&with);
        make(&without);
        ok(with.result == 0 && without.result == 0 &&
               with.plan.host_bytes == without.plan.host_bytes &&
               with.plan.record_max == without.plan.record_max &&
               with.plan.host_threads == without.plan.host_threads &&
               with.plan.gpu_count == (limit >= 2 * GIB),
           "%" PRIu64 " MiB: %s", limit / MIB,
           with.plan.gpu_count > 0 ? "a GPU may start" : "no GPU");
    }
}

/* ---- tables ---- */

static void
test_tables(void)
{
    static const struct {
        const char *name;
        uint64_t limit;
        enum device device;
        unsigned int threads;
        uint64_t table_bytes;
        bool may_share;
        /* The plan for it. */
        bool is_refused;
        unsigned int host_threads;
        bool host_shares;
        size_t gpu_count;
    } table[] = {
        {"small", GIB, DEVICE_AUTO, 8, 2048, true, false, 8, false, 1},
        {"4 MiB", GIB, DEVICE_AUTO, 8, 4 * MIB, true, false, 8, false, 1},
        {"more", GIB, DEVICE_AUTO, 8, 4 * MIB + 8, true, false, 8, true, 1},
        {"weights", GIB, DEVICE_CPU, 8, 4 * MIB + 8, false, false, 8, false, 0},
        {"big weights", GIB, DEVICE_CPU, 8, 100 * MIB, false, false, 5, false,
         0},
        {"no room for a GPU", GIB, DEVICE_AUTO, 8, 257 * MIB, true, false, 8,
         true, 0},
        {"room for one more", GIB, DEVICE_AUTO, 8, 256 * MIB, true, false, 8,
         true, 1},
        {"a GPU demanded", GIB, DEVICE_CUDA, 8, 257 * MIB, true, false, 0,
         false, 1},
        {"a GPU demanded, no room", GIB, DEVICE_CUDA, 8, 512 * MIB, true, true,
         0, false, 0},
        {"nearly all", GIB, DEVICE_CPU, 8, GIB - MIB, true, false, 8, true, 0},
        {"all of it", GIB, DEVICE_CPU, 8, GIB, true, true, 0, false, 0},
        {"one of weights", GIB, DEVICE_CPU, 8, 400 * MIB, false, false, 1,
         false, 0},
        {"too much", GIB, DEVICE_AUTO, 8, 2 * GIB, true, true, 0, false, 0},
        {"much too much", GIB, DEVICE_AUTO, 8, (uint64_t)1 << 60, false, true,
         0, false, 0},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        struct point point = {
            .options = {.gpu_count = 1,
                        .device = table[i].device,
                        .gpu_after = PLAN_CHOOSE,
                        .memory_limit = table[i].limit,
                        .threads = table[i].threads},
            .facts = {.input_count = 1,
                      .cpus = 4,
                      .memory_bytes = GIB,
                      .has_gpu_code = true,
                      .host_cost = 1,
                      .feed_cost = 1,
                      .record_bytes = 4,
                      .table_bytes = table[i].table_bytes,
                      .may_share_table = table[i].may_share},
        };
        const struct plan *plan = &point.plan;
        char bytes[32];
        make(&point);
        snprintf(bytes, sizeof bytes, "(%" PRIu64 " ", table[i].table_bytes);
        bool is_right =
            table[i].is_refused
                ? point.result == -1 && point.error.status == EXIT_USAGE &&
                      strstr(point.error.text, "--memory-limit") != NULL &&
                      strstr(point.error.text, bytes) != NULL
                : point.result == 0 &&
                      plan->host_threads == table[i].host_threads &&
                      plan->host_shares == table[i].host_shares &&
                      plan->gpu_count == table[i].gpu_count;
        ok(is_right, "tables: %s", table[i].name);
        if (!is_right)
            print_point(&point);
        error_clear(&point.error);
    }
}

/* ---- several GPUs ---- */

static void
test_several(void)
{
    static const struct {
        size_t gpus;
        unsigned int cpus;
        uint64_t table_bytes;
        bool is_pipe;
        /* The plan for it. */
        unsigned int readers;
        size_t chunks;
        bool is_alone;
        size_t held; /* by each GPU */
    } table[] = {
        {1, 64, 2048, false, 12, 41, true, 0},
        {1, 64, 2048, true, 12, 41, true, 0},
        {2, 64, 2048, false, 24, 40, false, 0},
        {3, 64, 2048, false, 36, 60, false, 0},
        {4, 64, 2048, false, 36, 68, false, 0},
        {8, 128, 2048, false, 36, 100, false, 0},
        {4, 16, 2048, false, 16, 48, false, 0},
        {2, 2, 2048, false, 2, 18, false, 0},
        /* Of files, chunks are not held back for large tables. */
        {4, 64, 2 * MIB, false, 36, 68, false, 0},
        {4, 64, 2 * MIB + 8, false, 36, 68, true, 0},
        {4, 64, 32 * MIB, false, 36, 68, true, 0},
        {4, 64, 32 * MIB, true, 36, 68, false, 128},
        {1, 64, 32 * MIB, true, 12, 41, true, 0},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        struct point point = {
            .options = {.gpu_count = table[i].gpus,
                        .device = DEVICE_CUDA,
                        .gpu_after = 0,
                        .memory_limit = PLAN_CHOOSE},
            .facts = {.input_count = 1,
                      .known_bytes = TIB,
                      .has_unknown_length = table[i].is_pipe,
                      .cpus = table[i].cpus,
                      .memory_bytes = 64 * GIB,
                      .has_gpu_code = true,
                      .host_cost = 1,
                      .feed_cost = 1,
                      .record_bytes = 1,
                      .table_bytes = table[i].table_bytes},
        };
        const struct plan *plan = &point.plan;

        make(&point);
        ok(point.result == 0 && plan->readers == table[i].readers &&
               plan->chunk_count == table[i].chunks &&
               plan->held_chunks == table[i].held &&
               plan->gpu_is_alone == table[i].is_alone,
           "%zu GPUs, %u processors, %" PRIu64
           " KiB, %s: %u readers, %zu chunks%s",
           table[i].gpus, table[i].cpus, table[i].table_bytes >> 10,
           table[i].is_pipe ? "a pipe" : "a file", plan->readers,
           plan->chunk_count, plan->gpu_is_alone ? ", alone" : "");
    }
}

/* Of four GPUs listed, as many are used as the inputs are worth. */
static void
test_listed(void)
{
    static const struct {
        const char *name;
        unsigned int cpus;
        unsigned int threads;
        double feed_cost;
        uint64_t plain; /* of KNOWN gigabytes */
        uint64_t known; /* gigabytes */
        size_t streams; /* pipes */
        uint64_t after; /* gigabytes, of --gpu-after; or PLAN_CHOOSE */
        bool per_file;  /* the largest file is a thousandth of all */
        bool every;
        /* The plan for it. */
        size_t used;
        size_t at_once; /* of these, from the start */
    } table[] = {
        {"nothing", 64, 0, 1, 0, 0, 0, PLAN_CHOOSE, 0, 0, 1, 1},
        {"50 GB", 64, 0, 1, 50, 50, 0, PLAN_CHOOSE, 0, 0, 1, 1},
        {"52 GB", 64, 0, 1, 52, 52, 0, PLAN_CHOOSE, 0, 0, 2, 2},
        {"143 GB", 64, 0, 1, 143, 143, 0, PLAN_CHOOSE, 0, 0, 2, 2},
        {"150 GB", 64, 0, 1, 150, 150, 0, PLAN_CHOOSE, 0, 0, 3, 3},
        {"300 GB", 64, 0, 1, 300, 300, 0, PLAN_CHOOSE, 0, 0, 4, 4},
        {"300 GB, 50 plain", 64, 0, 1, 50, 300, 0, PLAN_CHOOSE, 0, 0, 1, 1},
        {"30 GB, read slowly", 64, 0, 2, 30, 30, 0, PLAN_CHOOSE, 0, 0, 2, 2},
        {"14 processors", 14, 0, 1, 9000, 9000, 0, PLAN_CHOOSE, 0, 0, 1, 1},
        {"16 processors", 16, 0, 1, 110, 110, 0, PLAN_CHOOSE, 0, 0, 1, 1},
        {"16 processors", 16, 0, 1, 120, 120, 0, PLAN_CHOOSE, 0, 0, 2, 2},
        {"16 processors", 16, 0, 1, 9000, 9000, 0, PLAN_CHOOSE, 0, 0, 2, 2},
        {"14 threads", 64, 14, 1, 9000, 9000, 0, PLAN_CHOOSE, 0, 0, 1, 1},
        {"small files apart", 64, 0, 1, 60, 60, 0, PLAN_CHOOSE, 1, 0, 1, 1},
        {"files apart", 64, 0, 1, 300, 300, 0, PLAN_CHOOSE, 1, 0, 4, 4},
        {"snapshots", 64, 0, 1, 9000, 9000, 0, PLAN_CHOOSE, 0, 1, 1, 1},
        {"a pipe", 64, 0, 1, 0, 0, 1, PLAN_CHOOSE, 0, 0, 1, 1},
        {"nine pipes", 64, 0, 1, 0, 0, 9, PLAN_CHOOSE, 0, 0, 1, 1},
        {"ten pipes", 64, 0, 1, 0, 0, 10, PLAN_CHOOSE, 0, 0, 2, 1},
        {"twenty pipes", 64, 0, 1, 0, 0, 20, PLAN_CHOOSE, 0, 0, 4, 1},
        {"twenty pipes", 14, 0, 1, 0, 0, 20, PLAN_CHOOSE, 0, 0, 1, 1},
        {"a pipe, 52 GB", 64, 0, 1, 52, 52, 1, PLAN_CHOOSE, 0, 0, 2, 2},
        {"ten pipes, 52 GB", 64, 0, 1, 52, 52, 10, PLAN_CHOOSE, 0, 0, 2, 2},
        {"told: all", 2, 0, 1, 0, 1, 0, 0, 0, 0, 4, 4},
        {"told: enough", 2, 0, 1, 0, 3, 0, 3, 0, 0, 4, 4},
        {"told: too little", 2, 0, 1, 3, 3, 0, 4, 0, 0, 1, 1},
        {"told: a pipe", 2, 0, 1, 3, 3, 1, 4, 0, 0, 4, 1},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        uint64_t after = table[i].after;
        if (after != PLAN_CHOOSE)
            after *= 1000000000;
        struct point point = {
            .options = {.gpu_count = 4,
                        .device = DEVICE_CUDA,
                        .threads = table[i].threads,
                        .gpu_after = after,
                        .per_file = table[i].per_file,
                        .every = {.bytes = table[i].every},
                        .memory_limit = PLAN_CHOOSE},
            .facts = {.input_count = 1000,
                      .known_bytes = table[i].known * 1000000000,
                      .plain_bytes = table[i].plain * 1000000000,
                      .largest_bytes = table[i].known * 1000000,
                      .has_unknown_length = table[i].streams > 0,
                      .streams = table[i].streams,
                      .cpus = table[i].cpus,
                      .memory_bytes = 64 * GIB,
                      .has_gpu_code = true,
                      .host_cost = 1,
                      .feed_cost = table[i].feed_cost,
                      .record_bytes = 1,
                      .table_bytes = 2048},
        };
        const struct plan *plan = &point.plan;
        size_t at_once = 0;

        make(&point);
        while (point.result == 0 && at_once < plan->gpu_count &&
               plan->gpu_mark[at_once] == 0)
            at_once++;
        bool is_rising = true;
        for (size_t g = 1; g < plan->gpu_count; g++)
            is_rising &= plan->gpu_mark[g] >= plan->gpu_mark[g - 1];
        ok(point.result == 0 && plan->gpu_count == table[i].used &&
               at_once == table[i].at_once && is_rising &&
               (plan->gpu_count == 4) == (plan->gpu_more == 0) &&
               plan->gpu_is_alone == (plan->gpu_count == 1 && !table[i].every),
           "%s, %u processors: %zu of four GPUs, %zu from the start",
           table[i].name, table[i].cpus, plan->gpu_count, at_once);
    }
}

/* ---- large tables ---- */

/*
 * With auto, a GPU holds nothing back for a large table if the inputs can be
 * read again.  CPU threads that share a table need no reader each.
 */
static void
test_large(void)
{
    static const struct {
        uint64_t table_bytes;
        bool may_repeat, has_interval, may_share;
        /* The plan for it. */
        bool is_alone;
        size_t held;
        unsigned int readers;
    } table[] = {
        {2048, true, false, true, false, 0, 64},
        {2 * MIB, true, false, true, false, 0, 64},
        {32 * MIB, true, false, true, true, 0, 12},
        {32 * MIB, true, false, false, true, 0, 64},
        {32 * MIB, false, false, true, false, 128, 12},
        {32 * MIB, true, true, true, false, 128, 1},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        struct point point = {
            .options = {.gpu_count = 1,
                        .device = DEVICE_AUTO,
                        .gpu_after = 0,
                        .memory_limit = PLAN_CHOOSE,
                        .every = {.bytes = table[i].has_interval}},
            .facts = {.input_count = 1,
                      .known_bytes = TIB,
                      .may_repeat = table[i].may_repeat,
                      .cpus = 64,
                      .memory_bytes = 64 * GIB,
                      .has_gpu_code = true,
                      .host_cost = 1,
                      .feed_cost = 1,
                      .record_bytes = 1,
                      .table_bytes = table[i].table_bytes,
                      .may_share_table = table[i].may_share},
        };
        const struct plan *plan = &point.plan;

        make(&point);
        ok(point.result == 0 && plan->gpu_is_alone == table[i].is_alone &&
               plan->held_chunks == table[i].held &&
               plan->readers == table[i].readers,
           "auto, %" PRIu64 " KiB%s%s: %u readers, %zu chunks held%s",
           table[i].table_bytes >> 10, table[i].may_repeat ? "" : ", a pipe",
           table[i].may_share ? "" : ", not shared", plan->readers,
           plan->held_chunks, plan->gpu_is_alone ? ", alone" : "");
    }
}

/* ---- keys ---- */

/*
 * Tables of keys take half of the memory; chunks and the buffers of the threads
 * fit into the rest.  One thread has its buffers in any case.
 */
static void
test_keys(uint64_t buffer_bytes)
{
    static const uint64_t key_limits[] = {1 * MIB, 9 * MIB, 32 * MIB, 64 * GIB};

    for (size_t i = 0; i < COUNT(key_limits); i++) {
        struct point point = {
            .options = {.gpu_count = 1,
                        .device = DEVICE_AUTO,
                        .gpu_after = PLAN_CHOOSE,
                        .memory_limit = key_limits[i]},
            .facts = {.input_count = 1,
                      .known_bytes = TIB,
                      .cpus = 16,
                      .memory_bytes = 64 * GIB,
                      .host_cost = 2,
                      .feed_cost = 1,
                      .record_bytes = 1,
                      .buffer_bytes = buffer_bytes,
                      .has_keys = true},
        };
        const struct plan *plan = &point.plan;

        make(&point);
        uint64_t buffers = (plan->host_threads - 1) * buffer_bytes;
        if (plan->record_max > plan->chunk_bytes)
            buffers += 2 * (uint64_t)plan->record_max;
        ok(point.result == 0 && plan->gpu_count == 0 && !plan->host_shares &&
               plan->host_bytes == key_limits[i] / 2 &&
               plan->host_bytes + buffers + pool_bytes(plan) +
                       plan->decoder_bytes <=
                   key_limits[i],
           "keys, %" PRIu64 " MiB: %u threads, each %" PRIu64 " bytes; %" PRIu64
           " bytes of tables",
           key_limits[i] / MIB, plan->host_threads, buffer_bytes,
           plan->host_bytes);
    }
}

/*
 * Sequences on GPUs that are requested: CPU threads for what the GPUs refuse,
 * and room for what these copy.
 */
static void
test_sequences(size_t gpu_count, uint64_t gpu_bytes, uint64_t limit,
               bool is_pipe, bool is_possible, bool is_alone)
{
    struct point point = {
        .options = {.gpu_count = gpu_count,
                    .device = DEVICE_CUDA,
                    .gpu_after = 0,
                    .memory_limit = limit},
        .facts = {.input_count = 1,
                  .known_bytes = is_pipe ? 0 : TIB,
                  .has_unknown_length = is_pipe,
                  .cpus = 16,
                  .memory_bytes = 64 * GIB,
                  .host_cost = 2,
                  .feed_cost = 1,
                  .record_bytes = 1,
                  .gpu_bytes = gpu_bytes,
                  .buffer_bytes = 300 << 10,
                  .has_keys = true},
    };
    const struct plan *plan = &point.plan;

    make(&point);
    bool is_right = (point.result == 0) == is_possible;
    if (point.result == 0)
        is_right = is_possible && plan->gpu_count == gpu_count &&
                   plan->hosts_are_reserve && plan->host_threads == 16 &&
                   plan->chunk_bytes == 2 * MIB &&
                   plan->gpu_is_alone == is_alone &&
                   2 * gpu_count * gpu_bytes + plan->host_bytes +
                           pool_bytes(plan) + plan->decoder_bytes <=
                       limit;
    ok(is_right,
       "sequences, %zu GPUs, tables of %" PRIu64 " MiB, %" PRIu64 " MiB: %s",
       gpu_count, gpu_bytes / MIB, limit / MIB,
       point.result == 0 ? "there is room" : "no room");
    error_clear(&point.error);
}

/* A GPU that starts on its own: the run is repeated if it fails, unless inputs
   are reported. */
static void
test_reports(bool per_file)
{
    struct point point = {
        .options = {.gpu_count = 1,
                    .gpu_after = PLAN_CHOOSE,
                    .memory_limit = 32 * GIB,
                    .per_file = per_file},
        .facts = {.input_count = 2,
                  .known_bytes = 2 * TIB,
                  .largest_bytes = TIB,
                  .may_repeat = true,
                  .cpus = 16,
                  .memory_bytes = 64 * GIB,
                  .has_gpu_code = true,
                  .host_cost = 2,
                  .feed_cost = 1,
                  .record_bytes = 1,
                  .gpu_bytes = 64 * MIB,
                  .buffer_bytes = 300 << 10,
                  .has_keys = true},
    };

    make(&point);
    ok(point.result == 0 && point.plan.gpu_count == 1 &&
           point.plan.gpu_is_alone == !per_file,
       "auto%s", per_file ? ", inputs are reported: not repeated" : "");
    error_clear(&point.error);
}

/* Which records are too long does not depend on the number of threads. */
static void
test_records(uint64_t limit, uint64_t table_bytes, uint64_t chunk_bytes)
{
    static const unsigned int counts[] = {1, 2, 3, 16, 64};
    size_t wrong = 0;
    size_t first = 0;

    for (size_t i = 0; i < COUNT(counts); i++) {
        struct point point = {
            .options = {.device = DEVICE_CPU,
                        .gpu_after = PLAN_CHOOSE,
                        .threads = counts[i],
                        .chunk_bytes = chunk_bytes,
                        .memory_limit = limit},
            .facts = {.input_count = 1,
                      .known_bytes = TIB,
                      .cpus = 16,
                      .memory_bytes = 64 * GIB,
                      .host_cost = 2,
                      .feed_cost = 1,
                      .record_bytes = 1,
                      .table_bytes = table_bytes,
                      .buffer_bytes = 300 << 10,
                      .has_keys = true},
        };

        make(&point);
        if (i == 0)
            first = point.plan.record_max;
        wrong += point.result < 0 || point.plan.record_max != first ||
                 first < point.plan.chunk_bytes;
    }
    ok(wrong == 0 && first > 0,
       "records of up to %zu bytes in %" PRIu64 " KiB, tables of %" PRIu64
       " KiB, any number of threads",
       first, limit / 1024, table_bytes / 1024);
}

/* ---- snapshots ---- */

/* With --every there is one reader, and a lone GPU holds its chunks back. */
static void
test_snapshots(void)
{
    static const struct interval intervals[] = {
        {0}, {.seconds = 0.1}, {.bytes = 1}};

    for (size_t i = 0; i < COUNT(intervals); i++) {
        struct point point = {
            .options = {.gpu_count = 1,
                        .device = DEVICE_CUDA,
                        .gpu_after = PLAN_CHOOSE,
                        .memory_limit = PLAN_CHOOSE,
                        .every = intervals[i]},
            .facts = {.input_count = 9,
                      .known_bytes = GIB,
                      .cpus = 16,
                      .memory_bytes = 16 * GIB,
                      .has_gpu_code = true,
                      .host_cost = 1,
                      .feed_cost = 1,
                      .record_bytes = 1,
                      .table_bytes = MIB},
        };
        const struct plan *plan = &point.plan;
        bool is_whole = i == 0;

        make(&point);
        ok(point.result == 0 && plan->gpu_is_alone == is_whole &&
               plan->takes_snapshots == !is_whole &&
               (plan->readers > 1) == is_whole &&
               (plan->decoders > 1) == is_whole,
           "every %g s, %" PRIu64 " bytes: %u readers, %u decoders",
           intervals[i].seconds, intervals[i].bytes, plan->readers,
           plan->decoders);
    }
}

int
main(void)
{
    test_snapshots();
    test_several();
    test_listed();
    test_large();
    test_keys(0);
    test_keys(300 << 10);
    test_sequences(1, 4096, 8 * GIB, true, true, true);
    test_sequences(1, 512 * MIB, 8 * GIB, false, true, true);
    test_sequences(2, 4096, 8 * GIB, false, true, false);
    test_sequences(2, 512 * MIB, 8 * GIB, false, true, true);
    test_sequences(2, 512 * MIB, 8 * GIB, true, true, false);
    test_sequences(4, 512 * MIB, 4 * GIB, false, false, false);
    test_reports(false);
    test_reports(true);
    for (uint64_t limit = MIB; limit <= 64 * GIB; limit *= 2) {
        test_records(limit, 0, 0);
        test_records(limit, limit / 50, 0);
        test_records(limit, 8, 128 << 10);
    }
    test_tables();
    test_rules();
    test_many();
    test_belts();
    test_tracks();
    test_decoders();
    test_joined();
    test_blocks();
    test_break_even();
    test_throughput();
    test_gpu_room();
    return done_testing();
}
