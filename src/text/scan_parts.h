/* SPDX-License-Identifier: MIT */
/*
 * scan_parts.h -- parts of the fields of CLF, for the forms of a scan
 *
 * First the fields of a batch are found whose parts are wanted: slices of a
 * usual record stay in registers.  Then parts replace the requests.  A loop
 * that does both has too few registers.  Of a request that ends with a
 * protocol, one look finds the method and, as a rule, the question mark.  clf.h
 * finds all other parts.
 */

#ifndef GPUHIST_SCAN_PARTS_H
#define GPUHIST_SCAN_PARTS_H

#include "kernels/text/clf.h"
#include "kernels/text/hash.h"
#include "text/scan_block.h"
#include "text/scan_fit.h"

TARGET static __attribute__((noinline)) struct text_slice
parts_other(const struct text_view *view, struct text_slice request,
            uint32_t part)
{
    return clf_request(view->data, request, part);
}

/* The bytes of " HTTP/1.1" and " HTTP/2". */
#define PARTS_PROTOCOL_MAX 9
#define PARTS_PROTOCOL_MIN 7

/* The bytes of the usual protocol, with the blank before it, at the end of a
   request of at least PARTS_PROTOCOL_MAX bytes that ends at END; 0: another
   one. */
INLINE uint32_t
parts_protocol(const struct text_view *view, uint32_t end)
{
    const uint64_t digit = 3; /* bits in which "0" to "3" differ */
    uint64_t word = hash_load(view->data + end - 8);
    uint64_t two = word ^ FIT_WORD('H', 'T', 'T', 'P', '/', '0', '.', '0');
    uint64_t one = word ^ FIT_WORD(0, ' ', 'H', 'T', 'T', 'P', '/', '0');

    if ((two & ~(digit << 40 | digit << 56)) == 0 &&
        view->data[end - PARTS_PROTOCOL_MAX] == ' ')
        return PARTS_PROTOCOL_MAX;
    return (one & ~(UINT64_C(0xff) | digit << 56)) == 0 ? PARTS_PROTOCOL_MIN
                                                        : 0;
}

/* As parts_request(), of the REQUEST whose protocol is known to have PROTOCOL
   bytes, with the blank before it. */
INLINE struct text_slice
parts_known(const struct text_view *view, struct text_slice request,
            uint32_t part, uint32_t protocol, const bool is_inner)
{
    uint32_t end = request.at + request.size;
    uint32_t stop = end - protocol;
    block x = load(view, request.at, is_inner);
    uint64_t blank = block_match(x, ' ');
    uint32_t method = bit_first(blank);
    uint32_t target = request.at + method + 1;

    if (method - 1 >= BLOCK_BYTES - 1 || target >= stop)
        return parts_other(view, request, part);
    if (part == TEXT_PART_METHOD)
        return (struct text_slice){request.at, method};
    if (part == TEXT_PART_PROTOCOL)
        return slice_of(stop + 1, end);
    if (part == TEXT_PART_TARGET)
        return slice_of(target, stop);

    uint64_t mark = block_match(x, '?') & ~(blank ^ (blank - 1));
    uint32_t path = request.at + bit_first(mark);
    if (stop - request.at > BLOCK_BYTES && mark == 0)
        path = find_either(view, path, stop, '?', '?', is_inner);
    path = lower_of(path, stop);
    if (part == TEXT_PART_PATH)
        return slice_of(target, path);
    return path == stop ? slice_missing() : slice_of(path + 1, stop);
}

/* PART, which is not of a time, of REQUEST, which may be missing. */
INLINE struct text_slice
parts_request(const struct text_view *view, struct text_slice request,
              uint32_t part, const bool is_inner)
{
    uint32_t end = request.at + request.size;

    if (!is_inner || request.size <= PARTS_PROTOCOL_MAX)
        return parts_other(view, request, part);
    uint32_t protocol = parts_protocol(view, end);
    if (protocol == 0)
        return parts_other(view, request, part);
    return parts_known(view, request, part, protocol, is_inner);
}

/*
 * Set *SLICE to the field in quotes after a blank at *AT, and move *AT past it.
 * Without a field, the slice is missing.  Returns false if the rest of the
 * record, up to END, is something else.
 */
INLINE bool
parts_quoted(const struct text_view *view, uint32_t *at, uint32_t end,
             struct text_slice *slice)
{
    *slice = slice_missing();
    if (*at == end)
        return true;
    if (end - *at < 3 || view->data[*at] != ' ' || view->data[*at + 1] != '"')
        return false;
    uint32_t stop = fit_quote(view, *at + 2, end);
    if (stop >= end || view->data[stop] != '"')
        return false;
    *slice = slice_of(*at + 2, stop);
    *at = stop + 1;
    return true;
}

/*
 * Write the wanted fields of RECORD, without its carriage return, whole, if the
 * record is usual and fits.  Returns whether they are written.
 */
INLINE bool
parts_near(const struct scan *scan, const struct text_view *view,
           struct text_span record, struct text_slice *out,
           struct fit_time *time)
{
    const struct scan_part *part = scan->part;
    const struct scan_part *const end = part + scan->wanted;
    struct text_slice referer = slice_missing();
    struct text_slice agent = slice_missing();
    struct fit fit;

