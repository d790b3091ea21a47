/* SPDX-License-Identifier: MIT */
/* state_read.c -- read states, line by line */

#include <stdlib.h>
#include <string.h>

#include "state/state_field.h"
#include "state/state_read.h"

/* Bytes in which lines are counted at a time. */
#define COUNT_BYTES ((size_t)1 << 12)

/* The first bytes of a state, and the end of the head and of the state. */
#define MAGIC "#gpuhist-state "
#define HASH "\thash="
#define HASH_DIGITS 16

void
state_reader_open(struct state_reader *reader, struct state_crew *crew,
                  state_supply *supply, void *context, const char *name)
{
    *reader = (struct state_reader){
        .crew = crew, .supply = supply, .context = context, .name = name};
}

int
state_reader_close(struct state_reader *reader, int result, struct error *error)
{
    if (reader->block != NULL)
        state_crew_put(reader->crew, reader->block);
    reader->block = NULL;
    digest_stream_free(reader->hash);
    reader->hash = NULL;
    if (result < 0)
        (void)state_crew_settle(reader->crew, error);
    return result;
}

int
state_reader_fail(const struct state_reader *reader, const char *what,
                  struct error *error)
{
    error_set(error, EXIT_DATA, "%s: line %llu: %s", reader->name,
              (unsigned long long)reader->line, what);
    return -1;
}

/* ---- lines ---- */

/* Take another block, and copy the bytes that are still needed.  Returns 0, or
   -1. */
static int
exchange(struct state_reader *reader, struct error *error)
{
    struct state_block *old = reader->block;
    struct state_block *new = state_crew_take(reader->crew);
    size_t needed = old != NULL ? old->size - reader->from : 0;

    while (new != NULL &&new->room <= needed && state_block_grow(new) == 0)
        continue;
    if (new == NULL || new->room <= needed) {
        if (new != NULL)
            state_crew_put(reader->crew, new);
        return error_fail_memory(error);
    }
    if (needed > 0)
        memcpy(new->byte, old->byte + reader->from, needed);
    new->size = needed;
    if (old != NULL)
        state_crew_put(reader->crew, old);
    reader->block = new;
    reader->at -= reader->from;
    reader->from = 0;
    if (!state_crew_has_failed(reader->crew))
        return 0;
    return state_crew_settle(reader->crew, error);
}

/* Make room for more bytes.  The block is full, or not there yet.  Returns 0,
   or -1. */
static int
make_room(struct state_reader *reader, struct error *error)
{
    struct state_block *block = reader->block;

    if (block == NULL || block->spans > 0)
        return exchange(reader, error);
    if (reader->from > 0) {
        block->size -= reader->from;
        memmove(block->byte, block->byte + reader->from, block->size);
        reader->at -= reader->from;
        reader->from = 0;
        return 0;
    }
    size_t most = state_crew_line_max(reader->crew);
    if (block->size - reader->at >= most) {
        error_set(error, EXIT_DATA,
                  "%s: line %llu: the line does not fit into --memory-limit: "
                  "it may have %zu bytes",
                  reader->name, (unsigned long long)reader->line + 1, most);
        return -1;
    }
    return state_block_grow(block) == 0 ? 0 : error_fail_memory(error);
}

/* Read more bytes to the end of the block.  Returns 0, or -1. */
static int
fill(struct state_reader *reader, struct error *error)
{
    if ((reader->block == NULL || reader->block->size == reader->block->room) &&
        make_room(reader, error) < 0)
        return -1;
    struct state_block *block = reader->block;
    ssize_t bytes = reader->supply(reader->context, block->byte + block->size,
                                   block->room - block->size, error);
    if (bytes < 0)
        return -1;
    reader->is_at_end = bytes == 0;
    block->size += (size_t)bytes;
    return 0;
}

/* Returns the number of unread bytes in the block. */
static size_t
unread_bytes(const struct state_reader *reader)
{
    return reader->block != NULL ? reader->block->size - reader->at : 0;
}

/* The next COUNT bytes are read; the last KEPT of them are a row. */
static void
advance(struct state_reader *reader, size_t count, size_t kept)
{
    reader->at += count;
    reader->from = reader->at - kept;
}

