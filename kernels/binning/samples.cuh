/* SPDX-License-Identifier: MIT */
/*
 * samples.cuh -- count one element of each record, with each strategy
 *
 * The strategies are the same as in records.cuh.  These kernels gain:
 *
 *     loads    a thread loads four or two samples at once: 16 bytes, if a
 *              record is one element; the next ones before it counts these
 *     axis     a parameter, so its fields are operands of instructions
 *     cells    the kind of the axis and the type of the element are constants
 *              of the loop; nearest.h finds even bins, and a tree in shared
 *              memory (edges.h) bins between edges
 *
 * The axis is the first axis of the task, with base 0 and stride 1.  The
 * element is aligned to its size in each record.  Launches are otherwise as in
 * records.cuh.
 */

#include "kernels/binning/counting.h"
#include "kernels/binning/edges.h"
#include "kernels/binning/nearest.h"

namespace samples
{

/* The samples of a thread in a turn. */
template <typename Bits> struct batch {
    static constexpr unsigned int COUNT = sizeof(uint4) / sizeof(Bits);
    Bits bits[COUNT];
};

__device__ __forceinline__ unsigned int
swap_bytes(unsigned int bits)
{
    return __byte_perm(bits, 0, 0x0123);
}

__device__ __forceinline__ unsigned long long
swap_bytes(unsigned long long bits)
{
    const unsigned int low = static_cast<unsigned int>(bits);
    const unsigned int high = static_cast<unsigned int>(bits >> 32);

    return static_cast<unsigned long long>(swap_bytes(low)) << 32 |
           swap_bytes(high);
}

/*
 * The place of the samples; each is aligned to its size.  With a step of 1, a
 * record is one element, and a batch is a vector of 16 bytes.
 */
struct layout {
    const unsigned char *data; /* the element of the first record */
    unsigned long long count;
    unsigned int record_bytes;
    unsigned int bytes; /* of an element */
    unsigned int step;  /* from a sample of a batch to the next, in records */
    unsigned int first; /* sample of this thread's batch */
};

template <typename Bits>
__device__ __forceinline__ layout
find_layout(const struct counting &task, const struct binning_axis &axis)
{
    layout layout;

    layout.data =
        reinterpret_cast<const unsigned char *>(task.data) + axis.offset;
    layout.count = task.size / task.record_bytes;
    layout.record_bytes = task.record_bytes;
    layout.bytes = binning_size(axis.type);
    const bool is_dense =
        layout.record_bytes == sizeof(Bits) && layout.bytes == sizeof(Bits);
    layout.step = is_dense ? 1 : blockDim.x;
    layout.first = is_dense ? threadIdx.x * batch<Bits>::COUNT : threadIdx.x;
    return layout;
}

/* Load one element, in its own byte order. */
template <typename Bits>
__device__ __forceinline__ Bits
load_one(const layout &layout, const unsigned char *element)
{
    if (layout.bytes == sizeof(Bits))
        return __ldcs(reinterpret_cast<const Bits *>(element));
    if (layout.bytes == 2)
        return __ldcs(reinterpret_cast<const unsigned short *>(element));
    return __ldcs(element);
}

/*
 * Load this thread's batch of the LEFT records from record BASE on.  Samples
 * after the last record are 0.
 */
template <typename Bits>
__device__ __forceinline__ void
load_batch(const layout &layout, unsigned long long base, unsigned int left,
           batch<Bits> &batch)
{
    constexpr unsigned int COUNT = samples::batch<Bits>::COUNT;
    const unsigned char *const first =
        layout.data + (base + layout.first) * layout.record_bytes;

    if (layout.step == 1 && layout.first + COUNT <= left) {
        const uint4 vector = __ldcs(reinterpret_cast<const uint4 *>(first));
        memcpy(batch.bits, &vector, sizeof vector);
        return;
    }
#pragma unroll
    for (unsigned int k = 0; k < COUNT; k++) {
        const unsigned int i = k * layout.step;
        batch.bits[k] = 0;
        if (layout.first + i < left)
            batch.bits[k] = load_one<Bits>(
                layout, first + static_cast<unsigned long long>(i) *
                                    layout.record_bytes);
    }
}

/*
 * The number with these BITS of TYPE, a type of four bytes, or f8.
 */
__device__ __forceinline__ double
find_number(unsigned int type, unsigned int bits)
{
    if (type == SAMPLE_F4)
        return __uint_as_float(bits);
    return type == SAMPLE_I4 ? static_cast<double>(static_cast<int>(bits))
                             : static_cast<double>(bits);
}

__device__ __forceinline__ double
find_number(unsigned int, unsigned long long bits)
{
    return binning_bits_double(bits);
}

/* Any cell by binning.h, for cases that need not be fast. */
__device__ __noinline__ unsigned int
find_slowly(const struct binning_axis *axis, const double *edges,
            unsigned long long bits)
{
    const struct binning_tables tables = {edges, nullptr};

    return static_cast<unsigned int>(binning_cell(axis, &tables, bits));
}

/* Set LEAST to the node of EDGE in a tree of floats, or of doubles. */
__device__ __forceinline__ void
find_least(double edge, int is_excluded, float &least)
{
    least = edges_least_float(edge, is_excluded);
}

__device__ __forceinline__ void
find_least(double edge, int is_excluded, double &least)
{
    least = edges_least_double(edge, is_excluded);
}

/* Make the TREE of AXIS in shared memory; all threads of a block call this. */
template <typename Number>
__device__ __forceinline__ void
make_tree(const struct binning_axis &axis, const double *edges, Number *tree)
{
    const unsigned int levels = edges_levels(axis.bins);

    for (unsigned int node = 1 + threadIdx.x; node >> levels == 0;
         node += blockDim.x) {
        const unsigned int i = edges_place(levels, node);
        tree[node] = static_cast<Number>(NAN);
        if (i <= axis.bins)
            find_least(edges[i], binning_is_excluded(&axis, i), tree[node]);
    }
    __syncthreads();
}

/* The cell of X, in BIN of AXIS or in a flow cell. */
template <typename Number>
__device__ __forceinline__ unsigned int
find_flow(const struct binning_axis &axis, Number x, unsigned int bin)
{
    const unsigned int bins = static_cast<unsigned int>(axis.bins);
    unsigned int cell = bin;

    if (bin >= bins)
        cell = bins + (bin == bins ? BINNING_OVERFLOW : BINNING_UNDERFLOW);
    if (axis.is_log && x <= 0)
        cell = bins + (x == 0 ? BINNING_ZERO : BINNING_NEGATIVE);
    return x != x ? bins + BINNING_NAN : cell;
}

/*
 * binning_cell() for an EDGES axis with this TREE.  The searches for all X take
 * the same steps, and wait for their loads together.
 */
template <typename Number, unsigned int COUNT>
__device__ __forceinline__ void
search_tree(const struct binning_axis &axis, const Number *tree,
            const Number (&x)[COUNT], unsigned int (&cells)[COUNT])
{
    constexpr unsigned int SIZE = sizeof(Number);
    const unsigned int bins = static_cast<unsigned int>(axis.bins);
    const unsigned int levels = edges_levels(bins);
    unsigned int at[COUNT]; /* offsets of nodes, in bytes */
    bool are_bins = true;

#pragma unroll
    for (unsigned int k = 0; k < COUNT; k++)
        at[k] = SIZE;
#pragma unroll 1
    for (unsigned int level = 0; level < levels; level++) {
#pragma unroll
        for (unsigned int k = 0; k < COUNT; k++) {
            const Number least = *reinterpret_cast<const Number *>(
                reinterpret_cast<const char *>(tree) + at[k]);
            at[k] = 2 * at[k] + (x[k] >= least) * SIZE;
        }
    }
#pragma unroll
    for (unsigned int k = 0; k < COUNT; k++) {
        /* The number of edges below X, less one. */
        cells[k] = at[k] / SIZE - (1u << levels) - 1;
        are_bins = are_bins && cells[k] < bins;
    }
    if (!are_bins) {
#pragma unroll
        for (unsigned int k = 0; k < COUNT; k++)
            cells[k] = find_flow(axis, x[k], cells[k]);
    }
}

/* search_tree() for the numbers in BATCH, of TYPE. */
template <typename Number, typename Bits>
__device__ __forceinline__ void
search_batch(const struct binning_axis &axis, unsigned int type,
             const void *tree, const batch<Bits> &batch,
             unsigned int (&cells)[samples::batch<Bits>::COUNT])
{
    Number numbers[samples::batch<Bits>::COUNT];

#pragma unroll
    for (unsigned int k = 0; k < samples::batch<Bits>::COUNT; k++)
        numbers[k] = static_cast<Number>(find_number(type, batch.bits[k]));
    search_tree(axis, static_cast<const Number *>(tree), numbers, cells);
}

/* binning_cell() for an axis of this KIND. */
template <unsigned int KIND, unsigned int COUNT>
__device__ __forceinline__ void
find_number_cells(const struct binning_axis &axis, const double (&x)[COUNT],
                  unsigned int (&cells)[COUNT])
{
    const struct binning_tables none = {};
    struct binning_axis known = axis;

    known.kind = KIND;
    known.type = SAMPLE_F8;
#pragma unroll
    for (unsigned int k = 0; k < COUNT; k++)
        cells[k] = KIND == BINNING_EVEN
                       ? nearest_number_cell(&axis, x[k])
                       : static_cast<unsigned int>(binning_cell(
                             &known, &none, binning_double_bits(x[k])));
}

/*
 * How cells are found.  For integers of up to 32 bits modulo MOD, INVERSE is
 * 2^64 / MOD, rounded up: D. Lemire, O. Kaser, N. Kurz, "Faster remainder by
 * direct computation", 2019.
 */
struct method {
    bool is_fast; /* not by find_slowly() */
    unsigned long long inverse;
    const void *tree; /* of floats for f4, else of doubles; for edges only */
};

/* TREE is for make_tree(), or null. */
template <unsigned int KIND, typename Bits>
__device__ __forceinline__ method
find_method(const struct counting &task, const struct binning_axis &axis,
            void *tree)
{
    const double *const edges =
        reinterpret_cast<const double *>(task.edges) + axis.table;
    const bool is_float = binning_is_float(axis.type);
    const bool is_plain =
        axis.mod == 0 && axis.shift == 0 && axis.mask == ~0ull;
    /* The value has 32 bits, perhaps with a sign. */
    const bool is_short = !binning_is_signed(axis.type) || axis.mask == ~0ull ||
                          axis.mask <= 0xffffffff;
    method method = {true, 0, tree};

    if (KIND == BINNING_DIRECT && sizeof(Bits) == 4 && axis.mod != 0) {
        method.is_fast = is_short && axis.mod <= 0xffffffff;
        method.inverse = ~0ull / axis.mod + 1;
    } else if (KIND == BINNING_EVEN) {
        method.is_fast = nearest_is_enough(&axis);
    } else if (KIND == BINNING_EDGES) {
        method.is_fast = tree != nullptr;
        if (method.is_fast && sizeof(Bits) == 4 && axis.type == SAMPLE_F4)
            make_tree(axis, edges, static_cast<float *>(tree));
        else if (method.is_fast)
            make_tree(axis, edges, static_cast<double *>(tree));
    } else if (KIND == BINNING_LOG2) {
        method.is_fast = !axis.is_auto;
    }
    if (KIND >= BINNING_EVEN && !is_float)
        method.is_fast = method.is_fast && is_plain && sizeof(Bits) == 4;
    return method;
}

/* binning_cell() for integers, or other BITS, of this TYPE. */
template <unsigned int KIND, unsigned int TYPE, typename Bits>
__device__ __forceinline__ unsigned int
find_integer_cell(const struct binning_axis &axis, const unsigned int *lookup,
                  unsigned long long inverse, Bits bits)
{
    const struct binning_tables tables = {nullptr, lookup};
    struct binning_axis known = axis;

    known.kind = KIND;
    known.type = TYPE;
    if (KIND != BINNING_DIRECT || sizeof(Bits) == 8 || axis.mod == 0)
        return static_cast<unsigned int>(binning_cell(&known, &tables, bits));

    known.mod = 0;
    unsigned long long value = binning_integer(&known, bits);
    /* As in binning_integer(), -1 modulo 3 is 2. */
    const bool is_negative = static_cast<long long>(value) < 0;
    const unsigned int magnitude =
        static_cast<unsigned int>(is_negative ? ~value : value);
    value = __umul64hi(inverse * magnitude, axis.mod);
    if (is_negative)
        value = axis.mod - 1 - value;
    return static_cast<unsigned int>(binning_direct_cell(&known, value));
}

/* Find the cells of BATCH. */
template <unsigned int KIND, typename Bits>
__device__ __forceinline__ void
find_cells(const struct counting &task, const struct binning_axis &axis,
           const method &method, const batch<Bits> &batch,
           unsigned int (&cells)[samples::batch<Bits>::COUNT])
{
    constexpr unsigned int COUNT = samples::batch<Bits>::COUNT;
    constexpr unsigned int UNSIGNED = sizeof(Bits) == 8 ? SAMPLE_U8 : SAMPLE_U4;
    constexpr unsigned int SIGNED = sizeof(Bits) == 8 ? SAMPLE_I8 : SAMPLE_I4;
    const double *const edges = reinterpret_cast<const double *>(task.edges);
    const unsigned int *const lookup =
        reinterpret_cast<const unsigned int *>(task.lookup);

    if (!method.is_fast) {
#pragma unroll
        for (unsigned int k = 0; k < COUNT; k++)
            cells[k] = find_slowly(
                reinterpret_cast<const struct binning_axis *>(task.axes), edges,
                batch.bits[k]);
    } else if (KIND == BINNING_EDGES) {
        if (sizeof(Bits) == 4 && axis.type == SAMPLE_F4)
            search_batch<float>(axis, SAMPLE_F4, method.tree, batch, cells);
        else
            search_batch<double>(axis, axis.type, method.tree, batch, cells);
    } else if (KIND >= BINNING_EVEN) {
        double numbers[COUNT];
#pragma unroll
        for (unsigned int k = 0; k < COUNT; k++)
            numbers[k] = find_number(axis.type, batch.bits[k]);
        find_number_cells<KIND>(axis, numbers, cells);
    } else if (KIND != BINNING_DIRECT || axis.type == UNSIGNED) {
#pragma unroll
        for (unsigned int k = 0; k < COUNT; k++)
            cells[k] = find_integer_cell<KIND, UNSIGNED>(
                axis, lookup, method.inverse, batch.bits[k]);
    } else {
#pragma unroll
        for (unsigned int k = 0; k < COUNT; k++)
            cells[k] = find_integer_cell<KIND, SIGNED>(
                axis, lookup, method.inverse, batch.bits[k]);
    }
}

/* for_samples() with a known KIND of axis. */
template <unsigned int KIND, typename Bits, typename Add, typename Round>
__device__ __forceinline__ void
for_kind(const struct counting &task, const struct binning_axis &axis, Add add,
         Round round, void *tree = nullptr)
{
    constexpr unsigned int COUNT = batch<Bits>::COUNT;
    const method method = find_method<KIND, Bits>(task, axis, tree);
    const layout layout = find_layout<Bits>(task, axis);
    const unsigned int tile = blockDim.x * COUNT;
    const unsigned long long stride =
        static_cast<unsigned long long>(gridDim.x) * tile;
    unsigned long long base =
        static_cast<unsigned long long>(blockIdx.x) * tile;
    unsigned int left = 0;
    batch<Bits> next = {};

    do {
        /* Count these samples during the next loads. */
        batch<Bits> now = next;
        const unsigned int here = left;

        left = base < layout.count ? static_cast<unsigned int>(min(
                                         layout.count - base,
                                         static_cast<unsigned long long>(tile)))
                                   : 0;
        load_batch(layout, base, left, next);
        base += stride;
        if (here == 0)
            continue;

        unsigned int cells[COUNT];
        unsigned int count = COUNT;
        if (here < tile) {
            count = 0;
#pragma unroll
            for (unsigned int k = 0; k < COUNT; k++)
                count += layout.first + k * layout.step < here;
        }
        if (axis.is_swapped) {
#pragma unroll
            for (unsigned int k = 0; k < COUNT; k++)
                now.bits[k] = swap_bytes(now.bits[k]) >>
                              8 * (sizeof(Bits) - layout.bytes);
        }
        find_cells<KIND>(task, axis, method, now, cells);
        add(cells, count);
        round();
    } while (left > 0);
}

/*
 * Call ADD with an array of the cells of this thread's next samples, and the
 * number of them; then ROUND.  All threads of a block make the same number of
 * calls.  TREE is shared memory of edges_bytes(), or null; without a tree edges
 * take long.
 */
template <typename Add, typename Round>
__device__ __forceinline__ void
for_samples(const struct counting &task, const struct binning_axis &axis,
            void *tree, Add add, Round round)
{
    using narrow = unsigned int;
    using wide = unsigned long long;
    const bool is_wide = binning_size(axis.type) == 8;

    switch (axis.kind) {
    case BINNING_RAW:
        return for_kind<BINNING_RAW, narrow>(task, axis, add, round);
    case BINNING_LOOKUP:
        return for_kind<BINNING_LOOKUP, narrow>(task, axis, add, round);
    case BINNING_DIRECT:
        return is_wide
                   ? for_kind<BINNING_DIRECT, wide>(task, axis, add, round)
                   : for_kind<BINNING_DIRECT, narrow>(task, axis, add, round);
    case BINNING_EVEN:
        return is_wide ? for_kind<BINNING_EVEN, wide>(task, axis, add, round)
                       : for_kind<BINNING_EVEN, narrow>(task, axis, add, round);
    case BINNING_EDGES:
        return is_wide
                   ? for_kind<BINNING_EDGES, wide>(task, axis, add, round, tree)
                   : for_kind<BINNING_EDGES, narrow>(task, axis, add, round,
                                                     tree);
    default:
        return is_wide ? for_kind<BINNING_LOG2, wide>(task, axis, add, round)
                       : for_kind<BINNING_LOG2, narrow>(task, axis, add, round);
    }
}

/* Whether all of CELLS are the same. */
template <unsigned int COUNT>
__device__ __forceinline__ bool
is_run(const unsigned int (&cells)[COUNT])
{
    unsigned int differences = 0;

#pragma unroll
    for (unsigned int k = 1; k < COUNT; k++)
        differences |= cells[k] ^ cells[0];
    return differences == 0;
}

/* Call ADD with each cell and 1; or once, if all cells are the same. */
template <unsigned int COUNT, typename Add>
__device__ __forceinline__ void
for_runs(const unsigned int (&cells)[COUNT], unsigned int count, Add add)
{
    if (count == COUNT && is_run(cells)) {
        add(cells[0], COUNT);
        return;
    }
#pragma unroll
    for (unsigned int k = 0; k < COUNT; k++) {
        if (k < count)
            add(cells[k], 1u);
    }
}

/*
 * As records::add_global().  A cell met later has no slot, but may be frequent.
 * Lanes of a warp that add to one cell then add to the histogram once, because
 * device memory takes one addition at a time at an address.
 */
__device__ __forceinline__ void
add_global(const struct counting &task, records::front &front,
           unsigned int cell, unsigned int amount)
{
    if (records::add_front(front, cell, amount))
        return;
    const unsigned int same = __match_any_sync(__activemask(), cell);
    if (threadIdx.x % records::LANES == __ffs(static_cast<int>(same)) - 1)
        records::add_to_histogram(task, cell, amount * __popc(same));
}

/* The counters of a block, after its TREE. */
__device__ __forceinline__ unsigned int *
find_table(const struct binning_axis &axis, double *tree)
{
    return reinterpret_cast<unsigned int *>(reinterpret_cast<char *>(tree) +
                                            edges_bytes(&axis));
}

} // namespace samples

