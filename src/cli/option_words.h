/* option_words.h -- words of options that other rooms define */

#ifndef GPUHIST_OPTION_WORDS_H
#define GPUHIST_OPTION_WORDS_H

#include <stddef.h>

/* Each returns word I, or NULL after the last, and may set *REMARK: see
   struct option_row. */
const char *option_words_type(size_t i, const char **remark);
const char *option_words_dtype(size_t i, const char **remark);
const char *option_words_format(size_t i, const char **remark);
const char *option_words_decompress(size_t i, const char **remark);
const char *option_words_column(size_t i, const char **remark);
const char *option_words_strategy(size_t i, const char **remark);

#endif
