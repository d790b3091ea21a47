/* SPDX-License-Identifier: MIT */
/* identity.c -- the identity of an input, by the hash of its bytes */

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/identity.h"

/* Bytes that are read again at once: several leaves. */
#define AGAIN_BYTES ((size_t)64 << 10)

/* A series of whole leaves that are hashed. */
struct hashed {
    uint64_t start;
    uint64_t end;
};

struct identity_work {
    /* Constant while bytes are added. */
    const char *name;
    uint64_t start;
    uint64_t end;  /* UINT64_MAX: the file's end */
    uint64_t size; /* at opening */
    bool is_regular;

    /* For identity_add_next() only: the start of a leaf. */
    unsigned char tail[PORTION_LEAF_BYTES];
    uint64_t tail_start;
    size_t tail_bytes;

    pthread_mutex_t lock;
    /* All below: under the lock. */
    struct hashed *done; /* in order, with gaps between; owned */
    size_t done_count;
    size_t done_room;
    bool has_no_memory;
    uint64_t reached; /* end of the last bytes */
    struct digest sum;
    uint64_t segment[PORTION_MARKS_MAX];
};

void
identity_open(struct identity *identity, const char *name, off_t start,
              off_t size)
{
    struct identity_work *work = calloc(1, sizeof *work);

    if (work == NULL) {
        error_set(&identity->error, EXIT_DATA, "%s: out of memory", name);
        return;
    }
    work->name = name;
    work->start = (uint64_t)start;
    work->end = UINT64_MAX;
    work->is_regular = size >= 0;
    work->size = size >= 0 ? (uint64_t)size : 0;
    pthread_mutex_init(&work->lock, NULL);
    identity->work = work;
}

void
identity_limit(struct identity *identity, off_t start, off_t end)
{
    struct identity_work *work = identity->work;

    if (work == NULL)
        return;
    /* Bytes added so far may not belong to the portion.  They are read
       again. */
    work->tail_bytes = 0;
    work->done_count = 0;
    work->reached = 0;
    work->sum = (struct digest){0, 0};
    memset(work->segment, 0, sizeof work->segment);
    work->start = (uint64_t)start;
    work->end = (uint64_t)end;
}

void
identity_shard(struct identity *identity, uint64_t shard, uint64_t shards,
               uint64_t run, uint64_t from, uint64_t to)
{
    const struct identity_work *work = identity->work;
    struct portion *portion = &identity->portion;

    portion->shard = shard;
    portion->shards = shards;
    portion->run = run;
    if (work == NULL || (from == 0 && to == UINT64_MAX))
        return;
    uint64_t most = work->end < INT64_MAX ? work->end : INT64_MAX;
    uint64_t left = most - work->start;
    identity_limit(identity, (off_t)(work->start + from),
                   (off_t)(work->start + (to < left ? to : left)));
}

void
identity_note_content(struct identity *identity)
{
    atomic_store_explicit(&identity->has_content, true, memory_order_relaxed);
}

/* Returns where the leaf of byte OFFSET starts in the portion, and sets
   *END. */
static uint64_t
find_leaf(const struct identity_work *work, uint64_t offset, uint64_t *end)
{
    uint64_t start = portion_leaf(offset, end);

    if (*end > work->end)
        *end = work->end;
    return start < work->start ? work->start : start;
}

/* Make room for one more extent.  Returns 0, or -1.  Under the lock. */
static int
grow(struct identity_work *work)
{
    if (work->done_count < work->done_room)
        return 0;
    size_t room = work->done_room * 2 + 4;
    struct hashed *grown = realloc(work->done, room * sizeof *grown);
    if (grown == NULL) {
        work->has_no_memory = true;
        return -1;
    }
    work->done = grown;
    work->done_room = room;
    return 0;
}

/* Find the first bytes from *START to MOST that are not hashed: the caller will
   hash them.  Returns whether any are found, and sets *START and *END. */
