/* SPDX-License-Identifier: MIT */
/*
 * scan_loop.h -- scan the records of a chunk, for the forms
 *
 * A form defines TARGET, INLINE, block (64 bytes), block_load(), block_match(),
 * block_either(), block_blanks(), block_opens(), block_quotes(), block_lows(),
 * block_brackets(), block_list(), LIST_BYTES, LIST_NEAR, text_likes(),
 * bit_count(), bit_first(), bit_nth(), bits_from_nth() and prefix_xor(), and
 * then includes this file.
 *
 * A batch of some kilobytes is looked at twice.  First, the ends of its records
 * are listed, without branches that depend on the data.  Then each record is
 * split; splitting does not wait for the record before, because the record's
 * start is known.  On the second look, the batch is still in the nearest cache.
 * Records of CSV are split by the masks of the first look: scan_csv.h.
 */

#ifndef GPUHIST_SCAN_LOOP_H
#define GPUHIST_SCAN_LOOP_H

#include "text/logfmt_loop.h"
#include "text/pattern_loop.h"
#include "text/scan_block.h"
#include "text/scan_csv.h"
#include "text/scan_fit.h"
#include "text/scan_marks.h"
#include "text/scan_parts.h"
#include "text/scan_quotes.h"
#include "text/scan_split.h"

/* The progress of a form. */
struct scan_progress {
    uint32_t start; /* of the next record */
    size_t records;
    size_t records_max;
    struct scan_ledger *ledger;
    struct text_slice *slice;
    struct fit_time time; /* of CLF: of a record before */
};

/* The only field of a record is RECORD. */
INLINE void
split_line(const struct scan *scan, struct text_span record,
           struct text_slice *out)
{
    for (size_t i = 0; i < scan->heads; i++)
        out[scan->head[i].column] = scan->head[i].number == 1
                                        ? slice_of(record.start, record.end)
                                        : slice_missing();
    for (size_t i = 0; i < scan->tails; i++)
        out[scan->tail[i].column] = scan->tail[i].number == 0
                                        ? slice_of(record.start, record.end)
                                        : slice_missing();
}

/* If only the field after SKIP fields is wanted. */
INLINE struct text_slice
split_one(const struct text_view *view, struct text_span record,
          unsigned char delimiter, uint32_t skip, const enum text_kind kind,
          const bool is_inner)
{
    if (kind == TEXT_LINES)
        return skip == 0 ? slice_of(record.start, record.end) : slice_missing();
    if (kind == TEXT_WHITESPACE)
        return whitespace_field(view, record.start, record.end, skip, is_inner);
    return delimited_field(view, record.start, record.end, delimiter, skip,
                           is_inner);
}

/* A record of CLF, as its fields are defined: whatever the record is. */
TARGET static __attribute__((noinline)) void
split_quotes(const struct scan *scan, const struct text_view *view,
             uint32_t start, uint32_t end, struct text_slice *out)
{
    quotes_split(scan, view, (struct text_span){start, end}, out, TEXT_CLF);
}

/* The same of a record that may be unusual.  Returns false if the record does
   not fit the format. */
TARGET static __attribute__((noinline)) bool
split_unusual(const struct scan *scan, const struct text_view *view,
              uint32_t start, uint32_t end, struct text_slice *out,
              struct scan_ledger *ledger)
{
    struct text_record record = {.start = start, .end = end};
    struct text_slice vhost;

    if (!scan_fits(view->data, &record, &vhost, ledger))
        return false;
    start = record.start;
    if (scan->part != NULL)
        out[SCAN_VHOST] = vhost;
    if (scan->tails > 0 ||
        !marks_split(scan, view, (struct text_span){start, end}, 0, out,
                     TEXT_CLF, false))
        split_quotes(scan, view, start, end, out);
    return true;
}

/* A record of CLF whose fields are numbered from the first one.  Returns
   whether it has a virtual host and is usual from its host on; else the fields
   in OUT are not set. */
