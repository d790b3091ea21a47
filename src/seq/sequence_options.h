/* SPDX-License-Identifier: MIT */
/* sequence_options.h -- options for records, of sequences, too */

#ifndef GPUHIST_SEQUENCE_OPTIONS_H
#define GPUHIST_SEQUENCE_OPTIONS_H

#include "text/text_options.h"

/* As text_options_format(), of text and of sequences. */
int sequence_options_format(const struct text_options *options,
                            struct text_format *format, struct error *error);

/*
 * As text_options_fields(), of text and of sequences.  Weights of sequences are
 * integers; bases or k-mers are counted unless fields or groups are given.
 */
int sequence_options_fields(const struct text_options *options,
                            const struct text_format *format,
                            const struct text_header *header,
                            const struct text_wanted *wanted,
                            struct condition_list *conditions,
                            struct text_fields *fields, struct error *error);

/* Whether LIST has a field, or CONDITIONS one on a field, that needs bases or
   qualities, or their number. */
bool sequence_options_need_bases(const struct field_list *list,
                                 const struct condition_list *conditions);

/* Returns a bit, 1 << word, for each of enum alignment_word that FORMAT needs,
   or a field of LIST, or a condition of CONDITIONS. */
unsigned int
sequence_options_alignment_words(const struct text_format *format,
                                 const struct field_list *list,
                                 const struct condition_list *conditions);

#endif
