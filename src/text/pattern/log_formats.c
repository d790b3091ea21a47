/* SPDX-License-Identifier: MIT */
/*
 * log_formats.c -- the formats of logs that have a name
 *
 * From the documentation of each program.
 */

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/near_names.h"
#include "text/pattern/csv_line.h"
#include "text/pattern/haproxy_line.h"
#include "text/pattern/log_formats.h"
#include "text/pattern/quoted_line.h"
#include "text/pattern/syslog_line.h"
#include "text/pattern/w3c_line.h"

struct log_format {
    const char *name;
    const char *pattern[LOG_PATTERNS_MAX];
    const struct pattern_known *known; /* or NULL, as of pattern_parse() */

    /* As of struct pattern; MATCH may be NULL. */
    pattern_matcher *match[LOG_PATTERNS_MAX];
    size_t needed;

    const char *comment; /* the mark of lines without a record; or NULL */
    bool has_header;     /* the fields are named in the data */
    bool is_json;
};

#define COMMON "%h %l %u %t \"%r\" %>s %b"
#define COMBINED COMMON " \"%{Referer}i\" \"%{User-agent}i\""

/* Squid's native format of access.log; a URL with a blank does not fit. */
#define SQUID                                                        \
    "%{time->} %{elapsed} %{remotehost} %{code}/%{status} %{bytes} " \
    "%{method} %{URL} %{rfc931} %{peerstatus}/%{peerhost} %{type}"

static const struct pattern_known of_squid[] = {
    {.own = "time", .mapped = "time"},
    {.own = "elapsed", .mapped = "duration", .chain = "duration=ms"},
    {.own = "remotehost", .mapped = "host"},
    {.own = "code", .check = PATTERN_WORD},
    {.own = "status", .mapped = "status", .check = PATTERN_STATUS},
    {.own = "bytes", .mapped = "bytes", .check = PATTERN_BYTES},
    {.own = "method", .mapped = "method"},
    {.own = "URL", .mapped = "target"},
    {.own = "rfc931", .mapped = "user"},
    {.own = "peerstatus", .check = PATTERN_WORD},
    {.own = NULL},
};

/* Access logs of Amazon S3, with the names of its documentation for Athena; in
   older logs, lines end after versionid or later. */
#define S3                                                                \
    "%{bucketowner} %{bucket_name} [%{requestdatetime}] %{remoteip} "     \
    "%{requester} %{requestid} %{operation} %{key} \"%{request_uri}\" "   \
    "%{httpstatus} %{errorcode} %{bytessent} %{objectsize} %{totaltime} " \
    "%{turnaroundtime} \"%{referrer}\" \"%{useragent}\" %{versionid} "    \
    "%{hostid} %{sigv} %{ciphersuite} %{authtype} %{endpoint} "           \
    "%{tlsversion} %{accesspointarn} %{aclrequired} %{sourceregion}"
#define S3_NEEDED 18

static const struct pattern_known of_s3[] = {
    {.own = "requestdatetime", .mapped = "time"},
    {.own = "remoteip", .mapped = "host"},
    {.own = "requester", .mapped = "user"},
    {.own = "request_uri", .mapped = "request"},
    {.own = "httpstatus", .mapped = "status", .check = PATTERN_STATUS},
    {.own = "bytessent", .mapped = "bytes", .check = PATTERN_BYTES},
    {.own = "totaltime", .mapped = "duration", .chain = "duration=ms"},
    {.own = "referrer", .mapped = "referer"},
    {.own = "useragent", .mapped = "agent"},
    {.own = "endpoint", .mapped = "vhost"},
    {.own = NULL},
};

/* Access logs of Classic Load Balancers of Amazon; first, lines ended after the
   request. */
#define ELB                                                                 \
    "%{time} %{elb} %{client:port} %{backend:port} "                        \
    "%{request_processing_time} %{backend_processing_time} "                \
    "%{response_processing_time} %{elb_status_code} "                       \
    "%{backend_status_code} %{received_bytes} %{sent_bytes} \"%{request}\"" \
    " \"%{user_agent}\" %{ssl_cipher} %{ssl_protocol}"
#define ELB_NEEDED 12

/* Access logs of Application Load Balancers of Amazon; first, lines ended after
   the group of targets. */