/* Strategy lane; a tree of edges, and 32 words for each cell. */
extern "C" __global__ void
__launch_bounds__(records::THREADS_MAX, 1)
    count_samples_lane(const struct counting task,
                       const struct binning_axis axis)
{
    extern __shared__ double tree[];
    unsigned int *const table = samples::find_table(axis, tree);
    unsigned int *const column = table + threadIdx.x % records::LANES;

    records::open_lanes(task, table);
    samples::for_samples(
        task, axis, tree,
        [&](const auto &cells, unsigned int count) {
#pragma unroll
            for (unsigned int k = 0; k < sizeof cells / sizeof *cells; k++) {
                if (k < count)
                    atomicAdd(&column[cells[k] * records::LANES], 1u);
            }
        },
        records::no_round);
    records::close_lanes(task, table);
}

/* Strategy shared; a tree of edges, and a word for each cell. */
extern "C" __global__ void
__launch_bounds__(records::THREADS_MAX, 1)
    count_samples_shared(const struct counting task,
                         const struct binning_axis axis)
{
    extern __shared__ double tree[];
    unsigned int *const table = samples::find_table(axis, tree);

    records::open_shared(task, table);
    samples::for_samples(
        task, axis, tree,
        [&](const auto &cells, unsigned int count) {
#pragma unroll
            for (unsigned int k = 0; k < sizeof cells / sizeof *cells; k++) {
                if (k < count)
                    atomicAdd(&table[cells[k]], 1u);
            }
        },
        records::no_round);
    records::close_shared(task, table);
}

