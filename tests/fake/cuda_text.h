/* SPDX-License-Identifier: MIT */
/*
 * cuda_text.h -- the kernels for text, with one thread of one block, for
 * fake_cuda.c; after cuda_sequences.h, which defines the thread blocks
 */

#ifndef GPUHIST_CUDA_TEXT_H
#define GPUHIST_CUDA_TEXT_H

#include "kernels/text/text_work.h"

#define TEXT_LOAD_SLOT(slot) (*(slot))

#include "kernels/text/text_count.h"
#include "kernels/text/text_find.h"

/* The cells of the histogram for WORK: a dictionary has four slots for each
   key. */
static inline uint64_t
cuda_text_cells(const struct text_work *work)
{
    return TEXT_TOTALS + ((uint64_t)work->slot_mask + 1) / 4 + work->bins;
}

/* Run the kernel with NUMBER, in the order of text_work.h. */
static inline void
cuda_text_run(int number, const struct text_task *task)
{
    switch (number) {
    case 0:
        text_find_learn(task);
        break;
    case 1:
        text_find_prepare(task);
        break;
    case 2:
        text_find_all(task, TEXT_FINDS_KEYS);
        break;
    case 3:
        text_find_all(task, TEXT_FINDS_SPANS);
        break;
    case 4:
        text_find_all(task, TEXT_FINDS_NUMBERS);
        break;
    default:
        text_count_all(task);
        break;
    }
}

#endif
