/* SPDX-License-Identifier: MIT */
/*
 * kernel_data.cuh -- the data of bench/kernels, and their counts by the CPU
 *
 * The data repeat a piece of 64 MiB, so that the CPU need not count 2 GiB for
 * each kernel.
 */

#ifndef GPUHIST_KERNEL_DATA_CUH
#define GPUHIST_KERNEL_DATA_CUH

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace
{

using piece = std::vector<unsigned char>;
using counts = std::vector<unsigned long long>;

constexpr size_t PIECE = size_t(64) << 20;

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

/*
 * One of 2^BITS numbers, by Zipf's law: the number of rank k, from 1, is drawn
 * about 1 / k as often as the first.  Near ranks are far apart as numbers.
 */
uint32_t
draw_zipf(random &next, int bits)
{
    const double rank = std::exp2(bits * (next() / 4294967296.0));

    return (static_cast<uint32_t>(rank) * 2654435761u) >> (32 - bits);
}

/*
 * Most samples in few cells: of 16 samples 15 are one of three numbers.  R is a
 * random number.
 */
uint32_t
draw_hot(uint32_t r)
{
    static const uint32_t hot[] = {0x12345678, 0x89abcdef, 0xfedcba98};

    return r % 16 == 0 ? r : hot[r / 16 % 3];
}

constexpr const char *BYTES_NAMES[] = {"uniform", "constant", "text", "ACGT",
                                       "sorted",  "hot bin",  "Zipf"};

piece
make_bytes(const std::string &name)
{
    static const char text[] = "etaoin shrdlu cmfwypvbgkjqxz0123456789,.\n "
                               "eeettaao  iinn  ssrrhh";
    piece data(PIECE);
    random next;

    for (size_t i = 0; i < PIECE; i++) {
        const uint32_t r = next();
        data[i] = name == "uniform"    ? r >> 24
                  : name == "constant" ? 'A'
                  : name == "text"     ? text[r % (sizeof text - 1)]
                  : i % 101 == 100     ? '\n'
                                       : "ACGT"[r >> 30];
    }
    /* Of 16-bit samples; the high bytes of the sorted ones form runs. */
    if (name == "sorted" || name == "hot bin" || name == "Zipf") {
        for (size_t i = 0; i < PIECE / 2; i++) {
            const uint16_t value = name == "sorted" ? i * 65536 / (PIECE / 2)
                                   : name == "Zipf" ? draw_zipf(next, 16)
                                                    : draw_hot(next()) >> 16;
            std::memcpy(&data[2 * i], &value, 2);
        }
    }
    return data;
}

/* "hot bin" has floats of random bits: most are beside [0, 1), or near 0. */
constexpr const char *FLOATS_NAMES[] = {
    "uniform", "constant", "on edges", "outside", "sorted", "hot bin", "Zipf"};

piece
make_floats(const std::string &name)
{
    piece data(PIECE);
    random next;

    for (size_t i = 0; i < PIECE / 4; i++) {
        const uint32_t r = next();
        float x = name == "uniform"    ? r / 4294967296.0f
                  : name == "constant" ? 0.123f
                  : name == "on edges" ? r % 128 / 128.0f
                  : name == "outside"  ? r / 2147483648.0f - 0.5f
                  : name == "Zipf"     ? draw_zipf(next, 22) / 4194304.0f
                                       : i / float(PIECE / 4);
        if (name == "hot bin")
            std::memcpy(&x, &r, 4);
        std::memcpy(&data[4 * i], &x, 4);
    }
    return data;
}

constexpr const char *INTEGERS_NAMES[] = {"uniform", "constant", "sorted",
                                          "hot bin", "Zipf"};

/* Samples of 32 bits. */
piece
make_integers(const std::string &name)
{
    piece data(PIECE);
    random next;

    for (size_t i = 0; i < PIECE / 4; i++) {
        const uint32_t r = next();
        const uint32_t value = name == "uniform"    ? r
                               : name == "constant" ? 123456789
                               : name == "sorted"   ? i << 8
                               : name == "hot bin"  ? draw_hot(r)
                                                    : draw_zipf(next, 22) << 10;
        std::memcpy(&data[4 * i], &value, 4);
    }
    return data;
}

/*
 * The first PIECE bytes of the file PATH, repeated if the file is shorter.
 * Returns an empty piece if reading fails.
 */
piece
read_piece(const char *path)
{
    piece data(PIECE);
    std::FILE *const file = std::fopen(path, "rb");

    if (file == nullptr)
        return {};
    const size_t size = std::fread(data.data(), 1, PIECE, file);
    const bool has_failed = std::ferror(file) != 0 || size == 0;
    std::fclose(file);
    if (has_failed)
        return {};
    for (size_t i = size; i < PIECE; i++)
        data[i] = data[i - size];
    return data;
}

/*
 * The counts of CELLS cells by the CPU, of data that repeat a piece.  COUNT
 * adds the counts of SIZE bytes at DATA to RESULT.  Its elements end where some
 * piece does, the PERIOD-th at the latest.
 */
class reference
{
  public:
    using counter = std::function<void(const unsigned char *data, size_t size,
                                       counts &result)>;

    reference(size_t cells, counter count, size_t period = 1)
        : cells(cells), count(count), period(PIECE % period == 0 ? 1 : period)
    {
    }

    counts
    of(const piece &piece, size_t size)
    {
        const size_t whole_size = period * PIECE;

        if (whole.empty()) {
            for (size_t i = 0; i < period; i++)
                data.insert(data.end(), piece.begin(), piece.end());
            whole.assign(cells, 0);
            count(data.data(), whole_size, whole);
        }
        counts result(cells, 0);
        count(data.data(), size % whole_size, result);
        for (size_t i = 0; i < cells; i++)
            result[i] += size / whole_size * whole[i];
        return result;
    }

    const size_t cells;

  private:
    counter count;
    const size_t period; /* of the data, in pieces */
    piece data;
    counts whole; /* of all DATA; empty before the first call of of() */
};

} // namespace

#endif
