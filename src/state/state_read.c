/* state_read.c -- read the lines of one state after the other */

#include <stdlib.h>
#include <string.h>

#include "state/state_cell.h"
#include "state/state_read.h"

#define ROOM_BYTES ((size_t)1 << 17)

/* How a state begins, and how its head and the state end. */
#define MAGIC "#gpuhist-state "
#define HASH "\thash="
#define HASH_DIGITS 16

void
state_reader_open(struct state_reader *reader, state_supply *supply,
                  void *context, const char *name)
{
    *reader = (struct state_reader){
        .supply = supply, .context = context, .name = name};
}

void
state_reader_close(struct state_reader *reader)
{
    free(reader->buffer);
    reader->buffer = NULL;
    digest_stream_free(reader->hash);
    reader->hash = NULL;
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

/* Read more bytes behind those that are not used yet.  Returns 0, or -1. */
static int
fill(struct state_reader *reader, struct error *error)
{
    size_t used = reader->end - reader->at;

    if (reader->at > 0) {
        memmove(reader->buffer, reader->buffer + reader->at, used);
        reader->at = 0;
        reader->end = used;
    }
    if (used == reader->room) {
        size_t room = used > 0 ? 2 * used : ROOM_BYTES;
        char *buffer = realloc(reader->buffer, room);
        if (buffer == NULL)
            return error_fail_memory(error);
        reader->buffer = buffer;
        reader->room = room;
    }
    ssize_t bytes = reader->supply(reader->context, reader->buffer + used,
                                   reader->room - used, error);
    if (bytes < 0)
        return -1;
    reader->is_at_end = bytes == 0;
    reader->end += (size_t)bytes;
    return 0;
}

/* A line, without its newline, in the buffer. */
struct line {
    const char *text;
    size_t size;
};

/* Read the next line.  Returns 1, 0 at the end of the file, or -1. */
static int
next_line(struct state_reader *reader, struct line *line, struct error *error)
{
    size_t seen = 0;
    const char *newline = NULL;

    for (;;) {
        size_t rest = reader->end - reader->at;
        if (rest > seen)
            newline =
                memchr(reader->buffer + reader->at + seen, '\n', rest - seen);
        if (newline != NULL || reader->is_at_end)
            break;
        seen = rest;
        if (fill(reader, error) < 0)
            return -1;
    }
    if (newline == NULL && reader->end == reader->at)
        return 0;
    reader->line++;
    if (newline == NULL)
        return state_reader_fail(
            reader, "the file ends in the middle of a line", error);
    line->text = reader->buffer + reader->at;
    line->size = (size_t)(newline - line->text);
    reader->at += line->size + 1;
    return 1;
}

/* As next_line(), of a state that has more lines. */
static int
need_line(struct state_reader *reader, struct line *line, struct error *error)
{
    int result = next_line(reader, line, error);

    if (result != 0)
        return result;
    reader->line++;
    return state_reader_fail(
        reader, "the file ends before the end of the state", error);
}

/* LINE, with its newline, is one of the state. */
static void
accept(struct state_reader *reader, const struct line *line)
{
    digest_stream_add(reader->hash, line->text, line->size + 1);
}

/* Whether LINE begins with WORD, which is removed. */
static bool
take_word(struct line *line, const char *word)
{
    size_t size = strlen(word);

    if (line->size < size || memcmp(line->text, word, size) != 0)
        return false;
    line->text += size;
    line->size -= size;
    return true;
}

/* Read NAME and a number, which end at a TAB or at the end of LINE. */
static bool
take_number(struct line *line, const char *name, uint64_t *number)
{
    if (!take_word(line, name))
        return false;
    const char *tab = memchr(line->text, '\t', line->size);
    size_t size = tab != NULL ? (size_t)(tab - line->text) : line->size;
    if (state_cell_number(line->text, size, number) < 0)
        return false;
    line->text += size;
    line->size -= size;
    return true;
}

/* Check that LINE, what is left of WHOLE, is the hash of all bytes before it.
   Returns 0, or -1. */
static int
check_hash(struct state_reader *reader, const struct line *whole,
           struct line *line, struct error *error)
{
    uint64_t hash = 0;

    digest_stream_add(reader->hash, whole->text, whole->size - line->size);
    if (!take_word(line, HASH) || line->size != HASH_DIGITS)
        return state_reader_fail(reader, "the line is damaged", error);
    for (size_t i = 0; i < HASH_DIGITS; i++) {
        static const char digits[] = "0123456789abcdef";
        const char *digit = memchr(digits, line->text[i], HASH_DIGITS);
        if (digit == NULL)
            return state_reader_fail(reader, "the hash is damaged", error);
        hash = hash << 4 | (uint64_t)(digit - digits);
    }
    if (hash != digest_stream_value(reader->hash))
        return state_reader_fail(
            reader, "the state is damaged: the hash of the lines is wrong",
            error);
    digest_stream_add(reader->hash, line->text - strlen(HASH),
                      line->size + strlen(HASH) + 1);
    return 0;
}

/* ---- the head ---- */

/* Begin the hash of a state.  Returns 0, or -1. */
static int
begin_hash(struct state_reader *reader, struct error *error)
{
    if (reader->hash == NULL)
        reader->hash = digest_stream_new();
    if (reader->hash == NULL) {
        error_set(error, EXIT_DATA, "out of memory");
        return -1;
    }
    digest_stream_begin(reader->hash);
    return 0;
}

/* Check that what comes begins as a state does, or nothing comes: a file that
   has no state may be one long line.  Returns 0, or -1. */
static int
check_magic(struct state_reader *reader, struct error *error)
{
    const size_t wanted = strlen(MAGIC);

    while (reader->end - reader->at < wanted && !reader->is_at_end) {
        if (fill(reader, error) < 0)
            return -1;
    }
    size_t have = reader->end - reader->at;
    if (have == 0 || memcmp(reader->buffer + reader->at, MAGIC,
                            have < wanted ? have : wanted) == 0)
        return 0;
    reader->line++;
    return state_reader_fail(reader, "no state of gpuhist begins here", error);
}

/* Check that LINE is the first one of a state that can be read. */
static int
read_version(struct state_reader *reader, struct line line, struct error *error)
{
    uint64_t version;

    if (!take_number(&line, MAGIC, &version) || line.size > 0 || version == 0)
        return state_reader_fail(reader, "no state of gpuhist begins here",
                                 error);
    if (version <= STATE_VERSION)
        return 0;
    error_set(error, EXIT_DATA,
              "%s: line %llu: the state was made by a newer version of "
              "gpuhist: its format is %llu, and %d is the newest that is "
              "known",
              reader->name, (unsigned long long)reader->line,
              (unsigned long long)version, STATE_VERSION);
    return -1;
}

/* Set the program of HEAD to what LINE says. */
static int
read_by(struct state_reader *reader, struct line line, struct state_head *head,
        struct error *error)
{
    struct state_lines lines = {0};

    if (!take_word(&line, "by\t"))
        return state_reader_fail(reader, "the line is damaged", error);
    if (state_lines_add(&lines, line.text, line.size) == 0)
        head->by = state_lines_field(&lines, 0, 0, NULL);
    state_lines_close(&lines);
    if (head->by != NULL)
        return 0;
    return state_reader_fail(reader, "the line is damaged", error);
}

/* Add LINE to its list of HEAD, which is LIST or a later one, and set *LIST to
   it.  Returns 0, or -1. */
static int
read_list(struct state_reader *reader, struct line line, int *list,
          struct state_head *head, struct error *error)
{
    for (int l = *list; l < STATE_LISTS; l++) {
        const char *word = state_head_word((enum state_list)l);
        size_t size = strlen(word);
        if (line.size <= size || memcmp(line.text, word, size) != 0 ||
            line.text[size] != '\t')
            continue;
        *list = l;
        if (state_lines_add(&head->list[l], line.text + size + 1,
                            line.size - size - 1) == 0)
            return 0;
        return error_fail_memory(error);
    }
    return state_reader_fail(reader, "the line is damaged", error);
}

/* Read the totals of HEAD, if LINE has them.  Returns 1, 0: it has not, or
   -1. */
static int
read_totals(struct state_reader *reader, struct line line,
            struct state_head *head, struct error *error)
{
    struct line rest = line;

    if (!take_word(&rest, "total\t"))
        return 0;
    if (!take_number(&rest, "bytes=", &head->bytes) ||
        !take_number(&rest, "\trecords=", &head->elements[SEQUENCE_READS]) ||
        !take_number(&rest, "\tbases=", &head->elements[SEQUENCE_BASES]) ||
        !take_number(&rest, "\twindows=", &head->elements[SEQUENCE_WINDOWS]) ||
        !take_number(&rest, "\tunweighted=", &head->unweighted))
        return state_reader_fail(reader, "the line is damaged", error);
    return check_hash(reader, &line, &rest, error) < 0 ? -1 : 1;
}

int
state_reader_head(struct state_reader *reader, struct state_head *head,
                  struct error *error)
{
    struct line line;
    int list = 0;

    if (check_magic(reader, error) < 0)
        return -1;
    int result = next_line(reader, &line, error);
    if (result <= 0)
        return result;
    if (begin_hash(reader, error) < 0)
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
read_end(struct state_reader *reader, const struct line *line,
         struct error *error)
{
    struct line rest = *line;
    uint64_t rows;

    if (!take_word(&rest, "end\t") || !take_number(&rest, "rows=", &rows))
        return state_reader_fail(reader, "the line is damaged", error);
    if (rows != reader->rows)
        return state_reader_fail(reader, "the state has another number of rows",
                                 error);
    return check_hash(reader, line, &rest, error);
}

int
state_reader_rows(struct state_reader *reader, size_t *histogram,
                  uint64_t *rows, struct error *error)
{
    struct line line;
    uint64_t number;

    if (need_line(reader, &line, error) < 0)
        return -1;
    struct line rest = line;
    if (!take_number(&rest, "rows\t", &number))
        return read_end(reader, &line, error);
    if (!take_number(&rest, "\t", rows) || rest.size > 0 ||
        number != reader->histogram + 1)
        return state_reader_fail(reader, "the line is damaged", error);
    accept(reader, &line);
    *histogram = reader->histogram++;
    reader->rows += *rows;
    return 1;
}

int
state_reader_row(struct state_reader *reader, struct state_row *row,
                 struct error *error)
{
    struct line line;
    const char *tab;

    if (need_line(reader, &line, error) < 0)
        return -1;
    accept(reader, &line);
    row->fields = 0;
    do {
        if (row->fields == STATE_FIELDS_MAX)
            return state_reader_fail(reader, "the row is damaged", error);
        tab = memchr(line.text, '\t', line.size);
        size_t size = tab != NULL ? (size_t)(tab - line.text) : line.size;
        row->field[row->fields] = line.text;
        row->size[row->fields++] = size;
        line.text += size + 1;
        line.size -= tab != NULL ? size + 1 : size;
    } while (tab != NULL);
    return 0;
}
