/* SPDX-License-Identifier: MIT */
/*
 * text_rows.cuh -- the rows of bench/kernels for fields of text
 *
 * A run counts batches of chunks, one after the other, as the engine does.  All
 * keys are in the dictionary.
 */

#ifndef GPUHIST_TEXT_ROWS_CUH
#define GPUHIST_TEXT_ROWS_CUH

#include "kernel_rows.cuh"

namespace
{

/* Lines of the same length, so that a piece and a chunk have whole ones. */
struct text_data {
    const char *name;
    size_t line;       /* bytes, with its end: a power of two */
    size_t key_at;     /* where the key starts in a line ... */
    size_t key;        /* ... and its bytes; the last 7 are a number */
    unsigned int keys; /* how many there are */
    enum text_kind kind;
    unsigned int field;
    bool is_quoted; /* one field in five */
    enum text_finding finding = TEXT_FINDS_KEYS;
    bool is_decimal = false; /* the key is one, with one digit at its end */
};

/* The bins of numbers, which are all that a key of decimals can be. */
constexpr unsigned int TEXT_BINS = 100;

constexpr struct text_data TEXT_DATA[] = {
    {"log 4 keys", 64, 20, 12, 4, TEXT_WHITESPACE, 2, false},
    {"log 500 keys", 64, 20, 12, 500, TEXT_WHITESPACE, 2, false},
    {"log 1000000 keys", 64, 20, 12, 1000000, TEXT_WHITESPACE, 2, false},
    {"long log 500 keys", 256, 120, 40, 500, TEXT_CLF, 5, false},
    {"short lines 4 keys", 16, 0, 15, 4, TEXT_LINES, 1, false},
    {"short lines 500 keys", 16, 0, 15, 500, TEXT_LINES, 1, false},
    {"short lines 1000000 keys", 16, 0, 15, 1000000, TEXT_LINES, 1, false},
    {"TSV 500 keys", 64, 20, 12, 500, TEXT_DELIMITED, 2, false},
    {"CSV 500 keys", 64, 20, 12, 500, TEXT_CSV, 2, true},
    {"CSV 1000000 keys", 64, 20, 12, 1000000, TEXT_CSV, 2, true},
    {"short lines 1000 decimals", 16, 11, 4, 1000, TEXT_DELIMITED, 2, false,
     TEXT_FINDS_NUMBERS, true},
    {"short lines 1000 decimals as keys", 16, 11, 4, 1000, TEXT_DELIMITED, 2,
     false, TEXT_FINDS_KEYS, true},
    {"short lines 1000000 decimals", 16, 8, 7, 1000000, TEXT_DELIMITED, 2,
     false, TEXT_FINDS_NUMBERS, true},
    {"short lines 1000000 decimals as keys", 16, 8, 7, 1000000, TEXT_DELIMITED,
     2, false, TEXT_FINDS_KEYS, true},
    {"log 1000000 decimals", 64, 20, 12, 1000000, TEXT_WHITESPACE, 2, false,
     TEXT_FINDS_NUMBERS, true},
    {"short lines 500 spans", 16, 0, 15, 500, TEXT_DELIMITED, 1, false,
     TEXT_FINDS_SPANS},
};

/* The bytes between the fields of DATA. */
char
text_delimiter(const struct text_data &data)
{
    return data.kind == TEXT_CSV         ? ','
           : data.kind == TEXT_DELIMITED ? '\t'
                                         : ' ';
}

/* Write key NUMBER. */
void
put_key(const struct text_data &data, unsigned int number, unsigned char *to)
{
    char digits[32];

    if (data.is_decimal) {
        std::snprintf(digits, sizeof digits, "%0*u.%u",
                      static_cast<int>(data.key - 2), number / 10, number % 10);
        std::memcpy(to, digits, data.key);
        return;
    }
    std::memset(to, 'k', data.key);
    std::snprintf(digits, sizeof digits, "%07u", number);
    std::memcpy(to + data.key - 7, digits, 7);
}

piece
make_text(const struct text_data &data)
{
    const char delimiter = text_delimiter(data);
    piece result(PIECE, 'x');
    random next;

    for (size_t at = 0; at < PIECE; at += data.line) {
        unsigned char *const line = &result[at];
        const bool is_quoted = data.is_quoted && next() % 5 == 0;
        put_key(data,
                static_cast<unsigned int>(uint64_t(next()) * data.keys >> 32),
                line + data.key_at);
        line[data.line - 1] = '\n';
        if (data.kind == TEXT_LINES)
            continue;
        if (data.key_at > 0)
            line[data.key_at - 1] = delimiter;
        if (data.key_at + data.key + 1 == data.line)
            continue;
        line[data.key_at + data.key] = delimiter;
        if (data.kind == TEXT_CLF) {
            /* The key is a request. */
            for (size_t i = 1; i < 4; i++)
                line[10 * i] = delimiter;
            std::memset(line + 31, delimiter, data.key_at - 32);
            std::memcpy(line + 31, "[22/Nov/2026:08:01:02 +0000]", 28);
            line[data.key_at - 1] = '"';
            std::memcpy(line + data.key_at + data.key, "\" 200 5 ", 8);
        }
        line[data.line - 10] = delimiter;
        if (is_quoted) {
            line[0] = '"';
            line[7] = delimiter;
            line[11] = '\n';
            line[data.key_at - 2] = '"';
        }
    }
    return result;
}

/* Whether the first LEFT bytes of LINE, without a whole key, have no field that
   may be one; a quote that is not closed may hide it. */
bool
is_missing(const struct text_data &data, const unsigned char *line, size_t left)
{
    const bool has_blanks = data.kind == TEXT_WHITESPACE;

    /* Such a line of a log does not fit. */
    if (data.kind == TEXT_CLF)
        return false;
    if (line[0] == '"' && left < data.key_at - 1)
        return false;
    return left < data.key_at || (has_blanks && left == data.key_at);
}

/* The cell of the SIZE bytes at TEXT, which are a key, or some of it if it is a
   number. */
unsigned int
text_cell(const struct text_data &data, const unsigned char *text, size_t size)
{
    const std::string key(text, text + size);

    const unsigned int tenths = static_cast<unsigned int>(
        std::lround(10 * std::strtod(key.c_str(), nullptr)));

    if (data.finding == TEXT_FINDS_NUMBERS)
        return TEXT_TOTALS + data.keys + tenths / (data.keys / TEXT_BINS);
    if (data.is_decimal)
        return TEXT_TOTALS + tenths;
    return TEXT_TOTALS +
           std::strtoul(key.substr(key.size() - 7).c_str(), nullptr, 10);
}

/* The totals, the keys in their order, and the bins of numbers. */
reference
make_text_reference(const struct text_data &what)
{
    const bool has_bins = what.finding == TEXT_FINDS_NUMBERS;

    return reference(
        TEXT_TOTALS + what.keys + (has_bins ? TEXT_BINS + BINNING_NAN + 1 : 0),
        [=](const unsigned char *data, size_t size, counts &result) {
            for (size_t at = 0; at < size; at += what.line) {
                const size_t left = std::min(size - at, what.line);
                const unsigned char *const key = data + at + what.key_at;
                result[TEXT_TOTAL_RECORDS]++;
                const size_t after = what.kind == TEXT_CLF ? 7 : 0;
                if (left >= what.key_at + what.key + after)
                    result[text_cell(what, key, what.key)]++;
                else if (has_bins && left > what.key_at)
                    result[text_cell(what, key, left - what.key_at)]++;
                else
                    result[is_missing(what, data + at, left)
                               ? TEXT_TOTAL_MISSING
                               : TEXT_TOTAL_LISTED]++;
            }
        },
        1);
}

/* Put KEYS of SIZE bytes, one every STRIDE, into SLOTS.  Those that find no
   room are in *LEFT. */
__global__ void
learn_keys(struct text_work work, const unsigned char *bytes, unsigned int keys,
           unsigned int size, unsigned int stride, unsigned int *left)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    struct text_slot *const slots =
        reinterpret_cast<struct text_slot *>(work.slots);
    struct text_slot slot = {};

