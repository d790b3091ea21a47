/* SPDX-License-Identifier: MIT */
/* url_part.c -- the parts of a URL, of the target of a request, or of a path */

#include <stdint.h>
#include <string.h>

#include "base/ascii.h"
#include "text/modify/url_part.h"

/* The bytes from AT to END. */
struct url_span {
    const unsigned char *at;
    const unsigned char *end;
};

static struct url_span
constant(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;

    return (struct url_span){at, at + strlen(text)};
}

/* Returns the first BYTE in SPAN, or its end. */
static const unsigned char *
find_byte(struct url_span span, unsigned char byte)
{
    const unsigned char *at = NULL;

    if (span.at < span.end)
        at = memchr(span.at, byte, (size_t)(span.end - span.at));
    return at != NULL ? at : span.end;
}

/* Returns the end of the authority at the start of SPAN: the first '/', '?' or
   '#', or the end. */
static const unsigned char *
authority_end(struct url_span span)
{
    while (span.at < span.end && *span.at != '/' && *span.at != '?' &&
           *span.at != '#')
        span.at++;
    return span.at;
}

/* Returns the byte after the last BYTE in SPAN, or the start of SPAN. */
static const unsigned char *
after_last(struct url_span span, unsigned char byte)
{
    const unsigned char *at = span.end;

    while (at > span.at && at[-1] != byte)
        at--;
    return at;
}

/*
 * If TEXT is a URL, cut its authority from it, and what follows '#'.  Returns
 * whether TEXT is a URL.
 */
static bool
cut_authority(struct url_span *text, struct url_span *authority)
{
    const unsigned char *at = text->at;

    if (at == text->end || !ascii_is_letter(*at))
        return false;
    while (at < text->end && (ascii_is_letter(*at) || ascii_is_digit(*at) ||
                              *at == '+' || *at == '-' || *at == '.'))
        at++;
    if (text->end - at < 3 || memcmp(at, "://", 3) != 0)
        return false;
    authority->at = at + 3;
    authority->end = authority_end((struct url_span){at + 3, text->end});
    text->at = authority->end;
    text->end = find_byte(*text, '#');
    return true;
}

/* ---- host ---- */

/* Whether the bytes from AT to END are nothing, or a colon and digits. */
static bool
is_port(const unsigned char *at, const unsigned char *end)
{
    if (at == end)
        return true;
    if (*at++ != ':')
        return false;
    while (at < end && ascii_is_digit(*at))
        at++;
    return at == end;
}

/* Whether all bytes of HOST occur in names and IPv4 addresses. */
static bool
is_name(struct url_span host)
{
    while (host.at < host.end &&
           (ascii_is_letter(*host.at) || ascii_is_digit(*host.at) ||
            *host.at == '-' || *host.at == '.' || *host.at == '_' ||
            *host.at >= 0x80))
        host.at++;
    return host.at == host.end;
}

/*
 * Cut TEXT down to its host.  Returns false if it has none.  A URL may have any
 * bytes in its host and port; another text looks like a host.
 */
static bool
cut_host(struct url_span *text)
{
    struct url_span authority;
    bool is_url = cut_authority(text, &authority);

    if (!is_url)
        authority = (struct url_span){text->at, authority_end(*text)};
    struct url_span host = authority;
    if (is_url)
        host.at = after_last(authority, '@');
    bool is_bracketed = host.at < host.end && *host.at == '[';
    host.at += is_bracketed;
    const unsigned char *port = find_byte(host, is_bracketed ? ']' : ':');
    host.end = port;
    if (is_bracketed && port == authority.end)
        return false;
    port += is_bracketed;
    *text = host;
    return host.at < host.end && (is_url || (is_port(port, authority.end) &&
                                             (is_bracketed || is_name(host))));
}

/* ---- path ---- */

static struct url_span
find_path(struct url_span text)
{
    struct url_span authority;
    bool is_url = cut_authority(&text, &authority);

    text.end = find_byte(text, '?');
    return is_url && text.at == text.end ? constant("/") : text;
}

static struct url_span
find_query(struct url_span text)
{
    struct url_span authority;

    (void)cut_authority(&text, &authority);
    text.at = find_byte(text, '?');
    text.at += text.at < text.end;
    return text;
}

static struct url_span
find_ext(struct url_span path)
{
    path.at = after_last(path, '/');
    while (path.at < path.end && *path.at == '.')
        path.at++;
    const unsigned char *ext = after_last(path, '.');
    path.at = ext > path.at ? ext : path.end;
    return path;
}

/* PATH without slashes at its end, but for the first byte. */
static struct url_span
strip_slashes(struct url_span path)
{
    while (path.end - path.at > 1 && path.end[-1] == '/')
        path.end--;
    return path;
}

static struct url_span
find_dir(struct url_span path)
{
    path = strip_slashes(path);
    path.end = after_last(path, '/');
    if (path.end == path.at)
        return constant(".");
    return strip_slashes(path);
}

static struct url_span
find_base(struct url_span path)
{
    path = strip_slashes(path);
    if (path.end - path.at > 1)
        path.at = after_last(path, '/');
    return path;
}

bool
url_part_find(enum url_part_name name, const unsigned char **text, size_t *size)
{
    struct url_span span = {*text, *text + *size};

    switch (name) {
    case URL_HOST:
        if (!cut_host(&span))
            return false;
        break;
    case URL_PATH:
        span = find_path(span);
        break;
    case URL_QUERY:
        span = find_query(span);
        break;
    case URL_EXT:
        span = find_ext(find_path(span));
        break;
    case URL_DIR:
        span = find_dir(find_path(span));
        break;
    case URL_BASE:
        span = find_base(find_path(span));
        break;
    }
    *text = span.at;
    *size = (size_t)(span.end - span.at);
    return true;
}
