/* SPDX-License-Identifier: MIT */
/* ranges.c -- the ranges of a plain file, which readers claim one by one */

#include <stdlib.h>
#include <string.h>

#include "input/read/block_ranges.h"
#include "input/read/long_record.h"
#include "input/read/ranges.h"

/* Chunks; a smaller file does not gain from a second reader. */
#define SHARED_CHUNKS_MIN 2

/* Files under /sys report the size of a page (up to 64 KiB) but hold less.
   This is not a truncation, so files below this size are not read in ranges. */
#define SHARED_BYTES_MIN (128 << 10)

/* The length of ranges that may end anywhere.  While a long range is read, the
   readers of later ranges wait. */
#define AWAITED_BYTES ((size_t)512 << 10)
#define AWAITED_BYTES_MIN (AWAITED_BYTES / 8)

/* How many of a range's last bytes are looked at for its end. */
#define LOOK_BYTES 4096

/*
 * How far ahead of the readers the kernel is advised to read, and in which
 * steps: the disk must not idle while the readers count.
 */
#define ANNOUNCED_AHEAD ((off_t)32 << 20)
#define ANNOUNCED_STEP ((off_t)8 << 20)

bool
ranges_are_worth(const struct inputs *inputs, const struct input *input,
                 size_t capacity)
{
    off_t size = input->ranges_end - input->content.source.first;

    /* A deferred record may be counted after later records of the file, but
       snapshots are of the first records. */
    if (inputs->reading.first_records > 0 ||
        snapshot_gate_awaits_end(inputs->gate) ||
        (inputs->gate != NULL && framing_needs_order(&inputs->framing)))
        return false;
    return input->walk == NULL && content_has_ranges(&input->content) &&
           size >= SHARED_BYTES_MIN &&
           size >= (off_t)capacity * SHARED_CHUNKS_MIN;
}

void
ranges_share(struct inputs *inputs, struct input *input)
{
    input->is_shared = true;
    source_start_ranges(&input->content.source);
    range_order_start(&input->order, &inputs->framing, inputs->record_max,
                      input->next_range, false);
    claim_list_add(&inputs->shared, input);
}

/*
 * Advise the kernel to read the next bytes of a shared INPUT.  Under the lock,
 * which is released meanwhile.
 */
static void
announce(struct inputs *inputs, struct input *input)
{
    off_t from = input->announced;
    off_t left = input->ranges_end - input->next_range;
    off_t until =
        input->next_range + (left < ANNOUNCED_AHEAD ? left : ANNOUNCED_AHEAD);

    /* For the kernel a size of 0 is the whole file, beyond --read-bytes. */
    if (until == from ||
        (until < input->ranges_end && until - from < ANNOUNCED_STEP))
        return;
    input->announced = until;
    pthread_mutex_unlock(&inputs->lock);
    source_announce(&input->content.source, from, until - from);
    pthread_mutex_lock(&inputs->lock);
}

/*
 * Returns how many of the SIZE bytes at the next range of INPUT come before the
 * last end of a record, with the end; 0: no end.  Under the lock, because the
 * next range starts there: a look at the last bytes takes microseconds of the
 * time for reading the range.
 */
static size_t
find_last_end(const struct inputs *inputs, const struct input *input,
              size_t size)
{
    const struct source *source = &input->content.source;
    unsigned char bytes[LOOK_BYTES];

    for (size_t left = size; left > 0;) {
        size_t count = left < sizeof bytes ? left : sizeof bytes;
        left -= count;
        count = source_look_at(source, bytes, count,
                               input->next_range + (off_t)left);
        size_t end = framing_last_end(&inputs->framing, bytes, count);
        if (end > 0)
            return left + end;
    }
    return 0;
}

/*
 * As find_last_end(), for records that may be cut anywhere: returns where a
 * record seems to start in the last bytes, or else SIZE, if a byte follows.
 * Sets *IS_FOLLOWED: a byte that may start a record follows.
 */