TARGET static __attribute__((noinline)) bool
split_vhost(const struct scan *scan, const struct text_view *view,
            uint32_t start, uint32_t end, struct text_slice *out,
            struct fit_time *time)
{
    struct text_span line = {start, end};
    struct text_slice vhost;
    bool is_split;

    if (!fit_vhost(view, start, &vhost, &line.start) ||
        !fit_split(scan, view, &line, out, time, &is_split, false))
        return false;
    if (scan->part != NULL)
        out[SCAN_VHOST] = vhost;
    if (!is_split)
        split_quotes(scan, view, line.start, end, out);
    return true;
}

/* Returns false if the record does not fit the format; then OUT is not set.
   With parts, the virtual host in OUT is set only if there is one. */
INLINE bool
split_clf(const struct scan *scan, const struct text_view *view,
          struct text_span record, struct text_slice *out,
          struct fit_time *time, struct scan_ledger *ledger,
          const bool is_inner)
{
    bool is_safe =
        is_inner || view->size - record.end >= 2 * (uint32_t)BLOCK_BYTES;
    bool is_split;

    if (record.end > record.start && view->data[record.end - 1] == '\r')
        record.end--;
    if (scan->tails > 0 || !is_safe)
        return split_unusual(scan, view, record.start, record.end, out, ledger);
    if (!fit_split(scan, view, &record, out, time, &is_split, true))
        return split_vhost(scan, view, record.start, record.end, out, time) ||
               split_unusual(scan, view, record.start, record.end, out, ledger);
    if (!is_split)
        split_quotes(scan, view, record.start, record.end, out);
    return true;
}

/* As split_parts(), of any record. */
TARGET static __attribute__((noinline)) bool
split_parts_far(const struct scan *scan, const struct text_view *view,
                uint32_t start, uint32_t end, struct text_slice *out,
                struct fit_time *time, struct scan_ledger *ledger)
{
    struct text_slice whole[SCAN_PARTS_SLICES + 1]; /* and SCAN_VHOST */

    whole[SCAN_VHOST] = slice_missing();
    if (!split_clf(scan, view, (struct text_span){start, end}, whole, time,
                   ledger, false))
        return false;
    parts_find(scan, view, whole, out);
    return true;
}

/* Write the fields of RECORD of CLF whose parts are wanted to OUT, requests
   whole.  Returns false as split_clf() does. */
INLINE bool
split_parts(const struct scan *scan, const struct text_view *view,
            struct text_span record, struct text_slice *out,
            struct fit_time *time, struct scan_ledger *ledger,
            const bool is_inner)
{
    struct text_span usual = record;

    if (record.end > record.start && view->data[record.end - 1] == '\r')
        usual.end--;
    return (is_inner && scan->near_number > 0 &&
            parts_near(scan, view, usual, out, time)) ||
           split_parts_far(scan, view, record.start, record.end, out, time,
                           ledger);
}

/* Records of DELIMITED that are not worth registers of the loop. */
TARGET static __attribute__((noinline)) void
split_long(const struct scan *scan, const struct text_view *view,
           uint32_t start, uint32_t end, struct text_slice *out)
{
    (void)marks_split(scan, view, (struct text_span){start, end},
                      (unsigned char)scan->format.delimiter, out,
                      TEXT_DELIMITED, true);
}

TARGET static __attribute__((noinline)) void
split_other(const struct scan *scan, const struct text_view *view,
            uint32_t start, uint32_t end, struct text_slice *out)
{
    struct text_span record = {start, end};
    unsigned char delimiter = (unsigned char)scan->format.delimiter;

    (void)marks_split(scan, view, record, delimiter, out, TEXT_DELIMITED,
                      false);
    delimited_tails(scan, view, record, delimiter, out);
}

