/*
 * fuzz_members.c -- the files in tar and zip archives, as a reader gets them
 *
 * They are compared with what libarchive alone makes of the same bytes.
 *
 * The data are the archive in short: 0 and N stand for N + 1 zeros, so that a
 * tar archive is not longer than what libFuzzer tries.  Checksums of its
 * headers are set right if the data ask for it: nothing would be found behind
 * a wrong one.
 */

#include <archive.h>
#include <archive_entry.h>
#include <limits.h>

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
    return archive_format(reader) == ARCHIVE_FORMAT_ZIP &&
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
    bool is_pipe = (mode & 2) != 0 && archive_size <= PIPE_BUF;
    enum outcome outcome = ask(is_pipe, &wanted);
    /* libarchive does not find a directory that a long comment follows. */
    bool is_far = !is_pipe && archive_size > FAR_BYTES && archive[0] == 'P';
    if (outcome == OUTCOME_LONG || is_far)
        return 0;
    capacity += (size_t)wanted.bytes / 64;

    int fd = is_pipe ? write_pipe(path)
                     : fuzz_write_file(archive, archive_size, path);
    read_all(path, &reading, capacity, &got);
    const struct error *error = inputs_error(&inputs, 0);
    if (error->status == EXIT_DONE) {
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