    if (i >= keys)
        return;
    const unsigned char *const key = bytes + size_t(i) * stride;
    const unsigned long long hash = hash_bytes(&work.hash_key, key, size);
    if (size <= HASH_SHORT_MAX) {
        hash_short_words(key, size, slot.word);
    } else {
        slot.word[0] = TEXT_SLOT_LONG | size << 8;
        slot.word[1] = hash;
        slot.word[2] = size_t(i) * stride;
    }
    for (unsigned int p = 0; p < TEXT_PROBES; p++) {
        struct text_slot *const to = &slots[(hash + p) & work.slot_mask];
        if (atomicCAS(&to->cell, 0, TEXT_TOTALS + i) != 0)
            continue;
        for (int w = 0; w < HASH_WORDS; w++)
            to->word[w] = slot.word[w];
        return;
    }
    atomicAdd(left, 1);
}

/* The memory of the kernels beside data and histogram. */
struct text_memory {
    static constexpr size_t SLOTS = size_t(1) << 22;
    static constexpr size_t ARENA = size_t(64) << 20;
    static constexpr unsigned int LIST_ROOM = 1 << 14;

    unsigned int *scratch;
    unsigned int *status;
    unsigned int *lists;
    struct text_slot *slots;
    unsigned char *arena;
    unsigned int *left;

