/* sequence_items.cl -- what sequence_group.h asks for, in OpenCL C */

#define SEQUENCE_LOCAL __local
#define SEQUENCE_ITEM ((uint)get_local_id(0))
#ifdef ONE_ITEM
#    define SEQUENCE_ITEMS 1u
#else
#    define SEQUENCE_ITEMS ((uint)get_local_size(0))
#endif
#define SEQUENCE_GROUP ((uint)get_group_id(0))
#define SEQUENCE_GROUPS ((uint)get_num_groups(0))
#define SEQUENCE_BARRIER() group_barrier()
#define SEQUENCE_POPCOUNT(word) popcount(word)
#define SEQUENCE_LOAD(data, vector) sequence_load_vector(data, vector)
#define SEQUENCE_ADD(word, amount) group_add(word, amount)
#define SEQUENCE_TAKE(word, amount) group_add(word, amount)
#define SEQUENCE_CLAIM(word, cell) slot_claim(word, cell)
#define SEQUENCE_ADD_CELL(cell, amount) histogram_add(cell, amount)
#define SEQUENCE_RAISE_CELL(cell, amount) (*(cell) += (amount))
#define SEQUENCE_ADD_BITS(word, bits) atomic_or(word, bits)
#define SEQUENCE_TAKE_ROOM(word, amount) atomic_add(word, amount)
#define SEQUENCE_UNROLL
#define SEQUENCE_ROLLED

BINNING_FUNCTION struct sequence_bytes
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
