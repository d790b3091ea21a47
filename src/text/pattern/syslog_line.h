/* SPDX-License-Identifier: MIT */
/*
 * syslog_line.h -- lines of syslog in three forms
 *
 *     <34>1 2026-11-28T06:41:12.003Z host app 123 ID47 [x@1 a="b"] message
 *     <34>Nov 28 06:41:12 host app[123]: message
 *     2026-11-28T06:41:12+0100 host app[123]: message
 *
 * The first form is that of RFC 5424; its message may start with a byte order
 * mark, which is left out.  The second one is that of RFC 3164, the third one
 * is that of files of rsyslog and of journalctl -o short-iso; in both the
 * priority may be missing, as in files, and either time may stand.
 *
 * There, a word after the time that ends with a colon or has a bracket is no
 * host.  The next word is a program if a colon and a blank follow it, or a
 * process in brackets and a colon or a blank; otherwise the message starts with
 * the word.  One blank before the message is left out.
 */

#ifndef GPUHIST_SYSLOG_LINE_H
#define GPUHIST_SYSLOG_LINE_H

#include "text/pattern/pattern_match.h"

/* The fields of a line, in their order; any but the time may be missing. */
enum syslog_field {
    SYSLOG_PRI,
    SYSLOG_TIME,
    SYSLOG_HOST,
    SYSLOG_PROGRAM,
    SYSLOG_PID,
    SYSLOG_MSGID,
    SYSLOG_DATA,
    SYSLOG_MESSAGE,
    SYSLOG_FIELDS
};

/* As pattern_match(), for PATTERN with the fields above. */
bool syslog_line_match(const struct pattern *pattern, const unsigned char *data,
                       uint32_t at, uint32_t end, struct text_slice *value,
                       struct pattern_fault *fault);

/*
 * Set VALUE[SYSLOG_PROGRAM], VALUE[SYSLOG_PID] and VALUE[SYSLOG_MESSAGE], which
 * are missing, to those in the bytes of DATA from AT to END.
 */
void syslog_line_read_tag(const unsigned char *data, uint32_t at, uint32_t end,
                          struct text_slice *value);

#endif
