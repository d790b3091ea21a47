/*
 * kernels.cu -- how fast the kernels count data that is already on the device
 *
 * Each kernel counts the same 2 GiB, checked against the CPU, and is timed
 * beside a plain read of them and beside CUB's DeviceHistogram.  Prints TSV:
 * kernel, data, GB/s (median of 7), GB/s over the plain read's.
 *
 * Build: nvcc -O3 -std=c++17 -fmad=false -arch=native -Ikernels
 *     -o kernels bench/kernels.cu
 */

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <cub/device/device_histogram.cuh>

#include "../kernels/kernels.cu"

namespace
{

constexpr size_t BYTES = size_t(2) << 30;
constexpr size_t PIECE = size_t(64) << 20; /* the data repeat */
constexpr int RUNS = 7;

void
check(cudaError_t error, int line)
{
    if (error != cudaSuccess) {
        std::fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(error));
        std::exit(1);
    }
}
#define CHECK(call) check(call, __LINE__)

/* ---- data ---- */

struct random {
    uint64_t state = 88172645463325252u;
    uint32_t
    operator()()
    {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return static_cast<uint32_t>(state >> 32);
    }
};

std::vector<unsigned char>
make_bytes(const std::string &name)
{
    static const char text[] = "etaoin shrdlu cmfwypvbgkjqxz0123456789,.\n "
                               "eeettaao  iinn  ssrrhh";
    std::vector<unsigned char> data(PIECE);
    random next;

    for (size_t i = 0; i < PIECE; i++) {
        const uint32_t r = next();
        data[i] = name == "uniform"    ? r >> 24
                  : name == "constant" ? 'A'
                  : name == "text"     ? text[r % (sizeof text - 1)]
                  : i % 101 == 100     ? '\n'
                                       : "ACGT"[r >> 30];
    }
    /* As 16-bit samples, but bytes are in runs, too. */
    if (name == "sorted") {
        for (size_t i = 0; i < PIECE / 2; i++) {
            const uint16_t value = i * 65536 / (PIECE / 2);
            std::memcpy(&data[2 * i], &value, 2);
        }
    }
    return data;
}

std::vector<unsigned char>
make_floats(const std::string &name)
{
    std::vector<unsigned char> data(PIECE);
    random next;

    for (size_t i = 0; i < PIECE / 4; i++) {
        const uint32_t r = next();
        const float x = name == "uniform"    ? r / 4294967296.0f
                        : name == "constant" ? 0.123f
                        : name == "on edges" ? r % 128 / 128.0f
                        : name == "outside"  ? r / 2147483648.0f - 0.5f
                                             : i / float(PIECE / 4);
        std::memcpy(&data[4 * i], &x, 4);
    }
    return data;
}

/* ---- what is measured ---- */

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

struct bench {
    unsigned char *data;
    unsigned long long *histogram;
    size_t cells_max = size_t(1) << 22;
    struct binning_axis *axis;
    int multiprocessors;
    int shared_max;
    double read_rate = 0;
    std::vector<unsigned long long> wanted;

    double
    rate(const std::function<void()> &run)
    {
        cudaEvent_t begin, end;
        std::vector<float> times;

        CHECK(cudaEventCreate(&begin));
        CHECK(cudaEventCreate(&end));
        for (int i = 0; i <= RUNS; i++) {
            float ms;
            CHECK(cudaEventRecord(begin));
            run();
            CHECK(cudaGetLastError());
            CHECK(cudaEventRecord(end));
            CHECK(cudaEventSynchronize(end));
            CHECK(cudaEventElapsedTime(&ms, begin, end));
            if (i > 0) /* the first one warms up */
                times.push_back(ms);
        }
        std::sort(times.begin(), times.end());
        return BYTES / (times[RUNS / 2] * 1e6);
    }

    void
    measure(const char *kernel, const std::string &name, bool is_checked,
            const std::function<void()> &run)
    {
        const char *verdict = "";

        if (is_checked) {
            std::vector<unsigned long long> got(wanted.size());
            CHECK(cudaMemset(histogram, 0, wanted.size() * 8));
            run();
            CHECK(cudaMemcpy(got.data(), histogram, got.size() * 8,
                             cudaMemcpyDeviceToHost));
            verdict = got == wanted ? "\texact" : "\tWRONG";
        }
        const double speed = rate(run);
        std::printf("%s\t%s\t%.0f\t%.3f%s\n", kernel, name.c_str(), speed,
                    read_rate > 0 ? speed / read_rate : 1.0, verdict);
        std::fflush(stdout);
    }

