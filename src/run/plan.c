/* SPDX-License-Identifier: MIT */
/* plan.c -- choose the threads, the memory and the GPUs of a run */

#include "run/plan.h"
#include "engine/cpu/cells/shared_counts.h"
#include "engine/gpu/device/checkpoint.h"
#include "hist/key_table.h"
#include "run/decoding_rates.h"
#include "run/gpu_marks.h"
#include "sync/pool.h"

#define KIB ((uint64_t)1 << 10)
#define MIB ((uint64_t)1 << 20)
#define GIB ((uint64_t)1 << 30)

/*
 * Chunks.  Shorter chunks make copies to a GPU slow and wake threads too often;
 * longer chunks do not stay in the caches (bench/NOTES.md).  A chunk is as long
 * as a huge page.  A GPU that counts its own decoded content has less work with
 * longer chunks, and no cache holds this content.
 */
#define CHUNK_BYTES (2 * MIB)
#define DECODED_CHUNK_BYTES (16 * MIB)
#define LONE_CHUNK_BYTES (1 * MIB) /* if one thread counts: see LONE_CHUNKS */
#define CACHED_BYTES (512 * KIB)   /* fits into the private cache of a core */
#define CROWDED_THREADS 32 /* more of them wait for locks: buffers are double */
#define CACHED_PER_TABLE 32 /* with less, adding up the tables dominates */
#define SMALLEST_CHUNK_BYTES (64 * KIB) /* to fit into --memory-limit */
#define CHUNKS_MIN 2                    /* one fills while one is counted */

/*
 * Readers.  About a dozen threads that copy from the page cache saturate the
 * PCIe link of one GPU.  Three dozen saturate the memory; more are slower
 * (bench/NOTES.md).  If the CPU also counts or decodes, each CPU has one
 * reader.  Each reader should have several chunks to read.
 */
#define FEEDERS_PER_GPU 12
#define FEEDERS_MAX 36
#define CHUNKS_WORTH_A_READER 2

/*
 * Chunks for each reader: a reader fills one chunk while two engines count one
 * each, at the speed of the reader.  The spare chunks wait FULL, so no engine
 * has to wait.  Twelve readers take 82 MiB of usual chunks.  Additional readers
 * count or decode, which takes longer than filling a chunk, and need fewer
 * chunks.  Several GPUs get one chunk for each reader and as many as all GPUs
 * can hold: even if the others hold all their chunks, no GPU starves.
 */
#define CHUNKS_PER_READER 3
#define CHUNKS_SPARE 5
#define CHUNKS_PER_BUSY_READER 2

/* Of one thread that counts: a chunk is filled again after the others, and must
   still be in a cache when it is counted. */
#define LONE_CHUNKS 4

/*
 * An OpenCL device replaces the memory of a chunk by memory with faster copies;
 * during the replacement both exist.  If memory is short, another chunk is
 * better.
 */
#define CHUNKS_WORTH_A_SPARE 8

/*
 * Tables.  If a table does not fit into the private cache of a core, cache
 * misses in private tables cost more than the lists of shared_counts.h.
 */
#define PRIVATE_TABLE_BYTES_MAX (4 * MIB)
#define SHARING_BYTES_MIN (128 * MIB)
#define TABLES_SHARE 2 /* tables may take 1 / 2 of the memory limit */
/* A long record takes up to 1 / 8 of the memory left by keys; while its buffer
   grows, two buffers exist. */
#define RECORDS_SHARE 8
#define HEADER_BYTES_MIN ((uint64_t)1 << 20)
#define TABLES_OF_GPU 2 /* each GPU has two checkpoints in host memory */

/*
 * When a GPU pays off.  Starting and closing the driver take time, and the CPU
 * counts meanwhile.  Times are in seconds, of a CPU per byte or of the run;
 * rates are in bytes per second.  All are measured (bench/NOTES.md); an error
 * of one half costs a tenth of a second.
 */
#define READ_TIME 0.2e-9
#define COUNT_TIME 0.385e-9 /* if host_cost is 1 */
#define HOST_RATE_MAX 45e9  /* the limit of the memory */
#define DEVICE_RATE 50e9    /* of the GPU and the CPU together */
#define DEVICE_START 0.3
#define DEVICE_LEAVE 0.12

/*
 * A device learns keys from one thread of the host, and gets no chunks until it
 * knows most keys.  Its table is copied and added up at the end.
 */
#define KEY_TIME 0.35e-6
#define TABLE_TIME 1.2e-9 /* of a byte */

/*
 * GPUs that start on their own must leave the memory to the keys of the CPU:
 * otherwise the number of keys in memory would depend on the machine.  So such
 * GPUs take little memory, and know fewer keys if memory is short.
 */
#define GPU_MEMORY_SHARE 16
#define GPU_LIMIT_SHARE 4

/*
 * A stream of unknown length may end at any time.  As long as the CPU keeps up,
 * a GPU does not make a pipe faster, but only saves CPU time.  So the GPU
 * starts after an input of at least 4 s: a start in vain then costs at most a
 * tenth.  A slow CPU counts less input in these 4 s.
 */
