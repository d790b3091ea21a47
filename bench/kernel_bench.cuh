/* SPDX-License-Identifier: MIT */
/*
 * kernel_bench.cuh -- run a kernel, check its counts, time it, print a row
 *
 * A kernel counts inputs of several sizes, and all its counts are compared with
 * the CPU's.  The sizes are a few bytes, and more than 2 GiB, so that indexes
 * exceed 31 bits; none is a multiple of a vector or a row.  Then the kernel is
 * timed over 2 GiB, or over less if all runs would take minutes.
 */

#ifndef GPUHIST_KERNEL_BENCH_CUH
#define GPUHIST_KERNEL_BENCH_CUH

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include "kernel_data.cuh"

namespace
{

constexpr size_t BYTES = size_t(2) << 30;
constexpr size_t EXTRA = size_t(64) << 10; /* more data after BYTES */
constexpr size_t CHECKED[] = {5, 77, 4101, BYTES + 4101};
constexpr int RUNS = 20;
constexpr double RUN_MS = 25; /* longest run, unless PIECE takes longer */
constexpr size_t CELLS_MAX = (size_t(1) << 26) + 8;

void
check(cudaError_t error, int line)
{
    if (error != cudaSuccess) {
        std::fprintf(stderr, "kernels: line %d: %s\n", line,
                     cudaGetErrorString(error));
        std::exit(1);
    }
}
#define CHECK(call) check(call, __LINE__)

struct settings {
    bool is_listing = false;
    std::string kernel;         /* a part of the names of wanted kernels */
    std::string data;           /* name of the wanted data; empty: all */
    const char *file = nullptr; /* count this file instead of DATA */
    int runs = RUNS;            /* 0: launch each kernel once, untimed */
};

/* A kernel, and its counts. */
struct row {
    std::string label;
    std::function<void(size_t size)> run; /* start it over SIZE bytes */
    reference *wanted = nullptr;          /* nullptr: it cannot be checked */
    bool has_narrow_counts = false;       /* counts have 32 bits, not 64 */
    size_t element = 1;                   /* sizes are a multiple; bytes */
    double share = 1;                     /* counted bytes / all bytes */
    size_t bytes_max = BYTES + EXTRA;
};

struct timing {
    const char *verdict = "unchecked";
    size_t bytes = 0;
    int runs = 0;
    double rate = 0;      /* GB/s, by the mean time; 0: not timed */
    double deviation = 0; /* standard deviation of a run, in GB/s */
};

class bench
{
  public:
    const settings &options;
    unsigned char *data = nullptr;
    unsigned long long *histogram = nullptr;
    unsigned int *partials = nullptr; /* 1 KiB for each possible block */
    piece host;                       /* the piece that the data repeat */
    int multiprocessors = 0;
    size_t shared_max = size_t(227) << 10; /* of a block, bytes; as on Hopper */
    bool is_wrong = false;
    size_t rows = 0; /* rows printed or listed */

    explicit bench(const settings &options) : options(options)
    {
    }

    void
    open()
    {
        cudaDeviceProp properties;

        CHECK(cudaGetDeviceProperties(&properties, 0));
        multiprocessors = properties.multiProcessorCount;
        shared_max = properties.sharedMemPerBlockOptin;
        CHECK(cudaMalloc(&data, BYTES + EXTRA));
        CHECK(cudaMalloc(&histogram, CELLS_MAX * 8));
        CHECK(cudaMalloc(&partials, multiprocessors * size_t(32) * 1024));
        std::printf("# %s\nkernel\tdata\tMiB\truns\tGB/s\tdeviation\tof_read\t"
                    "of_cub\tverdict\n",
                    properties.name);
    }

    /*
     * Start rows of new data, called NAME.  MAKE returns the data; it is called
     * only if a row is measured.  READ, a plain read of the data, is measured
     * for comparison.
     */
    void
    start_data(const std::string &name, std::function<piece()> make,
               const row &read)
    {
        data_name = name;
        make_host = make;
        is_loaded = false;
        cub = baseline();
        start_baseline(plain_read, read);
    }

