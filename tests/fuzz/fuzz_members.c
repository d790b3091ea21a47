/* SPDX-License-Identifier: MIT */
/*
 * fuzz_members.c -- the files in archives, as a reader gets them
 *
 * Those in tar, zip and 7z are compared with what libarchive alone makes of the
 * same bytes; those in cpio with a reader below, which has all bytes in memory.
 *
 * The data are the archive in short: 0 and N stand for N + 1 zeros, so that a
 * tar archive is not longer than what libFuzzer tries.  Checksums of its
 * headers are set right if the data ask for it: nothing would be found behind
 * a wrong one.  So are those of 7z, for which a fuzzer finds what no program
 * writes.
 */

#include <archive.h>
#include <archive_entry.h>
#include <limits.h>

#ifdef HAVE_LZMA
#    include <lzma.h>
#endif

#include "base/little_endian.h"
#include "fuzz.h"
#include "input/archive/members.h"
#include "input/read/inputs.h"

#define ARCHIVE_MAX ((size_t)1 << 16)
#define CONTENT_MAX ((size_t)1 << 20) /* archives of more are skipped */
#define BUDGET_BYTES ((size_t)16 << 20)

#define BLOCK 512
#define CHECKSUM_AT 148
#define CHECKSUM_BYTES 8
#define MAGIC_AT 257
#define FAR_BYTES 16384

/* The sum of a hash of bytes and places; a pair of sums of members adds up. */
struct checksum {
    uint64_t bytes;
    uint64_t sum;
};

static void
checksum_add(struct checksum *checksum, const unsigned char *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        checksum->sum = checksum->sum * 6364136223846793005u + data[i] + 1;
    checksum->bytes += size;
}

/* ---- the archive ---- */

static unsigned char archive[ARCHIVE_MAX];
static size_t archive_size;

static void
expand(struct fuzz *fuzz)
{
    archive_size = 0;
    while (fuzz->size > 0) {
        unsigned char byte = (unsigned char)fuzz_take(fuzz, 1);
        size_t count = byte == 0 ? 1 + (size_t)fuzz_take(fuzz, 1) : 1;
        if (count > ARCHIVE_MAX - archive_size)
            break;
        memset(archive + archive_size, byte, count);
        archive_size += count;
    }
}

static void
set_checksums(void)
{
    for (size_t at = 0; at + BLOCK <= archive_size; at += BLOCK) {
        unsigned char *block = archive + at;
        unsigned int sum = 0;
        if (memcmp(block + MAGIC_AT, "ustar", 5) != 0)
            continue;
        memset(block + CHECKSUM_AT, ' ', CHECKSUM_BYTES);
        for (size_t i = 0; i < BLOCK; i++)
            sum += block[i];
        snprintf((char *)block + CHECKSUM_AT, CHECKSUM_BYTES, "%06o", sum);
    }
}

static bool
is_7z(void)
{
    return archive_size >= 32 && memcmp(archive, "7z\xbc\xaf\x27\x1c", 6) == 0;
}

#ifdef HAVE_LZMA

static void
set_crc(unsigned char *at, const unsigned char *data, size_t size)
{
    uint32_t crc = lzma_crc32(data, size, 0);

    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(crc >> 8 * i);
}

/* Set the checksums of the first header and of the directory. */
static void
set_checksums_7z(void)
{
    uint64_t start = little_endian_64(archive + 12);
    uint64_t size = little_endian_64(archive + 20);

    if (start <= archive_size - 32 && size <= archive_size - 32 - start)
        set_crc(archive + 28, archive + 32 + start, (size_t)size);
    set_crc(archive + 8, archive + 12, 20);
}

#else

static void
set_checksums_7z(void)
{
}

#endif

/* ---- the oracle ---- */

enum outcome {
    OUTCOME_GOOD,
    OUTCOME_BAD,
    OUTCOME_NO_HEADER, /* other data follow the files, perhaps the end */
    OUTCOME_LONG,
};

static la_ssize_t
give_all(struct archive *reader, void *context, const void **data)
{
    size_t *left = context;
    size_t size = *left;

    (void)reader;
    *data = archive;
    *left = 0;
    return (la_ssize_t)size;
}

/* Read the member ENTRY to DIGEST. */
static enum outcome
read_data(struct archive *reader, struct archive_entry *entry,
          struct checksum *checksum)
{
    static unsigned char buffer[4096];
    uint64_t start = checksum->bytes;
    la_ssize_t got;