static size_t
find_last_start(const struct inputs *inputs, const struct input *input,
                size_t size, bool *is_followed)
{
    unsigned char bytes[LOOK_BYTES];
    size_t count = size < sizeof bytes ? size : sizeof bytes - 1;
    size_t left = size - count;
    size_t got = source_look_at(&input->content.source, bytes, count + 1,
                                input->next_range + (off_t)left);
    size_t at = framing_guess_last(&inputs->framing, bytes, got);

    *is_followed = at > 0;
    return at > 0 ? left + at : size;
}

/* Returns the offset in INPUT's content of byte OFFSET of its ranges. */
static off_t
content_offset(const struct input *input, off_t offset)
{
    if (input->order.keeps_tails)
        return offset;
    return offset - input->content.source.first +
           (off_t)input->content.first_at;
}

/*
 * The record of INPUT at START, after RECORDS of sequences, is too long for a
 * buffer of CAPACITY bytes.  DATA has its first bytes, or is NULL.  Under the
 * lock.
 */
static void
fail_long(struct inputs *inputs, struct input *input, off_t start,
          uint64_t records, const unsigned char *data, size_t capacity)
{
    struct error failure = ERROR_NONE;

    framing_fail_long(&inputs->framing, input->content.source.display_name,
                      (uint64_t)content_offset(input, start), records, data,
                      capacity, &failure);
    claim_record_failure(inputs, input, start, &failure);
}

/* CLAIM needs a buffer of WANTED bytes; 0: an empty buffer. */
static bool
ask_for_room(struct claim *claim, size_t wanted)
{
    claim->reader->has_more = true;
    claim->reader->wanted = wanted;
    return false;
}

/*
 * Returns how many bytes the next range of INPUT has, ROOM at most; 0: no
 * record ends in so many.  Sets *IS_FOLLOWED as find_last_start() does.
 */
static size_t
find_size(const struct inputs *inputs, const struct input *input, size_t room,
          bool *is_followed)
{
    off_t left = input->ranges_end - input->next_range;
    bool is_anywhere = framing_cuts_anywhere(&inputs->framing);
    size_t most = is_anywhere && room > AWAITED_BYTES ? AWAITED_BYTES : room;

    *is_followed = false;
    if (left <= (off_t)most)
        return (size_t)left;
    if (is_anywhere)
        return find_last_start(inputs, input, most, is_followed);
    return framing_has_ends(&inputs->framing)
               ? find_last_end(inputs, input, most)
               : most;
}

/* Let CLAIM have the next SIZE bytes of INPUT. */
static void
take(struct inputs *inputs, struct claim *claim, struct input *input,
     size_t size, bool is_followed)
{
    off_t start = input->next_range;
    off_t end = start + (off_t)size;

    identity_note_content(&input->identity);
    input->next_range = end;
    if (end == input->ranges_end)
        claim_stop_sharing(inputs, input);
    input->readers++;
    if (framing_needs_order(&inputs->framing))
        range_order_add(&input->order, &claim->range, start, end, is_followed);
    else
        claim->range = (struct range){.start = start, .end = end};
    claim->range.is_last = end == input->ranges_end;
    claim_start_series(inputs, claim, input,
                       (uint64_t)(start - input->content.source.first));
    announce(inputs, input);
}

bool
ranges_claim(struct inputs *inputs, struct claim *claim, struct input *input,
             size_t room, size_t capacity)
{
    size_t preface = framing_preface_bytes(&inputs->framing);
    bool is_followed;

    if (capacity <= preface)
        return ask_for_room(claim, 2 * preface);
    capacity -= preface;
    room = room > preface ? room - preface : 0;
    if (wrong_record_ends(input->wrong)) {
        claim_give_up(inputs, input);
        return false;
    }
    if (input->order.edge.open == RANGE_LOST) {
        claim_stop_sharing(inputs, input);
        return false;
    }
    if (input->walk != NULL) {
        if (!block_ranges_claim(inputs, claim, input, room))
            return false;
        input->holders++;
        announce(inputs, input);
        return true;
    }
    /* Ranges that may end anywhere should not be short. */
    if (framing_cuts_anywhere(&inputs->framing) && room < capacity &&
        room < AWAITED_BYTES_MIN)
        return ask_for_room(claim, 0);
    size_t size = find_size(inputs, input, room, &is_followed);
    if (size == 0) {
        /* The record may fit into an empty buffer, or else a longer one. */
        if (room < capacity)
            return ask_for_room(claim, 0);
        if (capacity < inputs->record_max)
            return ask_for_room(claim, capacity + 1);
        if (!framing_needs_order(&inputs->framing)) {
            fail_long(inputs, input, input->next_range, 0, NULL, capacity);
            return false;
        }
        /* The record that is too long may have started before. */
        size = room;
    }
    input->holders++;
    take(inputs, claim, input, size, is_followed);
    return true;
}