    /* Measure ROW, a function of CUB, and compare the next rows with it. */
    void
    start_cub(const row &row)
    {
        start_baseline(cub, row);
    }

    /* Compare the next rows with no function of CUB. */
    void
    end_cub()
    {
        cub = baseline();
    }

    /* Whether to measure the kernel LABEL.  With -l, print LABEL instead. */
    bool
    wants(const std::string &label)
    {
        if (label.find(options.kernel) == std::string::npos)
            return false;
        if (!options.is_listing)
            return true;
        if (listed.insert(label).second) {
            std::printf("%s\n", label.c_str());
            rows++;
        }
        return false;
    }

    /* Check and time the kernel of ROW, and print its row. */
    void
    measure(const row &row)
    {
        load();
        print(row, time(row));
    }

    /* Print the worst of each kernel beside its best. */
    void
    print_spreads() const
    {
        std::printf("\n# the worst data of each kernel beside its best\n"
                    "kernel\tworst\tGB/s\tbest\tGB/s\tof_best\n");
        for (const auto &entry : spreads) {
            const spread &spread = entry.second;
            std::printf("%s\t%s\t%.1f\t%s\t%.1f\t%.3f\n", entry.first.c_str(),
                        spread.worst_data.c_str(), spread.worst,
                        spread.best_data.c_str(), spread.best,
                        spread.worst / spread.best);
        }
    }

