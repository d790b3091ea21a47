/* SPDX-License-Identifier: MIT */
/* alignment_pages.c -- text of records that helpers write side by side */

#include <stdlib.h>

#include "input/alignment/alignment_pages.h"

void
alignment_pages_start(struct alignment_pages *pages,
                      const struct alignment_walk *walk)
{
    alignment_walk_open_after(&pages->walk, walk);
    atomic_store_explicit(&pages->is_ready, true, memory_order_release);
}

void *
alignment_page_open(void)
{
    struct alignment_page *page = calloc(1, sizeof *page);

    if (page == NULL)
        return NULL;
    page->text = malloc(ALIGNMENT_PAGE_ROOM);
    if (page->text != NULL)
        return page;
    free(page);
    return NULL;
}

void
alignment_page_close(void *page)
{
    if (page == NULL)
        return;
    free(((struct alignment_page *)page)->text);
    free(page);
}

/* The content of a set has no more. */
static ssize_t
read_nothing(void *none, void *buffer, size_t capacity, bool *has_ended)
{
    (void)none;
    (void)buffer;
    (void)capacity;
    *has_ended = true;
    return 0;
}

/* The page starts after the record that has been read, which ends at END. */
static void
restart(struct alignment_page *page, size_t end)
{
    page->start = page->end = end;
    page->records = 0;
    page->text_bytes = 0;
    page->texts = 0;
    page->marks = 0;
}

/* SIZE bytes of text are a record more. */
static void
note_text(struct alignment_page *page, size_t size)
{
    const size_t before =
        page->marks > 0 ? page->mark[page->marks - 1].text : 0;

    page->text_bytes += size;
    page->texts++;
    if (page->text_bytes - before >= ALIGNMENT_PAGE_MARK_BYTES)
        page->mark[page->marks++] =
            (struct alignment_page_mark){page->text_bytes, page->texts};
}

/*
 * Append ALIGNMENT, a record of INPUT that ends at END, if it is wanted.
 * Returns whether PAGE has it.
 */
static bool
append(const struct alignment_pages *pages, struct alignment_page *page,
       struct alignment *alignment, struct alignment_input *input, size_t end)
{
    const struct alignment_choice *choice = &pages->choice;

    if (alignment_choice_wants(choice, alignment)) {
        const bool was_in_order = page->has_order;
        alignment_order_note(&page->order, alignment);
        page->has_order |= alignment_order_has(alignment);
        /* Only the owner knows which record is before this one. */
        if (page->has_order && !was_in_order &&
            alignment_has_word(choice->words, ALIGNMENT_WORD_OUT_OF_ORDER)) {
            restart(page, end);
            return true;
        }
        if (alignment_text_bytes(alignment) >
            ALIGNMENT_PAGE_ROOM - page->text_bytes)
            return false;
        const size_t size =
            alignment_text_write(&pages->letters, alignment, choice, input, 0,
                                 page->text + page->text_bytes);
        if (size == 0)
            return false;
        note_text(page, size);
    }
    page->end = end;
    page->records++;
    return true;
}

void
alignment_page_write(void *context, void *page_context, unsigned char *data,
                     size_t size)
{
    const struct alignment_pages *pages = context;
    struct alignment_page *page = page_context;
    struct alignment_input input;
    struct alignment alignment;
    size_t start, end;

    page->has_order = false;
    page->order = ALIGNMENT_ORDER_START;
    restart(page, size);
    if (!atomic_load_explicit(&pages->is_ready, memory_order_acquire))
        return;
    struct alignment_walk walk = pages->walk;
    alignment_walk_guess(&walk, data, &size, &start);
    restart(page, start);
    alignment_input_open(&input, read_nothing, NULL, pages->bytes_max, data,
                         size);
    input.has_ended = true;
    alignment_input_take(&input, start);
    do {
        if (alignment_walk_next(&walk, &input, &alignment) != ALIGNMENT_THERE ||
            alignment_walk_left(&walk) > alignment_input_has(&input))
            return;
        end = input.next + (size_t)alignment_walk_left(&walk);
    } while (append(pages, page, &alignment, &input, end));
}
