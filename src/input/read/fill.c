/* SPDX-License-Identifier: MIT */
/*
 * fill.c -- fill the buffer of a reader with whole records
 *
 * inputs_read() is a small state machine.  Each step returns the next step:
 *
 *   CLAIM   without a claim: claim a range, a part or an input.  A range is
 *           read at once, and the reader claims again.
 *   READ    read the next bytes of the claim, until the buffer is full or the
 *           bytes end.
 *   CUT     divide the bytes into whole records and a tail.  If the claim goes
 *           on, keep the tail for the next call.
 *   END     the claim has ended: check the tail, and leave the claim.
 *   RETURN  the caller gets the whole records in the buffer.
 *
 * The buffer may hold the records of several small claims, one after the other:
 * START is where the records of the current claim start.
 */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/read/claiming.h"
#include "input/read/inputs.h"
#include "input/read/long_record.h"
#include "input/read/parts.h"
#include "input/read/ranges.h"

/*
 * How many bytes are read at first for the rest of a record, where the bytes
 * after it are for another reader, or must wait.
 */
#define SOME_BYTES ((size_t)4096)

/* No more bytes can be counted: sums of counts stay below 2^63. */
#define ZERO_BYTES_MAX ((uint64_t)1 << 62)

enum fill_step {
    FILL_CLAIM,
    FILL_READ,
    FILL_CUT,
    FILL_END,
    FILL_RETURN
};

/* One call of inputs_read(). */
struct fill {
    struct inputs *inputs;
    struct claim *claim;
    unsigned char *out; /* the buffer, or leased bytes */
    size_t capacity;
    size_t done;  /* bytes in OUT */
    size_t start; /* index of this claim's first byte, the start of a record */
    size_t synthetic; /* of the bytes from START on, those of no input */
    size_t kept;      /* of the bytes from START on, those of the call before */
    bool is_enough;   /* the last bytes are cut before more are read */
    bool is_open;     /* the last claim ended in a piece of a record */
    bool is_leased;   /* the last bytes were leased ... */
    struct sequence_sketches sketches; /* ... with these of OUT from START on */
    bool has_failed;  /* the error of the claim's source is set */
    size_t tail;      /* bytes after the last whole record, from FILL_CUT on */
    bool is_in_piece; /* ... a piece of a record ends there */
};

/* Call it before reading into a chunk: see snapshot_gate.h. */
static void
enter_gate(const struct inputs *inputs, struct input_reader *reader)
{
    if (!reader->is_inside)
        snapshot_gate_enter(inputs->gate);
    reader->is_inside = true;
}

void
inputs_hand_over(const struct inputs *inputs, struct input_reader *reader,
                 size_t bytes)
{
    if (reader->is_inside)
        snapshot_gate_leave(inputs->gate, bytes);
    reader->is_inside = false;
}

/* ---- claim ---- */

/* Returns the step for another claim, if there is room for more bytes. */
static enum fill_step
claim_again(const struct fill *fill)
{
    return fill->done < fill->capacity ? FILL_CLAIM : FILL_RETURN;
}

/* The claim is read in sequence from here on. */
static enum fill_step
start_sequence(struct fill *fill)
{
    struct claim *claim = fill->claim;

    fill->start = fill->done;
    fill->synthetic = 0;
    fill->kept = 0;
    claim_note_origin(claim, claim->input, fill->start, 0, claim->at,
                      claim->records);
    return fill->done < fill->capacity ? FILL_READ : FILL_RETURN;
}

/* Read the deferred record of the claim. */
static enum fill_step
read_deferred(struct fill *fill)
{
    struct claim *claim = fill->claim;

    fill->done += ranges_read_deferred(fill->inputs, claim, fill->out,
                                       fill->done, fill->capacity);
    if (claim->reader->has_more)
        return FILL_RETURN;
    /* A record that is too long may be read in sequence. */
    return claim->input == NULL ? claim_again(fill) : start_sequence(fill);
}

/* Read the claimed range of INPUT. */
static enum fill_step
read_range(struct fill *fill, struct input *input)
{
    struct claim *claim = fill->claim;
    size_t synthetic_before = claim->reader->synthetic.bytes;

    fill->start = fill->done;
    enter_gate(fill->inputs, claim->reader);
    fill->done +=
        ranges_read(fill->inputs, claim, input, fill->out, fill->done);
    fill->synthetic = claim->reader->synthetic.bytes - synthetic_before;
    fill->is_open = claim->range.cut.after.state.is_piece;
    /* A record goes on in sequence: it may need another buffer. */
    claim->reader->has_more = claim->tail != NULL || claim->piece.is_piece;
    if (claim->reader->has_more)
        return FILL_RETURN;
    /* The last range may fill the buffer and end inside of a record: then the
       next steps cut it. */
    return claim->input == NULL ? claim_again(fill) : FILL_READ;
}

