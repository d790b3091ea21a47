/* zstd_survey.c -- how much content files of zstd have */

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/decode/zstd/zstd_frame.h"
#include "input/decode/zstd/zstd_walk.h"
#include "input/read/input_slots.h"
#include "input/read/zstd_survey.h"

/* More content than files have, and little enough to be added up. */
#define CONTENT_MAX 1e15

/* The first frame of a file. */
struct first {
    struct zstd_frame frame;
    uint64_t bytes;   /* LEAST or more: a long frame */
    uint64_t content; /* as the frame states, or at most by its blocks */
};

/*
 * Find the first frame from BEGIN of FD on that has blocks.  The walk goes
 * through at most LEAST bytes of it, and of skippable frames.  Returns whether
 * such a frame exists.
 */
static bool
find_first(int fd, off_t begin, uint64_t least, struct first *first)
{
    unsigned char header[ZSTD_FRAME_HEADER_MAX];
    struct decoder_walk *walk = zstd_walk_open(fd, begin);
    off_t end = begin + (off_t)least;
    bool is_found = false;

    if (walk == NULL)
        return false;
    do {
        begin = walk->offset;
        ssize_t size = pread(fd, header, sizeof header, begin);
        is_found = size > 0 &&
                   zstd_frame_read(&first->frame, header, (size_t)size) == 0;
    } while (is_found && first->frame.is_skippable && walk->offset < end &&
             zstd_walk_step(walk) == 0);
    is_found = is_found && !first->frame.is_skippable;
    bool goes_on = is_found && zstd_walk_step(walk) == 0;
    uint64_t blocks = 0;
    while (goes_on && (uint64_t)(walk->offset - begin) < least) {
        goes_on = zstd_walk_step(walk) == 0 && !zstd_walk_is_at_frame(walk);
        blocks++;
    }
    first->bytes = (uint64_t)(walk->offset - begin);
    first->content = first->frame.is_sized
                         ? first->frame.content_bytes
                         : blocks * zstd_frame_block_max(&first->frame);
    free(walk);
    return is_found && first->bytes > 0;
}

/* Add a file of BYTES that begins with FIRST. */
static void
add_file(struct zstd_survey *survey, const struct first *first, uint64_t bytes,
         uint64_t least)
{
    /* The stated size of a frame is not checked. */
    double content = (double)first->content;

    if (survey->window < first->frame.window_bytes)
        survey->window = first->frame.window_bytes;
    if (first->bytes >= least) {
        bool has_said = first->frame.is_sized && content < CONTENT_MAX;
        uint64_t said = has_said ? (uint64_t)content : 0;
        bool is_unsummed = !first->frame.has_checksum;
        survey->long_files++;
        survey->long_bytes += bytes;
        survey->long_content += said;
        survey->unsummed_bytes += is_unsummed ? bytes : 0;
        survey->unsummed_content += is_unsummed ? said : 0;
        return;
    }
    content *= (double)bytes / (double)first->bytes;
    survey->many_bytes += bytes;
    if (content < CONTENT_MAX)
        survey->many_content += (uint64_t)content;
}

/* Add the file PATH (NULL: standard input) to SURVEY, if it is a regular file
   of zstd. */
static void
add(struct zstd_survey *survey, const char *path, uint64_t least)
{
    struct first first;
    struct stat status;

    if ((path == NULL ? fstat(STDIN_FILENO, &status) : stat(path, &status)) <
            0 ||
        !S_ISREG(status.st_mode) || (uint64_t)status.st_size < least)
        return;
    int fd = path == NULL ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    off_t here = path == NULL ? lseek(fd, 0, SEEK_CUR) : 0;
    if (fd >= 0 && find_first(fd, here, least, &first))
        add_file(survey, &first, (uint64_t)(status.st_size - here), least);
    if (path != NULL && fd >= 0)
        close(fd);
}

struct zstd_survey
zstd_survey(const struct inputs *inputs, uint64_t least)
{
    struct zstd_survey survey = {.long_files = 0};

    if (inputs->reading.decompress == DECOMPRESS_NONE)
        return survey;
    for (size_t i = 0; i < inputs->count; i++) {
        if (!inputs->slot[i].is_exhausted)
            add(&survey, input_slot_path(inputs, i), least);
    }
    return survey;
}