/* Read the next line.  Returns 1, 0 at the end of the file, or -1. */
static int
next_line(struct state_reader *reader, struct state_text *line,
          struct error *error)
{
    size_t seen = 0;
    const char *newline = NULL;

    for (;;) {
        size_t tail = unread_bytes(reader);
        if (tail > seen)
            newline = memchr(reader->block->byte + reader->at + seen, '\n',
                             tail - seen);
        if (newline != NULL || reader->is_at_end)
            break;
        seen = tail;
        if (fill(reader, error) < 0)
            return -1;
    }
    if (newline == NULL && unread_bytes(reader) == 0)
        return 0;
    reader->line++;
    if (newline == NULL)
        return state_reader_fail(
            reader, "the file ends in the middle of a line", error);
    line->at = reader->block->byte + reader->at;
    line->size = (size_t)(newline - line->at);
    advance(reader, line->size + 1, 0);
    return 1;
}

/* Read the next line; an end of the file before the end of the state is an
   error. */
static int
need_line(struct state_reader *reader, struct state_text *line,
          struct error *error)
{
    int result = next_line(reader, line, error);

    if (result != 0)
        return result;
    reader->line++;
    return state_reader_fail(
        reader, "the file ends before the end of the state", error);
}

/* Add LINE with the newline to the hash. */
static void
accept(struct state_reader *reader, const struct state_text *line)
{
    digest_stream_add(reader->hash, line->at, line->size + 1);
}

/* Read NAME and a number, up to a TAB or the end of LINE. */
static bool
take_number(struct state_text *line, const char *name, uint64_t *number)
{
    return state_text_word(line, name) && state_text_number(line, number) &&
           (line->size == 0 || *line->at == '\t');
}

/* Check that LINE, the tail of WHOLE, is the hash of all bytes before LINE.
   Returns 0, or -1. */
static int
check_hash(struct state_reader *reader, const struct state_text *whole,
           struct state_text *line, struct error *error)
{
    uint64_t hash = 0;

    digest_stream_add(reader->hash, whole->at, whole->size - line->size);
    size_t from = line->size;
    if (!state_text_word(line, HASH) || line->size != HASH_DIGITS)
        return state_reader_fail(reader, "the line is damaged", error);
    if (!state_text_hex(line, HASH_DIGITS, &hash))
        return state_reader_fail(reader, "the hash is damaged", error);
    if (hash != digest_stream_value(reader->hash))
        return state_reader_fail(
            reader, "the state is damaged: the hash of the lines is wrong",
            error);
    digest_stream_add(reader->hash, line->at - from, from + 1);
    return 0;
}

/* ---- the head ---- */

/* Start the hash of a state.  Returns 0, or -1. */
static int
start_hash(struct state_reader *reader, struct error *error)
{
    if (reader->hash == NULL)
        reader->hash = digest_stream_new();
    if (reader->hash == NULL) {
        error_set(error, EXIT_DATA, "out of memory");
        return -1;
    }
    digest_stream_start(reader->hash);
    return 0;
}

/* Check that the next bytes start a state, or that no bytes follow.  Read MAGIC
   first, because another file may be one long line.  Returns 0, or -1. */
static int
check_magic(struct state_reader *reader, struct error *error)
{
    const size_t wanted = strlen(MAGIC);

    while (unread_bytes(reader) < wanted && !reader->is_at_end) {
        if (fill(reader, error) < 0)
            return -1;
    }
    size_t have = unread_bytes(reader);
    if (have == 0 || memcmp(reader->block->byte + reader->at, MAGIC,
                            have < wanted ? have : wanted) == 0)
        return 0;
    reader->line++;
    return state_reader_fail(reader, "no state of gpuhist begins here", error);
}

/* Check that LINE is the first line of a state of a known version. */
static int
read_version(struct state_reader *reader, struct state_text line,
             struct error *error)
{
    uint64_t version;