/*
 * Whether the bytes in the buffer are handed over before the next claim:
 * opening the next input may take long, and a range of records of any length
 * should have much room.
 */
static bool
must_hand_over(const struct fill *fill)
{
    const struct inputs *inputs = fill->inputs;

    return fill->done > 0 && (inputs->gate != NULL ||
                              origins_are_many(fill->claim->reader->origins) ||
                              (framing_has_ends(&inputs->framing) &&
                               (fill->done > fill->capacity / 2 ||
                                fill->capacity > inputs->chunk_bytes)));
}

static enum fill_step
claim_more(struct fill *fill)
{
    struct inputs *inputs = fill->inputs;
    struct claim *claim = fill->claim;

    /* A piece of a record must not run into the next claim. */
    if (fill->is_open) {
        fill->is_open = false;
        fill->out[fill->done++] = '\n';
        claim->reader->synthetic.bytes++;
        if (fill->done == fill->capacity)
            return FILL_RETURN;
    }
    if (claim->deferred.input != NULL)
        return read_deferred(fill);
    claim->reader->has_more = must_hand_over(fill);
    if (claim->reader->has_more)
        return FILL_RETURN;
    inputs_hand_over(inputs, claim->reader, 0);
    struct input *input = claiming_next(
        inputs, claim, fill->capacity - fill->done, fill->capacity);
    if (input == NULL) {
        /* A snapshot of the last bytes is taken before the end. */
        enter_gate(inputs, claim->reader);
        return FILL_RETURN;
    }
    return claim->input == NULL ? read_range(fill, input)
                                : start_sequence(fill);
}

/* ---- read ---- */

/* Whether only the first records of each content are read. */
static bool
is_limited(const struct fill *fill)
{
    return fill->inputs->reading.first_records > 0;
}

/*
 * The reader of CLAIM is at the start of a record: skip the records in a hole,
 * except the last one, which shows zeros to engines.  Returns 0, or -1 with the
 * source's error set.
 */
static int
skip_zeros(struct inputs *inputs, struct claim *claim)
{
    struct content *content = claim->content;
    size_t bytes = inputs->framing.step;
    uint64_t records = inputs->skips_zeros && claim->edge == CLAIM_WITHIN
                           ? content_zeros(content) / bytes
                           : 0;

    if (records < 2)
        return 0;
    uint64_t before = atomic_fetch_add(&inputs->zero_records, records - 1);
    if (before > ZERO_BYTES_MAX / bytes ||
        records > ZERO_BYTES_MAX / bytes - before) {
        error_set(&content->source.error, EXIT_DATA,
                  "%s: the holes of sparse files have more than 2^62 bytes",
                  content->source.display_name);
        return -1;
    }
    content_skip_zeros(content, (records - 1) * bytes);
    if (claim->series.is_listed)
        series_extend_zeros(&claim->series.series, records - 1);
    claim->at += (off_t)((records - 1) * bytes);
    return 0;
}

/*
 * Borrow the next bytes of the claim from the decoder, up to byte STOP of the
 * buffer.  The lease starts with a copy of the bytes in OUT, and becomes OUT.
 * Returns as content_read() does; 0 also if the bytes must be read.
 */
static ssize_t
read_lease(struct fill *fill, size_t stop)
{
    const struct claim *claim = fill->claim;
    struct lease *lease = claim->reader->lease;
    size_t done = fill->done;
    size_t end = fill->capacity < stop ? fill->capacity : stop;

    if (lease == NULL || claim->edge != CLAIM_WITHIN || claim_is_wrong(claim) ||
        done >= end || done > LEASE_FRONT_BYTES || is_limited(fill))
        return 0;
    ssize_t got =
        content_lease(claim->content, fill->out, done, end - done, lease);
    if (got <= 0)
        return got;
    fill->sketches = lease->sketches;
    fill->sketches.at += (uint32_t)(done - fill->start);
    lease->data -= done;
    lease->bytes += done;
    fill->out = lease->data;
    return got;
}

