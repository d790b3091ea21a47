/* SPDX-License-Identifier: MIT */
/* alignments.c -- the reads of BAM and SAM, as text of FASTQ */

#include <stdlib.h>
#include <string.h>

#include "input/alignment/alignment_pages.h"
#include "input/alignment/alignments.h"

struct alignments {
    /* With the choice, also if nobody writes pages. */
    struct alignment_pages pages;
    struct alignment_input input;
    struct alignment_walk walk;
    size_t references; /* of the header, put as records so far */
    struct alignment_order order;
    size_t page_next;      /* bytes of the current page that are taken */
    uint64_t page_records; /* of the text before the current page */
    struct alignments_cut cut;
    size_t delivered; /* bytes, by the current or last alignments_read() */

    /* The text of a record that did not fit into the caller's buffer. */
    unsigned char *text; /* TEXT_ROOM bytes, owned */
    size_t text_room;
    size_t text_next, text_end;
};

struct alignments *
alignments_open(enum alignment_kind kind, const struct alignment_choice *choice,
                size_t bytes_max, alignment_read_fn *read, void *context,
                unsigned char *data, size_t size)
{
    struct alignments *alignments = calloc(1, sizeof *alignments);

    if (alignments == NULL) {
        free(data);
        return NULL;
    }
    alignments->pages.choice = *choice;
    alignments->pages.bytes_max = bytes_max;
    alignments->order = ALIGNMENT_ORDER_START;
    alignment_walk_open(&alignments->walk, kind, choice);
    alignment_letters_set(&alignments->pages.letters);
    alignment_input_open(&alignments->input, read, context, bytes_max, data,
                         size);
    return alignments;
}

void
alignments_close(struct alignments *alignments)
{
    if (alignments == NULL)
        return;
    alignment_input_close(&alignments->input);
    alignment_walk_close(&alignments->walk);
    free(alignments->text);
    free(alignments);
}

struct alignment_pages *
alignments_take_pages(struct alignments *alignments,
                      const struct alignment_sets *sets)
{
    alignments->input.sets = sets;
    return &alignments->pages;
}

const char *
alignments_name(const struct alignments *alignments)
{
    return alignments->walk.is_bam ? "BAM" : "SAM";
}

const char *
alignments_error(const struct alignments *alignments, uint64_t *offset)
{
    *offset = alignments->input.error_offset;
    return alignments->input.error[0] == '\0' ? NULL : alignments->input.error;
}

size_t
alignments_delivered(const struct alignments *alignments)
{
    return alignments->delivered;
}

struct alignments_cut
alignments_cut(const struct alignments *alignments)
{
    return alignments->cut;
}

/* RECORDS are delivered, and no more. */
static void
cut_after(struct alignments *alignments, uint64_t records)
{
    alignments->cut = (struct alignments_cut){.records = records};
}

/* Set *ALIGNMENT to the next reference of the header, which is read first.
   Returns ALIGNMENT_ENDED after the last one. */
static enum alignment_bytes
find_reference(struct alignments *alignments, struct alignment *alignment)
{
    const struct alignment_references *references =
        alignment_walk_references(&alignments->walk);
    enum alignment_bytes bytes =
        alignment_walk_header(&alignments->walk, &alignments->input);

    if (bytes != ALIGNMENT_THERE)
        return bytes;
    if (alignments->references == references->count)
        return ALIGNMENT_ENDED;
    *alignment = (struct alignment){
        .is_reference = true,
        .reference = alignment_references_at(references,
                                             (int64_t)alignments->references),
    };
    alignments->references++;
    return ALIGNMENT_THERE;
}

/* Go to the next record. */
static enum alignment_bytes
find_next(struct alignments *alignments, struct alignment *alignment)
{
    enum alignment_bytes bytes = ALIGNMENT_ENDED;

    if (alignments->pages.choice.has_references)
        bytes = find_reference(alignments, alignment);
    if (bytes != ALIGNMENT_ENDED)
        return bytes;
    return alignment_walk_next(&alignments->walk, &alignments->input,
                               alignment);
}

/* Returns SIZE bytes of room for the text of a record, or NULL with the error
   set. */
static unsigned char *
make_room(struct alignments *alignments, uint64_t start, size_t size)
{
    if (size > alignments->text_room) {
        unsigned char *grown = realloc(alignments->text, size);
        if (grown == NULL) {
            (void)alignment_input_fail(&alignments->input, start,
                                       "does not fit into memory");
            return NULL;
        }
        alignments->text = grown;
        alignments->text_room = size;
    }
    return alignments->text;
}

/* Write ALIGNMENT to OUT, which has CAPACITY bytes, or to TEXT if it may not
   fit.  Returns 0, or -1 with the error set. */
