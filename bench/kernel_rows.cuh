/* SPDX-License-Identifier: MIT */
/*
 * kernel_rows.cuh -- the rows of bench/kernels: how to launch each kernel
 *
 * The kernels are gpuhist's, CUB's and the classic ones.  make_*() return a
 * row, which is a baseline for others; the other functions measure their rows
 * if they are wanted.  Labels start with a prefix that names the data and bins.
 */

#ifndef GPUHIST_KERNEL_ROWS_CUH
#define GPUHIST_KERNEL_ROWS_CUH

#include <cub/device/device_histogram.cuh>

#include "../kernels/kernels.cu"

#include "classic.cuh"
#include "kernel_bench.cuh"
#include "registers.cuh"

namespace
{

/* The data as an image: rows of WIDTH bytes, PITCH bytes apart. */
constexpr size_t PITCH = 4096;
constexpr size_t WIDTH = 4001;
static_assert(PIECE % PITCH == 0, "a piece is a number of rows");

/* ---- the plain read, and the plain count ---- */

__global__ void
plain_read(const uint4 *data, size_t count, unsigned int *sink)
{
    unsigned int sum = 0;

    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count;
         i += size_t(gridDim.x) * blockDim.x) {
        const uint4 vector = __ldcs(data + i);
        sum ^= vector.x ^ vector.y ^ vector.z ^ vector.w;
    }
    if (sum == 0x12345678)
        *sink = sum;
}

row
make_read(bench &bench)
{
    row row;

    row.label = "plain read";
    row.run = [&bench](size_t size) {
        plain_read<<<bench.multiprocessors * 2, 1024>>>(
            reinterpret_cast<const uint4 *>(bench.data), size / 16,
            reinterpret_cast<unsigned int *>(bench.histogram));
    };
    return row;
}

/* Count with one table and one thread of the CPU. */
void
count_serially(bench &bench, size_t size)
{
    unsigned long long table[256] = {};

    for (size_t i = 0; i < size; i++)
        table[bench.host[i]]++;
    CHECK(cudaMemcpy(bench.histogram, table, sizeof table,
                     cudaMemcpyHostToDevice));
}

/* ---- gpuhist's kernels ---- */

/* The records that these kernels count. */
struct sort {
    std::vector<struct binning_axis> axes;
    unsigned int record_bytes;
    reference *wanted;
    std::vector<double> edges; /* of an axis with edges */
};

/*
 * Measure KERNEL; its parameters after the first one are MORE.  A table of
 * edges has at most EDGES_MAX.
 */
