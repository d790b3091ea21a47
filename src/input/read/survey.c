/* SPDX-License-Identifier: MIT */
/* survey.c -- which inputs are decoded, before a run */

#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/content/guess.h"
#include "input/decode/decoders.h"
#include "input/read/input_slots.h"
#include "input/read/survey.h"

/* A regular file while a survey looks at it. */
struct surveyed {
    int fd;
    off_t here;
    uint64_t bytes; /* from HERE on */
    bool is_stdin;
};

/* Open the file PATH, NULL: standard input.  Returns false if it cannot be
   opened, is not a regular file or has less than LEAST bytes. */
static bool
surveyed_open(struct surveyed *file, const char *path, uint64_t least)
{
    struct stat status;

    *file = (struct surveyed){.fd = STDIN_FILENO, .is_stdin = path == NULL};
    if ((path == NULL ? fstat(STDIN_FILENO, &status) : stat(path, &status)) <
            0 ||
        !S_ISREG(status.st_mode) || (uint64_t)status.st_size < least)
        return false;
    if (path == NULL)
        file->here = lseek(STDIN_FILENO, 0, SEEK_CUR);
    else
        file->fd = open(path, O_RDONLY | O_CLOEXEC);
    file->bytes = (uint64_t)(status.st_size - file->here);
    return file->fd >= 0;
}

static void
surveyed_close(const struct surveyed *file)
{
    if (!file->is_stdin)
        close(file->fd);
}

/* Add CONTENT of blocks of BGZF, which start with the head in DECODABLE, to
   that of their kind. */
static void
add_kind(struct decodable *decodable, uint64_t content)
{
    struct sniff sniff = {.bytes = 0};

    sniff_add(&sniff, decodable->head, decodable->head_bytes);
    enum guess guess = guess_of(&sniff);
    if (guess == GUESS_FASTQ)
        decodable->fastq_content += content;
    else if (guess == GUESS_BAM)
        decodable->bam_content += content;
}

/* Add FILE to DECODABLE. */
static void
add(struct decodable *decodable, const struct surveyed *file,
    uint64_t long_bytes)
{
    uint64_t before = decodable_bytes(decodable);
    uint64_t blocks_before = decodable->block_content;

    decoders_survey(decodable, file->fd, file->here, file->bytes, long_bytes);
    uint64_t bytes = decodable_bytes(decodable) - before;
    decodable->files += bytes > 0;
    if (decodable->wants_head && decodable->block_content > blocks_before)
        add_kind(decodable, decodable->block_content - blocks_before);
    if (decodable->largest_bytes < bytes)
        decodable->largest_bytes = bytes;
}

struct decodable
survey_inputs(const struct inputs *inputs, uint64_t least, uint64_t long_bytes)
{
    /* Records of other kinds are divided at the same rate. */
    struct decodable decodable = {.wants_head =
                                      framing_cuts_anywhere(&inputs->framing)};
    struct surveyed file;

    if (inputs->reading.decompress == DECOMPRESS_NONE)
        return decodable;
    for (size_t i = 0; i < inputs->count; i++) {
        if (inputs->slot[i].is_exhausted ||
            !surveyed_open(&file, input_slot_path(inputs, i), least))
            continue;
        add(&decodable, &file, long_bytes);
        surveyed_close(&file);
    }
    return decodable;
}

/* Whether a decoder for the --decompress=HOW reads FILE. */
static bool
is_compressed(const struct surveyed *file, enum decompress how)
{
    unsigned char head[SOURCE_MAGIC_BYTES];
    const struct decoders_format *format;

    if (how == DECOMPRESS_NONE)
        return false;
    ssize_t got = pread(file->fd, head, sizeof head, file->here);
    return got > 0 &&
           decoders_match(how, head, (size_t)got, &format) == MAGIC_YES;
}

uint64_t
survey_plain(const struct inputs *inputs, uint64_t least)
{
    const struct reading *reading = &inputs->reading;
    struct surveyed file;
    uint64_t total = 0;

    if (inputs->known_bytes / least < inputs->count)
        return 0;
    for (size_t i = 0; i < inputs->count; i++) {
        if (inputs->slot[i].is_exhausted ||
            !surveyed_open(&file, input_slot_path(inputs, i), least))
            continue;
        if (!is_compressed(&file, reading->decompress))
            total += file.bytes < reading->read_bytes ? file.bytes
                                                      : reading->read_bytes;
        surveyed_close(&file);
    }
    /* Of a shard, only a part is read. */
    return total < inputs->known_bytes ? total : inputs->known_bytes;
}

size_t
survey_streams(const struct inputs *inputs)
{
    size_t streams = 0;

    for (size_t i = 0; i < inputs->count; i++)
        streams += inputs->slot[i].may_wait;
    return streams;
}
