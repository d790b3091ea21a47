/* SPDX-License-Identifier: MIT */
/*
 * sequence_rows.cuh -- the rows of bench/kernels for k-mers of FASTQ
 *
 * A run counts batches of chunks, one after the other, as the engine does: all
 * kernels of a batch, and then the drain of the lists of k-mers, if it is time
 * for it.  Rates
 * are of bases, in 10^9 a second, not of bytes.
 */

#ifndef GPUHIST_SEQUENCE_ROWS_CUH
#define GPUHIST_SEQUENCE_ROWS_CUH

#include "kernel_rows.cuh"

namespace
{

/* A record has READ bases, and RECORD bytes, so that a piece has whole ones. */
constexpr size_t RECORD = 256;
constexpr size_t READ = 120;
constexpr size_t BASES_AT = RECORD - 2 * READ - 4;
static_assert(PIECE % RECORD == 0, "a piece has whole records");

constexpr const char *READS_NAMES[] = {"reads", "A reads", "AC reads"};

/* Reads of random bases; or of one base or two, the worst for hot cells. */
piece
make_reads(const std::string &name)
{
    piece data(PIECE, 'I');
    random next;

    for (size_t at = 0; at < PIECE; at += RECORD) {
        unsigned char *const record = &data[at];
        std::memset(record, 'r', BASES_AT);
        record[0] = '@';
        record[BASES_AT - 1] = '\n';
        for (size_t i = 0; i < READ; i++)
            record[BASES_AT + i] = name == "reads"     ? "ACGT"[next() >> 30]
                                   : name == "A reads" ? 'A'
                                                       : "AC"[i % 2];
        std::memcpy(record + BASES_AT + READ, "\n+\n", 3);
        record[RECORD - 1] = '\n';
    }
    return data;
}

/* The totals of reads, bases and windows, and the k-mers of K bases. */
reference
make_kmers_reference(unsigned int k)
{
    return reference(
        SEQUENCE_TOTALS + (size_t(1) << 2 * k),
        [=](const unsigned char *data, size_t size, counts &result) {
            for (size_t at = 0; at < size; at += RECORD) {
                uint64_t code = 0;
                for (size_t i = 0; i < READ; i++) {
                    const unsigned char base = data[at + BASES_AT + i];
                    code = (code << 2 | (base >> 1 & 3) ^ (base >> 2 & 1)) &
                           ((uint64_t(1) << 2 * k) - 1);
                    if (i + 1 >= k)
                        result[SEQUENCE_TOTALS + code]++;
                }
                result[SEQUENCE_TOTAL_READS]++;
                result[SEQUENCE_TOTAL_BASES] += READ;
                result[SEQUENCE_TOTAL_WINDOWS] += READ + 1 - k;
            }
        },
        1);
}

/* The memory of the kernels beside data and histogram. */
struct sequence_memory {
    static constexpr size_t ENTRIES_MAX = size_t(1) << 29;
    static constexpr size_t BATCH_BYTES_MAX = PIECE;
    static constexpr unsigned int K_CHECKED = 13; /* a host has its counts */

    unsigned int *scratch;
    unsigned int *status;
    unsigned int *entries;
    unsigned int *sizes;
    unsigned long long *histogram; /* of longer k-mers; nullptr: no room */

