/* recorded_reading.c -- what a state says that its inputs were */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/recorded_reading.h"

/* Line I of LIST in the state NAME is wrong.  Returns -1. */
static int
fail(enum state_list list, size_t i, const char *name, struct error *error)
{
    error_set(error, EXIT_DATA, "%s: line %zu of '%s' is wrong", name, i + 1,
              state_head_word(list));
    return -1;
}

/* Returns 0, or -1 with *ERROR set. */
static int
make_names(struct text_header *names, const struct state_lines *lines,
           struct error *error)
{
    names->name = calloc(lines->count, sizeof *names->name);
    if (names->name == NULL)
        return error_fail_memory(error);
    for (size_t i = 0; i < lines->count; i++) {
        struct text_name *name = &names->name[i];
        name->bytes =
            (unsigned char *)state_lines_field(lines, i, 0, &name->size);
        if (name->bytes == NULL)
            return error_fail_memory(error);
        names->count++;
    }
    return 0;
}

/* Set *REPEAT to N of "x*N".  Returns whether TYPE is that. */
static bool
is_gap(const char *type, size_t *repeat)
{
    char *end;

    if (strncmp(type, "x*", 2) != 0 || type[2] < '0' || type[2] > '9')
        return false;
    *repeat = strtoul(type + 2, &end, 10);
    return *end == '\0';
}

/* Append the element of line I, or bytes without one.  Returns 0, or -1 with
   *ERROR set. */
static int
add_element(struct record *record, const struct state_lines *lines, size_t i,
            const char *name, struct error *error)
{
    char *type = state_lines_field(lines, i, 0, NULL);
    char *field = state_lines_field(lines, i, 1, NULL);
    size_t before = record->count;
    size_t repeat = 1;
    int result = -1;

    if (type != NULL && field == NULL && is_gap(type, &repeat))
        result = record_append(record, "x", 1, repeat, ORDER_MACHINE);
    else if (type != NULL && field != NULL)
        result = record_append(record, type, strlen(type), 1, ORDER_MACHINE);
    free(type);
    if (record->count > before)
        record->name[before] = field;
    else
        free(field);
    return result == 0 ? 0 : fail(STATE_ELEMENTS, i, name, error);
}

/* Returns 0, or -1 with *ERROR set. */
static int
make_elements(struct record *record, const struct state_lines *lines,
              const char *name, struct error *error)
{
    if (record_begin(record) < 0)
        return error_fail_memory(error);
    record->name = calloc(lines->count, sizeof *record->name);
    if (record->name == NULL)
        return error_fail_memory(error);
    for (size_t i = 0; i < lines->count; i++) {
        if (add_element(record, lines, i, name, error) < 0)
            return -1;
    }
    /* An array of numbers has one element, without a name. */
    if (record->count > 0 && *record->name[0] == '\0') {
        for (size_t i = 0; i < record->count; i++)
            free(record->name[i]);
        free(record->name);
        record->name = NULL;
    }
    return record->count > 0 ? 0 : fail(STATE_ELEMENTS, 0, name, error);
}

/* Set *NUMBER to field F, up to MOST.  Returns 0, or -1. */
static int
read_number(const struct state_lines *lines, size_t f, unsigned long most,
            unsigned int *number)
{
    char *text = state_lines_field(lines, 0, f, NULL);
    char *end = text;
    unsigned long value = text != NULL ? strtoul(text, &end, 10) : 0;
    bool is_right = end != text && *end == '\0' && value >= 1 && value <= most;

    *number = (unsigned int)value;
    free(text);
    return is_right ? 0 : -1;
}

/* Returns 0, or -1 with *ERROR set. */
static int
make_image(struct image_format *image, const struct state_lines *lines,
           const char *name, struct error *error)
{
    if (read_number(lines, 0, 4, &image->channels) == 0 &&
        read_number(lines, 1, 2, &image->sample_bytes) == 0 &&
        read_number(lines, 2, image->sample_bytes == 2 ? 65535 : 255,
                    &image->maxval) == 0)
        return 0;
    return fail(STATE_IMAGE, 0, name, error);
}

int
recorded_reading_make(struct recorded_reading *recorded,
                      const struct state_head *head, const char *name,
                      struct error *error)
{
    const struct state_lines *names = &head->list[STATE_NAMES];
    const struct state_lines *elements = &head->list[STATE_ELEMENTS];
    const struct state_lines *image = &head->list[STATE_IMAGE];
    struct reading *reading = &recorded->reading;

    if (names->count > 0) {
        recorded->names.input = name;
        reading->header = &recorded->names;
        if (make_names(&recorded->names, names, error) < 0)
            return -1;
    }
    if (elements->count > 0) {
        recorded->npy.input = name;
        reading->npy = &recorded->npy;
        if (make_elements(&recorded->npy.record, elements, name, error) < 0)
            return -1;
    }
    return image->count > 0 ? make_image(&reading->format, image, name, error)
                            : 0;
}

void
recorded_reading_close(struct recorded_reading *recorded)
{
    text_header_close(&recorded->names);
    npy_header_close(&recorded->npy);
}
