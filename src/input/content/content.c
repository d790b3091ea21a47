/* SPDX-License-Identifier: MIT */
/* content.c -- the content of an input: the bytes to count */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "input/content/content.h"
#include "input/decode/recognition.h"
#include "text/text_type.h"

/* ---- comments between the lines of sequences ---- */

/*
 * A content of FORMAT starts, with at most *LEFT bytes.  If the format has
 * sequences and may have comments, COMMENTS is on, and takes over the limit
 * *LEFT.
 */
static void
start_comments(struct line_comments *comments, const struct text_format *format,
               uint64_t *left)
{
    *comments = (struct line_comments){.left = *left};
    if (!text_type_of(format->kind)->strips_comments ||
        format->comment == TEXT_NO_COMMENT)
        return;
    comments->is_on = true;
    comments->byte = (unsigned char)format->comment;
    *left = UINT64_MAX;
}

/* Returns how many bytes may be read, SIZE at most. */
static size_t
limit_comments(const struct line_comments *comments, size_t size)
{
    return size < comments->left ? size : (size_t)comments->left;
}

/*
 * BYTE is the first byte of the content, or follows a byte order mark or the
 * start of a mark.  Returns whether BYTE is in the mark; otherwise sets the
 * place before BYTE.
 */
static bool
is_of_mark(struct line_comments *comments, unsigned char byte)
{
    bool is_mark = comments->mark_bytes < UTF8_MARK_BYTES &&
                   byte == (unsigned char)UTF8_MARK[comments->mark_bytes];
    bool is_line =
        comments->mark_bytes == 0 || comments->mark_bytes == UTF8_MARK_BYTES;

    if (is_mark)
        comments->mark_bytes++;
    else
        comments->place =
            is_line ? LINE_COMMENTS_AT_LINE : LINE_COMMENTS_IN_LINE;
    return is_mark;
}

/* Set the place in a line that starts with BYTE. */
static void
start_line(struct line_comments *comments, unsigned char byte)
{
    if (byte == comments->byte) {
        comments->place = LINE_COMMENTS_IN_COMMENT;
        comments->count++;
    } else {
        comments->place =
            byte == '@' ? LINE_COMMENTS_AT_END : LINE_COMMENTS_IN_LINE;
    }
}

/* The next SIZE bytes of the content are at DATA: remove the comments.  Returns
   how many bytes are left at DATA. */
static size_t
drop_comments(struct line_comments *comments, unsigned char *data, size_t size)
{
    size_t kept = 0;
    size_t at = 0;

    comments->left -= size;
    while (at < size) {
        if (comments->place == LINE_COMMENTS_AT_START &&
            is_of_mark(comments, data[at])) {
            data[kept++] = data[at++];
            continue;
        }
        if (comments->place == LINE_COMMENTS_AT_LINE)
            start_line(comments, data[at]);
        const unsigned char *end = comments->place != LINE_COMMENTS_AT_END
                                       ? memchr(data + at, '\n', size - at)
                                       : NULL;
        size_t bytes = end != NULL ? (size_t)(end - data) + 1 - at : size - at;
        if (comments->place != LINE_COMMENTS_IN_COMMENT) {
            if (kept < at)
                memmove(data + kept, data + at, bytes);
            kept += bytes;
        }
        at += bytes;
        if (end != NULL)
            comments->place = comments->has_kept || kept > 0
                                  ? LINE_COMMENTS_AT_LINE
                                  : LINE_COMMENTS_AT_START;
    }
    comments->has_kept |= kept > 0;
    return kept;
}

/* ---- bytes of the decoder or the source ---- */

/* Content without the end of a line in this many bytes is taken for no text. */
#define LONG_LINE_BYTES ((size_t)64 << 10)