/* Strategy packed; a word for each pair of cells. */
extern "C" __global__ void
__launch_bounds__(records::THREADS_MAX, 1)
    count_samples_packed(const struct counting task,
                         const struct binning_axis axis)
{
    extern __shared__ unsigned int table[];
    unsigned int adds = 0;

    records::open_packed(task, table);
    samples::for_samples(
        task, axis, nullptr,
        [&](const auto &cells, unsigned int count) {
            constexpr unsigned int COUNT = sizeof cells / sizeof *cells;
            static_assert(records::ROUNDS % COUNT == 0, "a batch has a round");
            samples::for_runs(
                cells, count, [&](unsigned int cell, unsigned int amount) {
                    records::add_packed(task, table, cell, amount);
                });
            adds += COUNT;
        },
        [&]() {
            if (adds == records::ROUNDS) {
                adds = 0;
                __syncthreads();
            }
        });
    records::close_packed(task, table);
}

/* Strategy global; no dynamic shared memory. */
extern "C" __global__ void
__launch_bounds__(records::THREADS_MAX, 1)
    count_samples_global(const struct counting task,
                         const struct binning_axis axis)
{
    __shared__ records::front front;

    records::open_front(front);
    samples::for_samples(
        task, axis, nullptr,
        [&](const auto &cells, unsigned int count) {
            samples::for_runs(
                cells, count, [&](unsigned int cell, unsigned int amount) {
                    samples::add_global(task, front, cell, amount);
                });
        },
        records::no_round);
    records::close_front(task, front);
}