/* The reader of CLAIM, a range of INPUT that starts at START, has finished it.
 */
static void
leave(struct inputs *inputs, struct claim *claim, struct input *input,
      off_t start, struct error *failure)
{
    pthread_mutex_lock(&inputs->lock);
    claim_end_series(claim, input);
    claim_record_failure(inputs, input, start, failure);
    claim_close_if_done(inputs, input);
    pthread_mutex_unlock(&inputs->lock);
}

/*
 * The range of CLAIM is the last one of INPUT: go on in sequence at OFFSET.
 * The next record to deliver starts at START, after RECORDS of sequences.
 * Returns 0, or -1 with the source's error set.
 */
static int
go_on(const struct inputs *inputs, struct claim *claim, struct input *input,
      off_t offset, off_t start, uint64_t records)
{
    struct content *content = &input->content;

    if (content_seek(content, offset) < 0)
        return -1;
    claim_start_sequence(inputs, claim, input, start - content->source.first,
                         records);
    return 0;
}

/* As ranges_read(), for records whose ends are known, to DATA. */
static size_t
read_range(struct inputs *inputs, struct claim *claim, struct input *input,
           unsigned char *data)
{
    const struct range *range = &claim->range;
    struct error failure = ERROR_NONE;
    size_t size = (size_t)(range->end - range->start);

    int got = source_read_at(&input->content.source, data, size, range->start,
                             &failure);
    /* fill.c cuts, and sums, the bytes read in sequence. */
    if (got == 0 && range->end == input->ranges_end &&
        go_on(inputs, claim, input, range->end, range->start, 0) == 0)
        return size;
    if (got == 0)
        series_claim_extend(&claim->series, data, size);
    leave(inputs, claim, input, range->start, &failure);
    return got == 0 ? size : 0;
}

/* ---- records that depend on all earlier bytes ---- */

/* Wait until RANGE is known; meanwhile, cut it as if its guess were right.  Its
   bytes are at DATA, or DATA is NULL. */
static void
await_known(struct inputs *inputs, struct input *input, struct range *range,
            const unsigned char *data)
{
    pthread_mutex_lock(&inputs->lock);
    if (!range->is_known && data != NULL) {
        pthread_mutex_unlock(&inputs->lock);
        bool has_guess = range_guess(&input->order, range, data);
        pthread_mutex_lock(&inputs->lock);
        if (has_guess)
            range_order_guess(&input->order, range);
    }
    pthread_mutex_unlock(&inputs->lock);
    if (range_await_awake(range))
        return;
    pthread_mutex_lock(&inputs->lock);
    range_await(range, &inputs->lock);
    pthread_mutex_unlock(&inputs->lock);
}

/* EDGE is the edge after RANGE, which is known. */
static void
settle(struct inputs *inputs, struct input *input, struct range *range,
       const struct range_edge *edge)
{
    pthread_mutex_lock(&inputs->lock);
    range_order_settle(&input->order, range, edge);
    pthread_mutex_unlock(&inputs->lock);
}

/* As read_range(), for the last range.  A record that goes on in the range is
   read in sequence from its start. */
