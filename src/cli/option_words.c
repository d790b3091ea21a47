/* option_words.c -- words of options that other rooms define */

#include "cli/option_words.h"
#include "cli/options.h"
#include "engine/gpu/device/kernel.h"
#include "hist/record.h"
#include "hist/text_axis.h"
#include "input/decode/decoders.h"
#include "report/figure.h"
#include "report/report.h"

const char *
option_words_type(size_t i, const char **remark)
{
    (void)remark;
    return i <= SAMPLE_F8 ? record_type_name((enum sample_type)i) : NULL;
}

/* Also the types of fields of text. */
const char *
option_words_dtype(size_t i, const char **remark)
{
    return i <= SAMPLE_F8 ? option_words_type(i, remark)
                          : text_axis_type(i - SAMPLE_F8 - 1);
}

const char *
option_words_format(size_t i, const char **remark)
{
    if (i >= FORMAT_COUNT)
        return NULL;
    *remark = report_formats[i].remark;
    return report_formats[i].name;
}

const char *
option_words_decompress(size_t i, const char **remark)
{
    return decoders_word((unsigned int)i, remark);
}

const char *
option_words_column(size_t i, const char **remark)
{
    (void)remark;
    return i < FIGURE_WORDS ? figure_rows[i].name : NULL;
}

const char *
option_words_strategy(size_t i, const char **remark)
{
    (void)remark;
    return i < STRATEGY_COUNT ? kernel_strategy_name((enum strategy)i) : NULL;
}
