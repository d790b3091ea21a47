/* SPDX-License-Identifier: MIT */
/* decoding_rates.c -- how fast files can be decoded and counted, for a plan */

#include "run/decoding_rates.h"
#include "run/gpu_marks.h"

/*
 * Rates are in bytes of content per second (bench/NOTES.md).  Of a long frame,
 * one thread computes the checksum of what a GPU decodes; others read the file,
 * count, and sum other files.  If it has none, or if a GPU sums many frames,
 * too, all processors can count.  Or the GPU counts, where the content is.
 */
#define LONG_HOST_RATE 1.0e9    /* by one processor, ... */
#define LONG_HELPER_RATE 0.37e9 /* ... by each other one, ... */
#define LONG_FRAME_RATE 3.0e9   /* ... up to this for one frame */
#define MANY_HOST_RATE 0.7e9    /* side by side by each processor; ... */
#define ALONE_MEMORY_RATE 24e9  /* ... long ones share the memory */

#define SUMMED_RATE 6.5e9       /* of a long frame with a GPU, ... */
#define SUMMER_RATE 5.5e9       /* ... and for each processor at most */
#define DEVICE_RATE 40e9        /* with a GPU; the processors count ... */
#define DEVICE_KEYS_TIME 0.4e-9 /* ... a byte of keys in such a time */
#define COUNTED_RATE 34e9       /* if the GPU counts, too, ... */
#define KEYS_RATE 25e9          /* ... or keys, ... */
#define FEEDER_RATE 12e9        /* ... and for each processor at most */

/* Files that a GPU decodes at a time have smaller batches, and each file of
   zstd takes some more seconds of a processor. */
#define BELTS_RATE 27e9
#define FILE_TIME 4e-3

/* A GPU that decodes opens so long, in seconds, while others decode. */
#define OPEN_TIME 0.3

/*
 * Blocks of BGZF.  The better they are packed, the faster a processor decodes
 * them.  With a GPU, processors only read the file.  All processors share the
 * memory.  If records need order, one reader divides the content of a GPU; of
 * FASTQ the GPU finds the records, and of BAM the reader makes text.
 */
#define BLOCK_TIME 4.7e-9       /* of a processor for a byte in the file, ... */
#define BLOCK_KEYS_TIME 0.9e-9  /* ... for a byte of keys, ... */
#define BLOCK_MIXED_TIME 0.2e-9 /* ... and if it decodes these, too */
#define BLOCK_CACHED_TIME 0.2e-9 /* less for other bytes just decoded */
#define BLOCK_READ_TIME 0.13e-9  /* for a byte in the file that a GPU decodes */
#define BLOCK_MEMORY_RATE 40e9   /* of all processors */
#define BLOCK_RECORDS_RATE 6.2e9 /* of the one reader ... */
#define BLOCK_BAM_RATE 1.3e9     /* ... that makes records of alignments */

static double
least(double a, double b)
{
    return a < b ? a : b;
}

/* Returns the rate of CPUS processors, each of which takes TIME for a byte, and
   which share memory of the rate MEMORY; 0 without processors. */
static double
shared_rate(double time, double cpus, double memory)
{
    return 1 / (time / cpus + 1 / memory);
}

/* Returns how much content BYTES probably have, which say they have CONTENT. */
static double
content_of(uint64_t bytes, uint64_t content)
{
    double usual = DECODING_RATES_RATIO * (double)bytes;

    return usual > (double)content ? usual : (double)content;
}

/* Returns the rates of the files of zstd among FILES, at least one. */
static struct decoding_rates
rates_of_zstd(const struct decodable *files, const struct decoding_job *job)
{
    unsigned int cpus = job->cpus;
    double of_summed =
        content_of(files->long_bytes - files->unsummed_bytes,
                   files->long_content - files->unsummed_content);
    double of_unsummed =
        content_of(files->unsummed_bytes, files->unsummed_content);
    double of_many = content_of(files->many_bytes, files->many_content);
    double of_long = of_summed + of_unsummed;
    double of_others = of_unsummed + of_many;
    double content = of_long + of_many;
    double host = LONG_HOST_RATE + LONG_HELPER_RATE * (cpus - 1);
    double gpu =
        gpu_marks_share(job->has_keys ? KEYS_RATE : COUNTED_RATE, job->gpus);
    double belts = (double)job->belts * job->gpus;

    double at_once = job->is_serial ? 1 : (double)files->long_files;
    if (files->long_files > 0)
        host = least(host, LONG_FRAME_RATE * at_once);
    /* Or many frames side by side, without helpers. */
    double alone = shared_rate(1 / MANY_HOST_RATE, least(cpus, at_once),
                               ALONE_MEMORY_RATE);
    if (host < alone)
        host = alone;
    double time = job->has_keys ? DEVICE_KEYS_TIME : job->count_time;
    double most =
        gpu_marks_share(job->belts > 1 ? BELTS_RATE : DEVICE_RATE, job->gpus);
    double by_host = least(cpus / time, most);
    double by_gpu = least(cpus * FEEDER_RATE, least(gpu, most));
    double summed = SUMMED_RATE * belts;
    double summed_by_host = least(cpus / (time + 1 / SUMMER_RATE), by_host);
    double summed_by_gpu = least(cpus * SUMMER_RATE, by_gpu);
    double started = FILE_TIME * (double)files->files / belts;
    return (struct decoding_rates){
        .content = content,
        .host = content / (of_long / host + of_many / (MANY_HOST_RATE * cpus)),
        .by_host = content / (of_summed / least(summed, summed_by_host) +
                              of_others / by_host + started),
        .by_gpu = content / (of_summed / least(summed, summed_by_gpu) +
                             of_others / by_gpu + started),
        .waits = job->belts > 1,
    };
}

