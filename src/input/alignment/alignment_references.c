/* SPDX-License-Identifier: MIT */
/* alignment_references.c -- the references in the header of BAM or SAM */

#include <stdlib.h>
#include <string.h>

#include "base/visible.h"
#include "input/alignment/alignment_references.h"

/* Make room for one more reference, with a name of SIZE bytes.  Returns 0, or
   -1: out of memory. */
static int
make_room(struct alignment_references *references, size_t size)
{
    const size_t end =
        references->count > 0 ? references->name_start[references->count] : 0;
    size_t wanted = 64;

    if (references->count + 1 >= references->room) {
        size_t room = references->room > 0 ? 2 * references->room : wanted;
        size_t *start = realloc(references->name_start, room * sizeof *start);
        if (start == NULL)
            return -1;
        references->name_start = start;
        uint32_t *length = realloc(references->length, room * sizeof *length);
        if (length == NULL)
            return -1;
        references->length = length;
        references->room = room;
    }
    /* Also the start of a first name without bytes is in NAME. */
    if (references->name != NULL && end + size <= references->name_room)
        return 0;
    while (wanted < end + size)
        wanted *= 2;
    unsigned char *name = realloc(references->name, wanted);
    if (name == NULL)
        return -1;
    references->name = name;
    references->name_room = wanted;
    return 0;
}

enum alignment_bytes
alignment_references_add(struct alignment_references *references,
                         struct alignment_input *input, uint64_t start,
                         const unsigned char *name, size_t size,
                         uint32_t length)
{
    const size_t number = references->count;
    const size_t end = number > 0 ? references->name_start[number] : 0;
    char shown[VISIBLE_BYTE_BYTES];

    for (size_t i = 0; i < size; i++) {
        if (name[i] <= ' ' || name[i] == 0x7f)
            return alignment_input_fail(
                input, start, "reference %zu has %s in its name", number + 1,
                visible_byte(shown, name[i]));
    }
    if (size > input->bytes_max || end > input->bytes_max - size)
        return alignment_input_fail_long(input, start);
    if (make_room(references, size) < 0)
        return alignment_input_fail(input, start, "out of memory");
    if (size > 0)
        memcpy(references->name + end, name, size);
    references->name_start[number] = end;
    references->name_start[number + 1] = end + size;
    references->length[number] = length;
    references->count++;
    return ALIGNMENT_THERE;
}

struct alignment_reference
alignment_references_at(const struct alignment_references *references,
                        int64_t number)
{
    if (number < 0)
        return ALIGNMENT_NO_REFERENCE;
    const size_t *start = &references->name_start[number];
    return (struct alignment_reference){
        .name = references->name + start[0],
        .size = start[1] - start[0],
        .number = number,
        .length = references->length[number],
    };
}

/* Returns below, equal to or above 0, as the SIZE bytes at NAME are before,
   equal to or after the name of REFERENCE. */
static int
compare(const unsigned char *name, size_t size,
        const struct alignment_reference *reference)
{
    const size_t common = size < reference->size ? size : reference->size;
    const int result = common > 0 ? memcmp(name, reference->name, common) : 0;

    return result != 0 ? result
                       : (size > reference->size) - (size < reference->size);
}

/* Make the COUNT numbers at SORTED a heap from AT on: no name is before those
   of the two children. */
static void
sift(const struct alignment_references *references, size_t *sorted, size_t at,
     size_t count)
{
    const size_t moved = sorted[at];
    const struct alignment_reference reference =
        alignment_references_at(references, (int64_t)moved);

    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        struct alignment_reference other =
            alignment_references_at(references, (int64_t)sorted[child]);
        if (child + 1 < count) {
            struct alignment_reference next =
                alignment_references_at(references, (int64_t)sorted[child + 1]);
            if (compare(next.name, next.size, &other) > 0) {
                other = next;
                child++;
            }
        }
        if (compare(other.name, other.size, &reference) <= 0)
            break;
        sorted[at] = sorted[child];
    }
    sorted[at] = moved;
}

int
alignment_references_sort(struct alignment_references *references,
                          int64_t *repeated)
{
    const size_t count = references->count;
    size_t *sorted = malloc((count + 1) * sizeof *sorted);

    if (sorted == NULL)
        return -1;
    for (size_t i = 0; i < count; i++)
        sorted[i] = i;
    for (size_t i = count / 2; i > 0; i--)
        sift(references, sorted, i - 1, count);
    for (size_t last = count; last > 1; last--) {
        const size_t first = sorted[0];
        sorted[0] = sorted[last - 1];
        sorted[last - 1] = first;
        sift(references, sorted, 0, last - 1);
    }
    references->sorted = sorted;
    *repeated = -1;
    for (size_t i = 1; i < count && *repeated < 0; i++) {
        struct alignment_reference one =
            alignment_references_at(references, (int64_t)sorted[i - 1]);
        struct alignment_reference other =
            alignment_references_at(references, (int64_t)sorted[i]);
        if (compare(one.name, one.size, &other) == 0)
            *repeated = other.number;
    }
    return 0;
}

int64_t
alignment_references_find(struct alignment_references *references,
                          const unsigned char *name, size_t size)
{
    size_t low = 0;
    size_t high = references->count;

    /* Records are mostly sorted by reference. */
    for (size_t at = references->found; low < high;
         at = low + (high - low) / 2) {
        const int64_t here = (int64_t)references->sorted[at];
        const struct alignment_reference reference =
            alignment_references_at(references, here);
        const int order = compare(name, size, &reference);
        if (order == 0) {
            references->found = at;
            return here;
        }
        if (order < 0)
            high = at;
        else
            low = at + 1;
    }
    return -1;
}

void
alignment_references_close(struct alignment_references *references)
{
    free(references->name);
    free(references->name_start);
    free(references->length);
    free(references->sorted);
    *references = (struct alignment_references){0};
}