#define STREAM_BYTES_BEFORE_GPU (16 * GIB)
#define STREAM_SECONDS_BEFORE_GPU 4

/* A pipe delivers less than so many bytes per second. */
#define STREAM_RATE 5e9

/* Counting content decoded by a GPU takes longer than counting content just
   read. */
#define DECODED_COUNT_COST 2

/* The batches of all files that a GPU decodes at a time have together this room
   for packed bytes.  A batch needs a part of its room beside a window. */
#define BELTS_MAX 8
#define BELTS_ROOM (48 * MIB)
#define BELT_ROOM_MIN (2 * MIB)

/* While a GPU starts, three quarters of the processors decode files up to some
   size.  The driver needs the others: if there are few, it starts too late. */
#define EARLY_CPUS_MIN 12
#define EARLY_BYTES_MAX (25 * MIB)

/* A track takes less than a millisecond to start, which so many bytes are
   worth, or so many small files.  Of a file so large a GPU may be faster. */
#define TRACK_BYTES_MIN (4 * MIB)
#define TRACK_INPUTS_MIN 64
#define TRACK_GPU_BYTES GIB
#define HELPED_RATE 0.65 /* with helpers, of what decoding_rates_find() says */
#define TRACK_MEMORY_MIN (32 * MIB) /* with less, keys go to files early */
#define DECODERS_SHARE 2 /* of the memory that decoders have with one track */

/* Seconds until a decoding GPU counts, too, and until a counting GPU also
   decodes. */
#define DECODER_JOIN 0.03
#define DECODER_START 0.07

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

/*
 * Bytes per second that HOST_THREADS threads on CPUS processors read and count,
 * each byte in READ_TIME and COUNT_TIME.
 */
static double
host_rate(unsigned int host_threads, unsigned int cpus, double read_time,
          double count_time)
{
    double rate = cpus / (read_time + count_time);

    if (rate * count_time > host_threads)
        rate = host_threads / count_time;
    return rate < HOST_RATE_MAX ? rate : HOST_RATE_MAX;
}

/*
 * Bytes per second with a GPU: limited by reading and by PCIe.  Readers that
 * look at the bytes wait for each other, or for the memory.
 */
static double
device_rate(const struct plan_facts *facts)
{
    double rate = facts->cpus / READ_TIME;

    return (rate < DEVICE_RATE ? rate : DEVICE_RATE) / facts->feed_cost;
}

/*
 * The least input size for which a run with the GPU is not longer than a run
 * without the GPU.  With the GPU a run takes
 *
 *     start + (bytes - start * meanwhile) / device + leave
 *
 * and without the GPU bytes / host.  COST is START + leave.  MEANWHILE, the
 * driver has one of the CPUS.  UINT64_MAX: no size is enough, because the rate
 * HOST is not less than DEVICE.
 */
static uint64_t
break_even_bytes(double host, double device, double start, double cost,
                 unsigned int cpus)
{
    double meanwhile = host * (cpus - 1) / cpus;

    if (host >= device)
        return UINT64_MAX;
    double bytes =
        (cost - start * meanwhile / device) / (1 / host - 1 / device);

    if (bytes <= 0)
        return 0;
    return bytes < (double)(UINT64_MAX / 2) ? (uint64_t)bytes : UINT64_MAX;
}

/* The bytes of a GPU's histogram. */
static uint64_t
gpu_table(const struct plan_facts *facts)
{
    return facts->has_keys ? facts->gpu_bytes : facts->table_bytes;
}

/* The host memory of a GPU, for its histogram and its keys. */
static uint64_t
gpu_bytes(const struct plan_facts *facts)
{
    return TABLES_OF_GPU * gpu_table(facts) + facts->gpu_key_bytes;
}

/*
 * Whether the GPUs hold no chunks back until their counts are safe.  Then the
 * run ends when a GPU fails.  A single requested GPU has no substitute anyway.
 * In other runs, chunks held back for large tables would not stay in the
 * caches, and reading into such chunks would take twice as long
 * (bench/NOTES.md); a run over files can be repeated instead.
 */
static bool
is_alone(const struct plan *plan, const struct plan_options *options,
         const struct plan_facts *facts)
{
    bool is_auto = options->device == DEVICE_AUTO;

    /* A snapshot needs the counts of all completed chunks. */
    if (interval_is_set(&options->every))
        return false;
    if (plan->gpu_count == 1 && !is_auto)
        return true;
    /* After the report of an input, a run is not repeated: after a failure its
       readers would wait for the next report. */
    if (is_auto && options->per_file)
        return false;
    return gpu_table(facts) > CHUNK_BYTES &&
           (is_auto ? facts->may_repeat : !facts->has_unknown_length);
}

/* The known bytes that are read side by side: with --per-file, of one input. */
static uint64_t
bytes_at_once(const struct plan_options *options,
              const struct plan_facts *facts)
{
    return options->per_file ? facts->largest_bytes : facts->known_bytes;
}

