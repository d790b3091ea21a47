/* SPDX-License-Identifier: MIT */
/*
 * server_names.c -- what the names of nginx and Apache mean
 *
 * From the documentation of ngx_http_log_module, ngx_http_core_module and
 * ngx_http_upstream_module, and of mod_log_config and mod_logio.
 */

#include <string.h>
#include <strings.h>

#include "text/pattern/server_names.h"

#define TIME "28/Nov/2026:06:41:12 +0000"

static const struct pattern_known of_nginx[] = {
    {.own = "remote_addr", .mapped = "host"},
    {.own = "remote_user", .mapped = "user"},
    {.own = "time_local", .mapped = "time", .sample = TIME},
    {.own = "time_iso8601", .mapped = "time"},
    {.own = "msec", .mapped = "time"},
    {.own = "request", .mapped = "request"},
    {.own = "request_method", .mapped = "method"},
    {.own = "request_uri", .mapped = "target"},
    {.own = "uri", .mapped = "path"},
    {.own = "args", .mapped = "query"},
    {.own = "query_string", .mapped = "query"},
    {.own = "server_protocol", .mapped = "protocol"},
    {.own = "status", .mapped = "status", .check = PATTERN_STATUS},
    {.own = "body_bytes_sent", .mapped = "bytes", .check = PATTERN_BYTES},
    {.own = "http_referer", .mapped = "referer"},
    {.own = "http_user_agent", .mapped = "agent"},
    {.own = "request_time", .mapped = "duration", .chain = "duration"},
    {.own = "host", .mapped = "vhost", .is_other = true},
    {.own = "http_host", .mapped = "vhost"},
    {.own = "server_name", .mapped = "vhost"},
    {.own = "http_x_forwarded_for", .is_list = true},
    {.own = "proxy_add_x_forwarded_for", .is_list = true},
    {.own = "upstream_addr", .is_list = true},
    {.own = "upstream_bytes_received", .is_list = true},
    {.own = "upstream_bytes_sent", .is_list = true},
    {.own = "upstream_connect_time", .is_list = true},
    {.own = "upstream_header_time", .is_list = true},
    {.own = "upstream_response_length", .is_list = true},
    {.own = "upstream_response_time", .is_list = true},
    {.own = "upstream_status", .is_list = true},
    {.own = NULL},
};

/* Of Apache: a letter, or the text between braces and the letter. */
static const struct pattern_known of_apache[] = {
    {.own = "h", .mapped = "host"},
    {.own = "a", .mapped = "host"},
    {.own = "l", .mapped = "ident"},
    {.own = "u", .mapped = "user"},
    {.own = "t", .mapped = "time", .sample = TIME},
    {.own = "r", .mapped = "request"},
    {.own = "m", .mapped = "method"},
    {.own = "U", .mapped = "path"},
    {.own = "q", .mapped = "query"},
    {.own = "H", .mapped = "protocol"},
    {.own = "s", .mapped = "status", .check = PATTERN_STATUS},
    {.own = "b", .mapped = "bytes", .check = PATTERN_BYTES},
    {.own = "B", .mapped = "bytes", .check = PATTERN_BYTES},
    {.own = "T", .mapped = "duration", .chain = "duration"},
    {.own = "v", .mapped = "vhost"},
    {.own = "V", .mapped = "vhost"},
    {.own = "{s}T", .mapped = "duration", .chain = "duration"},
    {.own = "{ms}T", .mapped = "duration", .chain = "duration=ms"},
    {.own = "{us}T", .mapped = "duration", .chain = "duration=us"},
    {.own = "D", .mapped = "duration", .chain = "duration=us"},
    {.own = "{Referer}i", .mapped = "referer"},
    {.own = "{User-Agent}i", .mapped = "agent"},
    {.own = "{Host}i", .mapped = "vhost"},
    {.own = "{X-Forwarded-For}i", .is_list = true},
    {.own = NULL},
};

/* Of %{...}t, whatever the format of the time is. */
static const struct pattern_known of_times = {
    .own = "t", .mapped = "time", .is_format = true};

/* Whether OWN, of the table of Apache, is NAME; headers have no case. */
static bool
is_apache(const char *own, const struct spelled_name *name)
{
    size_t length = name->own_length;

    if (!name->is_braced)
        return own[0] == name->letter && own[1] == '\0';
    return *own == '{' && strlen(own) == length + 3 &&
           strncasecmp(own + 1, name->own, length) == 0 &&
           own[length + 2] == name->letter;
}

static bool
is_nginx(const char *own, const struct spelled_name *name)
{
    return strlen(own) == name->own_length &&
           memcmp(own, name->own, name->own_length) == 0;
}

const struct pattern_known *
server_name_known(enum spelling spelling, const struct spelled_name *name)
{
    const struct pattern_known *row =
        spelling == SPELLING_NGINX ? of_nginx : of_apache;

    if (spelling == SPELLING_DISSECT)
        return NULL;
    if (spelling == SPELLING_APACHE && name->is_braced && name->letter == 't')
        return &of_times;
    while (row->own != NULL &&
           !(spelling == SPELLING_NGINX ? is_nginx(row->own, name)
                                        : is_apache(row->own, name)))
        row++;
    return row->own != NULL ? row : NULL;
}