template <typename Kernel, typename... More>
void
ours(bench &bench, const sort &sort, const std::string &label, Kernel kernel,
     size_t shared_bytes, More... more)
{
    constexpr size_t EDGES_MAX = 4096;
    static struct binning_axis *axes;
    static double *edges;
    struct counting task = {};
    row row;

    if (shared_bytes > bench.shared_max || !bench.wants(label))
        return;
    if (axes == nullptr) {
        CHECK(cudaMalloc(&axes, 4 * sizeof *axes));
        CHECK(cudaMalloc(&edges, EDGES_MAX * sizeof *edges));
    }
    CHECK(cudaMemcpy(axes, sort.axes.data(), sort.axes.size() * sizeof *axes,
                     cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(edges, sort.edges.data(),
                     sort.edges.size() * sizeof *edges,
                     cudaMemcpyHostToDevice));
    task.data = reinterpret_cast<unsigned long long>(bench.data);
    task.histogram = reinterpret_cast<unsigned long long>(bench.histogram);
    task.cells = sort.wanted->cells;
    task.axes = reinterpret_cast<unsigned long long>(axes);
    task.edges = reinterpret_cast<unsigned long long>(edges);
    task.record_bytes = sort.record_bytes;
    task.columns = counting_columns(task.cells);
    task.axis_count = static_cast<unsigned int>(sort.axes.size());

    const unsigned int blocks = bench.blocks(kernel, 1024, shared_bytes);
    row.label = label;
    row.wanted = sort.wanted;
    row.element = sort.record_bytes;
    row.run = [=](size_t size) {
        struct counting whole = task;
        whole.size = size;
        kernel<<<blocks, 1024, shared_bytes>>>(whole, more...);
    };
    bench.measure(row);
}

/* Measure all kernels for one element of each record, if their tables fit. */
void
ours_samples(bench &bench, const sort &sort, const std::string &prefix)
{
    const size_t cells = sort.wanted->cells;
    const struct binning_axis axis = sort.axes[0];

    /* Room for edges_bytes(), which is a function of the device. */
    size_t tree = sort.edges.empty() ? 0 : sizeof(double);

    while (tree > 0 && tree <= sort.edges.size() * sizeof(double))
        tree *= 2;
    ours(bench, sort, prefix + "samples lane", count_samples_lane,
         tree + cells * 128, axis);
    ours(bench, sort, prefix + "samples shared", count_samples_shared,
         tree + cells * 4, axis);
    ours(bench, sort, prefix + "samples packed", count_samples_packed,
         (cells + 1) / 2 * 4, axis);
    ours(bench, sort, prefix + "samples global", count_samples_global, 0, axis);
}

/* Measure all kernels for any records, if their tables fit. */
void
ours_records(bench &bench, const sort &sort, const std::string &prefix)
{
    const size_t cells = sort.wanted->cells;

    if (sort.axes.size() == 1)
        ours_samples(bench, sort, prefix);
    if (cells <= records::REGISTERS * records::FIELDS)
        ours(bench, sort, prefix + "records registers", count_records_registers,
             records::REGISTERS * records::FIELDS * 4);
    ours(bench, sort, prefix + "records lane", count_records_lane, cells * 128);
    ours(bench, sort, prefix + "records shared", count_records_shared,
         cells * 4);
    ours(bench, sort, prefix + "records packed", count_records_packed,
         (cells + 1) / 2 * 4);
    ours(bench, sort, prefix + "records global", count_records_global, 0);
}

struct binning_axis
make_axis(unsigned int kind, unsigned int type, unsigned long long bins)
{
    struct binning_axis axis = {};

    axis.kind = kind;
    axis.type = type;
    axis.bins = bins;
    axis.stride = 1;
    axis.mask = ~0ull;
    return axis;
}

/* ---- CUB ---- */

/* Temporary memory of at least BYTES, which all calls of CUB share. */
void *
cub_memory(size_t bytes)
{
    static void *memory;
    static size_t room;

    if (bytes > room) {
        CHECK(cudaFree(memory));
        CHECK(cudaMalloc(&memory, bytes));
        room = bytes;
    }
    return memory;
}

/*
 * Make a row for CALL, which calls a function of CUB.  Its arguments are the
 * temporary memory, the size of this memory, and the number of samples, each of
 * SAMPLE_BYTES.
 */
template <typename Call>
row
make_cub(const std::string &label, size_t sample_bytes, reference *wanted,
         Call call)
{
    row row;
    size_t needed = 0;

    row.label = label;
    row.wanted = wanted;
    row.has_narrow_counts = true;
    row.element = sample_bytes;
    row.run = [=](size_t size) mutable {
        if (needed == 0) {
            /* CUB counts few samples and many with different kernels. */
            for (size_t bytes : {PIECE, BYTES + EXTRA}) {
                size_t room = 0;
                CHECK(call(nullptr, room,
                           static_cast<long long>(bytes / sample_bytes)));
                needed = std::max(needed, room);
            }
        }
        CHECK(call(cub_memory(needed), needed,
                   static_cast<long long>(size / sample_bytes)));
    };
    return row;
}

/* Make a row for HistogramEven; Level is the type of an edge. */
template <typename Sample, typename Level>
row
make_cub_even(bench &bench, const std::string &prefix, unsigned int bins,
              Level hi, reference *wanted)
{
    return make_cub(
        prefix + "CUB HistogramEven", sizeof(Sample), wanted,
        [=, &bench](void *memory, size_t &bytes, long long samples) {
            return cub::DeviceHistogram::HistogramEven(
                memory, bytes, reinterpret_cast<const Sample *>(bench.data),
                reinterpret_cast<unsigned int *>(bench.histogram),
                static_cast<int>(bins) + 1, Level(0), hi, samples);
        });
}

/*
 * Make a row for HistogramRange over f4 with EDGES.  It compares in float, and
 * has no flow cells, so its counts are not checked.
 */
row
make_cub_range(bench &bench, const std::string &prefix,
               const std::vector<double> &edges)
{
    const std::vector<float> levels(edges.begin(), edges.end());

    return make_cub(
        prefix + "CUB HistogramRange", sizeof(float), nullptr,
        [=, &bench](void *memory, size_t &bytes, long long samples) {
            static float *copy;
            if (copy == nullptr) {
                CHECK(cudaMalloc(&copy, levels.size() * sizeof *copy));
                CHECK(cudaMemcpy(copy, levels.data(),
                                 levels.size() * sizeof *copy,
                                 cudaMemcpyHostToDevice));
            }
            return cub::DeviceHistogram::HistogramRange(
                memory, bytes, reinterpret_cast<const float *>(bench.data),
                reinterpret_cast<unsigned int *>(bench.histogram),
                static_cast<int>(levels.size()), copy, samples);
        });
}

/* Make a row for an image of rows of WIDTH samples, PITCH bytes apart. */
row
make_cub_pitched(bench &bench, const std::string &prefix, reference *wanted)
{
    row row =
        make_cub(prefix + "CUB HistogramEven", PITCH, wanted,
                 [&bench](void *memory, size_t &bytes, long long rows) {
                     return cub::DeviceHistogram::HistogramEven(
                         memory, bytes,
                         reinterpret_cast<const unsigned char *>(bench.data),
                         reinterpret_cast<unsigned int *>(bench.histogram), 257,
                         0, 256, static_cast<long long>(WIDTH), rows, PITCH);
                 });

    row.share = double(WIDTH) / PITCH;
    return row;
}

#if CUB_VERSION >= 300000
template <typename Item, int ITEMS>
using cub_array = cuda::std::array<Item, ITEMS>;
#else
template <typename Item, int ITEMS> using cub_array = Item[ITEMS];
#endif

/* Make a row for ACTIVE of CHANNELS interleaved channels of bytes. */
template <int CHANNELS, int ACTIVE>
row
make_cub_multi(bench &bench, const std::string &prefix, reference *wanted)
{
    return make_cub(
        prefix + "CUB MultiHistogramEven", CHANNELS, wanted,
        [&bench](void *memory, size_t &bytes, long long pixels) {
            cub_array<unsigned int *, ACTIVE> histograms;
            cub_array<int, ACTIVE> levels;
            cub_array<int, ACTIVE> lows;
            cub_array<int, ACTIVE> highs;
            for (int i = 0; i < ACTIVE; i++) {
                histograms[i] =
                    reinterpret_cast<unsigned int *>(bench.histogram) + 256 * i;
                levels[i] = 257;
                lows[i] = 0;
                highs[i] = 256;
            }
            return cub::DeviceHistogram::MultiHistogramEven<CHANNELS, ACTIVE>(
                memory, bytes,
                reinterpret_cast<const unsigned char *>(bench.data), histograms,
                levels, lows, highs, pixels);
        });
}

/* ---- the classic kernels ---- */

/*
 * Measure KERNEL.  START launches it with the number of blocks that the device
 * runs at once, and the number of bytes.
 */
template <typename Kernel, typename Start>
void
classic_row(bench &bench, const std::string &label, reference *wanted,
            Kernel kernel, unsigned int threads, Start start)
{
    row row;

    if (!bench.wants(label))
        return;
    const unsigned int blocks = bench.blocks(kernel, threads);
    row.label = label;
    row.wanted = wanted;
    row.run = [=](size_t size) { start(blocks, size); };
    bench.measure(row);
}

/* Measure a kernel with the arguments data, size and histogram. */
void
classic_plain(bench &bench, const std::string &label, reference *wanted,
              void (*kernel)(const unsigned char *, unsigned long long,
                             unsigned long long *),
              unsigned int threads = classic::THREADS)
{
    classic_row(bench, label, wanted, kernel, threads,
                [=, &bench](unsigned int blocks, size_t size) {
                    kernel<<<blocks, threads>>>(bench.data, size,
                                                bench.histogram);
                });
}

/* Measure a kernel with a thread for each byte. */
void
classic_single(bench &bench, const std::string &label, reference *wanted,
               void (*kernel)(const unsigned char *, unsigned long long,
                              unsigned long long *))
{
    constexpr unsigned int threads = classic::THREADS;

    classic_row(bench, label, wanted, kernel, threads,
                [=, &bench](unsigned int, size_t size) {
                    const size_t blocks = (size + threads - 1) / threads;
                    kernel<<<static_cast<unsigned int>(blocks), threads>>>(
                        bench.data, size, bench.histogram);
                });
}

/*
 * Measure a kernel with a chunk for each thread: with chunks of 16 bytes, and
 * with one chunk for each thread that the device runs at once.
 */
void
classic_chunks(bench &bench, const std::string &label, reference *wanted,
               void (*kernel)(const unsigned char *, unsigned long long,
                              unsigned long long, unsigned long long *))
{
    constexpr unsigned int threads = classic::THREADS;
    auto start = [=, &bench](size_t size, size_t chunk) {
        const size_t blocks = (size + chunk * threads - 1) / (chunk * threads);
        kernel<<<static_cast<unsigned int>(blocks), threads>>>(
            bench.data, size, chunk, bench.histogram);
    };

    classic_row(bench, label + ", 16 bytes", wanted, kernel, threads,
                [=](unsigned int, size_t size) { start(size, 16); });
    classic_row(bench, label + ", one a thread", wanted, kernel, threads,
                [=](unsigned int blocks, size_t size) {
                    const size_t all = size_t(blocks) * threads;
                    start(size, (size + all - 1) / all);
                });
}

/* Measure a kernel whose blocks write partial histograms of BINS bins. */
void
classic_partial(bench &bench, const std::string &label, reference *wanted,
                void (*kernel)(const unsigned char *, unsigned long long,
                               unsigned int *),
                unsigned int threads, unsigned int bins)
{
    classic_row(bench, label, wanted, kernel, threads,
                [=, &bench](unsigned int blocks, size_t size) {
                    kernel<<<blocks, threads>>>(bench.data, size,
                                                bench.partials);
                    classic::merge_partials<<<bins, classic::MERGE_THREADS>>>(
                        bench.partials, blocks, bench.histogram);
                });
}

void
classic_bytes(bench &bench, const std::string &prefix, reference *wanted)
{
    using namespace classic;

    row serial;
    serial.label = prefix + "serial CPU";
    serial.wanted = wanted;
    serial.bytes_max = PIECE;
    serial.run = [&bench](size_t size) { count_serially(bench, size); };
    if (bench.wants(serial.label))
        bench.measure(serial);

    classic_plain(bench, prefix + "global atomics", wanted,
                  count_global<unsigned char>);
    classic_single(bench, prefix + "block, one byte a thread", wanted,
                   count_single<MERGE_ALL>);
    classic_single(bench, prefix + "block, one byte a thread, non-zero", wanted,
                   count_single<MERGE_NONZERO>);
    classic_plain(bench, prefix + "block, grid-stride", wanted,
                  count_strided<MERGE_ALL>);
    classic_plain(bench, prefix + "block, grid-stride, non-zero", wanted,
                  count_strided<MERGE_NONZERO>);
    classic_chunks(bench, prefix + "block, chunks", wanted, count_chunks);
    classic_chunks(bench, prefix + "block, chunks, runs", wanted,
                   count_chunk_runs);
    classic_plain(bench, prefix + "block, matched", wanted, count_matched);
    classic_chunks(bench, prefix + "block, chunks, matched", wanted,
                   count_chunks_matched);
    classic_plain(bench, prefix + "block, 16-byte loads", wanted,
                  count_copies<LAYOUT_MIXED, 1>);
    classic_plain(bench, prefix + "16 copies, 16-byte loads", wanted,
                  count_copies<LAYOUT_MIXED, 16>);
    classic_plain(bench, prefix + "warp, 16-byte loads", wanted,
                  count_copies<LAYOUT_WARPED, 8>, 8 * LANES);
    classic_partial(bench, prefix + "warp, merge kernel", wanted,
                    count_warps<false>, WARPS_THREADS, VALUES);
    /* With three blocks or more, no counter reaches the bits of its tag. */
    static_assert((BYTES + EXTRA) / (3 * WARPS) + EXTRA < TAGGED_MAX,
                  "a counter could run into its tag");
    classic_partial(bench, prefix + "warp, merge kernel, tags", wanted,
                    count_warps<true>, WARPS_THREADS, VALUES);
}

} // namespace

#endif