/* The threads of the CPU that may count. */
static unsigned int
threads_of(const struct plan_options *options, const struct plan_facts *facts)
{
    return options->threads > 0 ? options->threads : facts->cpus;
}

/* The processors that the run may use. */
static unsigned int
cpus_of(const struct plan_options *options, const struct plan_facts *facts)
{
    return options->threads > 0 && options->threads < facts->cpus
               ? options->threads
               : facts->cpus;
}

/*
 * Returns how many inputs are worth being counted at a time, each by itself
 * (tracks.h); 1: the processors share each input, or a GPU may count it.
 */
static unsigned int
tracks_of(const struct plan_options *options, const struct plan_facts *facts)
{
    uint64_t threads = threads_of(options, facts);
    uint64_t worth = max(facts->known_bytes / TRACK_BYTES_MIN,
                         facts->input_count / TRACK_INPUTS_MIN);
    bool may_have_gpu = options->device == DEVICE_AUTO && facts->has_gpu_code;

    if (!options->per_file || options->one_track || !facts->may_have_tracks ||
        plan_demands_gpu(options) || options->gpu_after != PLAN_CHOOSE ||
        options->gpu_decode == GPU_DECODE_ALWAYS ||
        (may_have_gpu && facts->largest_bytes >= TRACK_GPU_BYTES))
        return 1;
    worth = min(worth, facts->input_count);
    return (unsigned int)max(min(threads, worth), 1);
}

/* Returns how many files are worth being decoded at a time: the largest file
   should not be left when the others are done. */
static uint64_t
files_at_once(const struct plan_options *options,
              const struct plan_facts *facts)
{
    uint64_t bytes = facts->decodable.largest_bytes;

    if (bytes == 0 || options->per_file || interval_is_set(&options->every))
        return 1;
    return (decodable_bytes(&facts->decodable) + bytes - 1) / bytes;
}

/*
 * Returns how many files each of GPUS GPUs should decode at a time, so that
 * their checksums are computed side by side.  A window must fit into a batch.
 */
static unsigned int
belts_of(const struct plan_options *options, const struct plan_facts *facts,
         unsigned int gpus)
{
    uint64_t window = facts->decodable.window;
    uint64_t room = BELTS_ROOM / (min(window, BELTS_ROOM) + BELT_ROOM_MIN);
    uint64_t worth = (files_at_once(options, facts) + gpus - 1) / gpus;
    uint64_t cpus = cpus_of(options, facts) / gpus;

    return (unsigned int)max(min(min(worth, room), min(cpus, BELTS_MAX)), 1);
}

/* Returns how many files are decoded while a GPU starts. */
static unsigned int
early_of(const struct plan_options *options, const struct plan_facts *facts)
{
    unsigned int cpus = cpus_of(options, facts);

    return cpus < EARLY_CPUS_MIN ||
                   facts->decodable.largest_bytes > EARLY_BYTES_MAX
               ? 0
               : cpus / 4 * 3;
}

/* Returns the job of GPUS GPUs, for their rates. */
static struct decoding_job
job_of(const struct plan_options *options, const struct plan_facts *facts,
       unsigned int gpus)
{
    return (struct decoding_job){
        .cpus = cpus_of(options, facts),
        .gpus = gpus,
        .belts = belts_of(options, facts, gpus),
        .count_time =
            READ_TIME + DECODED_COUNT_COST * COUNT_TIME * facts->host_cost,
        .is_serial = files_at_once(options, facts) == 1 &&
                     tracks_of(options, facts) == 1,
        .has_keys = facts->has_keys,
        .needs_order = facts->needs_order,
        .has_ranges = facts->has_ranges,
    };
}

/* Returns the rates of the GPUs of PLAN. */
static struct decoding_rates
rates_of(const struct plan *plan, const struct plan_options *options,
         const struct plan_facts *facts)
{
    const struct decoding_job job = job_of(options, facts, plan->decoding_gpus);
    struct decoding_rates rates =
        decoding_rates_find(&facts->decodable, facts->known_bytes, &job);
    unsigned int tracks = tracks_of(options, facts);

    if (tracks > 1 && tracks < facts->cpus)
        rates.host *= HELPED_RATE;
    return rates;
}

/*
 * Returns how many of the GPUs listed should decode: those that open while the
 * others have enough to do, each with a file at least; or all, once the user
 * says that all should start.
 */
static unsigned int
decoding_gpus_of(const struct plan_options *options,
                 const struct plan_facts *facts)
{
    const struct decodable *files = &facts->decodable;
    uint64_t most = options->device == DEVICE_CUDA ? options->gpu_count : 1;
    unsigned int gpus = 1;

    most = min(most, min(max(files->files, 1), DECODING_DEVICES));
    if (options->gpu_after != PLAN_CHOOSE)
        return facts->known_bytes >= options->gpu_after ? (unsigned int)most
                                                        : 1;
    most = min(most, files_at_once(options, facts));
    for (; gpus < most; gpus++) {
        const struct decoding_job fewer = job_of(options, facts, gpus);
        const struct decoding_job job = job_of(options, facts, gpus + 1);
        if (!decoding_rates_pay(files, facts->known_bytes, &fewer, &job))
            break;
    }
    return gpus;
}

