/* SPDX-License-Identifier: MIT */
/* help_topics.h -- the topics of --help=TOPIC */

#ifndef GPUHIST_HELP_TOPICS_H
#define GPUHIST_HELP_TOPICS_H

#include <stddef.h>

struct help_topic {
    const char *name;
    const char *title;    /* NULL: another name of the topic before */
    const char *examples; /* lines */
    const char *page;     /* of the manual */
    const char *options;  /* their names, separated by spaces */
};

/* The topics, in the order of messages. */
extern const struct help_topic help_topics[];

/* Returns the name of topic I, or NULL after the last.  REMARK is not used:
   word_at of struct option_row. */
const char *help_topic_name(size_t i, const char **remark);

#endif
