/* decoding_rates.c -- how fast files can be decoded and counted, for a plan */

#include "run/decoding_rates.h"

/*
 * Rates are in bytes of content per second (bench/NOTES.md).  Of a long frame,
 * one thread computes the checksum of what a GPU decodes; others read the file
 * and count.  If it has none, or if a GPU sums many frames, too, all processors
 * can count.  Or the GPU counts, where the content is.
 */
#define LONG_HOST_RATE 1.0e9    /* by one processor, ... */
#define LONG_HELPER_RATE 0.37e9 /* ... by each other one, ... */
#define LONG_FRAME_RATE 3.0e9   /* ... up to this for one frame */
#define MANY_HOST_RATE 0.7e9    /* side by side by each processor */

#define SUMMED_RATE 6.5e9       /* of long frames with a GPU, ... */
#define SUMMED_READER_RATE 3e9  /* ... and for each processor at most */
#define DEVICE_RATE 40e9        /* with a GPU; the processors count ... */
#define DEVICE_KEYS_TIME 0.4e-9 /* ... a byte of keys in such a time */
#define COUNTED_RATE 34e9       /* if the GPU counts, too, ... */
#define KEYS_RATE 25e9          /* ... or keys, ... */
#define FEEDER_RATE 12e9        /* ... and for each processor at most */

static double
least(double a, double b)
{
    return a < b ? a : b;
}

/* Returns how much content BYTES probably have, which say they have CONTENT. */
static double
content_of(uint64_t bytes, uint64_t content)
{
    double usual = DECODING_RATES_RATIO * (double)bytes;

    return usual > (double)content ? usual : (double)content;
}

struct decoding_rates
decoding_rates_find(const struct decodable *files, uint64_t known_bytes,
                    unsigned int cpus, double count_time, bool has_keys)
{
    double bytes = (double)decodable_bytes(files);
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
    double device = least(SUMMED_READER_RATE * cpus, SUMMED_RATE);
    double time = has_keys ? DEVICE_KEYS_TIME : count_time;
    double gpu = has_keys ? KEYS_RATE : COUNTED_RATE;

    if (files->long_files > 0)
        host = least(host, LONG_FRAME_RATE * (double)files->long_files);
    double counted = cpus / time;
    double by_host = least(counted, DEVICE_RATE);
    double by_gpu = least(cpus * FEEDER_RATE, gpu);
    return (struct decoding_rates){
        .content = content * least((double)known_bytes / bytes, 1),
        .host = content / (of_long / host + of_many / (MANY_HOST_RATE * cpus)),
        .by_host = content /
                   (of_summed / least(device, counted) + of_others / by_host),
        .by_gpu = content / (of_summed / device + of_others / by_gpu),
    };
}