    while ((got = archive_read_data(reader, buffer, sizeof buffer)) > 0) {
        checksum_add(checksum, buffer, (size_t)got);
        if (checksum->bytes > CONTENT_MAX)
            return OUTCOME_LONG;
    }
    if (got < 0)
        return OUTCOME_BAD;
    /* archive_read_data() leaves out the last hole of a sparse file. */
    uint64_t end = archive_entry_size_is_set(entry)
                       ? start + (uint64_t)archive_entry_size(entry)
                       : 0;
    memset(buffer, 0, sizeof buffer);
    while (checksum->bytes < end) {
        if (checksum->bytes > CONTENT_MAX)
            return OUTCOME_LONG;
        uint64_t size = end - checksum->bytes;
        checksum_add(checksum, buffer,
                     size < sizeof buffer ? (size_t)size : sizeof buffer);
    }
    return OUTCOME_GOOD;
}

/* Whether libarchive fails for some formats, although there are no data. */
static bool
is_empty(struct archive *reader, struct archive_entry *entry)
{
    return archive_format(reader) != ARCHIVE_FORMAT_TAR &&
           archive_entry_size_is_set(entry) && archive_entry_size(entry) == 0;
}

/* What libarchive says alone; IS_PIPE: it cannot seek. */
static enum outcome
ask(bool is_pipe, struct checksum *checksum)
{
    struct archive *reader = archive_read_new();
    struct archive_entry *entry;
    enum outcome outcome = OUTCOME_GOOD;
    size_t left = archive_size;
    int status;

    *checksum = (struct checksum){0};
    if (reader == NULL ||
        archive_read_support_format_tar(reader) != ARCHIVE_OK ||
        archive_read_support_format_zip(reader) != ARCHIVE_OK ||
        (is_7z() && archive_read_support_format_7zip(reader) != ARCHIVE_OK) ||
        archive_read_set_options(reader, "tar:read_concatenated_archives") !=
            ARCHIVE_OK)
        abort();
    status = is_pipe ? archive_read_open(reader, &left, NULL, give_all, NULL)
                     : archive_read_open_memory(reader, archive, archive_size);
    if (status != ARCHIVE_OK)
        outcome = OUTCOME_BAD;
    while (outcome == OUTCOME_GOOD &&
           (status = archive_read_next_header(reader, &entry)) != ARCHIVE_EOF) {
        const char *text = archive_error_string(reader);
        unsigned int type = archive_entry_filetype(entry);
        if (status != ARCHIVE_OK &&
            (status != ARCHIVE_WARN || text == NULL ||
             strstr(text, " to current locale") == NULL))
            outcome = OUTCOME_NO_HEADER;
        else if ((type == 0 || type == AE_IFREG) &&
                 archive_entry_hardlink(entry) == NULL)
            outcome = archive_entry_is_data_encrypted(entry) ? OUTCOME_BAD
                      : is_empty(reader, entry)
                          ? OUTCOME_GOOD
                          : read_data(reader, entry, checksum);
    }
    archive_read_free(reader);
    return outcome;
}

/* ---- the oracle of cpio ---- */

/* A header, and where its data are. */
struct entry {
    char name[32];
    uint64_t device[2], inode, mode, links, size, sum, data, next;
    bool is_new;
};

/* Returns the number of COUNT digits of BASE, a power of two, at DATA; or
   UINT64_MAX. */
static uint64_t
number_at(const unsigned char *data, size_t count, unsigned int base)
{
    char text[16] = "";
    char *end;

    memcpy(text, data, count);
    size_t blanks = strspn(text, " ");
    if (strspn(text + blanks, base == 16 ? "0123456789abcdefABCDEF"
                                         : "01234567") != count - blanks ||
        blanks == count)
        return UINT64_MAX;
    return strtoull(text, &end, (int)base);
}

static uint64_t
word_at(const unsigned char *data, bool is_little)
{
    return is_little ? data[0] + 256u * data[1] : data[1] + 256u * data[0];
}