/* The known bytes that a GPU is to decode. */
static uint64_t
decoded_bytes(const struct plan *plan, const struct plan_facts *facts)
{
    return plan->decoding != GPU_DECODE_NEVER
               ? min(decodable_bytes(&facts->decodable), facts->known_bytes)
               : 0;
}

/* For DEVICE_AUTO, choose when a decoding GPU also counts: from the start, or
   by the throughput of the CPU. */
static void
plan_joining(struct plan *plan, const struct plan_options *options,
             const struct plan_facts *facts)
{
    struct plan_payoff *payoff = &plan->payoff;
    struct decoding_rates rates = rates_of(plan, options, facts);
    double won = rates.content * (1 / rates.by_host - 1 / rates.by_gpu);
    uint64_t decoded = decoded_bytes(plan, facts);

    if (!facts->has_keys && won > DECODER_JOIN)
        plan->gpu_after = 0;
    else if (plan->gpu_after > 0)
        plan->gpu_after += (uint64_t)rates.content - decoded;
    /* The content of one input of several is unknown. */
    if (options->per_file)
        return;
    double plain = (double)(payoff->known_bytes - decoded);
    double rate =
        rates.by_gpu < payoff->device_rate ? rates.by_gpu : payoff->device_rate;
    payoff->device_rate = (plain + rates.content) /
                          (plain / payoff->device_rate + rates.content / rate);
    payoff->known_bytes += (uint64_t)rates.content - decoded;
    payoff->is_content = true;
    payoff->device_start = 0;
    payoff->device_cost = DECODER_JOIN;
}

/* Choose when DEVICE_AUTO starts its GPU. */
static void
plan_start(struct plan *plan, const struct plan_options *options,
           const struct plan_facts *facts)
{
    uint64_t enough = options->gpu_after;
    double read_time = READ_TIME * facts->feed_cost;
    double device = device_rate(facts);
    double host = host_rate(plan->host_threads, facts->cpus, read_time,
                            COUNT_TIME * facts->host_cost);
    uint64_t after = min(STREAM_BYTES_BEFORE_GPU,
                         (uint64_t)(STREAM_SECONDS_BEFORE_GPU * host));
    uint64_t known = bytes_at_once(options, facts);
    uint64_t decoded = decoded_bytes(plan, facts);

    plan->payoff = (struct plan_payoff){
        .known_bytes = known,
        .read_time = read_time,
        .device_rate = device,
        .device_start = DEVICE_START,
        .device_cost = DEVICE_START + DEVICE_LEAVE,
    };
    /* Only compressed files and pipes exceed the known sizes. */
    plan->gpu_after = facts->known_bytes + after;
    if (!facts->has_keys &&
        known - min(decoded, known) >=
            break_even_bytes(host, device, DEVICE_START,
                             DEVICE_START + DEVICE_LEAVE, facts->cpus))
        plan->gpu_after = 0;
    if (decoded > 0)
        plan_joining(plan, options, facts);
    if (facts->has_keys)
        plan->payoff.device_cost += TABLE_TIME * (double)gpu_table(facts);
    if (enough != PLAN_CHOOSE)
        plan->gpu_after = facts->known_bytes >= enough ? 0 : enough;
    plan->gpu_is_adaptive = facts->has_keys && enough == PLAN_CHOOSE;
}

/* The processors that read for GPUs at a time. */
static unsigned int
feeding_cpus(const struct plan_options *options, const struct plan_facts *facts)
{
    unsigned int cpus = cpus_of(options, facts);
    uint64_t worth =
        facts->largest_bytes / (CHUNKS_WORTH_A_READER * CHUNK_BYTES);

    if (interval_is_set(&options->every))
        return 1;
    return options->per_file ? (unsigned int)max(min(cpus, worth), 1) : cpus;
}

/*
 * Choose how many of the GPUs listed are used, and when each starts.  Pipes are
 * worth another GPU after as many bytes as files are, but only if one GPU fewer
 * cannot count all that they deliver.
 */
static void
plan_listed(struct plan *plan, const struct plan_options *options,
            const struct plan_facts *facts)
{
    const struct gpu_marks_job job = {feeding_cpus(options, facts),
                                      facts->feed_cost};
    bool is_told = options->gpu_after != PLAN_CHOOSE;
    uint64_t known = is_told ? facts->known_bytes : facts->plain_bytes;
    double delivered = STREAM_RATE * (double)facts->streams;
    size_t count = options->gpu_count;
    size_t used = 1;

    gpu_marks_find(&job, plan->gpu_mark, count);
    for (size_t i = 1; i < count && is_told; i++)
        plan->gpu_mark[i] = options->gpu_after;
    for (; used < count; used++) {
        uint64_t *mark = &plan->gpu_mark[used];
        bool is_streamed = facts->has_unknown_length && *mark != UINT64_MAX &&
                           (is_told || delivered > gpu_marks_rate(&job, used));
        if (*mark > known && !is_streamed)
            break;
        if (*mark <= known)
            *mark = 0;
    }
    /* A GPU that decodes also counts. */
    if (plan->decoding != GPU_DECODE_NEVER)
        used = max(used, plan->decoding_gpus);
    for (size_t i = 1; i < used && i < plan->decoding_gpus; i++)
        plan->gpu_mark[i] = 0;
    plan->gpu_count = used;
    plan->gpu_more = used < count ? plan->gpu_mark[used] : 0;
}

