/* SPDX-License-Identifier: MIT */
/* sequence_device.cl -- what sequence_block.h asks for, in OpenCL C */

#define DEVICE_SHARED __local
#define DEVICE_THREAD ((uint)get_local_id(0))
#ifdef ONE_THREAD
#    define DEVICE_THREADS 1u
#else
#    define DEVICE_THREADS ((uint)get_local_size(0))
#endif
#define DEVICE_BLOCK ((uint)get_group_id(0))
#define DEVICE_BLOCKS ((uint)get_num_groups(0))
#define DEVICE_BARRIER() block_barrier()
#define DEVICE_POPCOUNT(word) popcount(word)
#define DEVICE_LOAD(data, vector) sequence_load_vector(data, vector)
#define DEVICE_ADD(word, amount) block_add(word, amount)
#define DEVICE_TAKE(word, amount) block_add(word, amount)
#define DEVICE_CLAIM(word, cell) slot_claim(word, cell)
#define DEVICE_ADD_CELL(cell, amount) histogram_add(cell, amount)
#define DEVICE_RAISE_CELL(cell, amount) (*(cell) += (amount))
#define DEVICE_ADD_BITS(word, bits) atomic_or(word, bits)
#define DEVICE_TAKE_ROOM(word, amount) atomic_add(word, amount)
#define DEVICE_UNROLL
#define DEVICE_ROLLED

DEVICE_FN struct sequence_bytes
sequence_load_vector(__global const uchar *data, uint vector)
{
    struct sequence_bytes bytes;
    uint4 words = ((__global const uint4 *)data)[vector];

    bytes.word[0] = words.x;
    bytes.word[1] = words.y;
    bytes.word[2] = words.z;
    bytes.word[3] = words.w;
    return bytes;
}