/* A record of WHITESPACE whose fields are far from each other, or missing. */
TARGET static __attribute__((noinline)) void
split_blanks(const struct scan *scan, const struct text_view *view,
             uint32_t start, uint32_t end, struct text_slice *out)
{
    struct text_span record = {start, end};

    (void)marks_split(scan, view, record, 0, out, TEXT_WHITESPACE, false);
    whitespace_tails(scan, view, record, out);
}

/*
 * A record of CLF does not fit.  Returns whether the record is counted: then
 * its slices in OUT are invalid.
 */
TARGET static __attribute__((noinline)) bool
take_misfit(const struct scan *scan, struct scan_ledger *ledger,
            struct text_slice *out)
{
    if (!scan->format.counts_invalid) {
        ledger->wrong = ledger->first;
        return false;
    }
    ledger->misfits++;
    for (size_t i = 0; i < scan->wanted; i++)
        out[i] = TEXT_SLICE_INVALID;
    return true;
}

/* If several fields are wanted; not of DELIMITED or CLF.  IS_PLAIN: the record
   is inner, and all fields are numbered from the first one. */
INLINE void
split_all(const struct scan *scan, const struct text_view *view,
          struct text_span record, struct text_slice *out,
          const enum text_kind kind, bool is_plain)
{
    if (kind == TEXT_LINES)
        split_line(scan, record, out);
    else if (!is_plain || !whitespace_near(scan->head, scan->head + scan->heads,
                                           view, record, out))
        split_blanks(scan, view, record.start, record.end, out);
}

typedef void split(const struct scan *scan, const struct text_view *view,
                   uint32_t start, uint32_t end, struct text_slice *out);

/*
 * Split the records whose ends are in BATCH, until RECORDS_MAX, where comments
 * count, too.  The loop reads locals, which the compiler knows not to be
 * changed by writing slices.
 */
INLINE void
scan_batch(const struct scan *scan, const struct text_view *view,
           const struct batch *batch, struct scan_progress *progress,
           const enum text_kind kind, const bool is_single,
           const bool has_parts, const bool is_inner)
{
    const unsigned char delimiter = (unsigned char)scan->format.delimiter;
    const int32_t comment = scan->format.comment;
    const bool is_long = scan->format.comment_more > 0;
    const uint32_t skip = is_single ? scan->head[0].skip : 0;
    const size_t wanted = is_single ? 1 : scan->wanted;
    const size_t left = progress->records_max - progress->records;
    const uint32_t count = batch->count < left ? batch->count : (uint32_t)left;
    const uint32_t *end = batch->at;
    const uint32_t *const last = end + count;
    /* Records other than short records with all fields go the long way. */
    const bool is_plain = is_inner && scan->tails == 0;
    const uint32_t short_bytes = is_plain ? SHORT_BYTES : 0;
    split *const split_far = is_plain ? split_long : split_other;
    const struct scan_field *const head = scan->head;
    const struct scan_field *const heads_end = head + scan->heads;
    const struct text_view local = *view;
    struct text_slice *out = progress->slice;
    struct fit_time time = progress->time;
    uint32_t start = progress->start;
    uint32_t comments = 0;

    for (; end < last; end++) {
        struct text_span record = {start, *end};
        start = record.end + 1;
        if (comment >= 0 && local.data[record.start] == comment &&
            (!is_long || fields_is_comment(&scan->format, local.data,
                                           local.size, record.start))) {
            comments++;
            continue;
        }
        if (is_single) {
            *out = split_one(&local, record, delimiter, skip, kind, is_inner);
        } else if (kind == TEXT_DELIMITED) {
            if (record.end - record.start >= short_bytes)
                split_far(scan, view, record.start, record.end, out);
            else if (!split_short(head, heads_end, &local, record, delimiter,
                                  out))
                split_other(scan, view, record.start, record.end, out);
        } else if (kind == TEXT_CLF) {
            if (!(has_parts ? split_parts
                            : split_clf)(scan, &local, record, out, &time,
                                         progress->ledger, is_inner) &&
                !take_misfit(scan, progress->ledger, out)) {
                start = record.start;
                break;
            }
        } else {
            split_all(scan, &local, record, out, kind, is_plain);
        }
        out += wanted;
    }
    progress->time = time;
    if (has_parts)
        parts_take_all(scan, view, progress->slice,
                       (size_t)(out - progress->slice) / wanted, is_inner);
    progress->slice = out;
    progress->records += (size_t)(end - batch->at) - comments;
    progress->ledger->comments += comments;
    progress->start = start;
}