/* Returns the rate at which one reader divides what a GPU decodes of the files
   of BGZF among FILES into records, each belt at most at the rate MOST. */
static double
dividing_rate(const struct decodable *files, const struct decoding_job *job,
              double most)
{
    double belts = (double)job->belts * job->gpus;
    double content = (double)files->block_content;
    double fastq = job->has_ranges ? (double)files->fastq_content : 0;
    double bam = job->has_ranges ? (double)files->bam_content : 0;
    double rest = content - fastq - bam;

    return content / (fastq / most + bam / least(BLOCK_BAM_RATE * belts, most) +
                      rest / least(BLOCK_RECORDS_RATE * belts, most));
}

/* Returns the rates of the files of BGZF among FILES, at least one. */
static struct decoding_rates
rates_of_blocks(const struct decodable *files, const struct decoding_job *job)
{
    double content = (double)files->block_content;
    double packed = (double)files->block_bytes / content;
    double decode = BLOCK_TIME * packed;
    double read = BLOCK_READ_TIME * packed;
    double count = job->has_keys ? BLOCK_KEYS_TIME : job->count_time;
    double mixed = job->has_keys ? BLOCK_MIXED_TIME : -BLOCK_CACHED_TIME;
    double gpu =
        gpu_marks_share(job->has_keys ? KEYS_RATE : COUNTED_RATE, job->gpus);
    double most = gpu_marks_share(DEVICE_RATE, job->gpus);
    double readers = job->needs_order ? dividing_rate(files, job, most) : most;
    double host =
        shared_rate(decode + count + mixed, job->cpus, BLOCK_MEMORY_RATE);
    double decoders = files->files > 1 ? (double)files->files : 1;

    if (job->needs_order && !job->has_ranges)
        host = least(host, decoders / decode);
    return (struct decoding_rates){
        .content = content,
        .host = host,
        .by_host = least(
            shared_rate(read + count, job->cpus, BLOCK_MEMORY_RATE), readers),
        .by_gpu =
            least(job->cpus / (read + 1 / FEEDER_RATE), least(readers, gpu)),
        .waits = true,
    };
}

/* Returns the rates of two sets of files, one after the other. */
static struct decoding_rates
join(const struct decoding_rates *a, const struct decoding_rates *b)
{
    double content = a->content + b->content;

    return (struct decoding_rates){
        .content = content,
        .host = content / (a->content / a->host + b->content / b->host),
        .by_host =
            content / (a->content / a->by_host + b->content / b->by_host),
        .by_gpu = content / (a->content / a->by_gpu + b->content / b->by_gpu),
        .waits = a->content > b->content ? a->waits : b->waits,
    };
}

struct decoding_rates
decoding_rates_find(const struct decodable *files, uint64_t known_bytes,
                    const struct decoding_job *job)
{
    uint64_t bytes = decodable_bytes(files);
    struct decoding_rates rates;

    if (files->block_bytes == 0) {
        rates = rates_of_zstd(files, job);
    } else {
        rates = rates_of_blocks(files, job);
        if (files->block_bytes < bytes) {
            const struct decoding_rates zstd = rates_of_zstd(files, job);
            rates = join(&zstd, &rates);
        }
    }
    rates.content *= least((double)known_bytes / (double)bytes, 1);
    return rates;
}

bool
decoding_rates_pay(const struct decodable *files, uint64_t known_bytes,
                   const struct decoding_job *fewer,
                   const struct decoding_job *job)
{
    double slow = decoding_rates_find(files, known_bytes, fewer).by_gpu;
    double fast = decoding_rates_find(files, known_bytes, job).by_gpu;
    double bytes = (double)decodable_bytes(files);
    double content = (double)files->long_content + (double)files->many_content +
                     (double)files->block_content;

    if (content < bytes)
        content = bytes;
    content *= least((double)known_bytes / bytes, 1);
    return content >= (double)gpu_marks_next(slow, fast, OPEN_TIME);
}
