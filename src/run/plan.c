/* plan.c -- how a run is done: how many threads, how much memory, which GPU */

#include "run/plan.h"
#include "engine/gpu/checkpoint.h"
#include "sync/pool.h"

#define KIB ((uint64_t)1 << 10)
#define MIB ((uint64_t)1 << 20)
#define GIB ((uint64_t)1 << 30)

/*
 * Chunks.  Shorter ones make copies to a GPU slow and wake threads too often,
 * longer ones fall out of the caches (bench/NOTES.md).  One is as long as a
 * huge page.
 */
#define CHUNK_BYTES (2 * MIB)
#define CACHED_BYTES (512 * KIB) /* what a processor's own cache holds */
#define CACHED_PER_TABLE 32 /* else adding up what is kept costs too much */
#define SMALLEST_CHUNK_BYTES (64 * KIB) /* to fit into --memory-limit */
#define CHUNKS_MIN 2                    /* one is filled while one is counted */

/*
 * Readers.  About a dozen threads that copy from the page cache fill PCIe
 * (bench/NOTES.md).  Where the CPU counts, too, or has to decode, there is one
 * for each processor.  Each should have some chunks to read.
 */
#define FEEDERS_MAX 12
#define CHUNKS_WORTH_A_READER 2

/*
 * For each reader: it fills one, and no reader is faster than two engines.  The
 * spare ones are FULL and wait, so that nobody else does.  With twelve readers
 * that is 82 MiB.  More of them are there to count or to decode, which takes
 * longer than to fill a chunk.
 */
#define CHUNKS_PER_READER 3
#define CHUNKS_SPARE 5
#define CHUNKS_PER_BUSY_READER 2

/*
 * A GPU of OpenCL replaces the memory of chunks by such as it copies faster:
 * then one is there twice.  Where memory is short, another chunk is better.
 */
#define CHUNKS_WORTH_A_SPARE 8

/*
 * Tables.  Beyond what a processor's own cache holds, a table for each thread
 * costs more misses than sharing one costs atomic adds.
 */
#define PRIVATE_TABLE_BYTES_MAX (4 * MIB)
#define TABLES_SHARE 2  /* of the memory limit for them: one half */
#define TABLES_OF_GPU 2 /* two checkpoints in host memory for each */

/*
 * When a GPU pays.  Starting the driver takes a while, and so does leaving
 * it; meanwhile, and without it, the CPU counts.  Times in seconds, of a
 * processor for each byte or of the run, and rates in bytes a second, as
 * measured in bench/NOTES.md; being wrong here by half costs a tenth of a
 * second.
 */
#define READ_TIME 0.2e-9
#define COUNT_TIME 0.385e-9 /* where host_cost is 1 */
#define HOST_RATE_MAX 45e9  /* what memory allows */
#define DEVICE_RATE 50e9    /* together with what the CPU still counts */
#define DEVICE_START 0.3
#define DEVICE_LEAVE 0.12

/*
 * A stream of unknown length may end at any moment, and as long as the CPU
 * keeps up, a GPU does not make a pipe faster, it only saves CPU time.  So it
 * is started late: so much takes 4 s at least, and starting in vain then costs
 * no more than a tenth.  Where the CPU is slow, what it counts in 4 s.
 */
#define STREAM_BYTES_BEFORE_GPU (16 * GIB)
#define STREAM_SECONDS_BEFORE_GPU 4

