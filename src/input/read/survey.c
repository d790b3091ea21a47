/* survey.c -- how much of the inputs a device could decode */

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/decode/decoders.h"
#include "input/read/input_slots.h"
#include "input/read/survey.h"

/* Add the file PATH, NULL: standard input, to DECODABLE. */
static void
add(struct decodable *decodable, const char *path, uint64_t least)
{
    struct stat status;

    if ((path == NULL ? fstat(STDIN_FILENO, &status) : stat(path, &status)) <
            0 ||
        !S_ISREG(status.st_mode) || (uint64_t)status.st_size < least)
        return;
    int fd = path == NULL ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    off_t here = path == NULL ? lseek(fd, 0, SEEK_CUR) : 0;
    if (fd >= 0)
        decoders_survey(decodable, fd, here, (uint64_t)(status.st_size - here),
                        least);
    if (path != NULL && fd >= 0)
        close(fd);
}

struct decodable
survey_inputs(const struct inputs *inputs, uint64_t least)
{
    struct decodable decodable = {.long_files = 0};

    if (inputs->reading.decompress == DECOMPRESS_NONE)
        return decodable;
    for (size_t i = 0; i < inputs->count; i++) {
        if (!inputs->slot[i].is_exhausted)
            add(&decodable, input_slot_path(inputs, i), least);
    }
    return decodable;
}