/* Choose the devices; DEVICE_AUTO uses a GPU only if MAY_HAVE_GPU. */
static void
plan_devices(struct plan *plan, const struct plan_options *options,
             const struct plan_facts *facts, bool may_have_gpu)
{
    plan->device = options->device;
    plan->gpu = options->gpu;
    plan->cuda = (struct cu_start){.visible = options->visible};
    plan->gpu_is_demanded = plan_demands_gpu(options);
    /* GPUs count all samples, but not all sequences. */
    plan->hosts_are_reserve = plan->gpu_is_demanded && facts->has_keys;
    if (!plan->gpu_is_demanded || plan->hosts_are_reserve)
        plan->host_threads = threads_of(options, facts);
    if (plan->gpu_is_demanded) {
        plan->gpu_count = options->gpu_count;
        plan->gpus_listed = options->gpu_count;
        if (options->device == DEVICE_CUDA)
            plan_listed(plan, options, facts);
        plan->gpu_is_alone = is_alone(plan, options, facts);
        return;
    }

    if (options->device == DEVICE_CPU || !facts->has_gpu_code || !may_have_gpu)
        return;
    plan->gpu_count = 1;
    plan->gpu_is_alone = is_alone(plan, options, facts);
    plan_start(plan, options, facts);
}

/* Returns how long all processors together would take for the files that some
   of them decode while a GPU starts. */
static double
early_time(const struct plan *plan, const struct plan_facts *facts,
           const struct decoding_rates *rates)
{
    if (plan->decoding_early == 0)
        return 0;
    double files = (double)facts->decodable.files;
    double early = plan->decoding_early < files ? plan->decoding_early : files;
    double time = early / files * rates->content / rates->host;

    return time < DEVICE_START ? time : DEVICE_START;
}

/* Decide whether a GPU decodes. */
static void
plan_decoding(struct plan *plan, const struct plan_options *options,
              const struct plan_facts *facts)
{
    const struct decodable *decodable = &facts->decodable;

    plan->decoding = options->gpu_decode;
    plan->decoding_window = decodable->window;
    plan->decoding_gpus = decoding_gpus_of(options, facts);
    plan->decoding_belts = belts_of(options, facts, plan->decoding_gpus);
    if (plan->decoding_belts > 1)
        plan->decoding_early = early_of(options, facts);
    plan->decoding_bytes = DECODING_RATES_RATIO * facts->known_bytes;
    plan->decoding_sketches = facts->has_ranges;
    if (options->gpu_decode != GPU_DECODE_AUTO)
        return;
    plan->decoding = GPU_DECODE_NEVER;
    if ((options->device != DEVICE_AUTO && options->device != DEVICE_CUDA) ||
        decodable_bytes(decodable) == 0)
        return;
    struct decoding_rates rates = rates_of(plan, options, facts);
    bool is_demanded = plan_demands_gpu(options);
    double device = is_demanded ? rates.by_gpu : rates.by_host;
    if (device < rates.by_gpu && !facts->has_keys)
        device = rates.by_gpu;
    /* A GPU that counts starts anyway. */
    double meanwhile =
        rates.waits ? early_time(plan, facts, &rates) : DEVICE_START;
    double start = is_demanded ? 0 : meanwhile;
    double cost = is_demanded ? DECODER_START : DEVICE_START + DEVICE_LEAVE;
    if (rates.content >=
        (double)break_even_bytes(rates.host, device, start, cost, facts->cpus))
        plan->decoding = GPU_DECODE_AUTO;
}

/* The limit of readers that only feed the GPUs. */
static uint64_t
feeders_max(const struct plan *plan)
{
    return min(FEEDERS_PER_GPU * max(plan->gpu_count, 1), FEEDERS_MAX);
}

static void
plan_readers(struct plan *plan, const struct plan_options *options,
             const struct plan_facts *facts)
{
    uint64_t threads = threads_of(options, facts);

    if (interval_is_set(&options->every)) {
        /* A snapshot counts the first bytes of the inputs, in order. */
        plan->readers = 1;
        plan->decoders = 1;
        return;
    }
    uint64_t worth =
        bytes_at_once(options, facts) /
        (CHUNKS_WORTH_A_READER *
         min(plan->chunk_bytes, max(options->chunk_bytes, CHUNK_BYTES)));

    worth = max(worth, options->per_file ? 1 : facts->input_count);
    /* Adding to a shared table takes several times as long as reading. */
    bool counts_fast = plan->host_threads > 0 && !plan->host_shares &&
                       !plan->hosts_are_reserve;
    uint64_t useful = counts_fast && threads >= facts->cpus
                          ? max(feeders_max(plan), facts->cpus)
                          : feeders_max(plan);
    plan->readers = (unsigned int)min(min(useful, threads), worth);
    plan->decoders =
        (unsigned int)max(plan->readers, min(threads, facts->cpus));
}