    /* One of gpuhist's kernels over all data. */
    void
    ours(const char *label, const std::string &name,
         void (*kernel)(struct counting), size_t cells, size_t shared_bytes,
         unsigned int record_bytes)
    {
        struct counting task = {};
        int blocks;

        if (shared_bytes > static_cast<size_t>(shared_max))
            return;
        task.data = reinterpret_cast<unsigned long long>(data);
        task.size = BYTES;
        task.histogram = reinterpret_cast<unsigned long long>(histogram);
        task.cells = cells;
        task.axes = reinterpret_cast<unsigned long long>(axis);
        task.record_bytes = record_bytes;
        task.axis_count = 1;
        CHECK(cudaFuncSetAttribute(kernel,
                                   cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(shared_bytes)));
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks, kernel, 1024, shared_bytes));
        measure(label, name, true, [&]() {
            kernel<<<blocks * multiprocessors, 1024, shared_bytes>>>(task);
        });
    }

    void
    set_data(const std::vector<unsigned char> &piece)
    {
        for (size_t offset = 0; offset < BYTES; offset += PIECE)
            CHECK(cudaMemcpy(data + offset, piece.data(), PIECE,
                             cudaMemcpyHostToDevice));
    }

    void
    set_axis(const struct binning_axis &wanted_axis)
    {
        CHECK(cudaMemcpy(axis, &wanted_axis, sizeof wanted_axis,
                         cudaMemcpyHostToDevice));
    }
};

template <typename Sample>
void
cub_even(bench &bench, const char *label, const std::string &name, int levels,
         double lo, double hi)
{
    static void *temporary;
    static size_t room;
    size_t needed = 0;
    auto *counts = reinterpret_cast<unsigned int *>(bench.histogram);
    auto call = [&](void *memory, size_t &bytes) {
        if constexpr (sizeof(Sample) == 4)
            return cub::DeviceHistogram::HistogramEven(
                memory, bytes, reinterpret_cast<Sample *>(bench.data), counts,
                levels, static_cast<float>(lo), static_cast<float>(hi),
                static_cast<long long>(BYTES / sizeof(Sample)));
        else
            return cub::DeviceHistogram::HistogramEven(
                memory, bytes, reinterpret_cast<Sample *>(bench.data), counts,
                levels, static_cast<int>(lo), static_cast<int>(hi),
                static_cast<long long>(BYTES / sizeof(Sample)));
    };

    CHECK(call(nullptr, needed));
    if (needed > room) {
        CHECK(cudaFree(temporary));
        CHECK(cudaMalloc(&temporary, needed));
        room = needed;
    }
    bench.measure(label, name, false,
                  [&]() { CHECK(call(temporary, needed)); });
}

void
measure_bytes(bench &bench, const std::string &name)
{
    const auto piece = make_bytes(name);
    struct binning_axis raw = {};

    bench.set_data(piece);
    raw.kind = BINNING_RAW;
    raw.stride = 1;
    raw.type = SAMPLE_U1;
    raw.bins = 256;
    bench.set_axis(raw);
    bench.wanted.assign(256, 0);
    for (unsigned char value : piece)
        bench.wanted[value] += BYTES / PIECE;
    bench.ours("u1 lane", name, count_bytes, 256, 32768, 1);
    bench.ours("u1 records lane", name, count_records_lane, 256, 32768, 1);
    bench.ours("u1 records shared", name, count_records_shared, 256, 1024, 1);
    bench.ours("u1 records packed", name, count_records_packed, 256, 512, 1);
    bench.ours("u1 records global", name, count_records_global, 256, 0, 1);
    cub_even<uint8_t>(bench, "u1 CUB HistogramEven", name, 257, 0, 256);

    raw.type = SAMPLE_U2;
    raw.bins = 65536;
    bench.set_axis(raw);
    bench.wanted.assign(65536, 0);
    for (size_t i = 0; i < PIECE; i += 2)
        bench.wanted[piece[i] | piece[i + 1] << 8] += BYTES / PIECE;
    bench.ours("u2 packed", name, count_words, 65536, 131072, 2);
    bench.ours("u2 records packed", name, count_records_packed, 65536, 131072,
               2);
    bench.ours("u2 records global", name, count_records_global, 65536, 0, 2);
    cub_even<uint16_t>(bench, "u2 CUB HistogramEven", name, 65537, 0, 65536);
}