    text_memory()
    {
        CHECK(cudaMalloc(&scratch, 4 * text_scratch_words_of(PIECE)));
        CHECK(cudaMalloc(&status, TEXT_BATCH_MAX * sizeof *status));
        CHECK(cudaMalloc(&lists, TEXT_BATCH_MAX * (8 * LIST_ROOM + 8)));
        CHECK(cudaMalloc(&slots, SLOTS * sizeof *slots));
        CHECK(cudaMalloc(&arena, ARENA));
        CHECK(cudaMalloc(&left, sizeof *left));
    }

    /* text_work.h has these for the device only. */
    static size_t
    text_scratch_words_of(size_t size)
    {
        return TEXT_TILES_AT + size / TEXT_TILE + 1 + size / TEXT_RECORD_BYTES +
               1;
    }
};

/* Returns how DATA are counted, with all keys in the dictionary of MEMORY. */
struct text_work
make_text_work(const bench &bench, const text_memory &memory,
               const struct text_data &data)
{
    const unsigned int stride = (data.key + 7) / 8 * 8;
    std::vector<unsigned char> keys(size_t(stride) * data.keys);
    unsigned int left = 0;
    struct text_work work = {};

    work.histogram = reinterpret_cast<unsigned long long>(bench.histogram);
    work.scratch = reinterpret_cast<unsigned long long>(memory.scratch);
    work.status = reinterpret_cast<unsigned long long>(memory.status);
    work.lists = reinterpret_cast<unsigned long long>(memory.lists);
    work.slots = reinterpret_cast<unsigned long long>(memory.slots);
    work.arena = reinterpret_cast<unsigned long long>(memory.arena);
    work.hash_key = {{0x0123456789abcdef, 0xfedcba9876543210}};
    work.slot_mask = text_memory::SLOTS - 1;
    work.list_room = text_memory::LIST_ROOM;
    work.prefix = TEXT_SLICE_MISSING;
    work.format.kind = data.kind;
    work.format.delimiter = text_delimiter(data);
    work.format.end = '\n';
    work.format.comment = TEXT_NO_COMMENT;
    work.field.number = data.field;
    work.span = data.finding == TEXT_FINDS_SPANS ? 1 : 0;
    work.first_bin = TEXT_TOTALS + data.keys;
    work.axis.kind = BINNING_EVEN;
    work.axis.type = SAMPLE_F8;
    work.axis.bins = TEXT_BINS;
    work.axis.hi = data.keys / 10.0;
    work.axis.width = work.axis.hi / TEXT_BINS;
    work.axis.scale = TEXT_BINS / work.axis.hi;
    for (unsigned int i = 0; i < data.keys; i++)
        put_key(data, i, &keys[size_t(i) * stride]);
    CHECK(
        cudaMemset(memory.slots, 0, text_memory::SLOTS * sizeof *memory.slots));
    CHECK(cudaMemset(memory.left, 0, sizeof *memory.left));
    CHECK(cudaMemcpy(memory.arena, keys.data(), keys.size(),
                     cudaMemcpyHostToDevice));
    learn_keys<<<(data.keys + 255) / 256, 256>>>(
        work, memory.arena, data.keys, static_cast<unsigned int>(data.key),
        stride, memory.left);
    CHECK(cudaMemcpy(&left, memory.left, sizeof left, cudaMemcpyDeviceToHost));
    if (left != 0)
        std::fprintf(stderr, "kernels: %s: %u keys have no slot\n", data.name,
                     left);
    return work;
}