    if (!fit_find(view, record, &fit, time, true, false))
        return false;
    if (scan->near_number > CLF_BYTES) {
        uint32_t at = fit.quote + FIT_STATUS_BYTES + fit.bytes;
        if (!parts_quoted(view, &at, record.end, &referer) ||
            (scan->near_number == CLF_AGENT &&
             !parts_quoted(view, &at, record.end, &agent)))
            return false;
    }
    for (; part < end; part++) {
        struct text_slice slice;
        if (part->number == 0)
            slice = fit.vhost.size > 0 ? fit.vhost : slice_missing();
        else if (part->number == CLF_REFERER)
            slice = referer;
        else if (part->number == CLF_AGENT)
            slice = agent;
        else
            slice = fit_field(&fit, record.start, part->number);
        *out++ = slice;
    }
    return true;
}

/* The same for any record that fits; WHOLE are the slices of its fields. */
INLINE void
parts_find(const struct scan *scan, const struct text_view *view,
           const struct text_slice *whole, struct text_slice *out)
{
    const unsigned char *data = view->data;
    const struct scan_part *part = scan->part;
    const struct scan_part *const end = part + scan->wanted;

    for (; part < end; part++) {
        struct text_slice slice = whole[part->column];
        if (part->part < TEXT_PART_COMBINED) {
            *out++ = slice;
        } else if (clf_is_combined(data, whole[scan->bytes_column],
                                   whole[scan->referer_column])) {
            *out++ = slice;
        } else {
            *out++ = part->part == TEXT_PART_COMBINED ? slice_missing()
                                                      : whole[part->common];
        }
    }
}

/* Put PART of a request in the place of the request in each of RECORDS, whose
   slices are at SLICE. */
INLINE void
parts_take(const struct scan *scan, const struct text_view *view,
           struct text_slice *slice, size_t records, const uint32_t part,
           const bool is_inner)
{
    const size_t wanted = scan->wanted;
    const struct text_view local = *view;

    for (size_t r = 0; r < records; r++, slice += wanted) {
        if (slice->at != TEXT_SLICE_MISSING)
            *slice = parts_request(&local, *slice, part, is_inner);
    }
}

/* As parts_take(), for all wanted parts of requests. */
TARGET static __attribute__((noinline)) void
parts_take_all(const struct scan *scan, const struct text_view *view,
               struct text_slice *slice, size_t records, bool is_inner)
{
    for (size_t i = 0; i < scan->wanted; i++, slice++) {
        uint32_t part = scan->part[i].part;
        if (part < TEXT_PART_METHOD || part > TEXT_PART_PROTOCOL)
            continue;
        if (!is_inner)
            parts_take(scan, view, slice, records, part, false);
        else if (part == TEXT_PART_PATH)
            parts_take(scan, view, slice, records, TEXT_PART_PATH, true);
        else
            parts_take(scan, view, slice, records, part, true);
    }
}

/* ---- parts of fields from the time to the bytes alone ---- */

/* Where a record has these fields. */
struct parts_place {
    uint32_t time;
    uint32_t quote; /* 0: the record is not usual, its slices are written */
    uint32_t bytes;
    uint32_t http; /* the bytes of the usual protocol; or 0 */
};

/* Set *PLACE to that of RECORD, with its carriage return.  Returns whether it
   is a usual record that fits. */
INLINE bool
parts_place(const struct text_view *view, struct text_span record,
            struct parts_place *place, struct fit_time *time)
{
    struct fit fit;

    if (!fit_find(view, record, &fit, time, true, true))
        return false;
    *place = (struct parts_place){
        .time = fit.time,
        .quote = fit.quote,
        .bytes = fit.bytes,
        .http = fit.has_http ? FIT_HTTP_BYTES : 0,
    };
    return true;
}

/* Write PART of the requests of all PLACES to SLICE and each WANTED slices. */
INLINE void
parts_requests(const struct text_view *view, const struct parts_place *place,
               size_t places, struct text_slice *slice, size_t wanted,
               const uint32_t part)
{
    const struct parts_place *const end = place + places;
    const struct text_view local = *view;

    for (; place < end; place++, slice += wanted) {
        struct text_slice request =
            slice_of(place->time + FIT_TIME_BYTES, place->quote);
        if (place->quote == 0)
            continue;
        if (place->http != 0)
            *slice = parts_known(&local, request, part, FIT_HTTP_BYTES, true);
        else
            *slice = parts_request(&local, request, part, true);
    }
}

/* Write field NUMBER of all PLACES. */
INLINE void
parts_fields(const struct parts_place *place, size_t places,
             struct text_slice *slice, size_t wanted, const uint32_t number)
{
    const struct parts_place *const end = place + places;

    for (; place < end; place++, slice += wanted) {
        struct fit fit = {
            .time = place->time,
            .quote = place->quote,
            .bytes = place->bytes,
        };
        if (place->quote != 0)
            *slice = fit_field(&fit, 0, number);
    }
}

TARGET static __attribute__((noinline)) void
parts_write(const struct scan *scan, const struct text_view *view,
            const struct parts_place *place, size_t places,
            struct text_slice *slice)
{
    const size_t wanted = scan->wanted;

    for (size_t i = 0; i < wanted; i++, slice++) {
        uint32_t part = scan->part[i].part;
        uint32_t number = scan->part[i].number;
        if (part == TEXT_PART_PATH)
            parts_requests(view, place, places, slice, wanted, TEXT_PART_PATH);
        else if (part >= TEXT_PART_METHOD && part <= TEXT_PART_PROTOCOL)
            parts_requests(view, place, places, slice, wanted, part);
        else if (number == CLF_TIME)
            parts_fields(place, places, slice, wanted, CLF_TIME);
        else if (number == CLF_REQUEST)
            parts_fields(place, places, slice, wanted, CLF_REQUEST);
        else if (number == CLF_STATUS)
            parts_fields(place, places, slice, wanted, CLF_STATUS);
        else
            parts_fields(place, places, slice, wanted, CLF_BYTES);
    }
}

#endif