#define ALB                                                                  \
    "%{type} %{time} %{elb} %{client:port} %{target:port} "                  \
    "%{request_processing_time} %{target_processing_time} "                  \
    "%{response_processing_time} %{elb_status_code} %{target_status_code} "  \
    "%{received_bytes} %{sent_bytes} \"%{request}\" \"%{user_agent}\" "      \
    "%{ssl_cipher} %{ssl_protocol} %{target_group_arn} \"%{trace_id}\" "     \
    "\"%{domain_name}\" \"%{chosen_cert_arn}\" %{matched_rule_priority} "    \
    "%{request_creation_time} \"%{actions_executed}\" \"%{redirect_url}\" "  \
    "\"%{error_reason}\" \"%{target:port_list}\" "                           \
    "\"%{target_status_code_list}\" \"%{classification}\" "                  \
    "\"%{classification_reason}\" %{conn_trace_id} \"%{transformed_host}\" " \
    "\"%{transformed_uri}\" \"%{request_transform_status}\""
#define ALB_NEEDED 17

/* Of both kinds of load balancers. */
static const struct pattern_known of_load_balancer[] = {
    {.own = "time", .mapped = "time"},
    {.own = "client:port", .mapped = "client:port"},
    {.own = "backend_processing_time",
     .mapped = "duration",
     .chain = "duration"},
    {.own = "target_processing_time",
     .mapped = "duration",
     .chain = "duration"},
    {.own = "elb_status_code", .mapped = "status", .check = PATTERN_STATUS},
    {.own = "received_bytes", .check = PATTERN_BYTES},
    {.own = "sent_bytes", .mapped = "bytes", .check = PATTERN_BYTES},
    {.own = "request", .mapped = "request", .has_url = true},
    {.own = "user_agent", .mapped = "agent"},
    {.own = NULL},
};

/* Traefik's CLF, with the names of its documentation for JSON. */
#define TRAEFIK                                                            \
    "%{ClientHost} - %{ClientUsername} [%{StartUTC}] \"%{request}\" "      \
    "%{DownstreamStatus} %{DownstreamContentSize} \"%{request_Referer}\" " \
    "\"%{request_User-Agent}\" %{RequestCount} \"%{RouterName}\" "         \
    "\"%{ServiceURL}\" %{Duration}ms"

static const struct pattern_known of_traefik[] = {
    {.own = "ClientHost", .mapped = "host", .check = PATTERN_WORD},
    {.own = "ClientUsername", .mapped = "user"},
    {.own = "StartUTC", .mapped = "time"},
    {.own = "request", .mapped = "request"},
    {.own = "DownstreamStatus", .mapped = "status", .check = PATTERN_STATUS},
    {.own = "DownstreamContentSize", .mapped = "bytes", .check = PATTERN_BYTES},
    {.own = "request_Referer", .mapped = "referer"},
    {.own = "request_User-Agent", .mapped = "agent"},
    {.own = "RequestCount", .check = PATTERN_WORD},
    {.own = "Duration", .mapped = "duration", .chain = "duration=ms"},
    {.own = NULL},
};

/* The lines of option httplog and httpslog of HAProxy, of option tcplog, of
   errors, and without an option. */
#define HAPROXY_START                                           \
    "%{process_name}[%{pid}]: %{client:port} [%{accept_date}] " \
    "%{frontend_name}"
#define HAPROXY_CONNECTIONS                                  \
    "%{actconn}/%{feconn}/%{beconn}/%{srv_conn}/%{retries} " \
    "%{srv_queue}/%{backend_queue}"
#define HAPROXY_HTTP                                                        \
    HAPROXY_START                                                           \
    " %{backend_name}/%{server_name} %{TR}/%{Tw}/%{Tc}/%{Tr}/%{Ta} "        \
    "%{status_code} %{bytes_read} %{captured_request_cookie} "              \
    "%{captured_response_cookie} %{termination_state} " HAPROXY_CONNECTIONS \
    " {%{captured_request_headers}} {%{captured_response_headers}} "        \
    "\"%{http_request}\" %{fc_err}/%{ssl_fc_err}/%{ssl_c_err}/"             \
    "%{ssl_c_ca_err}/%{ssl_fc_is_resumed} "                                 \
    "%{ssl_fc_sni}/%{ssl_version}/%{ssl_ciphers}"
#define HAPROXY_TCP                                                    \
    HAPROXY_START                                                      \
    " %{backend_name}/%{server_name} %{Tw}/%{Tc}/%{Tt} %{bytes_read} " \
    "%{termination_state} " HAPROXY_CONNECTIONS
#define HAPROXY_ERROR HAPROXY_START "/%{bind_name}: %{message}"
#define HAPROXY_DEFAULT                                        \
    "%{process_name}[%{pid}]: Connect from %{client:port} to " \
    "%{destination:port} (%{frontend_name}/%{mode})"