    sequence_memory()
    {
        CHECK(cudaMalloc(&scratch, BATCH_BYTES_MAX));
        CHECK(cudaMalloc(&status, SEQUENCE_BATCH_MAX * sizeof *status));
        CHECK(cudaMalloc(&entries, ENTRIES_MAX * sizeof *entries));
        CHECK(cudaMalloc(&sizes, SEQUENCE_LISTS_MAX * sizeof *sizes));
        if (cudaMalloc(&histogram, (SEQUENCE_TOTALS + (size_t(1) << 30)) * 8) !=
            cudaSuccess)
            histogram = nullptr;
        cudaGetLastError();
    }
};

/* As sequence_job.c prepares them. */
constexpr unsigned int SEQUENCE_SHARED_WORDS = 24576;

struct sequence_work
make_work(const bench &bench, const sequence_memory &memory, unsigned int k)
{
    struct sequence_work work = {};
    const size_t cells = size_t(1) << 2 * k;

    work.histogram = reinterpret_cast<unsigned long long>(
        k > sequence_memory::K_CHECKED ? memory.histogram : bench.histogram);
    work.scratch = reinterpret_cast<unsigned long long>(memory.scratch);
    work.status = reinterpret_cast<unsigned long long>(memory.status);
    work.k = k;
    work.first_kmer = SEQUENCE_TOTALS;
    work.shared_words = SEQUENCE_SHARED_WORDS;
    work.list_entries = reinterpret_cast<unsigned long long>(memory.entries);
    work.list_sizes = reinterpret_cast<unsigned long long>(memory.sizes);
    work.lists = SEQUENCE_LISTS_MAX;
    work.list_shift = 2 * k - 10;
    work.list_room = static_cast<unsigned int>(
        std::min(8 * cells, sequence_memory::ENTRIES_MAX) / work.lists);
    work.drain_cells = 1u << std::min(work.list_shift, 14u);
    return work;
}

/* Chunks of BYTES, of which BATCH are counted together. */
struct batch {
    size_t bytes;
    size_t batch;
};

/* Let WORK be the batch that starts at AT of SIZE bytes.  Returns the number of
   its chunks. */
unsigned int
make_batch(struct sequence_work *work, const batch &batch, size_t at,
           size_t size)
{
    unsigned int chunks = 0;

    work->data_stride = static_cast<unsigned int>(batch.bytes);
    /* A chunk needs less memory than it has bytes. */
    work->scratch_stride =
        static_cast<unsigned int>(batch.bytes / sizeof(unsigned int));
    for (; chunks < batch.batch && at < size; at += batch.bytes)
        work->size[chunks++] =
            static_cast<unsigned int>(std::min(batch.bytes, size - at));
    return chunks;
}

/*
 * Measure k-mers of K bases in batches of BATCH; in lists that are drained
 * after DRAIN bytes, or with 0 without lists.
 */
void
measure_kmers(bench &bench, reference *wanted, unsigned int k,
              const batch &batch, size_t drain)
{
    static sequence_memory *memory;
    constexpr size_t SHARED = SEQUENCE_SHARED_WORDS * 4;
    const std::string label =
        "k-mers " + std::to_string(k) + ", " + std::to_string(batch.batch) +
        " x " + std::to_string(batch.bytes >> 20) + " MiB" +
        (drain == 0
             ? ""
             : ", drained after " + std::to_string(drain >> 20) + " MiB");
    row row;

    if (SHARED > bench.shared_max || !bench.wants(label))
        return;
    if (memory == nullptr)
        memory = new sequence_memory;
    const struct sequence_work work = make_work(bench, *memory, k);
    if (work.histogram == 0)
        return;
    for (auto kernel :
         {sequence_lines, sequence_classify, sequence_check, sequence_fields,
          sequence_kmers, sequence_lists, sequence_drain})
        bench.blocks(kernel, 1024, SHARED);
    const unsigned int blocks = bench.blocks(
        drain == 0 ? sequence_kmers : sequence_lists, 1024, SHARED);
    row.label = label;
    row.wanted = k > sequence_memory::K_CHECKED ? nullptr : wanted;
    row.element = RECORD;
    row.share = double(READ) / RECORD;
    row.bytes_max = BYTES + EXTRA;
    row.run = [=, &bench](size_t size) {
        size_t listed = 0;
        CHECK(cudaMemsetAsync(memory->sizes, 0,
                              work.lists * sizeof *memory->sizes));
        const size_t together = batch.bytes * batch.batch;
        for (size_t at = 0; at < size; at += together) {
            struct sequence_work own = work;
            own.data = reinterpret_cast<unsigned long long>(bench.data + at);
            const unsigned int chunks = make_batch(&own, batch, at, size);
            const unsigned int tiles =
                (own.size[0] + SEQUENCE_TILE - 1) / SEQUENCE_TILE;
            const dim3 grid(std::min(blocks / chunks, tiles), chunks);
            sequence_lines<<<grid, 1024, SHARED>>>(own);
            sequence_classify<<<grid, 1024, SHARED>>>(own);
            sequence_check<<<grid, 1024, SHARED>>>(own);
            sequence_fields<<<grid, 1024, SHARED>>>(own);
            if (drain == 0) {
                sequence_kmers<<<grid, 1024, SHARED>>>(own);
                continue;
            }
            sequence_lists<<<grid, 1024, SHARED>>>(own);
            listed += std::min(together, size - at);
            if (listed < drain && at + together < size)
                continue;
            listed = 0;
            sequence_drain<<<blocks, 1024, SHARED>>>(own);
            CHECK(cudaMemsetAsync(memory->sizes, 0,
                                  work.lists * sizeof *memory->sizes));
        }
    };
    bench.measure(row);
}

void
measure_sequences(bench &bench)
{
    bench.end_cub();
    for (unsigned int k = 11; k <= SEQUENCE_K_MAX; k++) {
        reference wanted = make_kmers_reference(k);
        /* What the engine does: 3/4 of 8 entries for each cell, or less. */
        const size_t seldom =
            std::min(size_t(6) << 2 * k, sequence_memory::ENTRIES_MAX / 4 * 3);
        constexpr size_t CHUNK = size_t(2) << 20;
        for (const batch &batch : {batch{CHUNK, 1}, batch{CHUNK, 4},
                                   batch{CHUNK, 8}, batch{PIECE, 1}}) {
            measure_kmers(bench, &wanted, k, batch, 0);
            for (size_t drain : {size_t(8) << 20, PIECE, seldom})
                measure_kmers(bench, &wanted, k, batch, drain);
        }
    }
}

} // namespace

#endif
