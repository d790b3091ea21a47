/* SPDX-License-Identifier: MIT */
/* wanted_reading.c -- how the options ask for the inputs to be read */

#include "cli/wanted_reading.h"
#include "cli/results.h"
#include "input/archive/members.h"
#include "run/plan.h"
#include "seq/sequence_options.h"

/*
 * Let READING read text as OPTIONS say, if they ask for text; FORMAT must stay
 * in place.  Returns 0, or -1 with *ERROR set.
 */
static int
choose_text(struct reading *reading, const struct options *options,
            struct text_format *format, struct error *error)
{
    const struct text_options *text = &options->spec.text;
    const struct text_wanted wanted = {.fields = options->spec.fields.text,
                                       .lists = options->spec.fields.count,
                                       .weights = options->spec.weights,
                                       .is_joint = options->spec.joint,
                                       .is_all = options->spec.all_fields};
    struct condition_list conditions = {0};
    struct text_fields fields = {0};

    if (!text_options_are_given(text))
        return 0;
    /* A list that is wrong is wrong without a header, too. */
    int result = sequence_options_format(text, format, error);
    if (result == 0)
        result =
            condition_list_parse(&conditions, format, options->spec.where.text,
                                 options->spec.where.count, error);
    if (result == 0)
        result = sequence_options_fields(text, format, NULL, &wanted,
                                         &conditions, &fields, error);
    reading->alignments = (struct alignment_choice){
        .has_all = text->all_alignments,
        .has_references = text->counts_references,
        .is_stored = text->as_aligned,
        .has_bases = sequence_options_need_bases(&fields.list, &conditions),
        .words =
            sequence_options_alignment_words(format, &fields.list, &conditions),
    };
    field_list_close(&fields.list);
    reading->text = format;
    reading->finds_columns =
        wanted.is_all && text_type_of(format->kind)->has_columns;
    /* Before a header. */
    format->skips_blank = text_type_of(format->kind)->skips_blank;
    if (result == 0)
        result = text_options_find_header(text, format, &wanted, &conditions,
                                          &reading->has_header, error);
    reading->is_header_comment = text_options_header_is_comment(text);
    condition_list_close(&conditions);
    return result;
}

int
wanted_reading_set(struct reading *reading, const struct options *options,
                   struct text_format *format, struct error *error)
{
    reading->members = options->safetensors ? &safetensors_members_type
                       : options->members   ? members_type()
                                            : NULL;
    reading->decompress = options->decompress;
    reading->skip_bytes = options->skip_bytes;
    reading->read_bytes = options->read_bytes;
    reading->first_records =
        options->reads > 0 ? options->reads : options->first;
    reading->shard = options->shard;
    reading->header_bytes_max = plan_header_bytes(options->plan.memory_limit);
    reading->is_image = options->image;
    reading->is_npy = options->npy || options->safetensors;
    reading->refuses_states = true;
    reading->identifies = results_have_state(options);
    return choose_text(reading, options, format, error);
}