static int
put(struct alignments *alignments, const struct alignment *alignment,
    unsigned char *out, size_t capacity)
{
    const uint64_t start =
        alignment_walk_record(&alignments->walk, &alignments->input);
    const size_t room = alignment_text_bytes(alignment);
    const bool fits = room <= capacity;

    if (!fits)
        out = make_room(alignments, start, room);
    size_t size =
        out == NULL ? 0
                    : alignment_text_write(&alignments->pages.letters,
                                           alignment, &alignments->pages.choice,
                                           &alignments->input, start, out);
    if (size == 0)
        return -1;
    if (fits) {
        alignments->delivered += size;
        cut_after(alignments, alignments->cut.records + 1);
    } else {
        alignments->text_next = 0;
        alignments->text_end = size;
    }
    return 0;
}

/* Copy the rest of a record's text. */
static void
copy_text(struct alignments *alignments, unsigned char *out, size_t capacity)
{
    size_t left = alignments->text_end - alignments->text_next;
    size_t size = left < capacity ? left : capacity;

    if (size == 0)
        return;
    memcpy(out, alignments->text + alignments->text_next, size);
    alignments->text_next += size;
    alignments->delivered += size;
    alignments->cut.tail += size;
    if (alignments->text_next == alignments->text_end)
        cut_after(alignments, alignments->cut.records + 1);
}

/* Whether a page, which has only records, may have the next text.  From the
   end of the header on, helpers write pages. */
static bool
may_have_page(struct alignments *alignments)
{
    struct alignment_pages *pages = &alignments->pages;
    struct alignment_walk *walk = &alignments->walk;

    if (alignments->input.sets == NULL ||
        !alignment_walk_is_at_record(walk, &alignments->input) ||
        (pages->choice.has_references &&
         alignments->references < alignment_walk_references(walk)->count))
        return false;
    if (!atomic_load_explicit(&pages->is_ready, memory_order_relaxed))
        alignment_pages_start(pages, walk);
    return alignment_input_has(&alignments->input) == 0;
}

/* All text of PAGE is taken, as if its records were read. */
static void
end_page(struct alignments *alignments, const struct alignment_page *page)
{
    struct alignment_input *input = &alignments->input;
    const size_t size = page->end - page->start;

    alignments->page_next = 0;
    cut_after(alignments, alignments->page_records + page->texts);
    input->record += page->records;
    input->offset += size;
    if (page->has_order)
        alignments->order = page->order;
    input->sets->skip(input->sets->context, size);
}

/* Set the cut in the text of PAGE that is taken. */
static void
cut_page(struct alignments *alignments, const struct alignment_page *page)
{
    struct alignment_page_mark last = {0, 0};

    for (size_t i = 0;
         i < page->marks && page->mark[i].text <= alignments->page_next; i++)
        last = page->mark[i];
    alignments->cut.records = alignments->page_records + last.records;
    alignments->cut.tail = alignments->page_next - last.text;
}

/* Copy text of the page that starts with the next record.  Returns whether
   there is one. */
static bool
copy_page(struct alignments *alignments, unsigned char *out, size_t capacity)
{
    const struct alignment_sets *sets = alignments->input.sets;
    struct alignment_place place;

    if (!may_have_page(alignments) || !sets->find(sets->context, &place))
        return false;
    const struct alignment_page *page = place.page;
    if (page->records == 0 || place.at != page->start)
        return false;
    const size_t left = page->text_bytes - alignments->page_next;
    const size_t size = left < capacity ? left : capacity;
    if (alignments->page_next == 0)
        alignments->page_records = alignments->cut.records;
    memcpy(out, page->text + alignments->page_next, size);
    alignments->page_next += size;
    alignments->delivered += size;
    if (alignments->page_next == page->text_bytes)
        end_page(alignments, page);
    else
        cut_page(alignments, page);
    return true;
}

ssize_t
alignments_read(struct alignments *alignments, void *buffer, size_t capacity)
{
    unsigned char *out = buffer;
    struct alignment alignment;

    alignments->delivered = 0;
    if (alignments->input.has_failed)
        return -1;
    copy_text(alignments, out, capacity);
    while (alignments->delivered < capacity) {
        if (copy_page(alignments, out + alignments->delivered,
                      capacity - alignments->delivered))
            continue;
        enum alignment_bytes bytes = find_next(alignments, &alignment);
        if (bytes == ALIGNMENT_FAILED)
            return -1;
        if (bytes != ALIGNMENT_THERE)
            break;
        if (!alignment_choice_wants(&alignments->pages.choice, &alignment))
            continue;
        alignment_order_note(&alignments->order, &alignment);
        if (put(alignments, &alignment, out + alignments->delivered,
                capacity - alignments->delivered) < 0)
            return -1;
        copy_text(alignments, out + alignments->delivered,
                  capacity - alignments->delivered);
    }
    return (ssize_t)alignments->delivered;
}
