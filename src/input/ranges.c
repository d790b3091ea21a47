/* ranges.c -- the ranges of a plain file, which readers claim one by one */

#include <string.h>

#include "input/ranges.h"

/* Chunks; a smaller file does not gain from a second reader. */
#define SHARED_CHUNKS_MIN 2

/*
 * Files under /sys report the size of a page (up to 64 KiB) but hold less.
 * That is not a truncation, so files this small are not read in ranges.
 */
#define SHARED_BYTES_MIN (128 << 10)

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

    /* A late record may come after the records that follow it in the file;
       snapshots are of the first records. */
    if (snapshot_gate_awaits_end(inputs->gate) ||
        (inputs->gate != NULL && framing_has_quotes(&inputs->framing)))
        return false;
    return content_has_ranges(&input->content) && size >= SHARED_BYTES_MIN &&
           size >= (off_t)capacity * SHARED_CHUNKS_MIN;
}

void
ranges_share(struct inputs *inputs, struct input *input)
{
    input->is_shared = true;
    source_begin_ranges(&input->content.source);
    range_order_begin(&input->order, input->next_range);
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
 * Returns how many of the SIZE bytes at the next range of INPUT there are up to
 * the last end; 0: there is none.  Under the lock, because the next range
 * starts there: a look at the last bytes takes microseconds of the time for
 * reading the range.
 */
static size_t
find_last_end(const struct inputs *inputs, const struct input *input,
              size_t size)
{
    const struct source *source = &input->content.source;
    unsigned char bytes[4096];

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

/* Returns the offset in INPUT's content of byte OFFSET of the file. */
static off_t
content_offset(const struct input *input, off_t offset)
{
    return offset - input->content.source.first +
           (off_t)input->content.start_bytes;
}

/*
 * The record of INPUT at BEGIN is too long for a buffer of CAPACITY bytes.  It
 * starts with those at DATA, or this is NULL.  Under the lock.
 */
static void
fail_long(struct inputs *inputs, struct input *input, off_t begin,
          const unsigned char *data, size_t capacity)
{
    struct error failure = ERROR_NONE;

    framing_fail_long(&inputs->framing, input->content.source.display_name,
                      (uint64_t)content_offset(input, begin), data, capacity,
                      &failure);
    claim_record_failure(inputs, input, begin, &failure);
}

bool
ranges_claim(struct inputs *inputs, struct claim *claim, struct input *input,
             size_t room, size_t capacity)
{
    off_t begin = input->next_range;
    off_t left = input->ranges_end - begin;
    size_t size = left < (off_t)room ? (size_t)left : room;

    if (input->order.open == RANGE_LOST) {
        claim_stop_sharing(inputs, input);
        return false;
    }
    if (framing_has_ends(&inputs->framing) && left > (off_t)room)
        size = find_last_end(inputs, input, room);
    if (size == 0 && (room < capacity || capacity < inputs->record_max)) {
        /* The record may fit into an empty buffer, or else a longer one. */
        claim->has_more = true;
        claim->wanted = room < capacity ? 0 : capacity + 1;
        return false;
    }
    if (size == 0 && !framing_has_quotes(&inputs->framing)) {
        fail_long(inputs, input, begin, NULL, capacity);
        return false;
    }
    /* With quotes, the record that is too long may have begun before. */
    if (size == 0)
        size = room;
    input->next_range += (off_t)size;
    if (input->next_range == input->ranges_end)
        claim_stop_sharing(inputs, input);
    input->readers++;
    if (framing_has_quotes(&inputs->framing))
        range_order_add(&input->order, &claim->range, begin, input->next_range);
    else
        claim->range = (struct range){.begin = begin, .end = input->next_range};
    announce(inputs, input);
    return true;
}

/* The reader of a range of INPUT has finished it. */
static void
leave(struct inputs *inputs, struct input *input, off_t begin,
      struct error *failure)
{
    pthread_mutex_lock(&inputs->lock);
    claim_record_failure(inputs, input, begin, failure);
    claim_close_if_done(inputs, input);
    pthread_mutex_unlock(&inputs->lock);
}

/*
 * The range of CLAIM is the last one of INPUT: go on in sequence at OFFSET.
 * The next record to deliver begins at BEGIN.  Returns 0, or -1 with the
 * source's error set.
 */
static int
go_on(const struct inputs *inputs, struct claim *claim, struct input *input,
      off_t offset, off_t begin)
{
    struct content *content = &input->content;

    if (content_seek(content, offset) < 0)
        return -1;
    claim_begin_sequence(inputs, claim, input, begin - content->source.first);
    return 0;
}

/* As ranges_read(), for records without quotes, to DATA. */
static size_t
read_range(struct inputs *inputs, struct claim *claim, struct input *input,
           unsigned char *data)
{
    const struct range *range = &claim->range;
    struct error failure = ERROR_NONE;
    size_t size = (size_t)(range->end - range->begin);

    int got = source_read_at(&input->content.source, data, size, range->begin,
                             &failure);
    if (got < 0 || range->end < input->ranges_end ||
        go_on(inputs, claim, input, range->end, range->begin) < 0)
        leave(inputs, input, range->begin, &failure);
    return got == 0 ? size : 0;
}

/* ---- records with quotes ---- */

/* Where a range is cut. */
struct cut {
    size_t first;   /* bytes of the late record */
    size_t whole;   /* ... and of all records that end in the range */
    off_t open;     /* of the next range */
    off_t too_long; /* the begin of a record that is too long; or RANGE_LOST,
                       and OPEN is this otherwise */
};

/* Cut RANGE, whose bytes are at DATA, where the record at OPEN goes on. */
static struct cut
cut_range(const struct inputs *inputs, const struct range *range, off_t open,
          const unsigned char *data)
{
    const struct framing *framing = &inputs->framing;
    const off_t most = (off_t)inputs->record_max;
    size_t size = (size_t)(range->end - range->begin);
    struct cut cut = {.too_long = RANGE_LOST};

    if (open == range->begin) {
        cut.whole = framing_whole(framing, data, size);
    } else {
        cut.whole = framing_whole_inside(framing, data, size);
        cut.first = framing_first_inside(framing, data, cut.whole);
    }
    cut.open = cut.whole > 0 ? range->begin + (off_t)cut.whole : open;
    if (cut.first > 0 && range->begin + (off_t)cut.first - open > most)
        cut.too_long = open;
    else if (cut.open < range->end && range->end - cut.open >= most)
        cut.too_long = cut.open;
    if (cut.too_long != RANGE_LOST)
        cut.open = RANGE_LOST;
    return cut;
}

/*
 * Wait until the range of CLAIM is known; meanwhile, cut it as if a record
 * began there.  Its bytes are at DATA, or this is NULL.  Returns whether *CUT
 * is set to where it is cut, and is passed on.
 */
static bool
await_known(struct inputs *inputs, struct input *input, struct range *range,
            const unsigned char *data, struct cut *cut)
{
    pthread_mutex_lock(&inputs->lock);
    if (!range->is_known && data != NULL) {
        pthread_mutex_unlock(&inputs->lock);
        *cut = cut_range(inputs, range, range->begin, data);
        pthread_mutex_lock(&inputs->lock);
        if (range_order_guess(&input->order, range, cut->open))
            pthread_cond_broadcast(&inputs->known);
    }
    while (!range->is_known)
        pthread_cond_wait(&inputs->known, &inputs->lock);
    pthread_mutex_unlock(&inputs->lock);
    return range->is_guessed && range->open == range->begin;
}

/* OPEN is that of the range after RANGE, which is known. */
static void
settle(struct inputs *inputs, struct input *input, struct range *range,
       off_t open)
{
    pthread_mutex_lock(&inputs->lock);
    if (range_order_settle(&input->order, range, open))
        pthread_cond_broadcast(&inputs->known);
    pthread_mutex_unlock(&inputs->lock);
}

/*
 * As read_range(), for the last range of records with quotes.  If a record goes
 * on there, it is read in sequence from its begin on.
 */
static size_t
read_last(struct inputs *inputs, struct claim *claim, struct input *input)
{
    const struct source *source = &input->content.source;
    const struct range *range = &claim->range;
    struct error failure = ERROR_NONE;
    bool is_inside = range->open < range->begin;

    /* The progress counts these bytes again. */
    if (is_inside)
        progress_add(source->progress, -(uint64_t)(range->end - range->open));
    if (go_on(inputs, claim, input, is_inside ? range->open : range->end,
              range->open) < 0)
        leave(inputs, input, range->begin, &failure);
    return is_inside ? 0 : (size_t)(range->end - range->begin);
}

/* As read_range(), for records with quotes. */
static size_t
read_quoted(struct inputs *inputs, struct claim *claim, struct input *input,
            unsigned char *data)
{
    struct range *range = &claim->range;
    struct error failure = ERROR_NONE;
    size_t size = (size_t)(range->end - range->begin);
    bool is_last = range->end == input->ranges_end;
    struct cut cut = {.too_long = RANGE_LOST};

    int got = source_read_at(&input->content.source, data, size, range->begin,
                             &failure);
    bool is_cut = await_known(inputs, input, range,
                              got == 0 && !is_last ? data : NULL, &cut);
    if (range->open == RANGE_LOST) {
        leave(inputs, input, range->begin, &failure);
        return 0;
    }
    if (got < 0 || is_last) {
        settle(inputs, input, range, RANGE_LOST);
        if (got == 0)
            return read_last(inputs, claim, input);
        leave(inputs, input, range->begin, &failure);
        return 0;
    }
    if (!is_cut) {
        cut = cut_range(inputs, range, range->open, data);
        settle(inputs, input, range, cut.open);
    }
    if (cut.too_long != RANGE_LOST) {
        /* The message needs its first bytes, and they a longer buffer. */
        claim->late = (struct late_record){
            input, cut.too_long, cut.too_long + (off_t)inputs->record_max + 1};
        return 0;
    }
    if (cut.first == 0) {
        leave(inputs, input, range->begin, &failure);
        return cut.whole;
    }
    claim->late = (struct late_record){input, range->open,
                                       range->begin + (off_t)cut.first};
    claim->range.begin += (off_t)cut.first;
    memmove(data, data + cut.first, cut.whole - cut.first);
    return cut.whole - cut.first;
}

size_t
ranges_read(struct inputs *inputs, struct claim *claim, struct input *input,
            unsigned char *buffer, size_t at)
{
    size_t size = framing_has_quotes(&inputs->framing)
                      ? read_quoted(inputs, claim, input, buffer + at)
                      : read_range(inputs, claim, input, buffer + at);

    claim_note_origin(claim, input, at,
                      claim->input != NULL
                          ? claim->at
                          : content_offset(input, claim->range.begin));
    return size;
}

size_t
ranges_read_late(struct inputs *inputs, struct claim *claim,
                 unsigned char *buffer, size_t at, size_t capacity)
{
    const struct late_record late = claim->late;
    struct error failure = ERROR_NONE;
    size_t size = (size_t)(late.end - late.begin);
    bool is_too_long = size > inputs->record_max;

    if (is_too_long)
        size = inputs->record_max;
    claim->has_more = size > capacity - at;
    if (claim->has_more) {
        claim->wanted = size;
        return 0;
    }
    int got = source_read_again(&late.input->content.source, buffer + at, size,
                                late.begin, &failure);
    claim_note_origin(claim, late.input, at,
                      content_offset(late.input, late.begin));
    pthread_mutex_lock(&inputs->lock);
    if (got == 0 && is_too_long)
        fail_long(inputs, late.input, late.begin, buffer + at, size);
    claim_record_failure(inputs, late.input, late.begin, &failure);
    claim_close_if_done(inputs, late.input);
    pthread_mutex_unlock(&inputs->lock);
    claim->late = (struct late_record){0};
    return got == 0 && !is_too_long ? size : 0;
}