/*
 * Read the next bytes of the claim.  The first read ends at byte STOP; later
 * reads are steps to the end of the record there.  Returns as content_read()
 * does, and sets *IS_STOPPED: no more bytes for now.
 */
static ssize_t
read_some(const struct fill *fill, size_t stop, bool *is_stopped)
{
    const struct claim *claim = fill->claim;
    size_t done = fill->done;
    size_t room = fill->capacity - done;
    ssize_t got;

    *is_stopped = claim_is_wrong(claim);
    if (*is_stopped)
        return 0;
    if (is_limited(fill)) {
        /* The last record may be there, so do not wait for more. */
        got = content_read_some(claim->content, fill->out + done, room);
        *is_stopped = got <= 0;
        return got;
    }
    if (done < stop) {
        size_t most = claim->edge == CLAIM_AFTER ? SOME_BYTES : stop - done;
        room = room < most ? room : most;
        got = content_read(claim->content, fill->out + done, room);
        *is_stopped = got < (ssize_t)room;
        return got;
    }
    /* Nobody knows its length: each step is as long as all before. */
    size_t step = done - stop > SOME_BYTES ? done - stop : SOME_BYTES;
    got = content_read_some(claim->content, fill->out + done,
                            room < step ? room : step);
    *is_stopped = got <= 0;
    return got;
}

/* The next GOT bytes of the claim are in OUT: keep the bytes of its records. */
static void
take(struct fill *fill, size_t got)
{
    struct claim *claim = fill->claim;
    unsigned char *data = fill->out + fill->done;

    identity_note_content(&claim->input->identity);
    content_note_line_ends(&claim->input->content, data, got);
    fill->done += parts_take(fill->inputs, claim, data, got);
}

/*
 * The bytes in OUT reach byte STOP: a snapshot is due after the record there.
 * Give the bytes after this record back to the content.  Returns whether the
 * record ends in OUT.
 */
static bool
stop_for_snapshot(struct fill *fill, size_t stop)
{
    const struct framing *framing = &fill->inputs->framing;
    struct claim *claim = fill->claim;
    unsigned char *out = fill->out;
    size_t end = framing_first_from(framing, out, fill->done, stop);

    if (end == 0)
        return false;
    fill->has_failed =
        content_unread(claim->content, out + end, fill->done - end) < 0;
    if (fill->has_failed)
        return false;
    fill->done = end;
    series_claim_extend(&claim->series, out + fill->start, end - fill->start);
    claim->at += (off_t)end;
    claim->records += framing_records(framing, out, end);
    return true;
}

/* Whether the reader goes on where its decoder has paused. */
static bool
passes_pause(struct fill *fill)
{
    struct claim *claim = fill->claim;

    return content_is_paused(claim->content) &&
           !claim_is_vain(fill->inputs, claim) &&
           parts_pass_pause(fill->inputs, claim, fill->capacity);
}

static enum fill_step
read_more(struct fill *fill)
{
    struct claim *claim = fill->claim;
    bool is_stopped = false;

    enter_gate(fill->inputs, claim->reader);
    size_t stop = snapshot_gate_left(fill->inputs->gate);
    ssize_t got =
        fill->done == fill->start && skip_zeros(fill->inputs, claim) < 0
            ? -1
            : read_lease(fill, stop);
    fill->is_leased = got > 0;
    if (got == 0)
        got = read_some(fill, stop, &is_stopped);
    fill->has_failed = got < 0;
    if (got > 0)
        take(fill, (size_t)got);
    if (got > 0 && claim->long_bytes > 0) {
        int passed = long_record_read(claim, fill->out, fill->done);
        fill->done = claim->long_head;
        fill->has_failed = passed < 0;
        claim->reader->has_more = passed > 0;
        if (claim->reader->has_more)
            return FILL_RETURN;
    }
    if (got > 0 && !fill->has_failed && fill->done >= stop) {
        claim->reader->has_more = stop_for_snapshot(fill, stop);
        if (claim->reader->has_more)
            return FILL_RETURN;
    }
    /* Each cut looks at all bytes: at least half of them are new. */
    fill->is_enough = is_limited(fill) && got > 0 &&
                      fill->done - fill->start >= 2 * fill->kept;
    bool goes_on = !fill->has_failed && fill->done < fill->capacity &&
                   claim->edge != CLAIM_DONE && !fill->is_leased &&
                   !fill->is_enough && (!is_stopped || passes_pause(fill));
    return goes_on ? FILL_READ : FILL_CUT;
}

/* ---- cut ---- */