static bool
claim(struct identity_work *work, uint64_t *start, uint64_t most, uint64_t *end)
{
    pthread_mutex_lock(&work->lock);
    size_t next = work->done_count;
    /* Bytes usually come in order. */
    while (next > 0 && work->done[next - 1].start > *start)
        next--;
    if (next > 0 && work->done[next - 1].end > *start)
        *start = work->done[next - 1].end;
    *end = most;
    if (next < work->done_count && work->done[next].start < most)
        *end = work->done[next].start;
    bool is_found = *start < *end && grow(work) == 0;
    if (is_found) {
        bool joins = next > 0 && work->done[next - 1].end == *start;
        bool is_joined =
            next < work->done_count && work->done[next].start == *end;
        struct hashed *at = &work->done[next];
        size_t after = (work->done_count - next) * sizeof *at;
        if (joins && is_joined) {
            at[-1].end = at->end;
            memmove(at, at + 1, after - sizeof *at);
            work->done_count--;
        } else if (joins) {
            at[-1].end = *end;
        } else if (is_joined) {
            at->start = *start;
        } else {
            memmove(at + 1, at, after);
            *at = (struct hashed){*start, *end};
            work->done_count++;
        }
    }
    pthread_mutex_unlock(&work->lock);
    return is_found;
}

/* Add the SUM of leaves of segment I. */
static void
add_sum(struct identity_work *work, size_t i, const struct digest *sum)
{
    pthread_mutex_lock(&work->lock);
    digest_add(&work->sum, *sum);
    work->segment[i] += sum->low;
    pthread_mutex_unlock(&work->lock);
}

/* Hash the leaves from START to END, which are at DATA. */
static void
hash_leaves(struct identity_work *work, const unsigned char *data,
            uint64_t start, uint64_t end)
{
    size_t segment = portion_segment(start);
    uint64_t segment_end = portion_segment_start(segment + 1);
    struct digest sum = {0, 0};
    uint64_t leaf_end;

    for (uint64_t at = start; at < end; at = leaf_end) {
        if (at >= segment_end) {
            add_sum(work, segment++, &sum);
            sum = (struct digest){0, 0};
            segment_end = portion_segment_start(segment + 1);
        }
        find_leaf(work, at, &leaf_end);
        digest_add(&sum,
                   digest_of(data + (at - start), (size_t)(leaf_end - at), at));
    }
    add_sum(work, segment, &sum);
}

/* Add the whole leaves from START to END, which are at DATA. */
static void
add_leaves(struct identity_work *work, const unsigned char *data,
           uint64_t start, uint64_t end)
{
    uint64_t from = start;
    uint64_t to;

    for (; claim(work, &from, end, &to); from = to)
        hash_leaves(work, data + (from - start), from, to);
}

/* A view of bytes that were read. */
struct view {
    const unsigned char *data;
    uint64_t start;
    uint64_t end;
    uint64_t leaves; /* the start of the first leaf, or END ... */
    uint64_t tail;   /* ... and the end of the last whole leaf */
};

/* Make VIEW of the bytes of the portion among the SIZE bytes at DATA, read at
   OFFSET.  Returns false without such bytes. */
static bool
make_view(struct identity_work *work, struct view *view, const void *data,
          size_t size, uint64_t offset)
{
    uint64_t leaf_end;

    *view = (struct view){.data = data, .start = offset};
    view->end = offset + size < work->end ? offset + size : work->end;
    if (offset < work->start) {
        view->start = work->start;
        view->data += work->start - offset;
    }
    if (view->start >= view->end)
        return false;
    uint64_t leaf = find_leaf(work, view->start, &leaf_end);
    view->leaves = leaf == view->start ? leaf : leaf_end;
    leaf = find_leaf(work, view->end - 1, &leaf_end);
    view->tail = leaf_end == view->end ? view->end : leaf;
    if (view->leaves > view->end)
        view->leaves = view->end;
    pthread_mutex_lock(&work->lock);
    if (work->reached < view->end)
        work->reached = view->end;
    pthread_mutex_unlock(&work->lock);
    return true;
}

/* Add the whole leaves of VIEW. */
static void
add_whole(struct identity_work *work, const struct view *view)
{
    if (view->leaves < view->tail)
        add_leaves(work, view->data + (view->leaves - view->start),
                   view->leaves, view->tail);
}

