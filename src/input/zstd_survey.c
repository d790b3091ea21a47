/* zstd_survey.c -- how much there is in long frames of zstd */

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/zstd_frame.h"
#include "input/zstd_survey.h"
#include "input/zstd_walk.h"

/* Whether a frame of zstd of at least LEAST bytes begins at BEGIN of FD.  Then
   *WINDOW is its window or more. */
static bool
has_long_zstd(int fd, off_t begin, uint64_t least, uint64_t *window)
{
    unsigned char header[ZSTD_FRAME_HEADER_MAX];
    struct zstd_frame frame;
    ssize_t size = pread(fd, header, sizeof header, begin);

    if (size < 0 || zstd_frame_read(&frame, header, (size_t)size) < 0)
        return false;
    if (*window < frame.window_bytes)
        *window = frame.window_bytes;
    struct decoder_walk *walk = zstd_walk_open(fd, begin);
    bool is_in_frame = walk != NULL;

    while (is_in_frame && (uint64_t)(walk->offset - begin) < least)
        is_in_frame = zstd_walk_step(walk) == 0 && !zstd_walk_is_at_frame(walk);
    free(walk);
    return is_in_frame;
}

/* Returns the size of INPUT if it is a regular file that begins with a frame of
   zstd of at least LEAST bytes, or 0. */
static uint64_t
zstd_size(const struct input *input, uint64_t least, uint64_t *window)
{
    const char *path = input->content.source.path;
    struct stat status;
    uint64_t size = 0;

    if ((path == NULL ? fstat(STDIN_FILENO, &status) : stat(path, &status)) <
            0 ||
        !S_ISREG(status.st_mode) || (uint64_t)status.st_size < least)
        return 0;
    int fd = path == NULL ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    off_t here = path == NULL ? lseek(fd, 0, SEEK_CUR) : 0;
    if (fd >= 0 && has_long_zstd(fd, here, least, window))
        size = (uint64_t)(status.st_size - here);
    if (path != NULL && fd >= 0)
        close(fd);
    return size;
}

size_t
zstd_survey(const struct inputs *inputs, uint64_t least, uint64_t *bytes,
            uint64_t *window)
{
    size_t count = 0;

    *bytes = 0;
    *window = 0;
    if (inputs->reading.decompress == DECOMPRESS_NONE)
        return 0;
    for (size_t i = 0; i < inputs->count; i++) {
        uint64_t size = inputs->input[i].is_exhausted
                            ? 0
                            : zstd_size(&inputs->input[i], least, window);
        count += size > 0;
        *bytes += size;
    }
    return count;
}
