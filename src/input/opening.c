/* opening.c -- open an input and read what is before its first record */

#include "input/opening.h"
#include "input/npy_start.h"
#include "input/text_start.h"

/*
 * Read the start of INPUT, which is text, and set *HEADER, which the caller
 * closes.  Returns 0, or -1 with the error of its source set.
 */
static int
read_start(struct inputs *inputs, struct input *input,
           struct text_header *header)
{
    struct content *content = &input->content;

    if (text_start_read(content, &inputs->reading, header) < 0 ||
        text_start_compare(content, &inputs->reading, header) < 0)
        return -1;
    /* A snapshot must not be taken in between. */
    snapshot_gate_enter(inputs->gate);
    atomic_fetch_add(&inputs->start_bytes, content->start_bytes);
    atomic_fetch_add(&inputs->start_comments, content->start_comments);
    snapshot_gate_leave(inputs->gate, content->start_bytes);
    return 0;
}

int
opening_read_names(struct inputs *inputs, struct text_header *header)
{
    *header = (struct text_header){0};
    for (size_t i = 0; i < inputs->count; i++) {
        struct input *input = &inputs->input[i];
        struct content *content = &input->content;
        struct decoder *no_spare = NULL;

        if (input->is_exhausted)
            continue;
        if (content_open(content, &inputs->reading, inputs->budget, &no_spare) <
                0 ||
            read_start(inputs, input, header) < 0)
            return -1;
        input->is_open = content->has_header;
        if (input->is_open) {
            header->input = content->source.display_name;
            inputs->reading.header = header;
            return 0;
        }
        /* The next decoder may need the memory of this one. */
        input->is_exhausted = true;
        content_close(content);
    }
    return 0;
}

int
opening_open(struct inputs *inputs, struct input *input, struct decoder **spare)
{
    const struct image_format *wanted = &inputs->reading.format;
    struct content *content = &input->content;
    struct image_format format;

    if (input->is_open)
        return 0;
    if (content_open(content, &inputs->reading, inputs->budget, spare) < 0)
        return -1;
    if (inputs->reading.text != NULL) {
        struct text_header header;
        int result = read_start(inputs, input, &header);
        text_header_close(&header);
        return result;
    }
    if (inputs->reading.is_npy) {
        int result = npy_start_check(content, inputs->reading.npy);
        atomic_fetch_add(&inputs->start_bytes, content->start_bytes);
        return result;
    }
    if (!inputs->reading.is_image)
        return 0;
    if (content_read_header(content, &format) < 0)
        return -1;
    if (format.channels == wanted->channels && format.maxval == wanted->maxval)
        return 0;
    error_set(&content->source.error, EXIT_DATA,
              "%s: has %u channel%s and maxval %u, but the first image has %u "
              "and %u",
              content->source.display_name, format.channels,
              format.channels == 1 ? "" : "s", format.maxval, wanted->channels,
              wanted->maxval);
    return -1;
}

int
opening_read_header(struct inputs *inputs, struct npy_header *npy)
{
    *npy = (struct npy_header){0};
    for (size_t i = 0; i < inputs->count; i++) {
        struct input *input = &inputs->input[i];
        struct content *content = &input->content;
        struct decoder *no_spare = NULL;

        if (input->is_exhausted)
            continue;
        npy_header_close(npy);
        input->is_open =
            content_open(content, &inputs->reading, inputs->budget,
                         &no_spare) == 0 &&
            (inputs->reading.is_npy
                 ? npy_start_read(content, npy)
                 : content_read_header(content, &inputs->reading.format)) == 0;
        if (i == 0 && input->is_open) {
            npy->input = content->source.display_name;
            inputs->reading.npy = npy;
            atomic_fetch_add(&inputs->start_bytes, content->start_bytes);
            return 0;
        }
        content_close(content);
    }
    return -1;
}