void
identity_add_next(struct identity *identity, const void *data, size_t size,
                  off_t offset)
{
    struct identity_work *work = identity->work;
    struct view view;

    if (work == NULL || !make_view(work, &view, data, size, (uint64_t)offset))
        return;
    bool goes_on = work->tail_bytes > 0 &&
                   work->tail_start + work->tail_bytes == view.start;
    if (goes_on && view.leaves > view.start) {
        size_t more = (size_t)(view.leaves - view.start);
        uint64_t leaf_end;
        memcpy(work->tail + work->tail_bytes, view.data, more);
        work->tail_bytes += more;
        find_leaf(work, work->tail_start, &leaf_end);
        if (work->tail_start + work->tail_bytes < leaf_end)
            return;
        add_leaves(work, work->tail, work->tail_start, leaf_end);
    }
    add_whole(work, &view);
    work->tail_bytes = 0;
    if (view.leaves <= view.tail && view.tail < view.end) {
        work->tail_start = view.tail;
        work->tail_bytes = (size_t)(view.end - view.tail);
        memcpy(work->tail, view.data + (view.tail - view.start),
               work->tail_bytes);
    }
}

/* Read SIZE bytes at OFFSET.  Returns 0, or -1. */
static int
read_again(int fd, unsigned char *data, size_t size, uint64_t offset)
{
    size_t done = 0;

    while (done < size) {
        ssize_t got =
            pread(fd, data + done, size - done, (off_t)(offset + done));
        if (got == 0 || (got < 0 && errno != EINTR))
            return -1;
        done += got > 0 ? (size_t)got : 0;
    }
    return 0;
}

void
identity_add_at(struct identity *identity, int fd, const void *data,
                size_t size, off_t offset)
{
    struct identity_work *work = identity->work;
    unsigned char leaf[PORTION_LEAF_BYTES];
    struct view view;
    uint64_t leaf_end;

    if (work == NULL || !make_view(work, &view, data, size, (uint64_t)offset))
        return;
    add_whole(work, &view);
    if (view.leaves > view.tail || view.tail == view.end)
        return;
    /* A leaf is hashed by the thread that reads its first byte.  The file may
       grow. */
    find_leaf(work, view.tail, &leaf_end);
    size_t has = (size_t)(view.end - view.tail);
    size_t lacks = (size_t)(leaf_end - view.end);
    if (leaf_end > work->size ||
        read_again(fd, leaf + has, lacks, view.end) < 0)
        return;
    memcpy(leaf, view.data + (view.tail - view.start), has);
    add_leaves(work, leaf, view.tail, leaf_end);
}

/* Read and hash the missing bytes.  Returns 0, or -1. */
static int
fill_gaps(struct identity_work *work, int fd)
{
    uint64_t from = work->start;
    uint64_t gap_end;
    uint64_t leaf_end;
    int result = 0;

    if (!claim(work, &from, work->end, &gap_end))
        return 0;
    unsigned char *data = malloc(AGAIN_BYTES);
    work->has_no_memory |= data == NULL;
    do {
        uint64_t to = gap_end;
        for (; result == 0 && from < gap_end && data != NULL; from = to) {
            to = gap_end;
            if (to - from > AGAIN_BYTES)
                to = find_leaf(work, from + AGAIN_BYTES, &leaf_end);
            result = work->is_regular
                         ? read_again(fd, data, (size_t)(to - from), from)
                         : -1;
            if (result == 0)
                hash_leaves(work, data, from, to);
        }
        from = gap_end;
    } while (result == 0 && data != NULL &&
             claim(work, &from, work->end, &gap_end));
    free(data);
    return result;
}