static size_t
read_last(struct inputs *inputs, struct claim *claim, struct input *input)
{
    const struct source *source = &input->content.source;
    const struct range *range = &claim->range;
    const struct range_edge *before = &range->before;
    struct error failure = ERROR_NONE;

    if (input->walk != NULL) {
        block_ranges_go_on(inputs, claim, input);
        return 0;
    }
    /* The progress counts these bytes again. */
    if (before->state.is_open)
        progress_add(source->progress, -(uint64_t)(range->end - before->open));
    if (go_on(inputs, claim, input,
              before->state.is_open ? before->open : range->end, before->open,
              before->state.records) < 0)
        leave(inputs, claim, input, range->start, &failure);
    return before->state.is_open ? 0 : (size_t)(range->end - range->start);
}

/* The range of CLAIM, at DATA, has the end of a record that began in an earlier
   range: make it the deferred record.  Sets *FAILURE if out of memory. */
static void
note_deferred(struct claim *claim, struct input *input,
              const unsigned char *data, struct error *failure)
{
    struct range_edge *before = &claim->range.before;
    size_t deferred = claim->range.cut.deferred;
    unsigned char *bytes = NULL;

    if (input->order.keeps_tails) {
        bytes = realloc(before->tail, before->tail_bytes + deferred);
        if (bytes == NULL) {
            error_set(failure, EXIT_DATA, "%s: out of memory",
                      input->content.source.display_name);
            return;
        }
        memcpy(bytes + before->tail_bytes, data, deferred);
        before->tail = NULL;
    }
    claim->deferred = (struct deferred_record){
        .input = input,
        .start = before->open,
        .end = claim->range.start + (off_t)deferred,
        .records = before->state.records,
    };
    claim->deferred.bytes = bytes;
}

/*
 * A record of the range of CLAIM, at DATA, is longer than any buffer and goes
 * on.  The range cannot be read again: if the record need not be whole, go on
 * with the record in sequence.  Returns whether the reader goes on, or *FAILURE
 * is set.
 */
static bool
start_long(struct inputs *inputs, struct claim *claim, struct input *input,
           const unsigned char *data, struct error *failure)
{
    const struct range *range = &claim->range;
    const struct range_edge *before = &range->before;
    off_t start = range->cut.too_long;
    bool is_before = start < range->start;
    size_t first = is_before ? 0 : (size_t)(start - range->start);
    size_t own = (size_t)(range->end - range->start) - first;
    size_t tail = is_before ? before->tail_bytes : 0;

    if (!inputs->framing.has_long || input->walk == NULL ||
        range->cut.has_deferred)
        return false;
    unsigned char *all = malloc(tail + own);
    if (all == NULL) {
        error_set(failure, EXIT_DATA, "%s: out of memory",
                  input->content.source.display_name);
        return true;
    }
    if (tail > 0)
        memcpy(all, before->tail, tail);
    memcpy(all + tail, data + first, own);
    claim->at = start;
    claim->records = start == before->open ? before->state.records
                                           : range->cut.after.state.records;
    int started = long_record_open(claim, input->content.source.display_name,
                                   all, tail + own, failure);
    if (started > 0) {
        block_ranges_go_on_long(inputs, claim, input, all);
        return true;
    }
    claim->long_bytes = 0;
    free(all);
    return started < 0;
}

/* The range of CLAIM, at DATA, is cut: move its records to the front.  Returns
   their number of bytes. */
static size_t
take_records(struct inputs *inputs, struct claim *claim, struct input *input,
             unsigned char *data)
{
    const struct range *range = &claim->range;
    const struct range_cut *cut = &range->cut;
    struct error failure = ERROR_NONE;

    if (cut->too_long != RANGE_LOST &&
        start_long(inputs, claim, input, data, &failure)) {
        if (failure.status != EXIT_DONE)
            leave(inputs, claim, input, range->start, &failure);
        return 0;
    }
    if (cut->too_long != RANGE_LOST) {
        /* The message shows the record's first bytes, which need a longer
           buffer. */
        claim->deferred = (struct deferred_record){
            .input = input,
            .start = cut->too_long,
            .end = cut->too_long + (off_t)inputs->record_max + 1,
            .records = cut->too_long == range->before.open
                           ? range->before.state.records
                           : cut->after.state.records,
        };
        return 0;
    }
    if (cut->broken != RANGE_LOST)
        framing_fail_broken(input->content.source.display_name,
                            (uint64_t)content_offset(input, cut->broken),
                            &failure);
    if (cut->has_no_memory)
        error_set(&failure, EXIT_DATA, "%s: out of memory",
                  input->content.source.display_name);
    if (cut->has_deferred)
        note_deferred(claim, input, data, &failure);
    if (claim->deferred.input == NULL) {
        leave(inputs, claim, input, range->start, &failure);
        return cut->whole;
    }
    pthread_mutex_lock(&inputs->lock);
    claim_record_failure(inputs, input, range->start, &failure);
    pthread_mutex_unlock(&inputs->lock);
    size_t deferred = cut->deferred;
    claim->range.start += (off_t)deferred;
    memmove(data, data + deferred, cut->whole - deferred);
    return cut->whole - deferred;
}

