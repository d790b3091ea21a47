/* SPDX-License-Identifier: MIT */
/*
 * classic.cuh -- the histogram kernels of the literature, for comparison
 *
 * Each kernel counts bytes, or with count_global() any unsigned type, and adds
 * to 64-bit counters.  Counts are exact for all data.  The kernels follow their
 * sources, without further tuning.
 *
 * Grids and blocks are one-dimensional.  DATA is 16-byte aligned; kernels read
 * nothing beyond SIZE.  A block must count fewer than 2^32 bytes.
 *
 * Sources that are cited more than once:
 *
 *   Podlozhnyuk   V. Podlozhnyuk, "Histogram calculation in CUDA", NVIDIA,
 *                 2007, with the CUDA samples histogram64 and histogram256
 *   PMPP          W. W. Hwu, D. B. Kirk and I. El Hajj, "Programming Massively
 *                 Parallel Processors", 4th edition, 2022, chapter 9
 */

#ifndef GPUHIST_CLASSIC_CUH
#define GPUHIST_CLASSIC_CUH

namespace classic
{

using u64 = unsigned long long;

constexpr unsigned int VALUES = 256;
constexpr unsigned int LANES = 32;
constexpr unsigned int ALL_LANES = 0xffffffff;

/* Threads of a block, unless a kernel's comment gives another number. */
constexpr unsigned int THREADS = 1024;

__device__ __forceinline__ u64
thread_number()
{
    return static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ __forceinline__ u64
thread_count()
{
    return static_cast<u64>(gridDim.x) * blockDim.x;
}

__device__ __forceinline__ void
clear(unsigned int *table, unsigned int words)
{
    for (unsigned int i = threadIdx.x; i < words; i += blockDim.x)
        table[i] = 0;
    __syncthreads();
}

/* The counters of a block that are added to the histogram. */
enum merging {
    MERGE_ALL,
    MERGE_NONZERO,
};

template <merging which>
__device__ __forceinline__ void
merge(const unsigned int *table, u64 *histogram)
{
    __syncthreads();
    for (unsigned int i = threadIdx.x; i < VALUES; i += blockDim.x) {
        if (which == MERGE_ALL || table[i] != 0)
            atomicAdd(&histogram[i], static_cast<u64>(table[i]));
    }
}

/* ---- global atomics ---- */

/*
 * Source: PMPP, section 9.2; J. Sanders and E. Kandrot, "CUDA by Example",
 * 2010, section 9.4.  Limit: the L2 cache serializes adds to one address, so
 * 256 addresses are a bottleneck; data with few different values are the
 * slowest.
 */
template <typename Sample>
__global__ void
count_global(const Sample *data, u64 samples, u64 *histogram)
{
    for (u64 i = thread_number(); i < samples; i += thread_count())
        atomicAdd(&histogram[data[i]], 1ull);
}

/* ---- a table for each block ---- */

/*
 * One byte for each thread.  Source: PMPP, section 9.3 (privatization).  Limit:
 * a block counts as many bytes as it has threads and then adds its table to the
 * histogram, so there is a global atomic for every four bytes.  MERGE_NONZERO
 * (PMPP, figure 9.10) has fewer if a block meets few different values.
 */
template <merging which>
__global__ void
__launch_bounds__(THREADS)
    count_single(const unsigned char *data, u64 size, u64 *histogram)
{
    __shared__ unsigned int table[VALUES];
    const u64 i = thread_number();

    clear(table, VALUES);
    if (i < size)
        atomicAdd(&table[data[i]], 1u);
    merge<which>(table, histogram);
}

/*
 * A grid-stride loop.  Source: PMPP, section 9.4 (coarsening with interleaved
 * partitioning), and the final kernel of "CUDA by Example".  Limit: a load for
 * each byte, and bank conflicts of the shared atomics of a warp.
 */
template <merging which>
__global__ void
__launch_bounds__(THREADS)
    count_strided(const unsigned char *data, u64 size, u64 *histogram)
{
    __shared__ unsigned int table[VALUES];

    clear(table, VALUES);
    for (u64 i = thread_number(); i < size; i += thread_count())
        atomicAdd(&table[data[i]], 1u);
    merge<which>(table, histogram);
}

/*
 * CHUNK consecutive bytes for each thread; the grid covers all bytes.  Source:
 * PMPP, figure 9.12 (coarsening with contiguous partitioning).  Limit: the
 * lanes of a warp load from addresses CHUNK bytes apart, so each lane loads
 * another sector, the rest of which must stay in the L1 cache.
 */
__global__ void
__launch_bounds__(THREADS)
    count_chunks(const unsigned char *data, u64 size, u64 chunk, u64 *histogram)
{
    __shared__ unsigned int table[VALUES];
    const u64 start = thread_number() * chunk;
    const u64 end = start + chunk < size ? start + chunk : size;

    clear(table, VALUES);
    for (u64 i = start; i < end; i++)
        atomicAdd(&table[data[i]], 1u);
    merge<MERGE_NONZERO>(table, histogram);
}

/*
 * As count_chunks(), with one add for each run of equal bytes.  Source: PMPP,
 * section 9.5, figure 9.15 (aggregation).  Limit: that of count_chunks(), and
 * lanes diverge when their runs end at different bytes.
 */
__global__ void
__launch_bounds__(THREADS) count_chunk_runs(const unsigned char *data, u64 size,
                                            u64 chunk, u64 *histogram)
{
    __shared__ unsigned int table[VALUES];
    const u64 start = thread_number() * chunk;
    const u64 end = start + chunk < size ? start + chunk : size;
    unsigned int value = 0;
    unsigned int length = 0;

    clear(table, VALUES);
    for (u64 i = start; i < end; i++) {
        const unsigned int next = data[i];
        if (next != value && length > 0) {
            atomicAdd(&table[value], length);
            length = 0;
        }
        value = next;
        length++;
    }
    if (length > 0)
        atomicAdd(&table[value], length);
    merge<MERGE_NONZERO>(table, histogram);
}

/* ---- lanes of a warp with equal values ---- */

/*
 * Add once for all lanes that have the same VALUE.  All lanes of a warp must
 * call this; a lane without a byte passes VALUES.
 */
__device__ __forceinline__ void
add_matched(unsigned int *table, unsigned int value)
{
    const unsigned int peers = __match_any_sync(ALL_LANES, value);
    const unsigned int leader = __ffs(static_cast<int>(peers)) - 1;

    if (value < VALUES && threadIdx.x % LANES == leader)
        atomicAdd(&table[value], static_cast<unsigned int>(__popc(peers)));
}

/*
 * A grid-stride loop with warp-aggregated atomics.  Source: A. Adinets, "CUDA
 * Pro Tip: Optimized Filtering with Warp-Aggregated Atomics", 2014, with the
 * match instruction of Volta (Y. Lin and V. Grover, "Using CUDA Warp-Level
 * Primitives", 2018).  Limit: the match takes a step for each different value
 * in a warp, while shared atomics already merge equal addresses.
 */
__global__ void
__launch_bounds__(THREADS)
    count_matched(const unsigned char *data, u64 size, u64 *histogram)
{
    __shared__ unsigned int table[VALUES];

    clear(table, VALUES);
    /* All lanes loop equally often, because of the match. */
    for (u64 first = static_cast<u64>(blockIdx.x) * blockDim.x; first < size;
         first += thread_count()) {
        const u64 i = first + threadIdx.x;
        add_matched(table, i < size ? data[i] : VALUES);
    }
    merge<MERGE_NONZERO>(table, histogram);
}

/* Chunks as in count_chunks(), and matching lanes.  Limit: that of both. */
__global__ void
__launch_bounds__(THREADS)
    count_chunks_matched(const unsigned char *data, u64 size, u64 chunk,
                         u64 *histogram)
{
    __shared__ unsigned int table[VALUES];
    const u64 start = thread_number() * chunk;

    clear(table, VALUES);
    for (u64 i = start; i < start + chunk; i++)
        add_matched(table, i < size ? data[i] : VALUES);
    merge<MERGE_NONZERO>(table, histogram);
}

/* ---- copies of the table, 16 bytes a load ---- */

/* The layout of the counters of a block. */
enum layout {
    LAYOUT_MIXED,  /* at value * COPIES + lane % COPIES */
    LAYOUT_WARPED, /* a table for each of the COPIES warps of a block */
};

/*
 * COPIES copies of the table in a block.  Source: R. Shams and R. A. Kennedy,
 * "Efficient histogram algorithms for NVIDIA CUDA compatible devices", 2007;
 * for interleaved copies J. Gomez-Luna, J. M. Gonzalez-Linares, J. I. Benavides
 * and N. Guil, "An optimized approach to histogram computation on GPU", 2013.
 * With 32 mixed copies this is gpuhist's strategy "lane".  Limit: with fewer
 * copies, lanes have bank conflicts that depend on the data; bench/conflicts
 * counts these.
 */
template <layout kind, unsigned int COPIES>
__global__ void
__launch_bounds__(THREADS)
    count_copies(const unsigned char *data, u64 size, u64 *histogram)
{
    __shared__ unsigned int table[VALUES * COPIES];
    const unsigned int copy =
        (kind == LAYOUT_WARPED ? threadIdx.x / LANES : threadIdx.x) % COPIES;
    auto place = [](unsigned int value, unsigned int from) {
        return kind == LAYOUT_WARPED ? from * VALUES + value
                                     : value * COPIES + from;
    };
    auto count = [&](unsigned int word) {
        for (unsigned int shift = 0; shift < 32; shift += 8)
            atomicAdd(&table[place(word >> shift & 255, copy)], 1u);
    };
    const uint4 *const vectors = reinterpret_cast<const uint4 *>(data);
    const u64 vector_count = size / sizeof(uint4);

    clear(table, VALUES * COPIES);
    for (u64 i = thread_number(); i < vector_count; i += thread_count()) {
        const uint4 vector = __ldcs(vectors + i);
        count(vector.x);
        count(vector.y);
        count(vector.z);
        count(vector.w);
    }
    const u64 tail = vector_count * sizeof(uint4) + thread_number();
    if (tail < size)
        atomicAdd(&table[place(data[tail], copy)], 1u);
    __syncthreads();
    for (unsigned int value = threadIdx.x; value < VALUES;
         value += blockDim.x) {
        u64 sum = 0;
        for (unsigned int i = 0; i < COPIES; i++)
            sum += table[place(value, (i + value) % COPIES)];
        if (sum != 0)
            atomicAdd(&histogram[value], sum);
    }
}

/* ---- partial histograms, and a kernel that merges them ---- */

constexpr unsigned int MERGE_THREADS = 256; /* a power of two */

/*
 * Podlozhnyuk's mergeHistogram256Kernel(): a block for each bin adds up the
 * partial histograms of PARTIAL_COUNT blocks, u32[PARTIAL_COUNT][bins].  The
 * grid has a block of MERGE_THREADS threads for each bin.
 */
__global__ void
__launch_bounds__(MERGE_THREADS)
    merge_partials(const unsigned int *partials, unsigned int partial_count,
                   u64 *histogram)
{
    __shared__ u64 sums[MERGE_THREADS];
    u64 sum = 0;

    for (unsigned int i = threadIdx.x; i < partial_count; i += MERGE_THREADS)
        sum += partials[static_cast<u64>(i) * gridDim.x + blockIdx.x];
    sums[threadIdx.x] = sum;
    for (unsigned int half = MERGE_THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        histogram[blockIdx.x] += sums[0];
}

constexpr unsigned int WARPS = 8; /* of a block of count_warps() */
constexpr unsigned int WARPS_THREADS = WARPS * LANES;
constexpr unsigned int TAG_SHIFT = 27; /* the top five bits are a lane */
constexpr unsigned int TAGGED_MAX = (1u << TAG_SHIFT) - 1;

/*
 * Add one without atomics.  A lane writes the new count to the counter, with
 * its own number in the top bits, and reads the counter again.  If the number
 * has changed, another lane of the warp has overwritten the counter, and the
 * lane tries again.
 *
 * Podlozhnyuk's loop assumes that the lanes of a warp run in lockstep.  Since
 * Volta they need not: a lane could read a counter between another lane's read
 * and write; both lanes would add to the same old count, and both would find
 * their own numbers.  So __syncwarp() separates the three steps here, and also
 * orders the memory accesses; volatile makes each read go to memory.  In each
 * round, all lanes that want one counter read the same old count.  One write
 * remains, and only its lane is done.  No other warp uses the table.
 *
 * All lanes of a warp must call this; lanes with IS_WANTED add.
 */
__device__ __forceinline__ void
add_tagged(volatile unsigned int *table, unsigned int value, bool is_wanted)
{
    const unsigned int tag = threadIdx.x % LANES << TAG_SHIFT;
    bool is_pending = is_wanted;

    while (__any_sync(ALL_LANES, is_pending)) {
        unsigned int count = 0;
        if (is_pending)
            count = ((table[value] & TAGGED_MAX) + 1) | tag;
        __syncwarp();
        if (is_pending)
            table[value] = count;
        __syncwarp();
        if (is_pending)
            is_pending = table[value] != count;
        __syncwarp();
    }
}

/*
 * A table for each warp, and loads of four bytes.  Source: Podlozhnyuk's
 * histogram256.  The original has tagged counters; NVIDIA's later sample has
 * shared atomics.  Limit: bank conflicts between the lanes of a warp; tags take
 * a round for each lane that wants the same counter.
 *
 * PARTIALS, u32[gridDim.x][VALUES], is overwritten.  A block has WARPS_THREADS
 * threads.  With tags, a warp must count at most TAGGED_MAX bytes.
 */
template <bool has_tags>
__global__ void
__launch_bounds__(WARPS_THREADS)
    count_warps(const unsigned char *data, u64 size, unsigned int *partials)
{
    __shared__ unsigned int tables[WARPS * VALUES];
    unsigned int *const table = tables + threadIdx.x / LANES * VALUES;
    auto add = [&](unsigned int value, bool is_wanted) {
        if (has_tags)
            add_tagged(table, value, is_wanted);
        else if (is_wanted)
            atomicAdd(&table[value], 1u);
    };
    const unsigned int *const words =
        reinterpret_cast<const unsigned int *>(data);
    const u64 word_count = size / sizeof(unsigned int);

    clear(tables, WARPS * VALUES);
    for (u64 first = static_cast<u64>(blockIdx.x) * blockDim.x;
         first < word_count; first += thread_count()) {
        const u64 i = first + threadIdx.x;
        const bool is_wanted = i < word_count;
        const unsigned int word = is_wanted ? words[i] : 0;
        for (unsigned int shift = 0; shift < 32; shift += 8)
            add(word >> shift & 255, is_wanted);
    }
    const u64 tail = word_count * sizeof(unsigned int) + thread_number();
    add(tail < size ? data[tail] : 0, tail < size);
    __syncthreads();
    for (unsigned int value = threadIdx.x; value < VALUES;
         value += blockDim.x) {
        unsigned int sum = 0;
        for (unsigned int warp = 0; warp < WARPS; warp++)
            sum += tables[warp * VALUES + value] &
                   (has_tags ? TAGGED_MAX : 0xffffffff);
        partials[blockIdx.x * VALUES + value] = sum;
    }
}

/* ---- a table for each thread, for few bins ---- */

constexpr unsigned int BINS_64 = 64;
constexpr unsigned int THREADS_64 = 4 * LANES; /* 4 bytes in a word */
constexpr unsigned int VECTORS_64 = 15;        /* between two flushes */
static_assert(VECTORS_64 * sizeof(uint4) <= 255, "a counter could wrap");

/*
 * Sum and clear half of the words of bin threadIdx.x % 64.  The first 64
 * threads take the even words of the bin's row, the others the odd words,
 * counted from the word at which the thread starts.  The lanes of a warp start
 * at different banks.  All threads of a block must call this.
 */
__device__ __forceinline__ unsigned int
flush_64(unsigned int *words)
{
    const unsigned int bin = threadIdx.x % BINS_64;
    const unsigned int half = threadIdx.x / BINS_64;
    unsigned int pairs = 0; /* two sums of up to 16 * 2 * 255 */

    __syncthreads();
    for (unsigned int i = 0; i < LANES; i += 2) {
        const unsigned int at = bin * LANES + (bin + i + half) % LANES;
        const unsigned int word = words[at];
        pairs += (word & 0x00ff00ff) + (word >> 8 & 0x00ff00ff);
        words[at] = 0;
    }
    __syncthreads();
    return (pairs & 0xffff) + (pairs >> 16);
}

/*
 * 64 bins, value / 4; each thread has a counter of one byte for each bin.
 * Source: Podlozhnyuk's histogram64.  Row `bin` has 32 words; word l has the
 * counters of lane l of the four warps, one byte each.  So the lanes of a warp
 * use different banks, and the threads of a block different bytes.  The
 * counters are summed before they can wrap: between two flushes a thread adds
 * at most 15 * 16 = 240.  Limit: a read and a write of shared memory for each
 * byte; only 128 threads for 8 KiB; and a quarter of each bank's width is used.
 *
 * PARTIALS, u32[gridDim.x][BINS_64], is overwritten.  A block has THREADS_64
 * threads.
 */
__global__ void
__launch_bounds__(THREADS_64)
    count_64(const unsigned char *data, u64 size, unsigned int *partials)
{
    __shared__ unsigned int words[BINS_64 * LANES];
    unsigned char *const own = reinterpret_cast<unsigned char *>(words) +
                               threadIdx.x % LANES * 4 + threadIdx.x / LANES;
    auto add = [&](unsigned int value) { own[(value >> 2) * LANES * 4]++; };
    auto add_word = [&](unsigned int word) {
        for (unsigned int shift = 0; shift < 32; shift += 8)
            add(word >> shift & 255);
    };
    const uint4 *const vectors = reinterpret_cast<const uint4 *>(data);
    const u64 vector_count = size / sizeof(uint4);
    unsigned int sum = 0;
    unsigned int round = 0;

    clear(words, BINS_64 * LANES);
    /* All threads of a block loop equally often: flushes have barriers. */
    for (u64 first = static_cast<u64>(blockIdx.x) * blockDim.x;
         first < vector_count; first += thread_count()) {
        const u64 i = first + threadIdx.x;
        if (i < vector_count) {
            const uint4 vector = __ldcs(vectors + i);
            add_word(vector.x);
            add_word(vector.y);
            add_word(vector.z);
            add_word(vector.w);
        }
        if (++round == VECTORS_64) {
            round = 0;
            sum += flush_64(words);
        }
    }
    const u64 tail = vector_count * sizeof(uint4) + thread_number();
    if (tail < size)
        add(data[tail]);
    sum += flush_64(words);

    /* The flush has set all words to 0. */
    atomicAdd(&words[threadIdx.x % BINS_64], sum);
    __syncthreads();
    if (threadIdx.x < BINS_64)
        partials[blockIdx.x * BINS_64 + threadIdx.x] = words[threadIdx.x];
}

constexpr unsigned int BINS_8 = 8;
constexpr unsigned int VECTORS_8 = 15; /* between two flushes */
static_assert(VECTORS_8 * sizeof(uint4) + 1 <= 255, "a counter could wrap");

/*
 * 8 bins, value / 32, in registers: eight counters of one byte in a 64-bit
 * word.  They are moved to eight words before they can wrap.  V. Volkov,
 * "Better performance at lower occupancy", 2010, is the usual reference for
 * private data in registers.  A register cannot be indexed, so a shift selects
 * the bin.  Limit: about six instructions for each byte, and the number of
 * registers.
 */
__global__ void
__launch_bounds__(THREADS)
    count_8(const unsigned char *data, u64 size, u64 *histogram)
{
    __shared__ unsigned int table[BINS_8];
    unsigned int counts[BINS_8] = {};
    u64 bytes = 0;
    unsigned int round = 0;
    /* 8 * (value / 32) */
    auto add = [&](unsigned int value) { bytes += 1ull << (value >> 2 & 56); };
    auto add_word = [&](unsigned int word) {
        for (unsigned int shift = 0; shift < 32; shift += 8)
            add(word >> shift & 255);
    };
    auto flush = [&]() {
#pragma unroll
        for (unsigned int bin = 0; bin < BINS_8; bin++)
            counts[bin] += static_cast<unsigned int>(bytes >> 8 * bin) & 255;
        bytes = 0;
    };
    const uint4 *const vectors = reinterpret_cast<const uint4 *>(data);
    const u64 vector_count = size / sizeof(uint4);

    clear(table, BINS_8);
    for (u64 i = thread_number(); i < vector_count; i += thread_count()) {
        const uint4 vector = __ldcs(vectors + i);
        add_word(vector.x);
        add_word(vector.y);
        add_word(vector.z);
        add_word(vector.w);
        if (++round == VECTORS_8) {
            round = 0;
            flush();
        }
    }
    const u64 tail = vector_count * sizeof(uint4) + thread_number();
    if (tail < size)
        add(data[tail]);
    flush();
#pragma unroll
    for (unsigned int bin = 0; bin < BINS_8; bin++)
        atomicAdd(&table[bin], counts[bin]);
    __syncthreads();
    if (threadIdx.x < BINS_8)
        atomicAdd(&histogram[threadIdx.x],
                  static_cast<u64>(table[threadIdx.x]));
}

/* ---- images ---- */

constexpr unsigned int ROWS = 8; /* rows that a block counts at once */
constexpr unsigned int PITCHED_THREADS = ROWS * LANES;

/*
 * HEIGHT rows of WIDTH bytes, PITCH bytes apart.  PITCH is a multiple of four
 * and at least WIDTH; bytes between rows are not read.  A warp takes a row,
 * with loads of four bytes.  Source: OpenCV's histogram256
 * (modules/cudaimgproc/src/cuda/hist.cu).  Limit: one table for each block; an
 * image of few rows occupies few blocks.
 */
__global__ void
__launch_bounds__(PITCHED_THREADS)
    count_pitched(const unsigned char *data, u64 width, u64 height, u64 pitch,
                  u64 *histogram)
{
    __shared__ unsigned int table[VALUES];
    const unsigned int lane = threadIdx.x % LANES;
    const u64 word_count = width / sizeof(unsigned int);

    clear(table, VALUES);
    for (u64 y = static_cast<u64>(blockIdx.x) * ROWS + threadIdx.x / LANES;
         y < height; y += static_cast<u64>(gridDim.x) * ROWS) {
        const unsigned char *const row = data + y * pitch;
        const unsigned int *const words =
            reinterpret_cast<const unsigned int *>(row);
        for (u64 i = lane; i < word_count; i += LANES) {
            const unsigned int word = words[i];
            for (unsigned int shift = 0; shift < 32; shift += 8)
                atomicAdd(&table[word >> shift & 255], 1u);
        }
        const u64 tail = word_count * sizeof(unsigned int) + lane;
        if (tail < width)
            atomicAdd(&table[row[tail]], 1u);
    }
    merge<MERGE_NONZERO>(table, histogram);
}

} // namespace classic

#endif
