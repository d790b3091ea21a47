/* looks.c -- what inputs look like, for warnings */

#include "input/looks.h"
#include "input/member_input.h"

size_t
looks_count_misnamed(const struct inputs *inputs, const char **first,
                     const char **seems)
{
    size_t count = 0;

    for (size_t i = inputs->count; i-- > 0;) {
        const struct input *input = &inputs->input[i];
        if (input->content.seems != NULL) {
            *first = input->content.source.display_name;
            *seems = input->content.seems;
            count++;
        }
        if (input->notes.misnamed.count > 0)
            *seems = input->notes.seems;
        count += member_input_count(input, &input->notes.misnamed, first);
    }
    return count;
}