    /* The number of blocks of THREADS threads that the device runs at once. */
    template <typename Kernel>
    unsigned int
    blocks(Kernel kernel, unsigned int threads, size_t shared_bytes = 0)
    {
        int count;

        if (shared_bytes > 0)
            CHECK(cudaFuncSetAttribute(
                kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                static_cast<int>(shared_bytes)));
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &count, kernel, static_cast<int>(threads), shared_bytes));
        return static_cast<unsigned int>(count * multiprocessors);
    }

  private:
    struct baseline {
        row what;
        double rate = 0; /* 0: not measured yet */
    };

    /* The rates of a kernel over all data, in GB/s. */
    struct spread {
        double worst = 0; /* 0: not timed yet */
        double best = 0;
        std::string worst_data;
        std::string best_data;

        void
        add(double rate, const std::string &data)
        {
            if (worst == 0 || rate < worst) {
                worst = rate;
                worst_data = data;
            }
            if (rate > best) {
                best = rate;
                best_data = data;
            }
        }
    };

    std::string data_name;
    std::function<piece()> make_host;
    bool is_loaded = false;
    baseline plain_read;
    baseline cub;
    std::set<std::string> listed;
    std::map<std::string, spread> spreads; /* by the kernel's label */

    void
    start_baseline(baseline &baseline, const row &row)
    {
        baseline.what = row;
        baseline.rate = 0;
        if (wants(row.label)) {
            load();
            const timing timing = time(row);
            baseline.rate = timing.rate;
            print(row, timing);
        }
    }

    /* The rate of BASELINE in GB/s, measured on first use; 0: there is none. */
    double
    rate_of(baseline &baseline)
    {
        if (baseline.rate == 0 && baseline.what.run && options.runs > 0)
            baseline.rate = time(baseline.what).rate;
        return baseline.rate;
    }

    void
    load()
    {
        if (is_loaded)
            return;
        host = make_host();
        CHECK(cudaMemcpy(data, host.data(), PIECE, cudaMemcpyHostToDevice));
        for (size_t size = PIECE; size < BYTES; size *= 2)
            CHECK(
                cudaMemcpy(data + size, data, size, cudaMemcpyDeviceToDevice));
        CHECK(cudaMemcpy(data + BYTES, data, EXTRA, cudaMemcpyDeviceToDevice));
        is_loaded = true;
    }

    double
    milliseconds(const row &row, size_t size)
    {
        cudaEvent_t start, end;
        float ms;

        CHECK(cudaEventCreate(&start));
        CHECK(cudaEventCreate(&end));
        CHECK(cudaEventRecord(start));
        row.run(size);
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(end));
        CHECK(cudaEventSynchronize(end));
        CHECK(cudaEventElapsedTime(&ms, start, end));
        CHECK(cudaEventDestroy(start));
        CHECK(cudaEventDestroy(end));
        return ms;
    }

    counts
    fetch(const row &row)
    {
        counts result(row.wanted->cells);

        if (row.has_narrow_counts) {
            std::vector<unsigned int> narrow(result.size());
            CHECK(cudaMemcpy(narrow.data(), histogram, narrow.size() * 4,
                             cudaMemcpyDeviceToHost));
            std::copy(narrow.begin(), narrow.end(), result.begin());
        } else {
            CHECK(cudaMemcpy(result.data(), histogram, result.size() * 8,
                             cudaMemcpyDeviceToHost));
        }
        return result;
    }

    /*
     * Run ROW once over SIZE bytes.  Returns milliseconds.  Wrong counts set
     * IS_EXACT to false.
     */
    double
    run_checked(const row &row, size_t size, bool &is_exact)
    {
        if (row.wanted == nullptr)
            return milliseconds(row, size);
        CHECK(cudaMemset(histogram, 0, row.wanted->cells * 8));
        const double ms = milliseconds(row, size);
        const counts got = fetch(row);
        const counts wanted = row.wanted->of(host, size);
        for (size_t i = 0; i < got.size(); i++) {
            if (got[i] != wanted[i]) {
                is_exact = false;
                std::fprintf(stderr,
                             "kernels: %s: %s: %zu bytes: cell %zu is %llu "
                             "instead of %llu\n",
                             row.label.c_str(), data_name.c_str(), size, i,
                             got[i], wanted[i]);
                break;
            }
        }
        return ms;
    }

    timing
    time(const row &row)
    {
        timing result;
        bool is_exact = true;
        double ms_per_byte = 0;

        if (options.runs == 0) {
            result.bytes = std::min(BYTES, row.bytes_max);
            run_checked(row, result.bytes, is_exact);
        } else {
            for (size_t size : CHECKED) {
                size = std::min(size, row.bytes_max);
                size -= size % row.element;
                if (size > 0)
                    ms_per_byte = run_checked(row, size, is_exact) / size;
            }
        }
        if (row.wanted != nullptr)
            result.verdict = is_exact ? "exact" : "WRONG";
        is_wrong = is_wrong || !is_exact;
        if (options.runs == 0)
            return result;

        result.bytes = std::min(BYTES, row.bytes_max);
        while (result.bytes > PIECE && result.bytes * ms_per_byte > RUN_MS)
            result.bytes /= 2;
        milliseconds(row, result.bytes); /* warm up */
        std::vector<double> times;
        double sum = 0;
        for (int i = 0; i < options.runs; i++) {
            times.push_back(milliseconds(row, result.bytes));
            sum += times.back();
        }
        const double mean = sum / options.runs;
        double squares = 0;
        for (double ms : times)
            squares += (ms - mean) * (ms - mean);
        result.runs = options.runs;
        result.rate = result.bytes * row.share / (mean * 1e6);
        if (result.runs > 1)
            result.deviation =
                result.rate * std::sqrt(squares / (result.runs - 1)) / mean;
        return result;
    }

    static void
    print_number(double value, const char *format)
    {
        std::printf("\t");
        if (value > 0)
            std::printf(format, value);
        else
            std::printf("-");
    }

    void
    print(const row &row, const timing &timing)
    {
        const double read_rate = rate_of(plain_read);
        const double cub_rate = rate_of(cub);

        std::printf("%s\t%s\t%zu\t%d", row.label.c_str(), data_name.c_str(),
                    timing.bytes >> 20, timing.runs);
        print_number(timing.rate, timing.rate < 10 ? "%.3f" : "%.0f");
        print_number(timing.deviation, timing.rate < 10 ? "%.3f" : "%.1f");
        print_number(read_rate > 0 ? timing.rate / read_rate : 0, "%.4f");
        print_number(cub_rate > 0 ? timing.rate / cub_rate : 0, "%.3f");
        std::printf("\t%s\n", timing.verdict);
        std::fflush(stdout);
        if (timing.rate > 0)
            spreads[row.label].add(timing.rate, data_name);
        rows++;
    }
};

} // namespace

#endif
