/* SPDX-License-Identifier: MIT */
/* wrong_amount.c -- a wrong record, weight or count, for messages */

#include <stdio.h>

#include "base/visible.h"
#include "engine/cpu/fields/wrong_amount.h"
#include "text/text_type.h"

static void
set_error(const struct chunk *chunk, const struct wrong_amount *wrong,
          struct error *error)
{
    char text[VISIBLE_BYTES];
    const struct origin *origin =
        origins_find(&chunk->origins, wrong->slice.at);
    char at[32] = "";

    if (origin != NULL && !origin->is_part)
        snprintf(
            at, sizeof at, " at byte %llu,",
            (unsigned long long)(origin->at + wrong->slice.at - origin->start));
    visible_name(text, chunk->data + wrong->slice.at, wrong->slice.size);
    error_set(error, EXIT_DATA, "%s%sthe %s%s '%s'%s %s",
              origin != NULL ? origin->name : "", origin != NULL ? ": " : "",
              wrong->noun, at, text, *at != '\0' ? "," : "", wrong->reason);
}

void
misfits_add(struct misfits *misfits, pthread_mutex_t *lock,
            const struct chunk *chunk, const struct scan_ledger *ledger)
{
    const struct wrong_amount wrong = wrong_amount_of_line(&ledger->first);
    struct input_place place = {0};
    bool is_placed = ledger->misfits > 0 &&
                     origins_place(&chunk->origins, wrong.slice.at, &place);

    if (ledger->misfits == 0 && ledger->blanks == 0)
        return;
    pthread_mutex_lock(lock);
    if (ledger->misfits > 0 &&
        (misfits->count == 0 ||
         (is_placed && misfits->is_placed &&
          input_place_is_before(&place, &misfits->place)))) {
        error_clear(&misfits->error);
        set_error(chunk, &wrong, &misfits->error);
        misfits->is_placed = is_placed;
        misfits->place = place;
    }
    misfits->count += ledger->misfits;
    misfits->blanks += ledger->blanks;
    pthread_mutex_unlock(lock);
}

int
misfits_check(const struct misfits *misfits, const struct text_format *format,
              uint64_t lines, struct error *error)
{
    if (misfits->count == 0 || misfits->count + misfits->blanks < lines)
        return 0;
    error_set(error, EXIT_DATA, "%s; no line fits %s", misfits->error.text,
              text_type_of(format->kind)->option);
    return -1;
}

void
misfits_move(struct misfits *misfits, struct misfits *from)
{
    if (misfits->count == 0)
        error_move(&misfits->error, &from->error);
    misfits->count += from->count;
    misfits->blanks += from->blanks;
    misfits_close(from);
}

void
misfits_close(struct misfits *misfits)
{
    error_clear(&misfits->error);
    *misfits = (struct misfits){0};
}

int
wrong_amount_pass(const struct chunk *chunk, const struct wrong_amount *wrong,
                  size_t *done, struct error *error)
{
    set_error(chunk, wrong, error);
    if (origins_note_wrong(&chunk->origins, wrong->slice.at, error) < 0)
        return -1;
    *done = origins_next(&chunk->origins, wrong->slice.at, chunk->used);
    return 0;
}