/* Read the entry AT.  Returns whether it is whole. */
static bool
read_entry(uint64_t at, struct entry *entry)
{
    const unsigned char *h = archive + at;
    uint64_t left = archive_size - at, name, head, unit, value[13];
    bool is_little = left >= 2 && h[0] == 0xc7;

    memset(entry, 0, sizeof *entry);
    if (left < 6)
        return false;
    if (memcmp(h, "07070", 5) == 0 && (h[5] == '1' || h[5] == '2')) {
        if (left < 110)
            return false;
        for (int i = 0; i < 13; i++) {
            value[i] = number_at(h + 6 + 8 * i, 8, 16);
            if (value[i] == UINT64_MAX)
                return false;
        }
        *entry = (struct entry){.device = {value[7], value[8]},
                                .inode = value[0],
                                .mode = value[1],
                                .links = value[4],
                                .size = value[6],
                                .sum = h[5] == '2' ? value[12] : UINT64_MAX,
                                .is_new = true};
        name = value[11];
        head = 110;
        unit = 4;
    } else if (memcmp(h, "070707", 6) == 0) {
        static const int digits[] = {6, 6, 6, 6, 6, 6, 6, 11, 6, 11};
        if (left < 76)
            return false;
        for (int i = 0, place = 6; i < 10; place += digits[i++]) {
            value[i] = number_at(h + place, (size_t)digits[i], 8);
            if (value[i] == UINT64_MAX)
                return false;
        }
        *entry = (struct entry){.device = {value[0]},
                                .inode = value[1],
                                .mode = value[2],
                                .links = value[5],
                                .size = value[9],
                                .sum = UINT64_MAX};
        name = value[8];
        head = 76;
        unit = 1;
    } else {
        if (left < 26 || word_at(h, is_little) != 0x71c7)
            return false;
        for (int i = 0; i < 13; i++)
            value[i] = word_at(h + 2 * i, is_little);
        *entry = (struct entry){.device = {value[1]},
                                .inode = value[2],
                                .mode = value[3],
                                .links = value[6],
                                .size = value[11] * 65536 + value[12],
                                .sum = UINT64_MAX};
        name = value[10];
        head = 26;
        unit = 2;
    }
    if (name == 0 || name > 65536 || head + name > left ||
        h[head + name - 1] != 0)
        return false;
    snprintf(entry->name, sizeof entry->name, "%s", (const char *)h + head);
    entry->data = at + (head + name + unit - 1) / unit * unit;
    entry->next = entry->data + (entry->size + unit - 1) / unit * unit;
    return entry->next <= archive_size;
}

/* Whether ENTRY, a file, has data that were counted: those of another name,
   between START and AT. */
static bool
is_known(uint64_t start, uint64_t at, const struct entry *entry)
{
    struct entry other;

    for (; start < at; start = other.next) {
        read_entry(start, &other);
        uint64_t type = other.mode & 0170000;
        if (other.links > 1 && (type == 0 || type == 0100000) &&
            other.size > 0 && other.inode == entry->inode &&
            memcmp(other.device, entry->device, sizeof other.device) == 0)
            return other.size == entry->size;
    }
    return false;
}

/* What the files in cpio archives are.  Sets *IS_ODD if names of one file are
   such that this reader is too simple. */
static enum outcome
ask_cpio(struct checksum *checksum, bool *is_odd)
{
    uint64_t start = 0, at = 0;
    struct entry entry;

    *checksum = (struct checksum){0};
    for (;;) {
        if (!read_entry(at, &entry))
            return OUTCOME_BAD;
        uint64_t type = entry.mode & 0170000, sum = 0;
        const unsigned char *data = archive + entry.data;
        for (uint64_t i = 0; i < entry.size; i++)
            sum += data[i];
        if (strcmp(entry.name, "TRAILER!!!") == 0) {
            at = entry.next;
            while (at < archive_size && archive[at] == 0)
                at++;
            start = at;
            if (at == archive_size || !read_entry(at, &entry))
                return at + 2 > archive_size ||
                               (memcmp(archive + at, "07070", 5) != 0 &&
                                word_at(archive + at, true) != 0x71c7 &&
                                word_at(archive + at, false) != 0x71c7)
                           ? OUTCOME_GOOD
                           : OUTCOME_NO_HEADER;
            continue;
        }
        if (type == 0 || type == 0100000) {
            if (entry.sum != UINT64_MAX && entry.size > 0 &&
                (uint32_t)sum != entry.sum)
                return OUTCOME_BAD;
            *is_odd |= entry.links > 1 && entry.size == 0 && !entry.is_new;
            if (entry.links < 2 || !is_known(start, at, &entry))
                checksum_add(checksum, data, (size_t)entry.size);
            else
                *is_odd = true;
        } else if (type != 0120000 && entry.size > 0) {
            return OUTCOME_BAD;
        } else if (type != 0120000 && type != 0040000 && type != 0060000 &&
                   type != 0020000 && type != 0010000 && type != 0140000) {
            return OUTCOME_BAD;
        }
        at = entry.next;
    }
}

/* Whether the archive is one of cpio. */
static bool
is_cpio(void)
{
    return archive_size >= 6 && (memcmp(archive, "070701", 6) == 0 ||
                                 memcmp(archive, "070702", 6) == 0 ||
                                 memcmp(archive, "070707", 6) == 0 ||
                                 word_at(archive, true) == 0x71c7 ||
                                 word_at(archive, false) == 0x71c7);
}

/* ---- the reader ---- */

static struct budget budget;
static struct inputs inputs;