static uint64_t
min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t
max(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* How many bytes a second so many threads read and count. */
static double
host_rate(unsigned int host_threads, const struct plan_facts *facts)
{
    double count_time = COUNT_TIME * facts->host_cost;
    double rate = host_threads / count_time;
    double cpu_rate = facts->cpus / (READ_TIME + count_time);

    if (rate > cpu_rate)
        rate = cpu_rate;
    return rate < HOST_RATE_MAX ? rate : HOST_RATE_MAX;
}

/* The same with a GPU: it counts what can be read, as PCIe allows. */
static double
device_rate(const struct plan_facts *facts)
{
    double rate = facts->cpus / READ_TIME;

    return rate < DEVICE_RATE ? rate : DEVICE_RATE;
}

/*
 * How many bytes must be known to come so that a run with the GPU,
 *     start + (bytes - start * host) / device + leave,
 * is no longer than the run without, bytes / host.  HOST is less than DEVICE.
 */
static uint64_t
break_even_bytes(double host, double device)
{
    double cost = DEVICE_START + DEVICE_LEAVE - DEVICE_START * host / device;

    return (uint64_t)(cost / (1 / host - 1 / device));
}

/* With auto, only MAY_HAVE_GPU. */
static void
plan_devices(struct plan *plan, const struct plan_options *options,
             const struct plan_facts *facts, bool may_have_gpu)
{
    plan->device = options->device;
    plan->gpu = options->gpu;
    plan->gpu_is_demanded =
        options->device == DEVICE_CUDA || options->device == DEVICE_OPENCL;
    if (plan->gpu_is_demanded) {
        plan->gpu_count = options->gpu_count;
        /* What it completes early would be missing in a snapshot. */
        plan->gpu_is_alone =
            plan->gpu_count == 1 && !interval_is_set(&options->every);
        return;
    }

    plan->host_threads = options->threads > 0 ? options->threads : facts->cpus;
    if (options->device == DEVICE_CPU || !facts->has_gpu_code || !may_have_gpu)
        return;
    plan->gpu_count = 1;
    uint64_t enough = options->gpu_after;
    double host = host_rate(plan->host_threads, facts);
    if (enough != PLAN_CHOOSE)
        plan->gpu_after = facts->known_bytes >= enough ? 0 : enough;
    else if (facts->known_bytes >= break_even_bytes(host, device_rate(facts)))
        plan->gpu_after = 0;
    else
        /* More than the files' sizes: compressed ones, or a pipe. */
        plan->gpu_after = facts->known_bytes +
                          min(STREAM_BYTES_BEFORE_GPU,
                              (uint64_t)(STREAM_SECONDS_BEFORE_GPU * host));
}

static void
plan_readers(struct plan *plan, const struct plan_options *options,
             const struct plan_facts *facts)
{
    uint64_t threads = options->threads > 0 ? options->threads : facts->cpus;

    if (interval_is_set(&options->every)) {
        /* A snapshot is of what the inputs have up to some byte. */
        plan->readers = 1;
        plan->decoders = 1;
        return;
    }
    uint64_t worth = facts->known_bytes /
                     (CHUNKS_WORTH_A_READER * (uint64_t)plan->chunk_bytes);

    worth = max(worth, facts->input_count);
    uint64_t useful = plan->host_threads > 0 && threads >= facts->cpus
                          ? max(FEEDERS_MAX, facts->cpus)
                          : FEEDERS_MAX;
    plan->readers = (unsigned int)min(min(useful, threads), worth);
    plan->decoders =
        (unsigned int)max(plan->readers, min(threads, facts->cpus));
}

/*
 * Whether the CPU threads share a histogram, and how many there can be where
 * each must have its own.  Returns what all tables take: those of the GPUs,
 * those of the threads, and one for the sum unless the threads share it.
 */
static uint64_t
plan_tables(struct plan *plan, const struct plan_facts *facts, uint64_t limit)
{
    uint64_t table = facts->table_bytes;
    uint64_t tables = plan->gpu_count * TABLES_OF_GPU * table;

    plan->host_shares = plan->host_threads > 0 && facts->may_share_table &&
                        table > PRIVATE_TABLE_BYTES_MAX;
    if (!plan->host_shares && plan->host_threads > 0) {
        uint64_t rest = tables < limit ? limit - tables : 0;
        uint64_t most = max(rest / TABLES_SHARE / table, 1);
        plan->host_threads = (unsigned int)min(plan->host_threads, most);
        tables += plan->host_threads * table;
    }
    return tables + table;
}

static void
plan_chunk_bytes(struct plan *plan, const struct plan_options *options,
                 const struct plan_facts *facts, uint64_t limit)
{
    uint64_t bytes = CHUNK_BYTES;

    while (bytes > SMALLEST_CHUNK_BYTES && bytes * 2 * CHUNKS_MIN > limit)
        bytes /= 2;
    plan->chunk_bytes =
        options->chunk_bytes > 0 ? options->chunk_bytes : (size_t)bytes;
    plan->chunk_bytes -= plan->chunk_bytes % facts->record_bytes;
    if (plan->chunk_bytes == 0)
        plan->chunk_bytes = facts->record_bytes;
    uint64_t cached = max(CACHED_BYTES, CACHED_PER_TABLE * facts->table_bytes);
    cached -= cached % facts->record_bytes;
    cached = max(cached, facts->record_bytes);
    plan->cached_bytes = (size_t)min(cached, plan->chunk_bytes);
    /* A small file must not wait until a whole huge page is cleared. */
    plan->huge_pages =
        facts->known_bytes >= CHUNK_BYTES || facts->has_unknown_length;
}

uint64_t
plan_memory_limit(const struct plan_options *options, uint64_t memory_bytes)
{
    return options->memory_limit != PLAN_CHOOSE ? options->memory_limit
                                                : memory_bytes / 2;
}

static int
plan_memory(struct plan *plan, const struct plan_facts *facts, uint64_t limit,
            struct error *error)
{
    uint64_t feeders = min(plan->readers, FEEDERS_MAX);
    uint64_t wanted = CHUNKS_PER_READER * feeders + CHUNKS_SPARE +
                      CHUNKS_PER_BUSY_READER * (plan->readers - feeders);

    if (!plan->gpu_is_alone && facts->table_bytes > plan->chunk_bytes)
        wanted += plan->gpu_count *
                  checkpoint_held_chunks(facts->table_bytes, plan->chunk_bytes);
    uint64_t chunk_bytes = pool_stride(plan->chunk_bytes);
    uint64_t spare = plan->device == DEVICE_CUDA ? 0 : plan->gpu_count;

    plan->decoder_chunks = CHUNKS_PER_BUSY_READER;
    uint64_t most =
        wanted + CHUNKS_PER_BUSY_READER * (plan->decoders - plan->readers);

    /* What decoders allocate gets what is left: half of it, at least. */
    uint64_t pool_bytes = min((most + spare) * chunk_bytes, limit / 2);
    pool_bytes = max(pool_bytes, CHUNKS_MIN * chunk_bytes);
    if (pool_bytes > limit) {
        error_set(error, EXIT_USAGE,
                  "--memory-limit is less than %d chunks of %zu bytes",
                  CHUNKS_MIN, plan->chunk_bytes);
        return -1;
    }
    uint64_t room = pool_bytes / chunk_bytes;
    if (room >= CHUNKS_WORTH_A_SPARE + spare)
        plan->spare_chunks = (size_t)spare;
    room -= plan->spare_chunks;
    plan->chunk_count = (size_t)min(wanted, room);
    plan->decoder_bytes = limit - pool_bytes;
    /*
     * A reader may wait for its input or for memory to decode with while it
     * holds a chunk; one more must always go round for those that do not.
     */
    plan->readers = (unsigned int)min(plan->readers, plan->chunk_count - 1);
    plan->decoders =
        plan->readers +
        (unsigned int)min(plan->decoders - plan->readers,
                          (room - plan->chunk_count) / CHUNKS_PER_BUSY_READER);
    return 0;
}

/* As plan_make(); with auto, only MAY_HAVE_GPU. */
static int
make(struct plan *plan, const struct plan_options *options,
     const struct plan_facts *facts, bool may_have_gpu, struct error *error)
{
    uint64_t limit = plan_memory_limit(options, facts->memory_bytes);

    *plan = (struct plan){.gpu_timeout = options->gpu_timeout,
                          .strategy = options->strategy,
                          .cpus = facts->cpus};
    plan_devices(plan, options, facts, may_have_gpu);
    uint64_t tables = plan_tables(plan, facts, limit) + facts->other_bytes;
    if (tables >= limit) {
        error_set(error, EXIT_USAGE,
                  "the tables of all bins do not fit into --memory-limit, %llu "
                  "bytes: %llu would be needed (%llu bytes for each table)",
                  (unsigned long long)limit, (unsigned long long)tables,
                  (unsigned long long)facts->table_bytes);
        return -1;
    }
    limit -= tables;
    plan_chunk_bytes(plan, options, facts, limit);
    plan_readers(plan, options, facts);
    return plan_memory(plan, facts, limit, error);
}

int
plan_make(struct plan *plan, const struct plan_options *options,
          const struct plan_facts *facts, struct error *error)
{
    uint64_t limit = plan_memory_limit(options, facts->memory_bytes);
    bool has_room = TABLES_OF_GPU * facts->table_bytes <= limit / TABLES_SHARE;

    if (make(plan, options, facts, has_room, error) == 0)
        return 0;
    if (plan->gpu_is_demanded || plan->gpu_count == 0)
        return -1;
    /* A GPU is an offer: there may be room without its tables. */
    error_clear(error);
    return make(plan, options, facts, false, error);
}