void
measure_floats(bench &bench, const std::string &name, unsigned int bins)
{
    const auto piece = make_floats(name);
    const std::string label = "f4 " + std::to_string(bins) + " bins ";
    struct binning_axis even = {};

    bench.set_data(piece);
    even.kind = BINNING_EVEN;
    even.stride = 1;
    even.type = SAMPLE_F4;
    even.bins = bins;
    even.mask = ~0ull;
    even.lo = 0;
    even.hi = 1;
    even.width = 1.0 / bins;
    even.scale = bins;
    bench.set_axis(even);
    bench.wanted.assign(bins + 3, 0);
    for (size_t i = 0; i < PIECE; i += 4) {
        float x;
        std::memcpy(&x, &piece[i], 4);
        /* By comparison with all edges near the quotient. */
        long bin = std::min<long>(std::max<long>(long(x * double(bins)), 0),
                                  bins - 1);
        while (bin > 0 && x < bin * even.width)
            bin--;
        while (bin + 1 < long(bins) && x >= (bin + 1) * even.width)
            bin++;
        const long cell = x < 0 ? bins : x >= 1 ? bins + 1 : bin;
        bench.wanted[cell] += BYTES / PIECE;
    }
    const size_t cells = bins + 3;
    bench.ours((label + "lane").c_str(), name, count_floats, cells,
               cells * 132, 4);
    bench.ours((label + "records registers").c_str(), name,
               count_records_registers, cells, cells <= 16 ? 64 : 1u << 30, 4);
    bench.ours((label + "records lane").c_str(), name, count_records_lane,
               cells, cells * 128, 4);
    bench.ours((label + "records shared").c_str(), name, count_records_shared,
               cells, cells * 4, 4);
    bench.ours((label + "records packed").c_str(), name, count_records_packed,
               cells, (cells + 1) / 2 * 4, 4);
    bench.ours((label + "records global").c_str(), name, count_records_global,
               cells, 0, 4);
    cub_even<float>(bench, (label + "CUB HistogramEven").c_str(), name,
                    static_cast<int>(bins) + 1, 0, 1);
}

} // namespace

int
main()
{
    cudaDeviceProp properties;
    bench bench;

    CHECK(cudaGetDeviceProperties(&properties, 0));
    bench.multiprocessors = properties.multiProcessorCount;
    bench.shared_max = static_cast<int>(properties.sharedMemPerBlockOptin);
    CHECK(cudaMalloc(&bench.data, BYTES));
    CHECK(cudaMalloc(&bench.histogram, bench.cells_max * 8 + 64));
    CHECK(cudaMalloc(&bench.axis, sizeof(struct binning_axis)));
    std::printf("# %s\nkernel\tdata\tGB/s\tof read\n", properties.name);
    CHECK(cudaMemset(bench.data, 0, BYTES));
    bench.measure("plain read", "zeros", false, [&]() {
        plain_read<<<bench.multiprocessors * 2, 1024>>>(
            reinterpret_cast<const uint4 *>(bench.data), BYTES / 16,
            reinterpret_cast<unsigned int *>(bench.histogram));
    });
    bench.read_rate = bench.rate([&]() {
        plain_read<<<bench.multiprocessors * 2, 1024>>>(
            reinterpret_cast<const uint4 *>(bench.data), BYTES / 16,
            reinterpret_cast<unsigned int *>(bench.histogram));
    });
    for (const char *name : {"uniform", "constant", "text", "ACGT", "sorted"})
        measure_bytes(bench, name);
    for (const char *name :
         {"uniform", "constant", "on edges", "outside", "sorted"}) {
        for (unsigned int bins : {10u, 100u, 1000u, 10000u, 100000u, 1u << 20})
            measure_floats(bench, name, bins);
    }
    return 0;
}