/*
 * Let the CPU threads share a histogram.  The lists beside the histogram take
 * at most a share of the remaining ROOM and, if ROOM is large, twice the memory
 * of the histogram.  Returns the bytes of the lists.
 */
static uint64_t
plan_sharing(struct plan *plan, uint64_t table, uint64_t room)
{
    uint64_t cells = table / sizeof(uint64_t);
    uint64_t share = room / TABLES_SHARE;
    uint64_t useful = max(SHARING_BYTES_MIN, 2 * table);
    uint64_t first = shared_counts_bytes(cells, 1, 0);
    uint64_t each = shared_counts_bytes(cells, 2, 0) - first;
    uint64_t most = 1 + (share > first ? (share - first) / each : 0);

    plan->host_shares = true;
    plan->host_threads = (unsigned int)min(plan->host_threads, most);
    plan->host_bytes =
        shared_counts_bytes(cells, plan->host_threads, min(share, useful));
    return plan->host_bytes;
}

size_t
plan_header_bytes(uint64_t limit)
{
    return (size_t)min(max(limit / RECORDS_SHARE, HEADER_BYTES_MIN),
                       KEY_BYTES_MAX);
}

/*
 * Set the length of the longest record; keys leave LIMIT bytes.  The length
 * does not depend on the number of threads: one thread has a TABLE, and the sum
 * has two.  Returns the bytes of the record's buffers, unless chunks are as
 * long.
 */
static uint64_t
plan_records(struct plan *plan, const struct plan_options *options,
             uint64_t table, uint64_t limit)
{
    uint64_t tables = 3 * table;
    uint64_t most = (limit > tables ? limit - tables : 0) / RECORDS_SHARE;
    uint64_t chunk = max(options->chunk_bytes, SMALLEST_CHUNK_BYTES);

    /* A small table must not halve the chunks. */
    most += SMALLEST_CHUNK_BYTES - 1;
    most -= most % SMALLEST_CHUNK_BYTES;
    most = min(most, KEY_BYTES_MAX);
    plan->record_max = (size_t)max(most, chunk);
    return most > chunk ? 2 * most : 0;
}

/*
 * Divide the memory of text between the shared keys and each thread's buffers
 * and table for the bins of numbers.  The sum has two tables, with the bins of
 * k-mers.  One thread gets its buffers whatever the limit is.  Returns the
 * bytes of all.
 */
static uint64_t
plan_text(struct plan *plan, const struct plan_options *options,
          const struct plan_facts *facts, uint64_t limit)
{
    uint64_t table = facts->table_bytes;
    uint64_t own = table - facts->kmer_bytes;
    uint64_t buffers = facts->buffer_bytes;

    plan->host_bytes = limit / TABLES_SHARE;
    limit -= plan->host_bytes;

    uint64_t records = plan_records(plan, options, table, limit);
    uint64_t room = (limit - records) / TABLES_SHARE;
    uint64_t most = max(room / max(own + buffers, 1), 1);
    plan->host_threads = (unsigned int)min(plan->host_threads, most);
    return plan->host_bytes + records + 2 * table + plan->host_threads * own +
           (plan->host_threads - 1) * buffers;
}

/*
 * Decide whether the CPU threads share a histogram, and limit their number by
 * memory.  Returns the bytes of all tables: of the GPUs, of the threads, and
 * one for the sum or the shared histogram.
 */
static uint64_t
plan_tables(struct plan *plan, const struct plan_options *options,
            const struct plan_facts *facts, uint64_t limit)
{
    uint64_t table = facts->table_bytes;
    uint64_t tables = plan->gpu_count * gpu_bytes(facts);
    uint64_t left = tables < limit ? limit - tables : 0;

    if (facts->has_keys)
        return tables + plan_text(plan, options, facts,
                                  plan->gpu_is_demanded ? left : limit);
    if (plan->host_threads > 0 && facts->may_share_table &&
        table > PRIVATE_TABLE_BYTES_MAX) {
        tables += plan_sharing(plan, table, left > table ? left - table : 0);
    } else if (plan->host_threads > 0) {
        uint64_t most = max(left / TABLES_SHARE / table, 1);
        plan->host_threads = (unsigned int)min(plan->host_threads, most);
        tables += plan->host_threads * table;
    }
    return tables + table;
}

/* Whether one thread of the CPU counts all chunks. */
static bool
counts_alone(const struct plan *plan)
{
    return plan->gpu_count == 0 && plan->host_threads == 1;
}

