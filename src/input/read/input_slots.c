/* SPDX-License-Identifier: MIT */
/* input_slots.c -- a slot of a few bytes for each name of an input */

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/thread.h"
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

/* Asking for fewer sizes takes less time than starting a thread. */
#define ASKED_MIN 2048

/* Files are in few directories, whose locks the threads share. */
#define ASKERS_MAX 8

/* The facts that stat() reports of some inputs in a row. */
struct survey {
    struct inputs *inputs;
    size_t first;
    size_t end;
    uint64_t known_bytes;
    uint64_t largest_bytes;
    bool has_unknown_length;
    bool cannot_repeat;
    struct error error; /* of the first input that is also an output file */
};

/* Add what stat() reports of input I.  Returns 0, or -1 with the error set. */
static int
ask(struct survey *survey, size_t i)
{
    const struct reading *reading = &survey->inputs->reading;
    const char *path = input_slot_path(survey->inputs, i);
    struct stat status;

    survey->cannot_repeat |= path == NULL;
    if ((path == NULL ? fstat(STDIN_FILENO, &status) : stat(path, &status)) < 0)
        return 0; /* its reader will report the error */
    if (!S_ISREG(status.st_mode)) {
        survey->has_unknown_length = true;
        survey->cannot_repeat = true;
        survey->inputs->slot[i].may_wait = true;
        return 0;
    }
    if (reading->written != NULL &&
        written_files_check(reading->written, &status, name_of(path),
                            &survey->error) < 0)
        return -1;
    survey->inputs->slot[i].is_small =
        path != NULL && status.st_size <= (off_t)SMALL_BYTES;
    off_t here = path == NULL ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;
    uint64_t bytes =
        status.st_size > here ? (uint64_t)(status.st_size - here) : 0;
    if (bytes > reading->read_bytes)
        bytes = reading->read_bytes;
    survey->known_bytes += bytes;
    if (survey->largest_bytes < bytes)
        survey->largest_bytes = bytes;
    return 0;
}

/* Ask for all inputs of a survey: a member of a crew. */
static void
ask_all(void *task, unsigned int member)
{
    struct survey *survey = (struct survey *)task + member;
    int result = 0;

    for (size_t i = survey->first; i < survey->end && result == 0; i++) {
        if (!survey->inputs->slot[i].is_exhausted)
            result = ask(survey, i);
    }
}

/* Add SURVEY to the totals.  Returns 0, or -1 with *ERROR set. */
static int
add(struct inputs *inputs, struct survey *survey, struct error *error)
{
    inputs->known_bytes += survey->known_bytes;
    if (inputs->largest_bytes < survey->largest_bytes)
        inputs->largest_bytes = survey->largest_bytes;
    inputs->has_unknown_length |= survey->has_unknown_length;
    inputs->may_repeat &= !survey->cannot_repeat;
    if (survey->error.status == EXIT_DONE)
        return 0;
    error_clear(error);
    error_move(error, &survey->error);
    return -1;
}

/* Ask for the sizes of all inputs, with some threads if there are many.
   Returns 0, or -1 with *ERROR set: an input is also an output file. */
static int
ask_sizes(struct inputs *inputs, struct error *error)
{
    struct survey survey[ASKERS_MAX];
    size_t members = inputs->count / ASKED_MIN;
    int result = 0;

    if (members > inputs->reading.askers)
        members = inputs->reading.askers;
    if (members > ASKERS_MAX)
        members = ASKERS_MAX;
    if (members == 0)
        members = 1;
    for (size_t i = 0; i < members; i++)
        survey[i] = (struct survey){.inputs = inputs,
                                    .first = inputs->count * i / members,
                                    .end = inputs->count * (i + 1) / members};
    crew_run((unsigned int)members, ask_all, survey);
    /* The first error stays. */
    for (size_t i = members; i-- > 0;) {
        if (add(inputs, &survey[i], error) < 0)
            result = -1;
    }
    return result;
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
    }
    if (ask_sizes(inputs, error) < 0)
        return -1;
    for (size_t i = 0; i < (inputs->keeps_all ? inputs->count : 1); i++) {
        if (i < inputs->count && input_slot_make(inputs, i) == NULL)
            return error_fail_memory(error);
    }
    return 0;
}

void
input_slots_cut(struct inputs *inputs, size_t count)
{
    for (size_t i = count; i < inputs->count; i++) {
        struct input_slot *slot = &inputs->slot[i];
        if (slot->input != NULL) {
            member_input_free(slot->input);
            claim_free_input(slot->input);
        }
        wrong_record_release(slot->wrong);
    }
    inputs->count = count;
}

void
input_slots_close(struct inputs *inputs)
{
    if (inputs->slot != NULL)
        input_slots_cut(inputs, 0);
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