/*
 * Each kind has a function of its own: a compiler does not have enough
 * registers for all kinds in one function.
 */
#define SCAN_KIND(name, kind, is_single, has_parts)                  \
    TARGET static void __attribute__((noinline))                     \
    name(const struct scan *scan, const struct text_view *view,      \
         const struct batch *batch, struct scan_progress *progress,  \
         bool is_inner)                                              \
    {                                                                \
        if (is_inner)                                                \
            scan_batch(scan, view, batch, progress, kind, is_single, \
                       has_parts, true);                             \
        else                                                         \
            scan_batch(scan, view, batch, progress, kind, is_single, \
                       has_parts, false);                            \
    }
SCAN_KIND(scan_line, TEXT_LINES, true, false)
SCAN_KIND(scan_lines, TEXT_LINES, false, false)
SCAN_KIND(scan_delimited_one, TEXT_DELIMITED, true, false)
SCAN_KIND(scan_delimited, TEXT_DELIMITED, false, false)
SCAN_KIND(scan_whitespace_one, TEXT_WHITESPACE, true, false)
SCAN_KIND(scan_whitespace, TEXT_WHITESPACE, false, false)
SCAN_KIND(scan_clf, TEXT_CLF, false, false)
SCAN_KIND(scan_clf_parts, TEXT_CLF, false, true)
#undef SCAN_KIND

/* As scan_clf_parts(), if scan->is_middle. */
TARGET static __attribute__((noinline)) void
scan_clf_middle(const struct scan *scan, const struct text_view *view,
                const struct batch *batch, struct scan_progress *progress,
                bool is_inner)
{
    struct parts_place places[BATCH_ENDS + BLOCK_BYTES];
    struct parts_place *place = places;
    const size_t left = progress->records_max - progress->records;
    const uint32_t count = batch->count < left ? batch->count : (uint32_t)left;
    const uint32_t *end = batch->at;
    const uint32_t *const last = end + count;
    const struct text_view local = *view;
    struct fit_time time = progress->time;
    uint32_t start = progress->start;

    if (!is_inner) {
        scan_clf_parts(scan, view, batch, progress, false);
        return;
    }
    for (; end < last; end++, place++) {
        struct text_span record = {start, *end};
        if (!parts_place(&local, record, place, &time)) {
            struct text_slice *out =
                progress->slice + (size_t)(place - places) * scan->wanted;
            place->quote = 0;
            if (split_parts_far(scan, view, start, record.end, out, &time,
                                progress->ledger))
                parts_take_all(scan, view, out, 1, true);
            else if (!take_misfit(scan, progress->ledger, out))
                break;
        }
        start = record.end + 1;
    }
    size_t records = (size_t)(place - places);
    parts_write(scan, view, places, records, progress->slice);
    progress->time = time;
    progress->slice += records * scan->wanted;
    progress->records += records;
    progress->start = start;
}

/* Lines of logfmt.  Lines of blanks are left out. */
INLINE void
logfmt_batch(const struct scan *scan, const struct text_view *view,
             const struct batch *batch, struct scan_progress *progress,
             const bool is_inner)
{
    const struct logfmt_keys keys = logfmt_keys_of(&scan->paths);
    const size_t left = progress->records_max - progress->records;
    const size_t count = batch->count < left ? batch->count : left;
    const struct text_view local = *view;
    struct text_slice *out = progress->slice;
    uint32_t start = progress->start;

    for (size_t i = 0; i < count; i++) {
        struct text_span record = {start, batch->at[i]};
        start = record.end + 1;
        if (record.start == record.end)
            continue;
        if (local.data[record.start] == scan->format.comment) {
            progress->ledger->comments++;
        } else if (logfmt_split(&scan->paths, &keys, &local, record, out,
                                is_inner)) {
            out += scan->wanted;
            progress->records++;
        }
    }
    progress->slice = out;
    progress->start = start;
}