static const struct pattern_known of_haproxy[] = {
    {.own = "client:port", .mapped = "client:port"},
    {.own = "accept_date", .mapped = "time"},
    {.own = "Ta",
     .mapped = "duration",
     .chain = "duration=ms",
     .check = PATTERN_NUMBER},
    {.own = "Tt",
     .mapped = "duration",
     .chain = "duration=ms",
     .check = PATTERN_NUMBER},
    {.own = "status_code", .mapped = "status", .check = PATTERN_STATUS_OR_NONE},
    {.own = "bytes_read", .mapped = "bytes", .check = PATTERN_NUMBER},
    {.own = "http_request", .mapped = "request"},
    {.own = "TR", .check = PATTERN_NUMBER},
    {.own = "Tw", .check = PATTERN_NUMBER},
    {.own = "Tc", .check = PATTERN_NUMBER},
    {.own = "Tr", .check = PATTERN_NUMBER},
    {.own = "actconn", .check = PATTERN_NUMBER},
    {.own = "feconn", .check = PATTERN_NUMBER},
    {.own = "beconn", .check = PATTERN_NUMBER},
    {.own = "srv_conn", .check = PATTERN_NUMBER},
    {.own = "retries", .check = PATTERN_NUMBER},
    {.own = "srv_queue", .check = PATTERN_NUMBER},
    {.own = "backend_queue", .check = PATTERN_NUMBER},
    {.own = NULL},
};

/* The fields of syslog_line.h. */
#define SYSLOG                                               \
    "<%{pri}> %{time} %{host} %{program}[%{pid}]: %{msgid} " \
    "[%{structured-data}] %{message}"

static const struct pattern_known of_syslog[] = {
    {.own = "pri", .mapped = "pri"},
    {.own = "time", .mapped = "time"},
    {.own = NULL},
};

/* Usage logs of Cloud Storage of Google. */
#define CLOUDSTORAGE                                                      \
    "\"%{time_micros}\",\"%{c_ip}\",\"%{c_ip_type}\",\"%{c_ip_region}\"," \
    "\"%{cs_method}\",\"%{cs_uri}\",\"%{sc_status}\",\"%{cs_bytes}\","    \
    "\"%{sc_bytes}\",\"%{time_taken_micros}\",\"%{cs_host}\","            \
    "\"%{cs_referer}\",\"%{cs_user_agent}\",\"%{s_request_id}\","         \
    "\"%{cs_operation}\",\"%{cs_bucket}\",\"%{cs_object}\""

/* Files start with the names of the fields. */
#define CLOUDSTORAGE_COMMENT "\"time_micros\""

static const struct pattern_known of_cloudstorage[] = {
    {.own = "time_micros", .mapped = "time"},
    {.own = "c_ip", .mapped = "host"},
    {.own = "cs_method", .mapped = "method"},
    {.own = "cs_uri", .mapped = "target"},
    {.own = "sc_status", .mapped = "status", .check = PATTERN_STATUS},
    {.own = "sc_bytes", .mapped = "bytes", .check = PATTERN_BYTES},
    {.own = "time_taken_micros", .mapped = "duration", .chain = "duration=us"},
    {.own = "cs_host", .mapped = "vhost"},
    {.own = "cs_referer", .mapped = "referer"},
    {.own = "cs_user_agent", .mapped = "agent"},
    {.own = NULL},
};

#define W3C "w3c"

static const struct log_format formats[] = {
    {.name = "common", .pattern = {COMMON}},
    {.name = "combined", .pattern = {COMBINED}},
    {.name = "vcommon", .pattern = {"%v:%p " COMMON, "%v " COMMON}},
    {.name = "vcombined", .pattern = {"%v:%p " COMBINED, "%v " COMBINED}},
    {.name = "squid", .pattern = {SQUID}, .known = of_squid},
    {.name = "s3",
     .pattern = {S3},
     .known = of_s3,
     .match = {quoted_line_match},
     .needed = S3_NEEDED},
    {.name = "elb",
     .pattern = {ELB},
     .known = of_load_balancer,
     .match = {quoted_line_match},
     .needed = ELB_NEEDED},
    {.name = "alb",
     .pattern = {ALB},
     .known = of_load_balancer,
     .match = {quoted_line_match},
     .needed = ALB_NEEDED},
    {.name = "traefik", .pattern = {TRAEFIK}, .known = of_traefik},
    {.name = "haproxy",
     .pattern = {HAPROXY_HTTP, HAPROXY_TCP, HAPROXY_ERROR, HAPROXY_DEFAULT},
     .known = of_haproxy,
     .match = {haproxy_line_match_http, haproxy_line_match_words,
               haproxy_line_match_error, haproxy_line_match_words}},
    {.name = "syslog",
     .pattern = {SYSLOG},
     .known = of_syslog,
     .match = {syslog_line_match}},
    {.name = "cloudstorage",
     .pattern = {CLOUDSTORAGE},
     .known = of_cloudstorage,
     .match = {csv_line_match},
     .comment = CLOUDSTORAGE_COMMENT},
    /* Without patterns: */
    {.name = W3C, .comment = "#", .has_header = true},
    {.name = "cloudfront", .comment = "#", .has_header = true},
    {.name = "caddy", .is_json = true},
};

