/*
 * scan_parts.h -- parts of the fields of CLF, for the forms of a scan
 *
 * Of a request that is shorter than a block and has a protocol, one look finds
 * the spaces and the question mark. clf.h finds all other parts.
 */

#ifndef GPUHIST_SCAN_PARTS_H
#define GPUHIST_SCAN_PARTS_H

#include "kernels/text/clf.h"
#include "text/scan_block.h"

TARGET static __attribute__((noinline)) struct text_slice
parts_other(const struct text_view *view, struct text_slice request,
            uint32_t part)
{
    return clf_request(view->data, request, part);
}

/* PART, which is not of a time, of REQUEST, which may be missing. */
INLINE struct text_slice
parts_request(const struct text_view *view, struct text_slice request,
              uint32_t part, const bool is_inner)
{
    if (!is_inner || request.size < 5 || request.size >= BLOCK_BYTES)
        return parts_other(view, request, part);

    block x = load(view, request.at, is_inner);
    uint64_t spaces = block_match(x, ' ') & bits_below(request.size);
    uint32_t method = bit_first(spaces);
    uint32_t protocol = BLOCK_BYTES - (uint32_t)__builtin_clzll(spaces | 1);

    /* Neither the method nor the target is empty, so a space is twice there. */
    if (spaces == 0 || method == 0 || protocol - method < 3 ||
        request.size - protocol < 5 ||
        memcmp(view->data + request.at + protocol, "HTTP/", 5) != 0)
        return parts_other(view, request, part);

    uint32_t target = method + 1;
    uint32_t stop = protocol - 1; /* of the target */
    uint64_t mark = block_match(x, '?') & ~bits_below(target);
    uint32_t path = lower_of(bit_first(mark), stop); /* its end */
    if (mark == 0)
        path = stop;
    switch (part) {
    case TEXT_PART_METHOD:
        return (struct text_slice){request.at, method};
    case TEXT_PART_PROTOCOL:
        return (struct text_slice){request.at + protocol,
                                   request.size - protocol};
    case TEXT_PART_TARGET:
        return (struct text_slice){request.at + target, stop - target};
    case TEXT_PART_PATH:
        return (struct text_slice){request.at + target, path - target};
    default:
        if (path == stop)
            return slice_missing();
        return (struct text_slice){request.at + path + 1, stop - path - 1};
    }
}

/* Write the wanted parts of a record that fits; WHOLE are the slices of its
   fields. */
INLINE void
parts_find(const struct scan *scan, const struct text_view *view,
           const struct text_slice *whole, struct text_slice *out,
           const bool is_inner)
{
    const unsigned char *data = view->data;
    const struct scan_part *part = scan->part;
    const struct scan_part *const end = part + scan->wanted;

    for (; part < end; part++) {
        struct text_slice slice = whole[part->column];
        if (part->part == TEXT_PART_ALL || clf_is_of_time(part->part)) {
            *out++ = slice;
        } else if (part->part < TEXT_PART_COMBINED) {
            *out++ = parts_request(view, slice, part->part, is_inner);
        } else if (clf_is_combined(data, whole[scan->bytes_column],
                                   whole[scan->referer_column])) {
            *out++ = slice;
        } else {
            *out++ = part->part == TEXT_PART_COMBINED ? slice_missing()
                                                      : whole[part->common];
        }
    }
}

#endif