static void
plan_chunk_bytes(struct plan *plan, const struct plan_options *options,
                 const struct plan_facts *facts, uint64_t limit)
{
    uint64_t decoded = decoded_bytes(plan, facts);
    bool is_long = plan->gpu_count > 0 && plan->gpu_after == 0 &&
                   !facts->has_keys && decoded > facts->known_bytes / 2;
    uint64_t bytes = is_long ? DECODED_CHUNK_BYTES : CHUNK_BYTES;
    uint64_t threads = cpus_of(options, facts);

    if (counts_alone(plan))
        bytes = LONE_CHUNK_BYTES;
    /* If the GPU does not start, all threads must have some. */
    while (bytes > CHUNK_BYTES &&
           bytes * CHUNKS_PER_READER * threads > limit / 2)
        bytes /= 2;

    /* A chunk must have no room for too long a record. */
    while (facts->has_keys && bytes > plan->record_max)
        bytes /= 2;
    while (bytes > SMALLEST_CHUNK_BYTES && bytes * 2 * CHUNKS_MIN > limit)
        bytes /= 2;
    plan->chunk_bytes =
        (size_t)(options->chunk_bytes > 0 ? options->chunk_bytes : bytes);
    plan->chunk_bytes -= plan->chunk_bytes % facts->record_bytes;
    if (plan->chunk_bytes == 0)
        plan->chunk_bytes = facts->record_bytes;
    uint64_t cached =
        plan->host_threads > CROWDED_THREADS ? 2 * CACHED_BYTES : CACHED_BYTES;
    if (!plan->host_shares)
        cached = max(cached, CACHED_PER_TABLE * facts->table_bytes);
    cached -= cached % facts->record_bytes;
    cached = max(cached, facts->record_bytes);
    plan->cached_bytes = (size_t)min(cached, plan->chunk_bytes);
    plan->record_max = (size_t)max(plan->record_max, plan->chunk_bytes);
    /* For a small file, clearing a whole huge page would take too long. */
    plan->huge_pages =
        facts->known_bytes >= CHUNK_BYTES || facts->has_unknown_length;
}

bool
plan_demands_gpu(const struct plan_options *options)
{
    return options->device == DEVICE_CUDA || options->device == DEVICE_OPENCL;
}

uint64_t
plan_memory_limit(const struct plan_options *options, uint64_t memory_bytes)
{
    uint64_t limit = options->memory_limit != PLAN_CHOOSE
                         ? options->memory_limit
                         : memory_bytes / 2;

    return min(limit, SIZE_MAX / 2);
}

uint64_t
plan_gpu_limit(const struct plan_options *options, uint64_t memory_bytes)
{
    uint64_t limit = plan_memory_limit(options, memory_bytes);

    return options->device == DEVICE_AUTO ? limit / GPU_LIMIT_SHARE : limit;
}

static int
plan_memory(struct plan *plan, const struct plan_facts *facts, uint64_t limit,
            struct error *error)
{
    uint64_t feeders = min(plan->readers, feeders_max(plan));
    uint64_t wanted = CHUNKS_PER_READER * feeders + CHUNKS_SPARE +
                      CHUNKS_PER_BUSY_READER * (plan->readers - feeders);

    if (counts_alone(plan))
        wanted = min(wanted, LONE_CHUNKS);
    if (plan->gpu_count > 1)
        wanted = plan->readers + plan->gpu_count * CHECKPOINT_SLOTS;
    uint64_t held = 0; /* by each GPU */
    if (plan->gpu_count > 0 && !plan->gpu_is_alone &&
        gpu_table(facts) > plan->chunk_bytes)
        held = checkpoint_held_chunks(gpu_table(facts), plan->chunk_bytes);
    uint64_t chunk_bytes = pool_stride(plan->chunk_bytes);
    uint64_t spare = plan->device == DEVICE_CUDA ? 0 : plan->gpu_count;

    plan->decoder_chunks = CHUNKS_PER_BUSY_READER;
    uint64_t most = wanted + plan->gpu_count * held +
                    CHUNKS_PER_BUSY_READER * (plan->decoders - plan->readers);

    /* The decoders get all other memory, at least half of the limit. */
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
    room -= plan->chunk_count;
    plan->held_chunks = (size_t)min(held, room / max(plan->gpu_count, 1));
    room -= plan->gpu_count * plan->held_chunks;
    plan->decoder_bytes = limit - pool_bytes;
    /*
     * While a reader waits for its input or for a decoder's memory, the reader
     * may hold a chunk.  At least one chunk must remain for the other readers.
     */
    plan->readers = (unsigned int)min(plan->readers, plan->chunk_count - 1);
    plan->decoders =
        plan->readers + (unsigned int)min(plan->decoders - plan->readers,
                                          room / CHUNKS_PER_BUSY_READER);
    uint64_t busy = min(plan->decoders, facts->cpus);
    plan->guessers = (unsigned int)(busy - min(busy, facts->input_count));
    return 0;
}

