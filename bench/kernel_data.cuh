/*
 * kernel_data.cuh -- the data of bench/kernels, and their counts by the CPU
 *
 * The data repeat a piece of 64 MiB, so that the CPU need not count 2 GiB for
 * each kernel.
 */

#ifndef GPUHIST_KERNEL_DATA_CUH
#define GPUHIST_KERNEL_DATA_CUH

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

constexpr const char *BYTES_NAMES[] = {"uniform", "constant", "text", "ACGT",
                                       "sorted"};

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
    /* Sorted as 16-bit samples; the high bytes form runs. */
    if (name == "sorted") {
        for (size_t i = 0; i < PIECE / 2; i++) {
            const uint16_t value = i * 65536 / (PIECE / 2);
            std::memcpy(&data[2 * i], &value, 2);
        }
    }
    return data;
}

constexpr const char *FLOATS_NAMES[] = {"uniform", "constant", "on edges",
                                        "outside", "sorted"};

piece
make_floats(const std::string &name)
{
    piece data(PIECE);
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
 * adds the counts of SIZE bytes at DATA to RESULT; PIECE must be a multiple of
 * its elements.
 */
class reference
{
  public:
    using counter = std::function<void(const unsigned char *data, size_t size,
                                       counts &result)>;

    reference(size_t cells, counter count) : cells(cells), count(count)
    {
    }

    counts
    of(const piece &piece, size_t size)
    {
        if (whole.empty()) {
            whole.assign(cells, 0);
            count(piece.data(), PIECE, whole);
        }
        counts result(cells, 0);
        count(piece.data(), size % PIECE, result);
        for (size_t i = 0; i < cells; i++)
            result[i] += size / PIECE * whole[i];
        return result;
    }

    const size_t cells;

  private:
    counter count;
    counts whole; /* of one piece; empty before the first call of of() */
};

} // namespace

#endif