    if (!take_number(&line, MAGIC, &version) || line.size > 0 || version == 0)
        return state_reader_fail(reader, "no state of gpuhist begins here",
                                 error);
    if (version == STATE_VERSION)
        return 0;
    error_set(error, EXIT_DATA,
              "%s: line %llu: the state was made by %s version of gpuhist: its "
              "format is %llu, and %d is the only one that is known",
              reader->name, (unsigned long long)reader->line,
              version > STATE_VERSION ? "a newer" : "an older",
              (unsigned long long)version, STATE_VERSION);
    return -1;
}

/* Set the program of HEAD from LINE. */
static int
read_by(struct state_reader *reader, struct state_text line,
        struct state_head *head, struct error *error)
{
    struct state_lines lines = {0};

    if (!state_text_word(&line, "by\t"))
        return state_reader_fail(reader, "the line is damaged", error);
    if (state_lines_add(&lines, line.at, line.size) == 0)
        head->by = state_lines_field(&lines, 0, 0, NULL);
    state_lines_close(&lines);
    if (head->by != NULL)
        return 0;
    return state_reader_fail(reader, "the line is damaged", error);
}

/* Add LINE to a list of HEAD, LIST or a later list, and set *LIST to the list.
   Returns 0, or -1. */
static int
read_list(struct state_reader *reader, struct state_text line, int *list,
          struct state_head *head, struct error *error)
{
    for (int l = *list; l < STATE_LISTS; l++) {
        const char *word = state_head_word((enum state_list)l);
        size_t size = strlen(word);
        if (line.size <= size || memcmp(line.at, word, size) != 0 ||
            line.at[size] != '\t')
            continue;
        *list = l;
        if (state_lines_add(&head->list[l], line.at + size + 1,
                            line.size - size - 1) == 0)
            return 0;
        return error_fail_memory(error);
    }
    return state_reader_fail(reader, "the line is damaged", error);
}

/* Read the totals of HEAD, if LINE is the line of totals.  Returns 1, 0:
   another line, or -1. */
static int
read_totals(struct state_reader *reader, struct state_text line,
            struct state_head *head, struct error *error)
{
    struct state_text tail = line;
    size_t list = 1;

    if (!state_text_word(&tail, "total\t"))
        return 0;
    if (!take_number(&tail, "bytes=", &head->bytes) ||
        !take_number(&tail, "\trecords=", &head->elements[SEQUENCE_READS]) ||
        !take_number(&tail, "\tbases=", &head->elements[SEQUENCE_BASES]) ||
        !take_number(&tail, "\twindows=", &head->elements[SEQUENCE_WINDOWS]) ||
        !take_number(&tail, "\tunweighted=", &head->unweighted))
        return state_reader_fail(reader, "the line is damaged", error);
    /* Only with fields of these. */
    (void)take_number(&tail,
                      "\toperations=", &head->elements[SEQUENCE_OPERATIONS]);
    /* Only with conditions. */
    (void)take_number(&tail, "\tleft-out=", &head->left_out);
    /* Only of alignments whose checksums are added up. */
    for (int c = 0; c < ALIGNMENT_CHECKSUMS; c++)
        (void)take_number(&tail, "\tchecksums=", &head->checksum[c]);
    /* Of each list of text. */
    while (list < COUNTED_UNITS &&
           take_number(&tail, "\telements=", &head->elements[list]))
        list++;
    return check_hash(reader, &line, &tail, error) < 0 ? -1 : 1;
}

int
state_reader_head(struct state_reader *reader, struct state_head *head,
                  struct error *error)
{
    struct state_text line;
    int list = 0;

    if (check_magic(reader, error) < 0)
        return -1;
    int result = next_line(reader, &line, error);
    if (result <= 0)
        return result;
    if (start_hash(reader, error) < 0)
        return -1;
    reader->rows = 0;
    reader->histogram = 0;
    if (read_version(reader, line, error) < 0)
        return -1;
    accept(reader, &line);
    if (need_line(reader, &line, error) < 0 ||
        read_by(reader, line, head, error) < 0)
        return -1;
    accept(reader, &line);
    for (;;) {
        if (need_line(reader, &line, error) < 0)
            return -1;
        result = read_totals(reader, line, head, error);
        if (result != 0)
            return result;
        if (read_list(reader, line, &list, head, error) < 0)
            return -1;
        accept(reader, &line);
    }
}

