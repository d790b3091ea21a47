/* SPDX-License-Identifier: MIT */
/* clf_names.c -- the names of the fields of CLF, and the records that fit */

#include <string.h>

#include "base/near_names.h"
#include "kernels/text/clf.h"
#include "text/clf_names.h"
#include "text/field_number.h"
#include "text/scan_forms.h"
#include "text/text_format.h"

static const struct {
    const char *name;
    struct text_field field;
} names[] = {
    {"host", {.number = 1}},
    {"ident", {.number = 2}},
    {"user", {.number = 3}},
    {"time", {.number = CLF_TIME}},
    {"minute", {.number = CLF_TIME, .part = TEXT_PART_MINUTE}},
    {"hour", {.number = CLF_TIME, .part = TEXT_PART_HOUR}},
    {"day", {.number = CLF_TIME, .part = TEXT_PART_DAY}},
    {"request", {.number = CLF_REQUEST}},
    {"method", {.number = CLF_REQUEST, .part = TEXT_PART_METHOD}},
    {"target", {.number = CLF_REQUEST, .part = TEXT_PART_TARGET}},
    {"path", {.number = CLF_REQUEST, .part = TEXT_PART_PATH}},
    {"query", {.number = CLF_REQUEST, .part = TEXT_PART_QUERY}},
    {"protocol", {.number = CLF_REQUEST, .part = TEXT_PART_PROTOCOL}},
    {"status", {.number = 6}},
    {"bytes", {.number = CLF_BYTES}},
    {"referer", {.number = CLF_REFERER, .part = TEXT_PART_COMBINED}},
    {"agent", {.number = CLF_AGENT, .part = TEXT_PART_COMBINED}},
    {"vhost", {.number = CLF_HOST, .part = TEXT_PART_VHOST}},
};

const char clf_names_of_line[] = "host,ident,user,time,method,target,protocol,"
                                 "status,bytes,referer,agent";

/* The name of a field in servers and other programs, and its name here. */
static const char *const of_others[][2] = {
    {"ip", "host"},
    {"client", "host"},
    {"addr", "host"},
    {"remote_addr", "host"},
    {"remote_user", "user"},
    {"url", "target"},
    {"uri", "target"},
    {"request_uri", "target"},
    {"page", "path"},
    {"verb", "method"},
    {"code", "status"},
    {"size", "bytes"},
    {"body_bytes_sent", "bytes"},
    {"date", "day"},
    {"timestamp", "time"},
    {"time_local", "time"},
    {"referrer", "referer"},
    {"http_referer", "referer"},
    {"ua", "agent"},
    {"browser", "agent"},
    {"useragent", "agent"},
    {"user-agent", "agent"},
    {"user_agent", "agent"},
    {"http_user_agent", "agent"},
    {"version", "protocol"},
    {"virtual_host", "vhost"},
    {"server_name", "vhost"},
    {"http_host", "vhost"},
    {"domain", "vhost"},
};

/* Returns the name here of the LENGTH bytes at NAME, and sets *SIZE to its
   bytes; an unknown NAME is returned as it is. */
static const char *
find_other(const char *name, size_t length, size_t *size)
{
    for (size_t i = 0; i < sizeof of_others / sizeof *of_others; i++) {
        if (strlen(of_others[i][0]) == length &&
            memcmp(of_others[i][0], name, length) == 0) {
            *size = strlen(of_others[i][1]);
            return of_others[i][1];
        }
    }
    *size = length;
    return name;
}

/* The names of awk's fields $1, $2, ..., which blanks alone separate. */
static const char *const of_awk[] = {
    "host",   "ident",    "user",   "time",  "time",    "method",
    "target", "protocol", "status", "bytes", "referer", "agent",
};

/* Returns name I, for messages. */
static const void *
name_at(const void *context, size_t i, size_t *size)
{
    (void)context;
    return near_names_string(&names[i].name, 0, size);
}

/* Returns the number in the LENGTH bytes at TEXT; 0: not a number. */
static binning_u32
read_number(const char *text, size_t length)
{
    binning_u32 number;

    return field_number_parse(text, &number) == text + length ? number : 0;
}

int
clf_names_find(const char *option, const char *name, size_t length,
               struct text_field *field, struct error *error)
{
    const struct near_names all = {name_at, NULL, sizeof names / sizeof *names,
                                   ""};
    binning_u32 number = read_number(name, length);
    size_t size;
    const char *wanted = find_other(name, length, &size);
    char shown[VISIBLE_BYTES];
    char list[NEAR_NAMES_BYTES];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i].name) == length &&
            memcmp(names[i].name, name, length) == 0) {
            *field = names[i].field;
            return 0;
        }
    }
    if (length > 1 && *name == '+')
        field->number = read_number(name + 1, length - 1);
    if (length > 1 && *name == '+' && field->number > 0) {
        field->number += CLF_AGENT;
        field->is_from_last = 0;
        field->part = TEXT_PART_MORE;
        return 0;
    }
    if (number > 0 && number <= sizeof of_awk / sizeof *of_awk)
        error_set(error, EXIT_USAGE,
                  "--%s: the fields of --clf have names: for awk's $%u write "
                  "%s",
                  option, (unsigned int)number, of_awk[number - 1]);
    else
        error_set(
            error, EXIT_USAGE,
            "--%s: '%s' is not a field of --clf (%s, and +1, +2, ... after "
            "them); other lines: --log-format=FORMAT",
            option, visible_name(shown, name, length),
            near_names_list(&all, wanted, size, list));
    return -1;
}

/* ---- records of CLF that do not fit ---- */

/* The error in a record, by the number of its first field that does not fit. */
static const char *const misfit_reasons[CLF_BYTES + 1] = {
    [CLF_HOST] = "is no host",
    [CLF_IDENT] = "is no identity",
    [CLF_USER] = "is no user",
    [CLF_TIME] = "is no time as [22/Nov/2026:08:01:02 +0000]",
    [CLF_REQUEST] = "is no request in quotes",
    [CLF_STATUS] = "is no status of three digits",
    [CLF_BYTES] = "is no number of bytes",
};

/* The error in a record that ends before that field. */
static const char *const misfit_ends[CLF_BYTES + 1] = {
    [CLF_IDENT] = "ends before the identity",
    [CLF_USER] = "ends before the user",
    [CLF_TIME] = "ends before the time",
    [CLF_REQUEST] = "ends before the request",
    [CLF_STATUS] = "ends before the status",
    [CLF_BYTES] = "ends before the number of bytes",
};

bool
scan_fits(const unsigned char *data, struct text_record *record,
          struct text_slice *vhost, struct scan_ledger *ledger)
{
    const uint32_t start = record->start;
    const uint32_t end = record->end;
    uint32_t at;
    uint32_t number = clf_misfit(data, record, &at, vhost);

    if (number == 0) {
        for (at = start; at < end && fields_is_blank(data[at]);)
            at++;
        ledger->blanks += at == end;
        return true;
    }
    if (ledger->misfits > 0 && ledger->first.slice.at < start)
        return false;
    bool is_short = at == end;
    at = is_short ? start : at;
    ledger->first = (struct json_wrong){
        .slice = {at, end - at},
        .reason = is_short ? misfit_ends[number] : misfit_reasons[number],
    };
    return false;
}
