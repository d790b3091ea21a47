/* SPDX-License-Identifier: MIT */
/* logfmt_members.h -- the keys that a line of logfmt has */

#ifndef GPUHIST_LOGFMT_MEMBERS_H
#define GPUHIST_LOGFMT_MEMBERS_H

#include "text/json_members.h"

/*
 * Find the keys of the line at DATA, SIZE bytes, in their order, each once; the
 * line may be cut short.  Without memory some keys are left out.  The caller
 * calls json_members_close().
 */
void logfmt_members_find(struct json_members *members,
                         const unsigned char *data, size_t size);

#endif