/* The buffer is full with the start of a record that is longer than any buffer:
   if the bases need not be in memory, read on without them. */
static enum fill_step
start_long(struct fill *fill)
{
    struct claim *claim = fill->claim;

    fill->has_failed =
        !long_record_start(fill->inputs, claim, fill->out, fill->capacity);
    if (fill->has_failed)
        return FILL_END;
    fill->done = claim->long_head;
    return fill->done < fill->capacity ? FILL_READ : FILL_RETURN;
}

/* More of the claim follows, which is in STATE here: keep the tail for the next
   call. */
static enum fill_step
keep_tail(struct fill *fill, const struct framing_state *state)
{
    struct claim *claim = fill->claim;

    /* If the buffer is full, the caller calls again anyway. */
    claim->reader->has_more = fill->done < fill->capacity;
    if (state->is_piece)
        claim_keep_piece(fill->inputs, claim, state);
    fill->has_failed =
        claim_keep_tail(claim, fill->out + fill->done, fill->tail) < 0;
    return fill->has_failed ? FILL_END : FILL_RETURN;
}

/*
 * Of the SIZE bytes from START on, WHOLE belong to whole records, or those
 * before BROKEN.  If the last record to read ends there, set *SIZE and *WHOLE
 * to what is read and return true: the claim ends.
 */
static bool
limit_records(struct fill *fill, size_t broken, size_t *size, size_t *whole)
{
    size_t right = broken < *whole ? broken : *whole;

    if (!is_limited(fill) || fill->has_failed)
        return false;
    size_t taken = framing_take(&fill->inputs->framing, fill->out + fill->start,
                                right, &fill->claim->first_left);
    if (fill->claim->first_left > 0)
        return false;
    content_leave(fill->claim->content, *size - taken);
    fill->done = fill->start + taken;
    *size = *whole = taken;
    return true;
}

/* As framing_whole(), of the SIZE bytes from START on.  If the content knows
   where records end, nobody looks for ends. */
static size_t
find_whole(const struct fill *fill, size_t size, size_t *broken,
           struct framing_state *state)
{
    const struct claim *claim = fill->claim;
    struct alignments_cut cut;
    /* Behind the start of a long record, the content is not where sketches
       start. */
    bool has_sketches = fill->is_leased && claim->long_bytes == 0;

    if (fill->has_failed || is_limited(fill) || fill->synthetic > 0 ||
        claim->long_bytes > 0 || !content_find_cut(claim->content, &cut) ||
        cut.tail >= size || cut.records < claim->records)
        return framing_whole(&fill->inputs->framing, fill->out + fill->start,
                             size, broken, state,
                             has_sketches ? &fill->sketches : NULL);
    *state = (struct framing_state){.records = cut.records - claim->records};
    *broken = size;
    return size - cut.tail;
}

static enum fill_step
cut_records(struct fill *fill)
{
    struct inputs *inputs = fill->inputs;
    struct claim *claim = fill->claim;
    struct source *source = &claim->content->source;
    struct framing_state state;
    size_t broken;

    if (claim->long_bytes > 0 &&
        (fill->has_failed || claim_is_vain(inputs, claim))) {
        claim->long_bytes = 0;
        fill->done = 0;
    }
    size_t size = fill->done - fill->start;
    size_t whole = find_whole(fill, size, &broken, &state);
    bool is_full =
        (fill->done == fill->capacity || fill->is_leased || fill->is_enough) &&
        claim->edge != CLAIM_DONE;
    bool has_all = limit_records(fill, broken, &size, &whole);
    if (!fill->has_failed && broken < size) {
        framing_fail_broken(source->display_name,
                            (uint64_t)claim->at + broken - fill->synthetic,
                            &source->error);
        fill->has_failed = true;
    }
    fill->tail = size - whole;
    fill->is_in_piece = state.is_piece;
    fill->done -= fill->tail;
    series_claim_extend(&claim->series, fill->out + fill->start, whole);
    claim->at += (off_t)(whole - fill->synthetic);
    claim->records += state.records;
    progress_add_sketched(source->progress, state.sketched);
    if (fill->has_failed)
        return FILL_END;
    /* It writes to the buffer, so a lease ends first. */
    if (fill->tail == fill->capacity && fill->capacity >= inputs->record_max &&
        !fill->is_leased)
        return start_long(fill);
    bool goes_on = !has_all && !claim_is_wrong(claim) &&
                   (is_full || source->is_interrupted);
    return goes_on ? keep_tail(fill, &state) : FILL_END;
}