TARGET static __attribute__((noinline)) void
scan_logfmt(const struct scan *scan, const struct text_view *view,
            const struct batch *batch, struct scan_progress *progress,
            bool is_inner)
{
    if (is_inner)
        logfmt_batch(scan, view, batch, progress, true);
    else
        logfmt_batch(scan, view, batch, progress, false);
}

/* Lines of a log, by a pattern. */
INLINE void
pattern_batch(const struct scan *scan, const struct text_view *view,
              const struct batch *batch, struct scan_progress *progress,
              const bool is_inner)
{
    const int32_t comment = scan->format.comment;
    const size_t left = progress->records_max - progress->records;
    const size_t count = batch->count < left ? batch->count : left;
    const struct text_view local = *view;
    struct text_slice *out = progress->slice;
    uint32_t start = progress->start;

    for (size_t i = 0; i < count; i++) {
        struct text_span line = {start, batch->at[i]};
        if (line.end > line.start && local.data[line.end - 1] == '\r')
            line.end--;
        if (line.end > line.start && local.data[line.start] == comment &&
            fields_is_comment(&scan->format, local.data, local.size,
                              line.start)) {
            progress->ledger->comments++;
        } else {
            if (!(is_inner && pattern_split(scan, &local, line, out)) &&
                !pattern_line_read(scan, local.data, line.start, line.end, out,
                                   progress->ledger))
                break;
            out += scan->wanted;
            progress->records++;
        }
        start = batch->at[i] + 1;
    }
    progress->slice = out;
    progress->start = start;
}

TARGET static __attribute__((noinline)) void
scan_pattern(const struct scan *scan, const struct text_view *view,
             const struct batch *batch, struct scan_progress *progress,
             bool is_inner)
{
    if (is_inner)
        pattern_batch(scan, view, batch, progress, true);
    else
        pattern_batch(scan, view, batch, progress, false);
}

typedef void batch_scan(const struct scan *scan, const struct text_view *view,
                        const struct batch *batch,
                        struct scan_progress *progress, bool is_inner);

/* find_ends() where ends are far from each other: in a function of its own,
   which leaves the loop over short records as it is. */
TARGET static __attribute__((noinline)) void
find_far_ends(const struct text_view *view, struct batch *batch, size_t most,
              unsigned char end)
{
    find_ends(view, batch, most, end, true);
}

TARGET static void
scan_batches(const struct scan *scan, const struct text_view *view,
             struct scan_progress *progress, batch_scan *run)
{
    struct batch batch;
    bool are_far = false;

    batch.scanned = progress->start;
    while (progress->records < progress->records_max &&
           progress->start < view->size &&
           progress->ledger->wrong.reason == NULL) {
        const size_t left = progress->records_max - progress->records;
        const unsigned char end = (unsigned char)scan->format.end;
        const uint32_t start = batch.scanned;
        if (are_far)
            find_far_ends(view, &batch, left, end);
        else
            find_ends(view, &batch, left, end, false);
        are_far = batch.scanned - start >= batch.count * FAR_BYTES;
        run(scan, view, &batch, progress,
            view->size - batch.scanned >= 2 * BLOCK_BYTES);
        /* Comments may leave room for records whose ends are not used yet. */
        if (progress->start <= batch.at[batch.count - 1])
            batch.scanned = progress->start;
    }
    if (progress->start > view->size)
        progress->start = view->size;
}

/* ---- CSV ---- */

/* Split the records of BATCH, of which the first one is at progress->start.
   Returns 0 if no slice starts with a quote. */
