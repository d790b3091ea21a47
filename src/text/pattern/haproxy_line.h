/* SPDX-License-Identifier: MIT */
/*
 * haproxy_line.h -- lines of HAProxy: option httplog and tcplog, and errors
 *
 * A line starts as syslog has it (syslog_line.h), with the process alone, or
 * with the client.  Its first fields are words.  Of httplog, the captured
 * headers in braces may be missing; of one pair of braces, the headers are
 * those of the request.  The request may lack its closing quote, since a long
 * line is cut there; the fields of option httpslog may follow.
 */

#ifndef GPUHIST_HAPROXY_LINE_H
#define GPUHIST_HAPROXY_LINE_H

#include "text/pattern/pattern_match.h"

/* As pattern_match(), for PATTERN with the process, then words, then what
   httplog and httpslog have. */
bool haproxy_line_match_http(const struct pattern *pattern,
                             const unsigned char *data, uint32_t at,
                             uint32_t end, struct text_slice *value,
                             struct pattern_fault *fault);

/* The same for PATTERN with words alone after the process. */
bool haproxy_line_match_words(const struct pattern *pattern,
                              const unsigned char *data, uint32_t at,
                              uint32_t end, struct text_slice *value,
                              struct pattern_fault *fault);

/* The same, but the last field extends to the line's end. */
bool haproxy_line_match_error(const struct pattern *pattern,
                              const unsigned char *data, uint32_t at,
                              uint32_t end, struct text_slice *value,
                              struct pattern_fault *fault);

#endif
