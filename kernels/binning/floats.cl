/* SPDX-License-Identifier: MIT */
/*
 * floats.cl -- count 32-bit floating-point samples in even bins
 *
 * floats.h defines the bin of a sample.  The host, which has doubles, makes
 * LOOKUP: a struct floats_rule, followed by the keys of all edges (kernel.h).
 */

/*
 * Count records of one f4 with the lowest byte first, with any strategy, on one
 * EVEN axis with floats_are_enough().
 */
DEVICE_FN void
count_floats(const struct work *work)
{
    __global const uint *rule_words = work->tables.lookup;
    __global const uint *keys = rule_words + FLOATS_RULE_WORDS;
    struct floats_rule rule = {
        as_float(rule_words[0]),
        as_float(rule_words[1]),
        as_float(rule_words[2]),
        as_float(rule_words[3]),
    };
    uint bins = (uint)work->first_axis.bins;
    __global const uint *samples = (__global const uint *)work->data;
    __global const uint4 *vectors = (__global const uint4 *)work->data;
    ulong count = work->task.size / sizeof(uint);
    struct thread_share share = share_of(count / 4);

    table_clear(work);
    for (ulong i = share.first; i < share.end; i += share.step) {
        uint4 bits = vectors[i];

        table_count(work, floats_cell(&rule, keys, bins, bits.x));
        table_count(work, floats_cell(&rule, keys, bins, bits.y));
        table_count(work, floats_cell(&rule, keys, bins, bits.z));
        table_count(work, floats_cell(&rule, keys, bins, bits.w));
    }
    /* The last samples, fewer than 4. */
    for (ulong i = count / 4 * 4 + get_global_id(0); i < count;
         i += get_global_size(0))
        table_count(work, floats_cell(&rule, keys, bins, samples[i]));
    table_flush(work);
}