/* Returns the hash of the file's first bytes; 0: they cannot be read. */
static uint64_t
hash_head(const struct identity_work *work, int fd)
{
    unsigned char data[PORTION_HEAD_BYTES];
    uint64_t bytes =
        work->size < PORTION_HEAD_BYTES ? work->size : PORTION_HEAD_BYTES;
    uint64_t head = 0;
    uint64_t leaf_end;

    if (work->start == 0 &&
        (work->end >= PORTION_HEAD_BYTES || work->end >= work->size)) {
        for (size_t i = 0; portion_segment_start(i) < PORTION_HEAD_BYTES; i++)
            head += work->segment[i];
        return head;
    }
    if (!work->is_regular || read_again(fd, data, (size_t)bytes, 0) < 0)
        return 0;
    for (uint64_t at = 0; at < bytes; at = leaf_end) {
        portion_leaf(at, &leaf_end);
        if (leaf_end > bytes)
            leaf_end = bytes;
        head += digest_of(data + at, (size_t)(leaf_end - at), at).low;
    }
    return head;
}

/* Set the marks of PORTION after all bytes are hashed.  Returns 0, or -1. */
static int
set_marks(const struct identity_work *work, struct portion *portion)
{
    if (portion->start > 0 || portion->end == 0)
        return 0;
    size_t marks = portion_segment(portion->end);
    if (marks == 0)
        return 0;
    portion->mark = malloc(marks * sizeof *portion->mark);
    if (portion->mark == NULL)
        return -1;
    for (size_t i = 0; i < marks; i++)
        portion->mark[i] = (uint16_t)(work->segment[i] >> 48);
    portion->marks = marks;
    return 0;
}

static void
close_work(struct identity *identity)
{
    struct identity_work *work = identity->work;

    if (work == NULL)
        return;
    pthread_mutex_destroy(&work->lock);
    free(work->done);
    free(work);
    identity->work = NULL;
}

void
identity_skip(struct identity *identity, const char *name)
{
    close_work(identity);
    if (identity->is_complete)
        return;
    identity->portion.name = strdup(name);
    identity->portion.is_empty = true;
    identity->is_complete = identity->portion.name != NULL;
    if (!identity->is_complete)
        error_set(&identity->error, EXIT_DATA, "%s: out of memory", name);
}

void
identity_complete(struct identity *identity, int fd)
{
    struct identity_work *work = identity->work;
    struct portion *portion = &identity->portion;
    bool has_content = atomic_load(&identity->has_content);
    uint64_t leaf_end;

    if (work == NULL)
        return;
    uint64_t end = work->reached < work->size ? work->size : work->reached;
    if (work->end > end)
        work->end = end;
    if (work->start > work->end)
        work->start = work->end;
    /* The shard's bytes may all belong to a record of the shard before. */
    if (portion->shards > 1 && !has_content)
        work->end = work->start;
    if (work->tail_bytes > 0) {
        find_leaf(work, work->tail_start, &leaf_end);
        if (work->tail_start + work->tail_bytes == leaf_end)
            add_leaves(work, work->tail, work->tail_start, leaf_end);
    }
    int filled = fill_gaps(work, fd);
    *portion = (struct portion){
        .name = strdup(work->name),
        .size = end,
        .start = work->start,
        .end = work->end,
        .shard = portion->shards > 0 ? portion->shard : 1,
        .shards = portion->shards > 0 ? portion->shards : 1,
        .run = portion->run,
        .is_empty = !has_content || work->start == work->end,
        .head = hash_head(work, fd),
        .digest = work->sum,
    };
    if (filled < 0)
        error_set(&identity->error, EXIT_DATA, "%s: changed while it was read",
                  work->name);
    else if (portion->name == NULL || set_marks(work, portion) < 0 ||
             work->has_no_memory)
        error_set(&identity->error, EXIT_DATA, "%s: out of memory", work->name);
    identity->is_complete = identity->error.status == EXIT_DONE;
    close_work(identity);
}

const struct portion *
identity_portion(const struct identity *identity, struct error *error)
{
    if (identity->error.status != EXIT_DONE)
        error_set(error, identity->error.status, "%s", identity->error.text);
    return identity->is_complete ? &identity->portion : NULL;
}

void
identity_close(struct identity *identity)
{
    close_work(identity);
    portion_close(&identity->portion);
    error_clear(&identity->error);
}