/* As plan_make(), but DEVICE_AUTO uses a GPU only if MAY_HAVE_GPU. */
static int
make(struct plan *plan, const struct plan_options *options,
     const struct plan_facts *facts, bool may_have_gpu, struct error *error)
{
    uint64_t limit = plan_memory_limit(options, facts->memory_bytes);

    *plan = (struct plan){.gpu_timeout = options->gpu_timeout,
                          .strategy = options->strategy,
                          .gpu_keys = facts->gpu_keys,
                          .takes_snapshots = interval_is_set(&options->every) ||
                                             options->per_file,
                          .is_per_input = options->per_file,
                          .tracks = 1,
                          .cpus = facts->cpus};
    plan_decoding(plan, options, facts);
    plan_devices(plan, options, facts, may_have_gpu);
    uint64_t other = facts->other_bytes;
    uint64_t tables =
        plan_tables(plan, options, facts, limit > other ? limit - other : 0) +
        other;
    if (tables >= limit) {
        error_set(error, EXIT_USAGE,
                  "the tables of all bins do not fit into --memory-limit, %llu "
                  "bytes: %llu would be needed (%llu bytes for each table)",
                  (unsigned long long)limit, (unsigned long long)tables,
                  (unsigned long long)(plan->gpu_count > 0
                                           ? gpu_table(facts)
                                           : facts->table_bytes));
        return -1;
    }
    limit -= tables;
    plan_chunk_bytes(plan, options, facts, limit);
    plan_readers(plan, options, facts);
    return plan_memory(plan, facts, limit, error);
}

/* As plan_make(), but for one track. */
static int
make_one(struct plan *plan, const struct plan_options *options,
         const struct plan_facts *facts, struct error *error)
{
    uint64_t limit = plan_memory_limit(options, facts->memory_bytes);
    uint64_t share = facts->has_keys ? GPU_MEMORY_SHARE : TABLES_SHARE;
    bool has_room = gpu_bytes(facts) <= limit / share;

    if (make(plan, options, facts, has_room, error) == 0)
        return 0;
    if (plan->gpu_is_demanded || plan->gpu_count == 0)
        return -1;
    /* The GPU is optional: without its tables the other memory may fit. */
    error_clear(error);
    return make(plan, options, facts, false, error);
}

/*
 * Let TRACKS tracks have the processors and the memory of PLAN, which is for
 * one: the length of the longest record and what is needed once remain.
 * Returns 0, or -1: there is not enough memory.
 */
static int
make_tracks(struct plan *plan, const struct plan_options *options,
            const struct plan_facts *facts, unsigned int tracks)
{
    struct plan_options own = *options;
    struct plan_facts shared = *facts;
    struct error ignored = ERROR_NONE;
    struct plan track;
    uint64_t limit = plan_memory_limit(options, facts->memory_bytes);
    uint64_t once = facts->other_bytes;

    if (plan->record_max > plan->chunk_bytes)
        once += 2 * (uint64_t)plan->record_max;
    own.device = DEVICE_CPU;
    own.threads = threads_of(options, facts) / tracks;
    own.memory_limit = (limit - min(once, limit)) / tracks;
    shared.cpus = (unsigned int)max(facts->cpus / tracks, 1);
    shared.known_bytes = facts->largest_bytes;
    shared.other_bytes = 0;
    bool is_made = own.memory_limit >= TRACK_MEMORY_MIN &&
                   make(&track, &own, &shared, false, &ignored) == 0;
    error_clear(&ignored);
    /* What decodes with one track should with several. */
    if (!is_made ||
        track.decoder_bytes * tracks < plan->decoder_bytes / DECODERS_SHARE)
        return -1;
    track.gpu = plan->gpu;
    track.record_max = plan->record_max;
    track.decoder_bytes *= tracks;
    track.tracks = tracks;
    *plan = track;
    return 0;
}

int
plan_make(struct plan *plan, const struct plan_options *options,
          const struct plan_facts *facts, struct error *error)
{
    unsigned int tracks = tracks_of(options, facts);

    if (make_one(plan, options, facts, error) < 0)
        return -1;
    /* A GPU that decodes, or counts from the start, is faster. */
    if (plan->decoding != GPU_DECODE_NEVER ||
        (plan->gpu_count > 0 && plan->gpu_after == 0))
        return 0;
    while (tracks > 1 && make_tracks(plan, options, facts, tracks) < 0)
        tracks /= 2;
    return 0;
}

bool
plan_gpu_pays(const struct plan *plan, uint64_t counted_bytes, double time,
              uint64_t keys)
{
    const struct plan_payoff *payoff = &plan->payoff;
    double count_time = time > payoff->read_time ? time - payoff->read_time : 0;

    /* More keys than a device may know hardly repeat. */
    if (counted_bytes >= payoff->known_bytes ||
        (plan->gpu_keys > 0 && keys > plan->gpu_keys))
        return false;
    double host = host_rate(plan->host_threads, plan->cpus, time - count_time,
                            count_time);
    double cost = payoff->device_cost + KEY_TIME * (double)keys;

    return payoff->known_bytes - counted_bytes >=
           break_even_bytes(host, payoff->device_rate, payoff->device_start,
                            cost, plan->cpus);
}