void
content_note_line_ends(struct content *content, const unsigned char *data,
                       size_t size)
{
    atomic_uint *ends = &content->line_ends;
    unsigned int none = LINE_ENDS_NONE;
    unsigned int before = atomic_load(ends);

    if (before == LINE_ENDS_ANY || size == 0)
        return;
    if (memchr(data, '\n', size) != NULL)
        atomic_store(ends, LINE_ENDS_ANY);
    else if (before == LINE_ENDS_NONE && memchr(data, '\r', size) != NULL)
        atomic_compare_exchange_strong(ends, &none, LINE_ENDS_RETURNS);
    else if (before == LINE_ENDS_NONE && size >= LONG_LINE_BYTES)
        /* A look at all bytes would take time. */
        atomic_store(ends, LINE_ENDS_ANY);
}

/* Read the next decoded bytes, with comments. */
static ssize_t
read_commented(struct content *content, void *buffer, size_t capacity)
{
    if (content->decoder != NULL)
        return decoder_read(content->decoder, buffer, capacity);

    size_t done = 0;
    while (done < capacity) {
        ssize_t got = source_read(
            &content->source, (unsigned char *)buffer + done, capacity - done);
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

/* The next GOT bytes are at DATA, or GOT is -1: remove the comments.  Returns
   how many bytes are left, or -1. */
static ssize_t
remove_comments(struct content *content, unsigned char *data, ssize_t got)
{
    if (got <= 0)
        return got;
    content_note_line_ends(content, data, (size_t)got);
    return (ssize_t)drop_comments(&content->comments, data, (size_t)got);
}

/* Read the next decoded bytes, before --read-bytes and images apply. */
static ssize_t
read_decoded(struct content *content, void *buffer, size_t capacity)
{
    unsigned char *out = buffer;
    size_t done = 0;
    size_t wanted;
    ssize_t got;

    if (!content->comments.is_on)
        return read_commented(content, buffer, capacity);
    do {
        wanted = limit_comments(&content->comments, capacity - done);
        got = read_commented(content, out + done, wanted);
        ssize_t left = remove_comments(content, out + done, got);
        if (left < 0)
            return -1;
        done += (size_t)left;
    } while (done < capacity && wanted > 0 && got == (ssize_t)wanted);
    return (ssize_t)done;
}

/* As read_decoded(), without a decoder, but returns fewer bytes rather than
   wait. */
static ssize_t
read_some(struct content *content, void *buffer, size_t capacity)
{
    ssize_t got;
    ssize_t left;

    if (!content->comments.is_on)
        return source_read(&content->source, buffer, capacity);
    do {
        capacity = limit_comments(&content->comments, capacity);
        got = source_read(&content->source, buffer, capacity);
        left = remove_comments(content, buffer, got);
    } while (got > 0 && left == 0);
    return left;
}

/* Open a decoder if the content is compressed.  Returns 0, or -1. */
static int
find_decoder(struct content *content, enum decompress decompress,
             struct budget *budget, struct decoder **spare)
{
    struct source *source = &content->source;
    const struct decoders_format *format;

    if (recognition_find(source, decompress, &format, &content->seems) < 0)
        return -1;
    if (format == NULL)
        return 0;
    if (format->type == NULL) {
        error_set(&source->error, EXIT_DATA,
                  "%s: %s data, but this gpuhist is built without %s "
                  "(--decompress=none counts the compressed bytes)",
                  source->display_name, format->name, format->name);
        return -1;
    }
    content->decoder = decoder_open(format->type, source, budget, spare);
    return content->decoder == NULL ? -1 : 0;
}

static int
set_too_short(struct content *content, uint64_t has, uint64_t skip_bytes)
{
    error_set(&content->source.error, EXIT_DATA,
              "%s: too short for --skip-bytes: it has %llu byte%s, not %llu",
              content->source.display_name, (unsigned long long)has,
              has == 1 ? "" : "s", (unsigned long long)skip_bytes);
    return -1;
}

/* Skip the first SKIP_BYTES of the content.  Returns 0, or -1. */
static int
skip(struct content *content, uint64_t skip_bytes)
{
    struct source *source = &content->source;
    unsigned char scratch[4096];
    uint64_t done = 0;

    content->skipped = skip_bytes;
    if (skip_bytes == 0)
        return 0;
    if (source->is_regular && content->decoder == NULL) {
        off_t has =
            source->size > source->first ? source->size - source->first : 0;
        /* A file under /proc has size 0 but may have content: read it. */
        if (skip_bytes <= (uint64_t)has) {
            source->first += (off_t)skip_bytes;
            return source_seek(source, source->first);
        }
    }
    while (done < skip_bytes) {
        uint64_t wanted = skip_bytes - done;
        uint64_t zeros = content_zeros(content);
        if (zeros > 0) {
            zeros = zeros < wanted ? zeros : wanted;
            content_skip_zeros(content, zeros);
            done += zeros;
            continue;
        }
        if (wanted > sizeof scratch)
            wanted = sizeof scratch;
        ssize_t got = read_decoded(content, scratch, (size_t)wanted);
        if (got < 0)
            return -1;
        done += (uint64_t)got;
        if ((uint64_t)got < wanted)
            return set_too_short(content, done, skip_bytes);
    }
    return 0;
}

/* Refuse a .npy header, and a state that the user has named.  Returns 0, or
   -1. */
static int
check_start(struct content *content)
{
    const char *name = content->source.display_name;
    struct error *error = &content->source.error;
    uint64_t header =
        content->refuses_npy ? sniff_npy_header(&content->sniff) : 0;

    if (header > 0)
        error_set(error, EXIT_DATA,
                  "%s: a numpy file; use --npy, not a type "
                  "(--skip-bytes=%llu skips its header)",
                  name, (unsigned long long)(content->skipped + header));
    else if (content->refuses_states && sniff_is_state(&content->sniff))
        error_set(error, EXIT_DATA,
                  "%s: a state of gpuhist; use --merge (standard input may "
                  "have any bytes)",
                  name);
    else
        return 0;
    content->is_wide = content->warns_of_text = false;
    return -1;
}

/* Whether the content may be read in ranges. */
static bool
is_plain(const struct content *content)
{
    return content->source.is_regular && content->decoder == NULL &&
           content->alignments == NULL && !content->comments.is_on;
}

/*
 * Look at the first bytes: of a plain file now, because it may be read in
 * ranges; of other inputs in content_read(), because the bytes may take long to
 * come.  Returns 0, or -1.
 */
static int
sniff(struct content *content)
{
    struct source *source = &content->source;
    unsigned char first[SNIFF_BYTES];

    if (content->array.code != NULL)
        return 0; /* its kind is known */
    content->is_sniffed = !is_plain(content);
    if (content->is_sniffed)
        return 0;
    size_t size =
        content->left < sizeof first ? (size_t)content->left : sizeof first;
    ssize_t got = source_peek(source, first, size, source->first);
    if (got < 0)
        return -1;
    sniff_add(&content->sniff, first, (size_t)got);
    return check_start(content);
}

bool
content_is_text(const struct content *content)
{
    if (content->warns_of_text && sniff_has_lines(&content->sniff))
        return true;
    return (content->is_wide || content->warns_of_text) &&
           sniff_is_text(&content->sniff);
}

/* Open the source, find the decoder and skip SKIP_BYTES.  Returns 0, or -1. */
static int
open_decoded(struct content *content, const struct reading *reading,
             enum decompress decompress, uint64_t skip_bytes,
             struct budget *budget, struct decoder **spare)
{
    struct source *source = &content->source;

    content->left = UINT64_MAX;
    if (source_open(source, reading->progress, reading->cancel) == 0 &&
        find_decoder(content, decompress, budget, spare) == 0 &&
        skip(content, skip_bytes) == 0)
        return 0;
    if (cancel_is_asked(source->cancel))
        error_clear(&source->error);
    return -1;
}

int
content_open_archive(struct content *content, const struct reading *reading,
                     struct budget *budget)
{
    struct decoder *no_spare = NULL;

    return open_decoded(content, reading, reading->decompress, 0, budget,
                        &no_spare);
}

/* Compressed data need not exceed their content by more than this. */
#define PACKED_BYTES_MORE ((uint64_t)64 << 10)

/*
 * Limit the identity of a regular file to the bytes that SKIP_BYTES and
 * READ_BYTES leave; of a compressed file, to bytes that have this content,
 * whatever the decoding.
 */
static void
limit_identity(const struct content *content, uint64_t skip_bytes,
               uint64_t read_bytes)
{
    const struct source *source = &content->source;
    uint64_t most = INT64_MAX - (uint64_t)source->first - PACKED_BYTES_MORE;
    uint64_t bytes = read_bytes;

    if (source->identity == NULL || !source->is_regular ||
        (skip_bytes == 0 && read_bytes == UINT64_MAX))
        return;
    if (content->decoder != NULL && bytes != UINT64_MAX)
        bytes += skip_bytes + PACKED_BYTES_MORE;
    identity_limit(source->identity, source->first,
                   source->first + (off_t)(bytes < most ? bytes : most));
}

int
content_open(struct content *content, const struct reading *reading,
             struct budget *budget, struct decoder **spare)
{
    struct source *source = &content->source;
    enum decompress decompress = reading->decompress;

    /* The demanded compression is the archive's. */
    if (source->supply != NULL && decompress != DECOMPRESS_NONE)
        decompress = DECOMPRESS_AUTO;
    if (content->array.code != NULL)
        decompress = DECOMPRESS_NONE;
    content->kept_bytes_max = reading->kept_bytes_max;
    content->budget = budget;
    if (open_decoded(content, reading, decompress, reading->skip_bytes, budget,
                     spare) < 0)
        return -1;
    content->left = reading->read_bytes;
    if (reading->text != NULL)
        start_comments(&content->comments, reading->text, &content->left);
    limit_identity(content, reading->skip_bytes, reading->read_bytes);
    if (source->is_regular && source->size > source->first &&
        (uint64_t)(source->size - source->first) > reading->read_bytes)
        source->size = source->first + (off_t)reading->read_bytes;
    content->is_wide = reading->is_wide;
    content->warns_of_text = reading->text_hint != NULL;
    content->refuses_npy = reading->is_wide || reading->refuses_npy;
    content->refuses_states = reading->refuses_states &&
                              source->supply == NULL && source->path != NULL;
    return sniff(content);
}

ssize_t
content_read_start(struct content *content, unsigned char *buffer, size_t size,
                   size_t most)
{
    struct source *source = &content->source;

    if (is_plain(content))
        return source_peek(source, buffer + size, most - size,
                           source->first + (off_t)size);
    ssize_t got = content->decoder != NULL
                      ? read_decoded(content, buffer + size, most - size)
                      : read_some(content, buffer + size, most - size);
    if (got > 0)
        sniff_add(&content->sniff, buffer + size, (size_t)got);
    return got;
}

int
content_end_start(struct content *content, unsigned char *data, size_t size,
                  size_t start)
{
    struct source *source = &content->source;

    content->start_bytes = start;
    content->first_at = start;
    if (content->left != UINT64_MAX)
        content->left -= start;
    if (!is_plain(content)) {
        content->sniffed_ahead = size - start;
        content->ahead = data;
        content->ahead_at = start;
        content->ahead_end = size;
        return 0;
    }
    free(data);
    source->first += (off_t)start;
    return start > 0 ? source_seek(source, source->first) : 0;
}

/* Fail: the content has MORE, a number of bytes, after the array. */
static int
fail_longer(struct content *content, const char *more)
{
    error_set(&content->source.error, EXIT_DATA,
              "%s: %s after the array, which ends at byte %llu",
              content->source.display_name, more,
              (unsigned long long)(content->skipped + content->start_bytes +
                                   content->array_bytes));
    return -1;
}

/* Fail: the content ends MISSING bytes before the end of the array. */
static int
fail_shorter(struct content *content, uint64_t missing)
{
    error_set(&content->source.error, EXIT_DATA,
              "%s: cut short at byte %llu: %llu of the array's %llu bytes are "
              "missing",
              content->source.display_name,
              (unsigned long long)(content->skipped + content->start_bytes +
                                   content->array_bytes - missing),
              (unsigned long long)missing,
              (unsigned long long)content->array_bytes);
    return -1;
}

int
content_expect(struct content *content, uint64_t bytes)
{
    struct source *source = &content->source;
    char more[24];

    content->is_exact = true;
    content->array_bytes = bytes;
    content->left = bytes;
    /* A file under /proc has size 0 but may have content. */
    if (!is_plain(content) || source->size <= source->first)
        return 0;
    uint64_t has = (uint64_t)(source->size - source->first);
    if (has < bytes)
        return fail_shorter(content, bytes - has);
    snprintf(more, sizeof more, "%llu byte%s",
             (unsigned long long)(has - bytes), has - bytes == 1 ? "" : "s");
    return has > bytes ? fail_longer(content, more) : 0;
}

/* An exact content is read: check that it ends with its array.  Returns 0, or
   -1. */
static int
check_end(struct content *content)
{
    unsigned char byte;

    if (content_is_paused(content) || source_is_cut_short(&content->source))
        return 0;
    if (content->left > 0)
        return fail_shorter(content, content->left);
    if (content->array.code != NULL)
        return 0; /* other arrays may follow */
    if (content->ahead != NULL && content->ahead_at < content->ahead_end)
        return fail_longer(content, "bytes");
    ssize_t got = read_decoded(content, &byte, 1);
    return got > 0 ? fail_longer(content, "bytes") : (int)got;
}

bool
content_is_unlined(const struct content *content)
{
    return atomic_load(&content->line_ends) == LINE_ENDS_RETURNS;
}

/* Copy up to CAPACITY bytes that were read ahead.  Returns how many. */
static size_t
take_ahead(struct content *content, void *buffer, size_t capacity)
{
    size_t size = content->ahead_end - content->ahead_at;

    if (size > capacity)
        size = capacity;
    if (size > 0)
        memcpy(buffer, content->ahead + content->ahead_at, size);
    content->ahead_at += size;
    if (content->ahead_at == content->ahead_end) {
        free(content->ahead);
        content->ahead = NULL;
    }
    return size;
}

/* The callback of image_open(). */
static ssize_t
read_for_image(void *context, void *buffer, size_t capacity)
{
    struct content *content = context;
    ssize_t got = read_decoded(content, buffer, capacity);

    if (got > 0 && content->is_sniffed)
        sniff_add(&content->sniff, buffer, (size_t)got);
    return got;
}

/* Set the source's error to that of the image, if the image is bad. */
static void
set_bad_image(struct content *content)
{
    uint64_t offset = 0;
    const char *detail = image_error(content->image, &offset);

    if (detail != NULL)
        source_fail(&content->source, (off_t)(content->skipped + offset),
                    "bad image", detail);
}

/* Keep SIZE bytes of pixels, if the reading asks for it. */
static int
keep(struct content *content, const void *pixels, size_t size)
{
    if (content->kept_bytes_max == 0)
        return 0;
    if (size > content->kept_bytes_max - content->kept_bytes) {
        error_set(&content->source.error, EXIT_DATA,
                  "%s: the image does not fit into --memory-limit",
                  content->source.display_name);
        return -1;
    }
    if (content->kept_bytes + size > content->kept_room) {
        uint64_t room = 2 * (content->kept_bytes + size);
        unsigned char *grown = realloc(content->kept, (size_t)room);
        if (grown == NULL)
            return source_fail_memory(&content->source);
        content->kept = grown;
        content->kept_room = room;
    }
    memcpy(content->kept + content->kept_bytes, pixels, size);
    content->kept_bytes += size;
    return 0;
}

int
content_read_header(struct content *content, struct image_format *format)
{
    content->image = image_open(read_for_image, content);
    if (content->image == NULL)
        return source_fail_memory(&content->source);
    if (image_read_header(content->image, format) < 0) {
        set_bad_image(content);
        return -1;
    }
    return 0;
}

/* The callback of alignments_open(). */
static ssize_t
read_for_alignments(void *context, void *buffer, size_t capacity,
                    bool *has_ended)
{
    struct content *content = context;

    if (capacity > content->left)
        capacity = (size_t)content->left;
    ssize_t got = content->decoder != NULL
                      ? decoder_read(content->decoder, buffer, capacity)
                  : content->pages.plain.writer != NULL
                      ? plain_sets_read(&content->pages.plain, buffer, capacity)
                      : source_read(&content->source, buffer, capacity);
    if (got > 0)
        content->left -= (uint64_t)got;
    *has_ended = got == 0 && !source_is_cut_short(&content->source);
    return got;
}

/* The callbacks of alignments_take_pages(). */
static bool
find_page(void *context, struct alignment_place *place)
{
    struct content *content = context;
    struct decoder_place found;

    if (content->decoder != NULL
            ? !decoder_find_page(content->decoder, &found)
            : !plain_sets_find_page(&content->pages.plain, &found))
        return false;
    *place = (struct alignment_place){found.page, found.at, found.size};
    return true;
}

static void
skip_content(void *context, size_t size)
{
    struct content *content = context;

    if (content->decoder != NULL)
        decoder_skip(content->decoder, size);
    else
        plain_sets_skip(&content->pages.plain, size);
}

/* Let helpers write text of all the content, as alignments want it. */
static void
start_pages(struct content *content)
{
    struct content_pages *pages = &content->pages;

    if (content->left != UINT64_MAX)
        return;
    pages->sets = (struct alignment_sets){find_page, skip_content, content};
    pages->writer = (struct decoder_writer){
        .context = alignments_take_pages(content->alignments, &pages->sets),
        .page_bytes = ALIGNMENT_PAGE_BYTES,
        .page_open = alignment_page_open,
        .page_write = alignment_page_write,
        .page_close = alignment_page_close,
    };
    if (content->decoder != NULL)
        decoder_start_pages(content->decoder, &pages->writer);
    else
        plain_sets_open(&pages->plain, &content->source, content->budget,
                        &pages->writer);
}

int
content_open_alignments(struct content *content, enum alignment_kind kind,
                        const struct alignment_choice *choice, size_t bytes_max,
                        unsigned char *data, size_t size)
{
    if (is_plain(content)) {
        size = 0; /* the bytes are still to be read */
    } else if (content->left != UINT64_MAX) {
        content->left -= size;
    }
    content->alignments = alignments_open(
        kind, choice, bytes_max, read_for_alignments, content, data, size);
    if (content->alignments == NULL)
        return source_fail_memory(&content->source);
    start_pages(content);
    content->sniff = (struct sniff){0};
    content->is_sniffed = false;
    return 0;
}

/* As content_read(), of BAM and SAM. */
static ssize_t
read_alignments(struct content *content, unsigned char *buffer, size_t capacity)
{
    const struct alignments *alignments = content->alignments;
    struct source *source = &content->source;
    char what[8];
    uint64_t offset;
    size_t ahead =
        content->ahead != NULL ? take_ahead(content, buffer, capacity) : 0;
    ssize_t got =
        alignments_read(content->alignments, buffer + ahead, capacity - ahead);

    if (got >= 0)
        return got + (ssize_t)ahead;
    const char *detail = alignments_error(alignments, &offset);
    if (detail == NULL && source->error.status == EXIT_DONE &&
        cancel_is_asked(source->cancel))
        return (ssize_t)(ahead + alignments_delivered(alignments));
    if (detail == NULL)
        return -1;
    if (content->decoder != NULL && decoder_check(content->decoder) < 0)
        return -1;
    snprintf(what, sizeof what, "bad %s", alignments_name(alignments));
    return source_fail(source, (off_t)(content->skipped + offset), what,
                       detail);
}

int
content_open_part(struct content *part, const struct content *whole,
                  const struct decoder_type *type, off_t offset,
                  struct budget *budget, struct decoder **spare)
{
    *part = (struct content){.left = UINT64_MAX};
    source_open_part(&part->source, &whole->source, offset);
    part->decoder = decoder_open(type, &part->source, budget, spare);
    return part->decoder != NULL ? 0 : -1;
}

bool
content_find_cut(const struct content *content, struct alignments_cut *cut)
{
    if (content->alignments == NULL || content->ahead != NULL)
        return false;
    *cut = alignments_cut(content->alignments);
    return true;
}

bool
content_is_paused(const struct content *content)
{
    return content->decoder != NULL && content->decoder->is_paused;
}

struct decoder *
content_take_decoder(struct content *content)
{
    struct decoder *decoder = content->decoder;

    if (decoder != NULL)
        decoder_end_pages(decoder);
    content->decoder = NULL;
    return decoder;
}

bool
content_has_ranges(const struct content *content)
{
    return is_plain(content) && content->image == NULL;
}

bool
content_has_parts(const struct content *content)
{
    return content->decoder != NULL && content->alignments == NULL &&
           !content->comments.is_on;
}

/* Look at the next SIZE bytes of the content, at DATA, if they are among the
   first ones.  Returns 0, or -1. */
static int
sniff_more(struct content *content, const unsigned char *data, size_t size)
{
    size_t again =
        content->sniffed_ahead < size ? content->sniffed_ahead : size;

    if (!content->is_sniffed || size == 0)
        return 0;
    content->sniffed_ahead -= again;
    sniff_add(&content->sniff, data + again, size - again);
    if (check_start(content) < 0)
        return -1;
    content->is_sniffed = content->sniff.bytes < SNIFF_BYTES;
    return 0;
}

ssize_t
content_read(struct content *content, void *buffer, size_t capacity)
{
    content->source.is_interrupted = false;
    if (content->image != NULL) {
        ssize_t got = image_read(content->image, buffer, capacity);
        /* Cancelled: the pixels before the cut are good. */
        if (got < 0 && content->source.error.status == EXIT_DONE &&
            cancel_is_asked(content->source.cancel))
            return (ssize_t)image_delivered(content->image);
        if (got < 0)
            set_bad_image(content);
        content->shape = image_shape(content->image);
        return got > 0 && keep(content, buffer, (size_t)got) < 0 ? -1 : got;
    }
    if (content->alignments != NULL)
        return read_alignments(content, buffer, capacity);
    size_t wanted = capacity;
    if (capacity > content->left)
        capacity = (size_t)content->left;
    size_t ahead =
        content->ahead != NULL ? take_ahead(content, buffer, capacity) : 0;
    ssize_t got = read_decoded(content, (unsigned char *)buffer + ahead,
                               capacity - ahead);
    if (got >= 0)
        got += (ssize_t)ahead;
    if (got > 0)
        content->left -= (uint64_t)got;
    if (content->is_exact && got >= 0 && (size_t)got < wanted &&
        check_end(content) < 0)
        return -1;
    return got > 0 && sniff_more(content, buffer, (size_t)got) < 0 ? -1 : got;
}

uint64_t
content_zeros(const struct content *content)
{
    /* Kept pixels cannot be skipped. */
    if (content->decoder != NULL || content->kept_bytes_max > 0 ||
        content->alignments != NULL || content->comments.is_on)
        return 0;
    uint64_t zeros = source_zeros(&content->source);
    if (content->image != NULL)
        return image_zeros(content->image, zeros);
    if (content->ahead != NULL || content->is_sniffed)
        return 0;
    return zeros < content->left ? zeros : content->left;
}

void
content_skip_zeros(struct content *content, uint64_t bytes)
{
    source_skip_zeros(&content->source, bytes);
    if (content->image != NULL)
        image_skip_zeros(content->image, bytes);
    else
        content->left -= bytes;
}

ssize_t
content_lease(struct content *content, const unsigned char *front,
              size_t front_bytes, size_t capacity, struct lease *lease)
{
    if (capacity > content->left)
        capacity = (size_t)content->left;
    if (content->decoder == NULL || content->image != NULL ||
        content->alignments != NULL || content->comments.is_on ||
        content->ahead != NULL || content->is_sniffed || capacity == 0)
        return 0;
    if (decoder_lease(content->decoder, front, front_bytes, capacity, lease) <
        0)
        return -1;
    content->left -= lease->bytes;
    return (ssize_t)lease->bytes;
}

ssize_t
content_read_some(struct content *content, void *buffer, size_t capacity)
{
    ssize_t got;

    if (content->decoder != NULL || content->image != NULL ||
        content->alignments != NULL)
        return content_read(content, buffer, capacity);
    if (capacity > content->left)
        capacity = (size_t)content->left;
    if (content->ahead != NULL)
        got = (ssize_t)take_ahead(content, buffer, capacity);
    else
        got = read_some(content, buffer, capacity);
    if (got > 0)
        content->left -= (uint64_t)got;
    return got > 0 && sniff_more(content, buffer, (size_t)got) < 0 ? -1 : got;
}

int
content_unread(struct content *content, const unsigned char *data, size_t size)
{
    if (size == 0)
        return 0;
    if (content->left != UINT64_MAX && content->alignments == NULL)
        content->left += size;
    content->sniffed_ahead += content->is_sniffed ? size : 0;
    if (content->ahead != NULL) {
        /* The bytes are still in AHEAD. */
        content->ahead_at -= size;
        return 0;
    }
    content->ahead = malloc(size);
    if (content->ahead == NULL)
        return source_fail_memory(&content->source);
    memcpy(content->ahead, data, size);
    content->ahead_at = 0;
    content->ahead_end = size;
    return 0;
}

void
content_leave(const struct content *content, size_t size)
{
    const struct source *source = &content->source;
    size_t left = source->head_used - source->head_given + size;

    if (is_plain(content) && source->path == NULL && content->ahead == NULL)
        (void)lseek(source->fd, source->offset - (off_t)left, SEEK_SET);
}

int
content_seek(struct content *content, off_t offset)
{
    struct source *source = &content->source;

    if (source_seek(source, offset) < 0)
        return -1;
    /* Other readers read the bytes before OFFSET; --read-bytes includes
       them. */
    if (content->left != UINT64_MAX)
        content->left -= (uint64_t)(offset - source->first);
    return 0;
}

int
content_release(struct content *content)
{
    image_close(content->image);
    content->image = NULL;
    /* Helpers may write pages for the alignments. */
    decoder_close(content->decoder);
    content->decoder = NULL;
    plain_sets_close(&content->pages.plain);
    alignments_close(content->alignments);
    content->alignments = NULL;
    return source_release(&content->source);
}

void
content_close(struct content *content)
{
    int fd = content_release(content);

    if (fd >= 0)
        close(fd);
}

void
content_free(struct content *content)
{
    content_close(content);
    error_clear(&content->source.error);
    free(content->ahead);
    content->ahead = NULL;
    free(content->kept);
    content->kept = NULL;
}