/* Read the range of CLAIM to DATA.  Returns 0, or -1. */
static int
fetch(struct claim *claim, const struct input *input, unsigned char *data,
      struct error *failure)
{
    const struct range *range = &claim->range;

    if (input->walk == NULL)
        return source_read_at(&input->content.source, data,
                              (size_t)(range->end - range->start), range->start,
                              failure);
    return block_ranges_read(claim, data, failure);
}

/* As read_range(), for records that depend on all bytes before. */
static size_t
read_ordered(struct inputs *inputs, struct claim *claim, struct input *input,
             unsigned char *data)
{
    static const struct range_edge lost = {.open = RANGE_LOST};
    struct range *range = &claim->range;
    struct error failure = ERROR_NONE;
    size_t size = (size_t)(range->end - range->start);

    int got = fetch(claim, input, data, &failure);
    await_known(inputs, input, range,
                got == 0 && !range->is_last ? data : NULL);
    if (range->before.open == RANGE_LOST) {
        if (input->order.keeps_tails)
            content_close(&claim->part); /* of the last range */
        leave(inputs, claim, input, range->start, &failure);
        return 0;
    }
    if (got < 0 || range->is_last) {
        settle(inputs, input, range, &lost);
        if (got == 0)
            return read_last(inputs, claim, input);
        leave(inputs, claim, input, range->start, &failure);
        free(range->before.tail);
        return 0;
    }
    if (!range->is_cut) {
        range->cut =
            range_cut_make(&inputs->framing, inputs->record_max, &range->before,
                           range->start, data, size, range->is_followed);
        if (input->order.keeps_tails)
            range_cut_keep_tail(&range->cut, &range->before, data, size);
        settle(inputs, input, range, &range->cut.after);
    }
    size_t taken = take_records(inputs, claim, input, data);
    free(range->before.tail);
    return taken;
}

/* Returns how many sequences end before the data of RANGE, which start after
   the deferred record, if any. */
static uint64_t
records_before(const struct range *range)
{
    const struct framing_state *before = &range->before.state;

    return before->records + (range->cut.has_deferred &&
                              sequence_cut_is_in_record(&before->sequence));
}

/* The reader of a range no longer holds INPUT, which may be done meanwhile. */
static void
release(struct inputs *inputs, struct input *input)
{
    pthread_mutex_lock(&inputs->lock);
    input->holders--;
    if (input->members != NULL)
        pthread_cond_broadcast(&inputs->changed);
    claim_drop_input(inputs, input);
    pthread_mutex_unlock(&inputs->lock);
}

size_t
ranges_read(struct inputs *inputs, struct claim *claim, struct input *input,
            unsigned char *buffer, size_t at)
{
    size_t preface = framing_preface_bytes(&inputs->framing);
    size_t room = claim->range.has_room ? preface : 0;
    const struct framing_state *before = &claim->range.before.state;
    unsigned char *data = buffer + at + room;
    size_t size = framing_needs_order(&inputs->framing)
                      ? read_ordered(inputs, claim, input, data)
                      : read_range(inputs, claim, input, data);

    content_note_line_ends(&input->content, data, size);
    if (size > 0 && before->is_piece && room == 0)
        memmove(data + preface, data, size);
    if (size > 0 && (before->is_piece || room > 0))
        preface = claim_put_preface(inputs, claim, before, buffer + at);
    else
        preface = 0;
    claim_note_origin(claim, input, at + preface, preface,
                      claim->input != NULL
                          ? claim->at
                          : content_offset(input, claim->range.start),
                      records_before(&claim->range));
    release(inputs, input);
    return preface + size;
}

