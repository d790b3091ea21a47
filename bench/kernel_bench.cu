/* SPDX-License-Identifier: MIT */
/*
 * kernel_bench.cu -- how fast kernels count data that are already on the device
 *
 * The kernels are all strategies of gpuhist, the classic kernels of the
 * literature and CUB's DeviceHistogram.  All count the same data; their counts
 * are compared with the CPU's, their speed with that of a plain read.
 *
 * The program prints TSV with the columns
 *
 *     kernel, data
 *     MiB        counted in a run
 *     runs       timed runs, after one to warm up
 *     GB/s       10^9 bytes per second, by the mean time; bases of k-mers
 *     deviation  standard deviation of a run, in GB/s
 *     of_read    rate / rate of the plain read
 *     of_cub     rate / rate of CUB for the same data and bins
 *     verdict    whether the counts equal the CPU's
 *
 * A second table has the worst data of each kernel beside its best.
 *
 * Build: nvcc -O3 -std=c++17 -fmad=false -arch=native -Ikernels
 *     -o kernels bench/kernel_bench.cu
 */

#include <unistd.h>

#include "kernel_rows.cuh"
#include "sequence_rows.cuh"
#include "text_rows.cuh"

namespace
{

/* ---- kinds of data ---- */

/* A reference that counts byte values, each divided by 2^SHIFT. */
reference
make_bytes_reference(size_t cells, int shift)
{
    return reference(
        cells, [=](const unsigned char *data, size_t size, counts &result) {
            for (size_t i = 0; i < size; i++)
                result[data[i] >> shift]++;
        });
}

void
measure_pitched(bench &bench)
{
    reference wanted(
        256, [](const unsigned char *data, size_t size, counts &result) {
            for (size_t i = 0; i < size; i++) {
                if (i % PITCH < WIDTH)
                    result[data[i]]++;
            }
        });
    row row;

    bench.start_cub(make_cub_pitched(bench, "u1 pitched ", &wanted));
    row.label = "u1 pitched block, 4-byte loads";
    if (!bench.wants(row.label))
        return;
    const unsigned int blocks =
        bench.blocks(classic::count_pitched, classic::PITCHED_THREADS);
    row.wanted = &wanted;
    row.element = PITCH;
    row.share = double(WIDTH) / PITCH;
    row.run = [=, &bench](size_t size) {
        classic::count_pitched<<<blocks, classic::PITCHED_THREADS>>>(
            bench.data, WIDTH, size / PITCH, PITCH, bench.histogram);
    };
    bench.measure(row);
}

/* Measure records of CHANNELS bytes, the first ACTIVE of which are counted. */
template <unsigned int CHANNELS, unsigned int ACTIVE>
void
measure_channels(bench &bench, void (*kernel)(struct counting))
{
    const std::string prefix = "u1 " + std::to_string(ACTIVE) + " of " +
                               std::to_string(CHANNELS) + " channels ";
    reference wanted(
        256 * ACTIVE,
        [](const unsigned char *data, size_t size, counts &result) {
            for (size_t i = 0; i < size; i++) {
                if (i % CHANNELS < ACTIVE)
                    result[i % CHANNELS * 256 + data[i]]++;
            }
        },
        CHANNELS);
    sort sort = {{}, CHANNELS, &wanted, {}};

    for (unsigned int i = 0; i < ACTIVE; i++) {
        sort.axes.push_back(make_axis(BINNING_RAW, SAMPLE_U1, 256));
        sort.axes.back().offset = i;
        sort.axes.back().base = 256 * i;
    }
    bench.start_cub(make_cub_multi<CHANNELS, ACTIVE>(bench, prefix, &wanted));
    ours(bench, sort, prefix + "lane", kernel, 32768);
    ours_records(bench, sort, prefix);
}

void
measure_bytes(bench &bench)
{
    reference wanted = make_bytes_reference(256, 0);
    const sort sort = {
        {make_axis(BINNING_RAW, SAMPLE_U1, 256)}, 1, &wanted, {}};

    bench.start_cub(
        make_cub_even<unsigned char>(bench, "u1 ", 256, 256, &wanted));
    ours(bench, sort, "u1 lane", count_bytes, 32768);
    ours_records(bench, sort, "u1 ");
    classic_bytes(bench, "u1 ", &wanted);
    measure_pitched(bench);

    reference wanted_64 = make_bytes_reference(64, 2);
    bench.start_cub(make_cub_even<unsigned char>(bench, "u1 64 bins ", 64, 256,
                                                 &wanted_64));
    classic_partial(bench, "u1 64 bins thread, byte counters", &wanted_64,
                    classic::count_64, classic::THREADS_64, classic::BINS_64);

    /* gpuhist has three flow cells after its bins. */
    reference wanted_8 = make_bytes_reference(8, 5);
    reference wanted_flow = make_bytes_reference(8 + 3, 5);
    ::sort sort_8 = {
        {make_axis(BINNING_DIRECT, SAMPLE_U1, 8)}, 1, &wanted_flow, {}};
    sort_8.axes[0].shift = 5;
    bench.start_cub(
        make_cub_even<unsigned char>(bench, "u1 8 bins ", 8, 256, &wanted_8));
    ours_records(bench, sort_8, "u1 8 bins ");
    classic_plain(bench, "u1 8 bins registers", &wanted_8, classic::count_8);

    measure_channels<2, 2>(bench, count_bytes_2);
    measure_channels<3, 3>(bench, count_bytes_3);
    measure_channels<4, 3>(bench, count_bytes_4);
    measure_channels<4, 4>(bench, count_bytes_4);
}

void
measure_words(bench &bench)
{
    reference wanted(
        65536, [](const unsigned char *data, size_t size, counts &result) {
            for (size_t i = 0; i + 1 < size; i += 2)
                result[data[i] | data[i + 1] << 8]++;
        });
    const sort sort = {
        {make_axis(BINNING_RAW, SAMPLE_U2, 65536)}, 2, &wanted, {}};
    const char *label = "u2 global atomics";

    bench.start_cub(
        make_cub_even<uint16_t>(bench, "u2 ", 65536, 65536, &wanted));
    ours(bench, sort, "u2 packed", count_words, 131072);
    ours_records(bench, sort, "u2 ");
    if (bench.wants(label)) {
        const auto kernel = classic::count_global<uint16_t>;
        const unsigned int blocks = bench.blocks(kernel, classic::THREADS);
        row row;
        row.label = label;
        row.wanted = &wanted;
        row.element = 2;
        row.run = [=, &bench](size_t size) {
            kernel<<<blocks, classic::THREADS>>>(
                reinterpret_cast<const uint16_t *>(bench.data), size / 2,
                bench.histogram);
        };
        bench.measure(row);
    }
}

/*
 * With 2^22 bins, CUB of CUDA 13.0 writes out of bounds: the tables of all its
 * blocks have more than 2^31 counters.  With u4 that is an illegal access, after
 * which no other row could be measured.  Rows with more bins have no OF_CUB.
 */
constexpr unsigned int CUB_BINS_MAX = 1 << 20;

/* The cell of X, with BINS in [0, 1), found by comparison with edges. */
size_t
find_cell(float x, unsigned int bins)
{
    const double width = 1.0 / bins;
    const double guess = x * double(bins);

    if (std::isnan(x))
        return bins + BINNING_NAN;
    if (x < 0)
        return bins + BINNING_UNDERFLOW;
    if (x >= 1)
        return bins + BINNING_OVERFLOW;
    size_t bin = std::min<size_t>(static_cast<size_t>(guess), bins - 1);
    while (bin > 0 && x < bin * width)
        bin--;
    while (bin + 1 < bins && x >= (bin + 1) * width)
        bin++;
    return bin;
}

void
measure_floats(bench &bench, unsigned int bins)
{
    const std::string prefix = "f4 " + std::to_string(bins) + " bins ";
    const size_t cells = bins + 3;
    reference wanted(
        cells, [=](const unsigned char *data, size_t size, counts &result) {
            for (size_t i = 0; i + 3 < size; i += 4) {
                float x;
                std::memcpy(&x, data + i, 4);
                result[find_cell(x, bins)]++;
            }
        });
    const unsigned int columns = counting_columns(cells);
    sort sort = {{make_axis(BINNING_EVEN, SAMPLE_F4, bins)}, 4, &wanted, {}};

    sort.axes[0].lo = 0;
    sort.axes[0].hi = 1;
    sort.axes[0].width = 1.0 / bins;
    sort.axes[0].scale = bins;
    /* CUB computes bins in float, so its counts differ and are not checked. */
    if (bins <= CUB_BINS_MAX)
        bench.start_cub(
            make_cub_even<float>(bench, prefix, bins, 1.0f, nullptr));
    else
        bench.end_cub();
    ours(bench, sort, prefix + (columns > 1 ? "lane" : "shared"), count_floats,
         cells * (1 + columns) * 4);
    ours_records(bench, sort, prefix);
}

/* Count f4 in BINS bins, each four times as wide as the one below; up to 1. */
void
measure_edges(bench &bench, unsigned int bins)
{
    const std::string prefix = "f4 " + std::to_string(bins) + " edges ";
    const size_t cells = bins + 3;
    std::vector<double> edges;
    for (unsigned int i = 0; i <= bins; i++)
        edges.push_back(std::ldexp(1.0, 2 * (static_cast<int>(i - bins))));
    reference wanted(cells, [=](const unsigned char *data, size_t size,
                                counts &result) {
        for (size_t i = 0; i + 3 < size; i += 4) {
            float x;
            std::memcpy(&x, data + i, 4);
            const size_t above =
                std::upper_bound(edges.begin(), edges.end(), x) - edges.begin();
            result[std::isnan(x)  ? bins + BINNING_NAN
                   : above == 0   ? bins + BINNING_UNDERFLOW
                   : above > bins ? bins + BINNING_OVERFLOW
                                  : above - 1]++;
        }
    });
    sort sort = {
        {make_axis(BINNING_EDGES, SAMPLE_F4, bins)}, 4, &wanted, edges};

    sort.axes[0].lo = edges.front();
    sort.axes[0].hi = edges.back();
    bench.start_cub(make_cub_range(bench, prefix, edges));
    ours_records(bench, sort, prefix);
}

constexpr unsigned int FLOAT_BINS[] = {10,     100,     1000,   10000,
                                       100000, 1 << 20, 1 << 22};
constexpr unsigned int EDGES_BINS[] = {4, 16, 64};

/* Count u4 modulo MOD. */
void
measure_remainders(bench &bench, unsigned int mod)
{
    const std::string prefix = "u4 modulo " + std::to_string(mod) + " ";
    reference wanted(
        mod + 3, [=](const unsigned char *data, size_t size, counts &result) {
            for (size_t i = 0; i + 3 < size; i += 4) {
                uint32_t x;
                std::memcpy(&x, data + i, 4);
                result[x % mod]++;
            }
        });
    sort sort = {{make_axis(BINNING_DIRECT, SAMPLE_U4, mod)}, 4, &wanted, {}};

    sort.axes[0].mod = mod;
    bench.end_cub();
    ours_records(bench, sort, prefix);
}

/*
 * Count u4 in 2^BITS bins over all 32 bits: by their first BITS bits, or as
 * bins of equal width.
 */
void
measure_integers(bench &bench, unsigned int bits, bool is_even)
{
    const unsigned int bins = 1u << bits;
    const std::string prefix =
        "u4 " + std::to_string(bins) + (is_even ? " bins " : " values ");
    reference wanted(
        bins + 3, [=](const unsigned char *data, size_t size, counts &result) {
            for (size_t i = 0; i + 3 < size; i += 4) {
                uint32_t x;
                std::memcpy(&x, data + i, 4);
                result[x >> (32 - bits)]++;
            }
        });
    sort sort = {
        {make_axis(is_even ? BINNING_EVEN : BINNING_DIRECT, SAMPLE_U4, bins)},
        4,
        &wanted,
        {}};

    if (is_even) {
        sort.axes[0].lo = 0;
        sort.axes[0].hi = 4294967296.0;
        sort.axes[0].width = 4294967296.0 / bins;
        sort.axes[0].scale = bins / 4294967296.0;
    } else {
        sort.axes[0].shift = 32 - bits;
    }
    /* CUB counts in 32 bits, and has no flow cells. */
    if (bins <= CUB_BINS_MAX)
        bench.start_cub(make_cub_even<uint32_t>(bench, prefix, bins,
                                                4294967296.0, nullptr));
    else
        bench.end_cub();
    ours_records(bench, sort, prefix);
}

void
measure_all(bench &bench)
{
    const settings &options = bench.options;
    auto is_wanted = [&](const std::string &name) {
        return options.data.empty() || options.data == name;
    };

    if (options.file != nullptr) {
        bench.start_data(
            "file", [&]() { return read_piece(options.file); },
            make_read(bench));
        measure_bytes(bench);
        measure_words(bench);
        for (unsigned int bins : FLOAT_BINS)
            measure_floats(bench, bins);
        for (unsigned int bins : EDGES_BINS)
            measure_edges(bench, bins);
        return;
    }
    for (const char *name : BYTES_NAMES) {
        if (!is_wanted(name))
            continue;
        bench.start_data(
            name, [=]() { return make_bytes(name); }, make_read(bench));
        measure_bytes(bench);
        measure_words(bench);
    }
    for (const char *name : FLOATS_NAMES) {
        if (!is_wanted(name))
            continue;
        bench.start_data(
            name, [=]() { return make_floats(name); }, make_read(bench));
        for (unsigned int bins : FLOAT_BINS)
            measure_floats(bench, bins);
        for (unsigned int bins : EDGES_BINS)
            measure_edges(bench, bins);
    }
    for (const char *name : INTEGERS_NAMES) {
        if (!is_wanted(name))
            continue;
        bench.start_data(
            name, [=]() { return make_integers(name); }, make_read(bench));
        measure_remainders(bench, 100);
        measure_integers(bench, 7, false);
        measure_integers(bench, 10, true);
        measure_integers(bench, 22, true);
    }
    for (const char *name : READS_NAMES) {
        if (!is_wanted(name))
            continue;
        bench.start_data(
            name, [=]() { return make_reads(name); }, make_read(bench));
        measure_sequences(bench);
    }
    for (const struct text_data &data : TEXT_DATA) {
        if (!is_wanted(data.name))
            continue;
        bench.start_data(
            data.name, [&]() { return make_text(data); }, make_read(bench));
        measure_texts(bench, data);
    }
}

const char help[] =
    "Usage: kernels [-hl] [-d DATA | -f FILE] [-k PATTERN] [-n RUNS]\n"
    "Time kernels that count data on the device; print TSV.\n"
    "\n"
    "  -d DATA     count only DATA: uniform constant text ACGT sorted Zipf\n"
    "              'hot bin', for f4 'on edges' outside, for k-mers reads\n"
    "              'A reads' 'AC reads', for text 'log 500 keys' and others:\n"
    "              bench/text_rows.cuh\n"
    "  -f FILE     count the first 64 MiB of FILE, repeated\n"
    "  -h          print this help and exit\n"
    "  -k PATTERN  measure only kernels with PATTERN in their names\n"
    "  -l          list the kernels and exit\n"
    "  -n RUNS     time RUNS runs (default: 20); 0: launch each kernel once,\n"
    "              for a profiler, and check its counts\n"
    "\n"
    "Exit status: 0 all counts that can be checked are exact, 1 some counts\n"
    "are wrong or the device failed, 2 wrong usage.\n";

/* Read the options.  Returns whether to go on; if not, sets the exit STATUS. */
bool
parse(settings &options, int argc, char **argv, int &status)
{
    char *end;
    int option;

    while ((option = getopt(argc, argv, "d:f:hk:ln:")) != -1) {
        switch (option) {
        case 'd':
            options.data = optarg;
            break;
        case 'f':
            options.file = optarg;
            break;
        case 'h':
            std::fputs(help, stdout);
            status = 0;
            return false;
        case 'k':
            options.kernel = optarg;
            break;
        case 'l':
            options.is_listing = true;
            break;
        case 'n':
            options.runs = static_cast<int>(std::strtol(optarg, &end, 10));
            if (end == optarg || *end != '\0' || options.runs < 0)
                optind = argc + 1;
            break;
        default:
            status = 2;
            return false;
        }
    }
    if (optind != argc || (options.file != nullptr && !options.data.empty())) {
        std::fputs(help, stderr);
        status = 2;
        return false;
    }
    return true;
}

} // namespace

int
main(int argc, char **argv)
{
    settings options;
    int status;

    if (!parse(options, argc, argv, status))
        return status;
    if (options.file != nullptr && read_piece(options.file).empty()) {
        std::fprintf(stderr, "kernels: %s: cannot be read, or is empty\n",
                     options.file);
        return 1;
    }
    bench bench(options);
    if (!options.is_listing)
        bench.open();
    measure_all(bench);
    if (!options.is_listing && options.runs > 0)
        bench.print_spreads();
    if (bench.rows == 0) {
        std::fputs("kernels: no kernel or data of that name\n", stderr);
        return 2;
    }
    return bench.is_wrong ? 1 : 0;
}
