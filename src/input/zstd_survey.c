/* zstd_survey.c -- how much there is in long frames of zstd */

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/zstd_frame.h"
#include "input/zstd_survey.h"
#include "input/zstd_walk.h"

/* Whether a frame of zstd of at least LEAST bytes begins at BEGIN of FD; then
   that is *FRAME. */
static bool
has_long_zstd(int fd, off_t begin, uint64_t least, struct zstd_frame *frame)
{
    unsigned char header[ZSTD_FRAME_HEADER_MAX];
    ssize_t size = pread(fd, header, sizeof header, begin);

    if (size < 0 || zstd_frame_read(frame, header, (size_t)size) < 0)
        return false;
    struct decoder_walk *walk = zstd_walk_open(fd, begin);
    bool is_in_frame = walk != NULL;

    while (is_in_frame && (uint64_t)(walk->offset - begin) < least)
        is_in_frame = zstd_walk_step(walk) == 0 && !zstd_walk_is_at_frame(walk);
    free(walk);
    return is_in_frame;
}

/* Add INPUT to SURVEY, if it is such a file. */
static void
add(struct zstd_survey *survey, const struct input *input, uint64_t least)
{
    const char *path = input->content.source.path;
    struct zstd_frame frame;
    struct stat status;

    if ((path == NULL ? fstat(STDIN_FILENO, &status) : stat(path, &status)) <
            0 ||
        !S_ISREG(status.st_mode) || (uint64_t)status.st_size < least)
        return;
    int fd = path == NULL ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    off_t here = path == NULL ? lseek(fd, 0, SEEK_CUR) : 0;
    if (fd >= 0 && has_long_zstd(fd, here, least, &frame)) {
        survey->files++;
        survey->bytes += (uint64_t)(status.st_size - here);
        /* Nobody has checked what a frame says. */
        if (frame.content_bytes < UINT64_MAX - survey->content)
            survey->content += frame.content_bytes;
        if (survey->window < frame.window_bytes)
            survey->window = frame.window_bytes;
    }
    if (path != NULL && fd >= 0)
        close(fd);
}

struct zstd_survey
zstd_survey(const struct inputs *inputs, uint64_t least)
{
    struct zstd_survey survey = {.files = 0};

    if (inputs->reading.decompress == DECOMPRESS_NONE)
        return survey;
    for (size_t i = 0; i < inputs->count; i++) {
        if (!inputs->input[i].is_exhausted)
            add(&survey, &inputs->input[i], least);
    }
    return survey;
}
