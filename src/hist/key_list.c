/* key_list.c -- the keys of an axis, in order */

#include "hist/key_list.h"
#include "base/scratch_file.h"

struct key_list
key_list_of(const struct key_order *order)
{
    return (struct key_list){
        .entry = &order->place->entry,
        .step = sizeof *order->place / sizeof order->place->entry,
        .count = order->keys,
    };
}

void
key_list_forget(const struct key_list *list, uint64_t first, uint64_t count)
{
    if (!list->is_mapped || count == 0)
        return;
    const unsigned char *begin = list->entry[first];
    const unsigned char *end = list->entry[first + count - 1];
    end += key_entry_bytes(end);
    scratch_file_forget(list->entry[0], begin, (uint64_t)(end - begin));
    scratch_file_forget(list->entry, &list->entry[first],
                        count * sizeof(unsigned char *));
}