/* Read all of PATH, CAPACITY bytes at a time, to DIGEST. */
static void
read_all(char *path, const struct reading *reading, size_t capacity,
         struct checksum *checksum)
{
    char *paths[] = {path};
    struct error error = ERROR_NONE;
    struct input_reader reader = {0};
    size_t got;

    *checksum = (struct checksum){0};
    budget_open(&budget, BUDGET_BYTES);
    if (inputs_open(&inputs, paths, 1, reading, &budget, &error) < 0)
        abort();
    inputs.framing = framing_make_fixed(1, false);
    do {
        unsigned char *buffer = malloc(capacity);
        if (buffer == NULL)
            abort();
        got = inputs_read(&inputs, &reader, buffer, capacity);
        fuzz_must(got <= capacity, "no more than there is room");
        checksum_add(checksum, buffer, got);
        free(buffer);
    } while ((got == capacity || reader.has_more) &&
             checksum->bytes <= 2 * CONTENT_MAX);
}

static void
close_all(void)
{
    inputs_close(&inputs);
    fuzz_must(budget.left == BUDGET_BYTES, "all memory is given back");
    budget_close(&budget);
}

/* A pipe with the archive in it and no writer; to be closed. */
static int
write_pipe(char path[32])
{
    int fd[2];

    if (pipe(fd) < 0 ||
        write(fd[1], archive, archive_size) < (ssize_t)archive_size)
        abort();
    close(fd[1]);
    snprintf(path, 32, "/proc/self/fd/%d", fd[0]);
    return fd[0];
}

/* Whether the reader refuses what libarchive accepts, and why. */
static bool
is_stricter(const char *text)
{
    static const char *const reasons[] = {
        "has data",
        "does not exist",
        "map",
        "the directory of the archive shows ",
        "but has",
        "--memory-limit",
        "it does not end as a zip archive",
        "its directory ",
        "a file has another size",
        "Truncated archive",
        "a 7z archive, whose directory is at its end",
        "its first header is damaged",
        "its version is unknown",
        "it is cut short",
        "but other data",
        "together",
    };

    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        if (strstr(text, reasons[i]) != NULL)
            return true;
    }
    return false;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = {data, size};
    struct reading reading = {.members = members_type(),
                              .read_bytes = UINT64_MAX,
                              .decompress = DECOMPRESS_NONE};
    struct checksum wanted, got;
    char path[32];

    uint64_t mode = fuzz_take(&fuzz, 1);
    size_t capacity = 1 + (size_t)fuzz_take(&fuzz, 1) * 16;
    expand(&fuzz);
    if (mode & 1)
        set_checksums();
    if ((mode & 1) != 0 && is_7z())
        set_checksums_7z();
    bool is_pipe = (mode & 2) != 0 && archive_size <= PIPE_BUF;
    bool is_odd = false;
    enum outcome outcome =
        is_cpio() ? ask_cpio(&wanted, &is_odd) : ask(is_pipe, &wanted);
    /* A name of tar may start so, too. */
    if (is_odd || (is_cpio() && archive_size >= BLOCK &&
                   memcmp(archive + MAGIC_AT, "ustar", 5) == 0))
        return 0;
    /* libarchive does not find a directory that a long comment follows. */
    bool is_far = !is_pipe && archive_size > FAR_BYTES && archive[0] == 'P';
    if (outcome == OUTCOME_LONG || is_far)
        return 0;
    capacity += (size_t)wanted.bytes / 64;

    int fd = is_pipe ? write_pipe(path)
                     : fuzz_write_file(archive, archive_size, path);
    read_all(path, &reading, capacity, &got);
    const struct error *error = inputs_error(&inputs, 0);
    if (error->status == EXIT_DONE && got.bytes > 2 * CONTENT_MAX) {
        /* Not read to the end, where a size may turn out to be wrong. */
    } else if (error->status == EXIT_DONE) {
        fuzz_must(outcome == OUTCOME_GOOD || outcome == OUTCOME_NO_HEADER,
                  "a bad archive is refused");
        fuzz_must(got.bytes == wanted.bytes && got.sum == wanted.sum,
                  "the same bytes");
    } else {
        fuzz_must(error->status == EXIT_DATA && *error->text != '\0',
                  "a message");
        fuzz_must(outcome != OUTCOME_GOOD || is_stricter(error->text),
                  "a good archive is accepted");
    }
    close_all();
    if (is_pipe) {
        close(fd);
        return 0;
    }
    /* What is in a member may be anything. */
    reading.decompress = DECOMPRESS_AUTO;
    read_all(path, &reading, capacity, &got);
    close_all();
    return 0;
}