INLINE uint64_t
csv_records(const struct scan *scan, const struct text_view *view,
            const struct csv_batch *batch, struct scan_progress *progress,
            const bool has_quotes)
{
    const bool skips_blank = scan->format.skips_blank != 0;
    const uint32_t *end = batch->at;
    const uint32_t *const last = end + batch->count;
    const size_t most = progress->records_max;
    const struct text_view local = *view;
    struct text_slice *out = progress->slice;
    size_t records = progress->records;
    uint32_t start = progress->start;
    uint64_t quotes = scan->tails;

    if (batch->is_listed && batch->count > 0) {
        size_t left = most - records;
        size_t even =
            csv_even(scan, view, batch,
                     batch->count < left ? batch->count : left, out, &quotes);
        if (even > 0)
            start = end[even - 1] + 1;
        end += even;
        records += even;
        out += even * scan->wanted;
    }
    for (; end < last && records < most; start = *end++ + 1) {
        if (skips_blank && local.data[start] <= '\r' &&
            fields_csv_is_blank(&scan->format, local.data, local.size, start)) {
            progress->ledger->comments++;
            continue;
        }
        if (scan->tails > 0)
            csv_tails(scan, view, start, *end, out);
        else
            quotes |= has_quotes ? csv_rest(scan, &local, batch, scan->head,
                                            start, *end, true, out)
                                 : csv_record_bare(scan, &local, batch, start,
                                                   *end, out);
        out += scan->wanted;
        records++;
    }
    progress->start = start;
    progress->records = records;
    progress->slice = out;
    return quotes;
}

/* In functions of their own, so that the second has no trace of quotes. */

TARGET static __attribute__((noinline)) uint64_t
csv_records_quoted(const struct scan *scan, const struct text_view *view,
                   const struct csv_batch *batch,
                   struct scan_progress *progress)
{
    return csv_records(scan, view, batch, progress, true);
}

TARGET static __attribute__((noinline)) uint64_t
csv_records_bare(const struct scan *scan, const struct text_view *view,
                 const struct csv_batch *batch, struct scan_progress *progress)
{
    return csv_records(scan, view, batch, progress, false);
}

/* The end of the comment, or of the blank record, at START; START is returned
   if a record is there. */
INLINE uint32_t
csv_skip(const struct scan *scan, const struct text_view *view, uint32_t start)
{
    const struct text_format *format = &scan->format;
    const unsigned char end = (unsigned char)format->end;

    if (format->comment >= 0 && view->data[start] == format->comment &&
        fields_is_comment(format, view->data, view->size, start))
        return lower_of(find_either(view, start, view->size, end, end, false),
                        view->size - 1) +
               1;
    if (format->skips_blank && view->data[start] <= '\r' &&
        fields_csv_is_blank(format, view->data, view->size, start))
        return lower_of(start + (view->data[start] == '\r'), view->size - 1) +
               1;
    return start;
}

TARGET static void
scan_csv(const struct scan *scan, const struct text_view *view,
         struct scan_progress *progress)
{
    struct csv_batch batch;
    bool is_odd = false;  /* the masks are not right for the next record */
    bool is_long = false; /* the record before was too long for a batch */
    uint64_t quotes = 0;

    batch.is_listed = scan->tails == 0;
    while (progress->records < progress->records_max &&
           progress->start < view->size) {
        uint32_t start = csv_skip(scan, view, progress->start);
        if (start != progress->start) {
            progress->ledger->comments++;
            progress->start = start;
            is_odd = false;
            continue;
        }
        if (!is_odd && !is_long) {
            csv_find(&batch, &scan->format, view, start,
                     progress->records_max - progress->records);
            quotes |= (batch.has_quotes
                           ? csv_records_quoted
                           : csv_records_bare)(scan, view, &batch, progress);
            is_odd = batch.is_cut;
            batch.is_listed = csv_is_dense(scan, &batch);
            if (batch.count > 0)
                continue;
        }
        uint32_t end = csv_alone(scan, view, start, is_odd, progress->slice);
        quotes = 1;
        progress->slice += scan->wanted;
        progress->records++;
        progress->start = end < view->size ? end + 1 : end;
        is_odd = false;
        is_long = end - start >= BATCH_BYTES;
    }
    progress->ledger->are_plain = quotes == 0;
}

