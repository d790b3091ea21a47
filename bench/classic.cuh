/*
 * classic.cuh -- the histogram kernels of the literature, to compare with
 *
 * Each counts bytes (one of them any unsigned type) in 64-bit counters, adds
 * to what is there and is exact, whatever the data.  They are written as their
 * sources describe them, neither tuned beyond that nor made worse.
 *
 * One-dimensional grids and blocks.  DATA is 16-byte aligned; nothing beyond
 * its SIZE is read.  No block may count 2^32 bytes.
 *
 * The books and samples that are named more than once:
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

/* Threads of a block, where a kernel does not say otherwise. */
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

/* Which of a block's counters are added to the histogram. */
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
 * The first kernel of every text: PMPP, section 9.2; J. Sanders and E. Kandrot,
 * "CUDA by Example", 2010, section 9.4.  Limit: the L2 cache adds to one
 * address one at a time, so 256 addresses are a queue; few values are the
 * worst.
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
 * One byte a thread: PMPP, section 9.3 (privatization).  Limit: a block counts
 * no more bytes than it has threads and then adds its table to the histogram,
 * so there are a quarter as many global atomics as bytes; with
 * MERGE_NONZERO (PMPP, figure 9.10) fewer, where a block meets few values.
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
 * Grid-stride, which is PMPP's interleaved coarsening (section 9.4) and the
 * final kernel of "CUDA by Example".  Limit: a load for each byte, and shared
 * atomics of a warp that meet in a bank.
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
 * CHUNK bytes that lie one behind the other for each thread: PMPP, figure
 * 9.12; the threads of the grid have chunks for all bytes.  Limit: the lanes
 * of a warp load from addresses that are CHUNK apart, each from a sector of
 * its own; what they leave of it must survive in the L1 cache.
 */
__global__ void
__launch_bounds__(THREADS)
    count_chunks(const unsigned char *data, u64 size, u64 chunk, u64 *histogram)
{
    __shared__ unsigned int table[VALUES];
    const u64 begin = thread_number() * chunk;
    const u64 end = begin + chunk < size ? begin + chunk : size;

    clear(table, VALUES);
    for (u64 i = begin; i < end; i++)
        atomicAdd(&table[data[i]], 1u);
    merge<MERGE_NONZERO>(table, histogram);
}

/*
 * The same; equal bytes in a run are one add: PMPP, section 9.5 (aggregation,
 * figure 9.15).  Limit: as before, and lanes whose runs end at different bytes
 * diverge.
 */