/* The deferred record of CLAIM is longer than any buffer, but need not be in
   one: read it, and everything after it, in sequence. */
static void
read_long(struct inputs *inputs, struct claim *claim)
{
    const struct deferred_record deferred = claim->deferred;
    struct input *input = deferred.input;

    pthread_mutex_lock(&inputs->lock);
    claim_stop_sharing(inputs, input);
    /* The progress counts these bytes again. */
    progress_add(input->content.source.progress,
                 -(uint64_t)(input->next_range - deferred.start));
    pthread_mutex_unlock(&inputs->lock);
    claim->deferred = (struct deferred_record){0};
    if (go_on(inputs, claim, input, deferred.start, deferred.start,
              deferred.records) == 0)
        return;
    struct error failure = ERROR_NONE;
    leave(inputs, claim, input, deferred.start, &failure);
}

/* The deferred record of CLAIM is a long record: put it to BUFFER.  Returns its
   size there; 0: it must stay whole, or *FAILURE is set. */
static size_t
put_long(struct claim *claim, unsigned char *buffer, size_t size,
         struct error *failure)
{
    const struct deferred_record *deferred = &claim->deferred;

    claim->at = content_offset(deferred->input, deferred->start);
    claim->records = deferred->records;
    if (long_record_open(claim, deferred->input->content.source.display_name,
                         deferred->bytes, size, failure) <= 0) {
        claim->long_bytes = 0;
        return 0;
    }
    memcpy(buffer, deferred->bytes, claim->long_head);
    long_record_end(claim);
    /* The chunk has nothing else. */
    claim->reader->has_more = true;
    return claim->long_head;
}

size_t
ranges_read_deferred(struct inputs *inputs, struct claim *claim,
                     unsigned char *buffer, size_t at, size_t capacity)
{
    const struct deferred_record deferred = claim->deferred;
    struct error failure = ERROR_NONE;
    size_t size = (size_t)(deferred.end - deferred.start);
    bool is_too_long = size > inputs->record_max;

    if (is_too_long && inputs->framing.has_long &&
        deferred.input->walk == NULL) {
        claim->reader->has_more = false;
        read_long(inputs, claim);
        return 0;
    }
    bool is_long =
        is_too_long && inputs->framing.has_long && deferred.bytes != NULL;
    if (is_long && at > 0)
        return ask_for_room(claim, 0);
    if (is_too_long && !is_long)
        size = inputs->record_max;
    claim->reader->has_more = !is_long && size > capacity - at;
    if (claim->reader->has_more) {
        claim->reader->wanted = size;
        return 0;
    }
    int got = 0;
    if (is_long) {
        size = put_long(claim, buffer, size, &failure);
        is_too_long = size == 0 && failure.status == EXIT_DONE;
    } else if (deferred.bytes != NULL)
        memcpy(buffer + at, deferred.bytes, size);
    else if (deferred.input->walk == NULL)
        got = source_read_again(&deferred.input->content.source, buffer + at,
                                size, deferred.start, &failure);
    free(deferred.bytes);
    content_note_line_ends(&deferred.input->content, buffer + at,
                           got == 0 ? size : 0);
    claim_note_origin(claim, deferred.input, at, 0,
                      content_offset(deferred.input, deferred.start),
                      deferred.records);
    pthread_mutex_lock(&inputs->lock);
    if (got == 0 && is_too_long)
        fail_long(inputs, deferred.input, deferred.start, deferred.records,
                  size > 0 ? buffer + at : NULL, inputs->record_max);
    claim_record_failure(inputs, deferred.input, deferred.start, &failure);
    claim_close_if_done(inputs, deferred.input);
    pthread_mutex_unlock(&inputs->lock);
    claim->deferred = (struct deferred_record){0};
    return got == 0 && !is_too_long ? size : 0;
}
