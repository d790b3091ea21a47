/* state_output.c -- write the state of a result */

#include <stdio.h>
#include <string.h>

#include "cli/option_record.h"
#include "cli/state_output.h"
#include "state/portion_line.h"
#include "state/state_write.h"

/* Add the names of HEADER.  Returns 0, or -1: out of memory. */
static int
put_names(struct state_lines *lines, const struct text_header *header)
{
    for (size_t i = 0; header != NULL && i < header->count; i++) {
        state_lines_put(lines, header->name[i].bytes, header->name[i].size);
        if (state_lines_end(lines) < 0)
            return -1;
    }
    return 0;
}

/* Add BYTES that no element of .npy files has.  Returns as put_names(). */
static int
put_gap(struct state_lines *lines, size_t bytes)
{
    char text[32];

    if (bytes == 0)
        return 0;
    snprintf(text, sizeof text, "x*%zu", bytes);
    return state_lines_add_text(lines, text);
}

/* Add the elements of RECORD, that of .npy files.  Returns as put_names(). */
static int
put_elements(struct state_lines *lines, const struct record *record)
{
    size_t end = 0;

    for (size_t i = 0; i < record->count; i++) {
        const struct element *element = &record->element[i];
        char text[8];

        if (put_gap(lines, element->offset - end) < 0)
            return -1;
        end = element->offset + binning_size(element->type);
        snprintf(text, sizeof text, "%c%s", element->is_swapped ? '>' : '<',
                 record_type_name(element->type));
        state_lines_put_text(lines, text);
        state_lines_put_text(lines,
                             record->name != NULL ? record->name[i] : "");
        if (state_lines_end(lines) < 0)
            return -1;
    }
    return put_gap(lines, record->bytes - end);
}

/* Add the format of images.  Returns as put_names(). */
static int
put_image(struct state_lines *lines, const struct image_format *image)
{
    const unsigned int number[] = {image->channels, image->sample_bytes,
                                   image->maxval};

    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        char text[16];
        snprintf(text, sizeof text, "%u", number[i]);
        state_lines_put_text(lines, text);
    }
    return state_lines_end(lines);
}

/*
 * Add the portions that INPUTS are.  If NOTHING_COUNTED, as of comments, they
 * are empty: counting them again makes no difference.  Returns 0, or -1 with
 * *ERROR set, unless there is no memory.
 */
static int
put_portions(struct state_lines *lines, const struct inputs *inputs,
             bool nothing_counted, struct error *error)
{
    for (size_t i = 0; i < inputs->count; i++) {
        const struct portion *portion =
            identity_portion(&inputs->slot[i].input->identity, error);
        if (error->status != EXIT_DONE)
            return -1;
        /* Standard input that is named again has none. */
        if (portion == NULL)
            continue;
        struct portion kept = *portion;
        kept.is_empty |= nothing_counted;
        if (portion_line_add(lines, &kept) < 0)
            return -1;
    }
    return 0;
}

/* Make the head of a run.  Returns as put_portions(). */
static int
make_head(struct state_head *head, const struct options *options,
          const struct inputs *inputs, const struct snapshot *counts,
          struct error *error)
{
    const struct reading *reading = &inputs->reading;
    struct state_lines *list = head->list;

    head->by = strdup("gpuhist " VERSION);
    if (head->by == NULL ||
        option_record_put(options, counts->spec, &list[STATE_OPTIONS]) < 0 ||
        put_names(&list[STATE_NAMES], reading->header) < 0)
        return -1;
    if (reading->npy != NULL &&
        put_elements(&list[STATE_ELEMENTS], &reading->npy->record) < 0)
        return -1;
    if (reading->is_image &&
        put_image(&list[STATE_IMAGE], &reading->format) < 0)
        return -1;
    return put_portions(&list[STATE_PORTIONS], inputs,
                        counts->elements[SEQUENCE_READS] == 0, error);
}

int
state_output_put(struct writer *out, const struct options *options,
                 const struct inputs *inputs, const struct snapshot *counts,
                 struct error *error)
{
    struct state_head head = {0};
    int result = make_head(&head, options, inputs, counts, error);

    if (result == 0)
        result = state_write(out, &head, counts, error);
    else if (error->status == EXIT_DONE)
        (void)error_fail_memory(error);
    state_head_close(&head);
    return result;
}
