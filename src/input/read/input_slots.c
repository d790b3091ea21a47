/* input_slots.c -- a slot of a few bytes for each name of an input */

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/read/input_slots.h"
#include "input/read/member_input.h"

const char *
input_slot_path(const struct inputs *inputs, size_t i)
{
    bool is_stdin = inputs->paths == NULL || strcmp(inputs->paths[i], "-") == 0;

    return is_stdin ? NULL : inputs->paths[i];
}

/* Returns the name of a file with PATH in messages. */
static const char *
name_of(const char *path)
{
    if (path == NULL)
        return "standard input";
    return *path == '\0' ? "''" : path;
}

const char *
input_slot_name(const struct inputs *inputs, size_t i)
{
    const struct input *input = inputs->slot[i].input;

    return input != NULL ? input->content.source.display_name
                         : name_of(input_slot_path(inputs, i));
}

/* Add the size of input I, as stat() reports it, to the totals.  Returns 0, or
   -1 with *ERROR set: the input is also an output file. */
static int
survey(struct inputs *inputs, size_t i, struct error *error)
{
    const char *path = input_slot_path(inputs, i);
    struct stat status;

    if (path == NULL)
        inputs->may_repeat = false;
    if ((path == NULL ? fstat(STDIN_FILENO, &status) : stat(path, &status)) < 0)
        return 0; /* its reader will report the error */
    if (!S_ISREG(status.st_mode)) {
        inputs->has_unknown_length = true;
        inputs->may_repeat = false;
        inputs->slot[i].may_wait = true;
        return 0;
    }
    if (inputs->reading.written != NULL &&
        written_files_check(inputs->reading.written, &status, name_of(path),
                            error) < 0)
        return -1;
    off_t here = path == NULL ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;
    uint64_t bytes =
        status.st_size > here ? (uint64_t)(status.st_size - here) : 0;
    if (bytes > inputs->reading.read_bytes)
        bytes = inputs->reading.read_bytes;
    inputs->known_bytes += bytes;
    if (inputs->largest_bytes < bytes)
        inputs->largest_bytes = bytes;
    return 0;
}

int
input_slots_open(struct inputs *inputs, struct error *error)
{
    bool has_stdin = false;

    inputs->keeps_all = inputs->reading.identifies ||
                        inputs->reading.shard.count != 0 ||
                        inputs->reading.members != NULL;
    inputs->slot = calloc(inputs->count + 1, sizeof *inputs->slot);
    if (inputs->slot == NULL)
        return error_fail_memory(error);
    for (size_t i = 0; i < inputs->count; i++) {
        bool is_stdin = input_slot_path(inputs, i) == NULL;

        inputs->slot[i].is_exhausted = is_stdin && has_stdin;
        has_stdin |= is_stdin;
        if (!inputs->slot[i].is_exhausted && survey(inputs, i, error) < 0)
            return -1;
        if ((i == 0 || inputs->keeps_all) && input_slot_make(inputs, i) == NULL)
            return error_fail_memory(error);
    }
    return 0;
}

void
input_slots_close(struct inputs *inputs)
{
    for (size_t i = 0; inputs->slot != NULL && i < inputs->count; i++) {
        struct input_slot *slot = &inputs->slot[i];
        if (slot->input != NULL) {
            member_input_free(slot->input);
            claim_free_input(slot->input);
        }
        wrong_record_release(slot->wrong);
    }
    free(inputs->slot);
    inputs->slot = NULL;
}

struct input *
input_slot_make(struct inputs *inputs, size_t i)
{
    struct input_slot *slot = &inputs->slot[i];
    const char *path = input_slot_path(inputs, i);

    if (slot->input != NULL)
        return slot->input;
    struct input *input = calloc(1, sizeof *input);
    if (input == NULL)
        return NULL;
    input->wrong = wrong_record_new(&inputs->wrongs, i, &slot->wrong);
    if (input->wrong == NULL) {
        free(input);
        return NULL;
    }
    input->number = i;
    input->content.source = (struct source){
        .path = path,
        .wrong = input->wrong,
        .identity = inputs->reading.identifies ? &input->identity : NULL,
        .copy =
            inputs->reading.copies != NULL ? &inputs->reading.copies[i] : NULL,
        .display_name = name_of(path),
        .fd = -1,
    };
    input->span = shard_span_all();
    input->parts_end = DECODER_NO_PAUSE;
    input->is_exhausted = slot->is_exhausted;
    input->may_wait = slot->may_wait;
    slot->input = input;
    return input;
}