/* ---- WORDS ---- */

/* A word is found. */
INLINE void
add_word(const struct scan *scan, const struct text_view *view,
         struct scan_progress *progress, struct text_span word)
{
    progress->start = word.end < view->size ? word.end + 1 : word.end;
    if (fields_is_comment(&scan->format, view->data, view->size, word.start)) {
        progress->ledger->comments++;
        return;
    }
    split_line(scan, word, progress->slice);
    progress->slice += scan->wanted;
    progress->records++;
}

/* In the order of the data, words start and end in turns. */
TARGET static void
scan_words(const struct scan *scan, const struct text_view *view,
           struct scan_progress *progress)
{
    const unsigned char end = (unsigned char)scan->format.end;
    uint32_t base = progress->start;
    uint64_t before = 1; /* whether the byte before the block is blank */
    struct text_span word = {0, 0}; /* if not, its start is known */

    while (progress->records < progress->records_max && base < view->size) {
        uint32_t at[BLOCK_BYTES + STORE_MORE];
        block x = load(view, base, false);
        uint64_t blank = block_blanks(x) | block_match(x, end) |
                         ~bits_below(view->size - base);
        uint32_t count = store_bits(at, base, blank ^ (blank << 1 | before));
        /* Only the end of the data ends a word at the end of the block. */
        bool is_last = view->size - base <= BLOCK_BYTES;
        if (is_last && blank >> 63 == 0)
            at[count++] = view->size;
        uint32_t i = 0;
        if (before == 0 && count > 0) {
            word.end = at[i++];
            add_word(scan, view, progress, word);
        }
        for (; i < count; i += 2) {
            word.start = at[i];
            if (i + 1 == count || progress->records == progress->records_max)
                break;
            word.end = at[i + 1];
            add_word(scan, view, progress, word);
        }
        before = blank >> 63;
        base = is_last ? view->size : base + BLOCK_BYTES;
    }
    if (progress->records < progress->records_max)
        progress->start = view->size;
}

INLINE size_t
scan_loop(const struct scan *scan, const unsigned char *data, size_t size,
          size_t *done, struct text_slice *slice, size_t records_max,
          struct scan_ledger *ledger)
{
    struct text_view view = {data, (uint32_t)size};
    struct scan_progress progress = {
        .start = (uint32_t)*done,
        .records_max = records_max,
        .ledger = ledger,
        .slice = slice,
        .time = FIT_NO_TIME,
    };
    bool is_single = scan->heads == 1 && scan->tails == 0;

    switch (scan->format.kind) {
    case TEXT_LINES:
        scan_batches(scan, &view, &progress,
                     is_single ? scan_line : scan_lines);
        break;
    case TEXT_DELIMITED:
        scan_batches(scan, &view, &progress,
                     is_single ? scan_delimited_one : scan_delimited);
        break;
    case TEXT_WHITESPACE:
        scan_batches(scan, &view, &progress,
                     is_single ? scan_whitespace_one : scan_whitespace);
        break;
    case TEXT_CLF:
        scan_batches(scan, &view, &progress,
                     scan->part == NULL ? scan_clf
                     : scan->is_middle  ? scan_clf_middle
                                        : scan_clf_parts);
        break;
    case TEXT_LOGFMT:
        scan_batches(scan, &view, &progress, scan_logfmt);
        break;
    case TEXT_PATTERN:
        scan_batches(scan, &view, &progress, scan_pattern);
        break;
    case TEXT_CSV:
        scan_csv(scan, &view, &progress);
        break;
    case TEXT_WORDS:
        scan_words(scan, &view, &progress);
        break;
    }
    *done = progress.start;
    return progress.records;
}

#endif