/* Measure DATA in batches of BATCH; KERNELS of text_prepare, text_find and
   text_count, from the first one on: then the last of these is measured. */
void
measure_text(bench &bench, const struct text_data &data, reference *wanted,
             const batch &batch, unsigned int kernels)
{
    static text_memory *memory;
    constexpr size_t SHARED = TEXT_SHARED_WORDS * 4;
    static const char *const names[] = {"text, without counting", "text"};
    const std::string label = std::string(names[kernels - 2]) + ", " +
                              std::to_string(batch.batch) + " x " +
                              std::to_string(batch.bytes >> 20) + " MiB";
    row row;

    if (!bench.wants(label))
        return;
    if (memory == nullptr)
        memory = new text_memory;
    const struct text_work work = make_text_work(bench, *memory, data);
    for (auto kernel : {text_prepare, text_count})
        bench.blocks(kernel, text::THREADS, SHARED);
    const auto find = data.finding == TEXT_FINDS_SPANS     ? text_find_spans
                      : data.finding == TEXT_FINDS_NUMBERS ? text_find_numbers
                                                           : text_find;
    const unsigned int blocks = bench.blocks(find, text::THREADS, SHARED);
    row.label = label;
    row.wanted = kernels == 3 ? wanted : nullptr;
    row.element = 1;
    row.run = [=, &bench](size_t size) {
        const size_t together = batch.bytes * batch.batch;
        for (size_t at = 0; at < size; at += together) {
            struct text_work own = work;
            own.data = reinterpret_cast<unsigned long long>(bench.data + at);
            own.data_stride = static_cast<unsigned int>(batch.bytes);
            own.scratch_stride = static_cast<unsigned int>(
                text_memory::text_scratch_words_of(batch.bytes));
            unsigned int chunks = 0;
            for (size_t next = at; chunks < batch.batch && next < size;
                 next += batch.bytes)
                own.size[chunks++] = static_cast<unsigned int>(
                    std::min(batch.bytes, size - next));
            const unsigned int tiles =
                (own.size[0] + TEXT_TILE - 1) / TEXT_TILE;
            const dim3 grid(std::min(blocks / chunks, tiles), chunks);
            text_prepare<<<grid, text::THREADS, SHARED>>>(own);
            find<<<grid, text::THREADS, SHARED>>>(own);
            if (kernels > 2)
                text_count<<<grid, text::THREADS, SHARED>>>(own);
        }
    };
    bench.measure(row);
}

void
measure_texts(bench &bench, const struct text_data &data)
{
    reference wanted = make_text_reference(data);

    bench.end_cub();
    for (const batch &batch : {batch{size_t(2) << 20, 4}, batch{PIECE, 1}}) {
        measure_text(bench, data, &wanted, batch, 3);
        measure_text(bench, data, &wanted, batch, 2);
    }
}

} // namespace

#endif