/* ---- end ---- */

/* The claim has ended, TAIL bytes after its last whole record: check the tail,
   unless the reader was stopped there.  Under the lock, or for an own input. */
static void
end_records(const struct inputs *inputs, struct claim *claim, size_t tail)
{
    struct source *source = &claim->content->source;
    const struct decoder *decoder = claim->content->decoder;

    if (claim_is_vain(inputs, claim))
        return;
    if (claim->end != DECODER_NO_PAUSE && claim->edge < CLAIM_AFTER &&
        (tail > 0 || !decoder->is_paused || decoder->pause_at != claim->end))
        /* The walk found another end. */
        error_set(&source->error, EXIT_DATA,
                  "%s: changed before byte %lld while it was read",
                  source->display_name, (long long)claim->end);
    else if (tail > 0 && framing_end(&inputs->framing, source->display_name,
                                     tail, &source->error) == 0)
        claim->input->dropped_bytes = tail;
}

/* Whether the tail is a record, the last one of the claim. */
static bool
has_last_record(struct fill *fill)
{
    const struct inputs *inputs = fill->inputs;
    struct claim *claim = fill->claim;
    struct source *source = &claim->content->source;
    const unsigned char *tail = fill->out + fill->done;
    size_t bytes = fill->tail;

    if (fill->has_failed || bytes == 0 ||
        !framing_counts_tail(&inputs->framing) || claim_is_vain(inputs, claim))
        return false;
    if (framing_drops(&inputs->framing, tail, bytes)) {
        claim->input->dropped_bytes = bytes;
        fill->tail = 0;
        return false;
    }
    fill->has_failed =
        framing_check_last(&inputs->framing, source->display_name,
                           (uint64_t)claim->at, tail, bytes,
                           &source->error) < 0;
    return true;
}

static enum fill_step
end_claim(struct fill *fill)
{
    struct inputs *inputs = fill->inputs;
    struct claim *claim = fill->claim;
    bool is_record = has_last_record(fill);

    fill->is_open = fill->is_in_piece;
    bool is_own = claim->input->is_own;
    claim_lock(inputs, claim->input);
    if (!fill->has_failed)
        end_records(inputs, claim, is_record ? 0 : fill->tail);
    int fd = claim_leave(inputs, claim);
    claim_unlock(inputs, is_own);
    if (fd >= 0)
        close(fd);
    /* Nothing may follow a record without an end. */
    claim->reader->has_more = !fill->has_failed && is_record;
    if (claim->reader->has_more) {
        if (claim->long_bytes > 0)
            long_record_end(claim);
        fill->done += fill->tail;
        return FILL_RETURN;
    }
    claim->reader->has_more = fill->is_leased;
    return fill->is_leased ? FILL_RETURN : claim_again(fill);
}

/* ---- the machine ---- */

/* Returns the first step: the buffer has the tail of the call before. */
static enum fill_step
first_step(struct fill *fill)
{
    struct claim *claim = fill->claim;

    fill->done = claim_take_tail(fill->inputs, claim, fill->out);
    fill->kept = fill->done;
    fill->synthetic = claim->reader->synthetic.bytes;
    claim->reader->has_more = false;
    if (claim->input == NULL)
        return claim_again(fill);
    claim_note_origin(claim, claim->input, fill->synthetic, fill->synthetic,
                      claim->at, claim->records);
    return fill->done < fill->capacity ? FILL_READ : FILL_RETURN;
}

size_t
inputs_read(struct inputs *inputs, struct input_reader *reader, void *buffer,
            size_t capacity)
{
    static enum fill_step (*const take_step[])(struct fill * fill) = {
        [FILL_CLAIM] = claim_more,
        [FILL_READ] = read_more,
        [FILL_CUT] = cut_records,
        [FILL_END] = end_claim,
    };
    struct claim *claim = claim_of(inputs, reader);
    struct fill fill = {
        .inputs = inputs, .claim = claim, .out = buffer, .capacity = capacity};

    if (claim == NULL)
        return 0;
    for (enum fill_step step = first_step(&fill); step != FILL_RETURN;)
        step = take_step[step](&fill);
    if (fill.done == 0)
        inputs_hand_over(inputs, reader, 0);
    if (claim->input == NULL)
        claim_drop_left(inputs, claim);
    else if (claim->input->walk != NULL)
        parts_note_progress(inputs, claim, capacity);
    return fill.done;
}