__global__ void
__launch_bounds__(THREADS) count_chunk_runs(const unsigned char *data, u64 size,
                                            u64 chunk, u64 *histogram)
{
    __shared__ unsigned int table[VALUES];
    const u64 begin = thread_number() * chunk;
    const u64 end = begin + chunk < size ? begin + chunk : size;
    unsigned int value = 0;
    unsigned int length = 0;

    clear(table, VALUES);
    for (u64 i = begin; i < end; i++) {
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

/* ---- lanes of a warp that agree ---- */

/*
 * One add for all lanes that hold VALUE; all lanes of a warp must call it, and
 * one that has no byte brings VALUES.
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
 * Grid-stride, with warp-aggregated atomics: A. Adinets, "CUDA Pro Tip:
 * Optimized Filtering with Warp-Aggregated Atomics", 2014, by the instruction
 * that Volta brought for it (Y. Lin and V. Grover, "Using CUDA Warp-Level
 * Primitives", 2018).  Limit: the match takes as many steps as a warp holds
 * different values, while the shared atomics already merge equal addresses.
 */
__global__ void
__launch_bounds__(THREADS)
    count_matched(const unsigned char *data, u64 size, u64 *histogram)
{
    __shared__ unsigned int table[VALUES];

    clear(table, VALUES);
    /* All lanes go round equally often, for the match. */
    for (u64 first = static_cast<u64>(blockIdx.x) * blockDim.x; first < size;
         first += thread_count()) {
        const u64 i = first + threadIdx.x;
        add_matched(table, i < size ? data[i] : VALUES);
    }
    merge<MERGE_NONZERO>(table, histogram);
}

/* Both: chunks as above and matching lanes.  Limit: that of each. */
__global__ void
__launch_bounds__(THREADS)
    count_chunks_matched(const unsigned char *data, u64 size, u64 chunk,
                         u64 *histogram)
{
    __shared__ unsigned int table[VALUES];
    const u64 begin = thread_number() * chunk;

    clear(table, VALUES);
    for (u64 i = begin; i < begin + chunk; i++)
        add_matched(table, i < size ? data[i] : VALUES);
    merge<MERGE_NONZERO>(table, histogram);
}

/* ---- copies of the table, 16 bytes a load ---- */

/* Where a thread keeps the counter of a value. */
enum layout {
    LAYOUT_MIXED,  /* value * COPIES + lane % COPIES */
    LAYOUT_WARPED, /* a table for each of the COPIES warps of a block */
};

/*
 * R. Shams and R. A. Kennedy, "Efficient histogram algorithms for NVIDIA CUDA
 * compatible devices", 2007; J. Gomez-Luna, J. M. Gonzalez-Linares, J. I.
 * Benavides and N. Guil, "An optimized approach to histogram computation on
 * GPU", 2013, where copies lie interleaved.  32 mixed copies are gpuhist's own
 * "lane".  Limit: with fewer, lanes meet in banks, as the data have it
 * (bench/conflicts counts how often).
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
    const u64 rest = vector_count * sizeof(uint4) + thread_number();
    if (rest < size)
        atomicAdd(&table[place(data[rest], copy)], 1u);
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

/* ---- partial histograms, and the kernel that merges them ---- */

constexpr unsigned int MERGE_THREADS = 256; /* a power of two */

/*
 * Podlozhnyuk's mergeHistogram256Kernel(): one block for each bin adds up what
 * PARTIAL_COUNT blocks have counted, u32[PARTIAL_COUNT][bins].  Blocks of
 * MERGE_THREADS threads, as many as there are bins.
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
constexpr unsigned int TAG_SHIFT = 27; /* five bits are left for a lane */
constexpr unsigned int TAGGED_MAX = (1u << TAG_SHIFT) - 1;

/*
 * Add one without atomics: each lane writes its own number into the top bits
 * of the counter beside the new count and looks whether it is still there; if
 * not, another lane of the warp has overwritten it, and it tries again.
 *
 * Podlozhnyuk's loop took it for granted that a warp goes in step.  Since
 * Volta it need not: a lane could read a counter between another one's reading
 * and writing, and both would add to the same old count and leave content.  So
 * all lanes take each of the three steps together here: __syncwarp() stands
 * between them, which also orders their memory accesses, and the volatile
 * reads cannot be answered from a register.  In each round all lanes that want
 * one counter read the same old count; one of their writes stays, which no
 * other lane can have written, and that lane alone is done.  No other warp uses
 * the table.
 *
 * All lanes of a warp must call it; those with IS_WANTED add.
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
 * A table for each warp, four bytes a load: Podlozhnyuk's histogram256; as it
 * was, with tagged counters, and as NVIDIA's sample has it since shared memory
 * can add.  Limit: lanes of a warp that meet in a bank; tags take a round for
 * each lane that wants the same counter.
 *
 * PARTIALS: u32[gridDim.x][VALUES], overwritten.  Blocks of WARPS_THREADS
 * threads.  With tags no warp may count more than TAGGED_MAX bytes.
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
    const u64 rest = word_count * sizeof(unsigned int) + thread_number();
    add(rest < size ? data[rest] : 0, rest < size);
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

/* ---- a table for each thread, where there are few bins ---- */

constexpr unsigned int BINS_64 = 64;
constexpr unsigned int THREADS_64 = 4 * LANES; /* as a word has bytes */
constexpr unsigned int VECTORS_64 = 15;        /* between two flushes */
static_assert(VECTORS_64 * sizeof(uint4) <= 255, "a counter could wrap");

/*
 * The block's sum of bin threadIdx.x % 64 over the even or the odd words of
 * its row (seen from where it begins), for the first or the second 64 threads;
 * it clears them.  All threads of a block must call it.  A lane begins at a
 * bank of its own.
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
 * 64 bins, value / 4; each thread has a counter of one byte for each:
 * Podlozhnyuk's histogram64.  Row `bin` has 32 words; lane l of the four warps
 * has its counters in word l, one byte each: so the lanes of a warp never meet
 * in a bank, and no two threads in a byte.  The counters are summed before
 * they can wrap: a thread adds 15 * 16 = 240 at most, and 1 once at the end
 * instead of the last vector.  Limit: shared memory is read and written for
 * each byte, 8 KiB for 128 threads, and a quarter of a bank's width is used.
 *
 * PARTIALS: u32[gridDim.x][BINS_64], overwritten.  Blocks of THREADS_64
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
    /* All threads of a block go round equally often: flushes have barriers. */
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
    const u64 rest = vector_count * sizeof(uint4) + thread_number();
    if (rest < size)
        add(data[rest]);
    sum += flush_64(words);

    /* The words are zero again. */
    atomicAdd(&words[threadIdx.x % BINS_64], sum);
    __syncthreads();
    if (threadIdx.x < BINS_64)
        partials[blockIdx.x * BINS_64 + threadIdx.x] = words[threadIdx.x];
}

constexpr unsigned int BINS_8 = 8;
constexpr unsigned int VECTORS_8 = 15; /* between two flushes */
static_assert(VECTORS_8 * sizeof(uint4) + 1 <= 255, "a counter could wrap");

/*
 * 8 bins, value / 32, in registers: counters of one byte in a 64-bit word,
 * which are moved to eight words before they can wrap.  V. Volkov, "Better
 * performance at lower occupancy", 2010, is the usual reference for keeping
 * private data in registers; a register cannot be indexed, so the bin becomes
 * a shift.  Limit: instructions, about six for each byte, and no more bins than
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
    const u64 rest = vector_count * sizeof(uint4) + thread_number();
    if (rest < size)
        add(data[rest]);
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

constexpr unsigned int ROWS = 8; /* of an image that a block counts at once */
constexpr unsigned int PITCHED_THREADS = ROWS * LANES;

/*
 * HEIGHT rows of WIDTH bytes, each PITCH bytes behind the one before (a
 * multiple of four, at least WIDTH); what lies between is not read.  A warp
 * takes a row, each lane four bytes a load: as in OpenCV's histogram256
 * (modules/cudaimgproc/src/cuda/hist.cu).  Limit: one table for each block, and
 * rows: an image of few gives few blocks work.
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
        const u64 rest = word_count * sizeof(unsigned int) + lane;
        if (rest < width)
            atomicAdd(&table[row[rest]], 1u);
    }
    merge<MERGE_NONZERO>(table, histogram);
}

} // namespace classic

#endif