/* ---- rows ---- */

/* Read the last line of the state from LINE.  Returns 0, or -1. */
static int
read_end(struct state_reader *reader, const struct state_text *line,
         struct error *error)
{
    struct state_text tail = *line;
    uint64_t rows;

    if (!state_text_word(&tail, "end\t") || !take_number(&tail, "rows=", &rows))
        return state_reader_fail(reader, "the line is damaged", error);
    if (rows != reader->rows)
        return state_reader_fail(reader, "the state has another number of rows",
                                 error);
    return check_hash(reader, line, &tail, error);
}

int
state_reader_rows(struct state_reader *reader, size_t *histogram,
                  uint64_t *rows, struct error *error)
{
    struct state_text line;
    uint64_t number;

    if (need_line(reader, &line, error) < 0)
        return -1;
    struct state_text tail = line;
    if (!take_number(&tail, "rows\t", &number))
        return read_end(reader, &line, error);
    if (!take_number(&tail, "\t", rows) || tail.size > 0 ||
        number != reader->histogram + 1)
        return state_reader_fail(reader, "the line is damaged", error);
    accept(reader, &line);
    *histogram = reader->histogram++;
    reader->rows += *rows;
    return 1;
}

static size_t
count_newlines(const char *from, size_t size)
{
    size_t count = 0;

    /* Compilers make vectors of sums of bytes. */
    for (size_t i = 0, stop; i < size; i = stop) {
        unsigned char some = 0;
        stop = size - i < UINT8_MAX ? size : i + UINT8_MAX;
        for (size_t k = i; k < stop; k++)
            some = (unsigned char)(some + (from[k] == '\n'));
        count += some;
    }
    return count;
}

/*
 * Find the lines from FROM on, at most MOST, that end before END.  Returns
 * their number, and sets *STOP to the end of the last line and *LAST to the
 * start of the last line.
 */
static uint64_t
find_lines(const char *from, const char *end, uint64_t most, const char **last,
           const char **stop)
{
    const char *start = from;
    uint64_t lines = 0;

    while (lines < most && from < end) {
        size_t size = (size_t)(end - from);
        size = size < COUNT_BYTES ? size : COUNT_BYTES;
        size_t more = count_newlines(from, size);
        if (more > most - lines) {
            const char *newline = from - 1;
            for (; lines < most; lines++)
                newline = memchr(newline + 1, '\n', size);
            from = newline + 1;
            break;
        }
        lines += more;
        from += size;
    }
    while (from > start && from[-1] != '\n')
        from--;
    *stop = from;
    if (from > start)
        from--;
    while (from > start && from[-1] != '\n')
        from--;
    *last = from;
    return lines;
}

int
state_reader_some(struct state_reader *reader, uint64_t most,
                  struct state_span *span, struct error *error)
{
    const char *last = NULL;
    const char *stop = NULL;
    uint64_t lines = 0;

    /* A full block is worth a thread. */
    while (most > 0 && !reader->is_at_end &&
           reader->block->size < reader->block->room) {
        if (fill(reader, error) < 0)
            return -1;
    }
    while (most > 0) {
        const char *at = reader->block->byte + reader->at;
        lines = find_lines(at, at + unread_bytes(reader), most, &last, &stop);
        if (lines > 0)
            break;
        if (reader->is_at_end) {
            struct state_text line;
            return need_line(reader, &line, error);
        }
        if (fill(reader, error) < 0)
            return -1;
    }
    *span = (struct state_span){
        .before = reader->from,
        .at = reader->at,
        .end = reader->at,
        .line = reader->line + 1,
        .count = lines,
    };
    if (lines == 0)
        return 0;
    const char *at = reader->block->byte + reader->at;
    size_t size = (size_t)(stop - at);
    digest_stream_add(reader->hash, at, size);
    advance(reader, size, (size_t)(stop - last));
    span->end = reader->at;
    reader->line += lines;
    return 0;
}