#define FORMATS (sizeof formats / sizeof *formats)

/* Other names, as goaccess has them. */
static const char *const aliases[][2] = {
    {"vhost_combined", "vcombined"},
    {"awss3", "s3"},
    {"awselb", "elb"},
    {"awsalb", "alb"},
    {"traefikclf", "traefik"},
};

/* Returns the row of NAME, or NULL. */
static const struct log_format *
find_format(const char *name)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        if (strcasecmp(aliases[i][0], name) == 0)
            name = aliases[i][1];
    }
    for (size_t i = 0; i < FORMATS; i++) {
        if (strcasecmp(formats[i].name, name) == 0)
            return &formats[i];
    }
    return NULL;
}

/* Returns name I, for messages. */
static const void *
name_at(const void *context, size_t i, size_t *size)
{
    (void)context;
    return near_names_string(&formats[i].name, 0, size);
}

/* Set *ERROR: NAME is not a format.  Returns -1. */
static int
fail_name(const char *name, struct error *error)
{
    const struct near_names all = {name_at, NULL, FORMATS, ""};
    char shown[VISIBLE_BYTES];
    char list[NEAR_NAMES_BYTES];
    bool is_text = *name == '\0' || strpbrk(name, " \"[]:/<>|") != NULL;

    if (is_text)
        error_set(error, EXIT_USAGE,
                  "--log-format: '%s' has no name with $ or %%; put the "
                  "pattern in single quotes, or the shell takes $names",
                  visible_name(shown, name, strlen(name)));
    else
        error_set(error, EXIT_USAGE,
                  "--log-format: '%s' is no format (%s), and no pattern, which "
                  "has names with $ or %%",
                  visible_name(shown, name, strlen(name)),
                  near_names_list(&all, name, strlen(name), list));
    return -1;
}

bool
log_format_has_header(const char *text)
{
    const struct log_format *format = find_format(text);

    return format != NULL && format->has_header;
}

bool
log_format_is_json(const char *text)
{
    const struct log_format *format = find_format(text);

    return format != NULL && format->is_json;
}

const char *
log_format_comment(const char *text)
{
    const struct log_format *format = find_format(text);

    return format != NULL ? format->comment : NULL;
}

/* As log_patterns_open(), for NAMES, those of fields of w3c. */
static int
open_names(struct log_patterns *patterns, const char *names,
           struct error *error)
{
    patterns->names = strdup(names);
    if (patterns->names == NULL)
        return error_fail_memory(error);
    patterns->count = 1;
    return w3c_line_make(&patterns->pattern[0], names, error);
}

int
log_patterns_open(struct log_patterns *patterns, const char *text,
                  struct error *error)
{
    *patterns = (struct log_patterns){0};
    if (strncmp(text, W3C " ", sizeof W3C) == 0)
        return open_names(patterns, text + sizeof W3C, error);
    if (strpbrk(text, "%$") != NULL) {
        patterns->count = 1;
        return pattern_parse(&patterns->pattern[0], NULL, text, error);
    }
    const struct log_format *format = find_format(text);
    if (format == NULL)
        return fail_name(text, error);
    while (patterns->count < LOG_PATTERNS_MAX &&
           format->pattern[patterns->count] != NULL) {
        size_t i = patterns->count++;
        if (pattern_parse(&patterns->pattern[i], format->known,
                          format->pattern[i], error) < 0)
            return -1;
        /* A function, not its value. */
        /* cppcheck-suppress assignBoolToPointer */
        patterns->pattern[i].match = format->match[i];
        patterns->pattern[i].needed = format->needed;
    }
    return 0;
}

void
log_patterns_close(struct log_patterns *patterns)
{
    for (size_t i = 0; i < patterns->count; i++)
        pattern_close(&patterns->pattern[i]);
    free(patterns->names);
    *patterns = (struct log_patterns){0};
}
