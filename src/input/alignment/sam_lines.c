/* SPDX-License-Identifier: MIT */
/* sam_lines.c -- from record to record of SAM text */

#include <string.h>

#include "base/visible.h"
#include "input/alignment/sam_lines.h"

/* The fields that each line has, in their order. */
enum sam_field {
    SAM_NAME,
    SAM_FLAG,
    SAM_REFERENCE,
    SAM_POS,
    SAM_MAPQ,
    SAM_CIGAR,
    SAM_MATE_REFERENCE,
    SAM_MATE_POS,
    SAM_TLEN,
    SAM_BASES,
    SAM_QUALITY,
    SAM_FIELDS,
};

/* Bytes between tabs. */
struct field {
    const unsigned char *bytes;
    size_t size;
};

/*
 * Read the next line, up to its end or that of the content.  Returns
 * ALIGNMENT_THERE with *SIZE set to its length, and with the line in the
 * buffer; or why it is not there.
 */
static enum alignment_bytes
read_line(struct sam_lines *lines, struct alignment_input *input, size_t *size)
{
    alignment_input_take(input, lines->line_bytes);
    lines->line_bytes = 0;
    for (;;) {
        const unsigned char *line = alignment_input_next(input);
        size_t has = alignment_input_has(input);
        const unsigned char *end =
            has > lines->searched
                ? memchr(line + lines->searched, '\n', has - lines->searched)
                : NULL;
        *size = end != NULL ? (size_t)(end - line) : has;
        if (*size > input->bytes_max) {
            input->record += lines->is_after_header || line[0] != '@';
            return alignment_input_fail_long(input, input->offset);
        }
        if (end != NULL || (input->has_ended && has > 0)) {
            lines->line_bytes = *size + (end != NULL);
            lines->searched = 0;
            return ALIGNMENT_THERE;
        }
        lines->searched = has;
        enum alignment_bytes bytes = alignment_input_need(input, has + 1);
        if (bytes != ALIGNMENT_THERE &&
            !(bytes == ALIGNMENT_ENDED && alignment_input_has(input) > 0))
            return bytes;
    }
}

/* Cut LINE into its first fields.  Returns how many it has, SAM_FIELDS at
   most; the last one may be cut short by a tab. */
static unsigned int
cut(const unsigned char *line, size_t size, struct field *fields)
{
    unsigned int count = 0;

    for (size_t at = 0; count < SAM_FIELDS; count++) {
        const unsigned char *tab =
            at < size ? memchr(line + at, '\t', size - at) : NULL;
        size_t end = tab != NULL ? (size_t)(tab - line) : size;
        fields[count] = (struct field){line + at, end - at};
        if (tab == NULL)
            return count + 1;
        at = end + 1;
    }
    return count;
}

/* Whether FIELD is '*': its value is not available. */
static bool
is_absent(const struct field *field)
{
    return field->size == 1 && field->bytes[0] == '*';
}

/* Set *NUMBER to the number that FIELD is, from LEAST to MOST.  Returns whether
   it is one. */
static bool
read_number(const struct field *field, int64_t least, int64_t most,
            int64_t *number)
{
    const bool is_negative =
        least < 0 && field->size > 0 && field->bytes[0] == '-';
    int64_t value = 0;

    for (size_t i = is_negative; i < field->size; i++) {
        unsigned int digit = field->bytes[i] - (unsigned int)'0';
        if (digit > 9 || value > INT32_MAX)
            return false;
        value = value * 10 + digit;
    }
    *number = is_negative ? -value : value;
    return field->size > is_negative && *number >= least && *number <= most;
}

static struct alignment_reference
reference_of(const struct field *field)
{
    return (struct alignment_reference){
        .name = field->bytes,
        .size = is_absent(field) ? 0 : field->size,
        .number = -1,
    };
}

/* Set the number and the length of *REFERENCE. */
static enum alignment_bytes
find_reference(struct sam_lines *lines, struct alignment_input *input,
               struct alignment_reference *reference)
{
    char shown[VISIBLE_BYTES];

    if (reference->size == 0)
        return ALIGNMENT_THERE;
    const int64_t number = alignment_references_find(
        &lines->references, reference->name, reference->size);
    if (number < 0)
        return alignment_input_fail(
            input, input->offset,
            "names the reference '%s', which the header "
            "lacks",
            visible_name(shown, reference->name, reference->size));
    *reference = alignment_references_at(&lines->references, number);
    return ALIGNMENT_THERE;
}

/* Set the members of *ALIGNMENT that words need. */
static enum alignment_bytes
take_words(struct sam_lines *lines, struct alignment_input *input,
           const struct field *fields, struct alignment *alignment)
{
    const struct field *mate = &fields[SAM_MATE_REFERENCE];
    char shown[VISIBLE_BYTES];
    const char *wrong = NULL;
    enum sam_field at = SAM_POS;
    int64_t mapq = 0;

    if (!read_number(&fields[SAM_POS], 0, INT32_MAX, &alignment->pos))
        wrong = "position";
    else if (!read_number(&fields[at = SAM_MAPQ], 0, UINT8_MAX, &mapq))
        wrong = "mapping quality";
    else if (alignment_has_word(lines->words, ALIGNMENT_WORD_ORIENTATION) &&
             !read_number(&fields[at = SAM_MATE_POS], 0, INT32_MAX,
                          &alignment->mate_pos))
        wrong = "position of the mate";
    else if (!read_number(&fields[at = SAM_TLEN], -INT32_MAX, INT32_MAX,
                          &alignment->tlen))
        wrong = "template length";
    if (wrong != NULL)
        return alignment_input_fail(
            input, input->offset, "has the %s '%s'", wrong,
            visible_name(shown, fields[at].bytes, fields[at].size));
    alignment->mapq = (unsigned int)mapq;
    alignment->reference = reference_of(&fields[SAM_REFERENCE]);
    alignment->mate_reference = mate->size == 1 && mate->bytes[0] == '='
                                    ? alignment->reference
                                    : reference_of(mate);
    return lines->has_numbers
               ? find_reference(lines, input, &alignment->reference)
               : ALIGNMENT_THERE;
}

/* Set the CIGAR string of *ALIGNMENT, and check that it has as many bases as
   the read.  As in htslib, what starts with '*' is none. */
static enum alignment_bytes
take_cigar(struct alignment_input *input, const struct field *field,
           struct alignment *alignment)
{
    const struct alignment_cigar cigar = {false, field->bytes, field->size};
    char shown[VISIBLE_BYTES];
    uint64_t bases;

    if (field->size > 0 && field->bytes[0] == '*')
        return ALIGNMENT_THERE;
    alignment->cigar = cigar;
    if (field->size == 0 || alignment_cigar_bases(cigar, &bases) < 0)
        return alignment_input_fail(
            input, input->offset, "has the CIGAR string '%s'",
            visible_name(shown, field->bytes, field->size));
    return alignment->length == 0 || bases == alignment->length
               ? ALIGNMENT_THERE
               : alignment_input_fail_cigar(input, input->offset,
                                            alignment->length, bases);
}

/* Set *VALUE to that of the first tag NAME, two letters, with a type of TYPES,
   in the SIZE bytes at TAGS, if there is one; each tag follows a tab. */
static enum alignment_bytes
find_tag(struct alignment_input *input, const unsigned char *tags, size_t size,
         const char *name, const char *types, struct field *value)
{
    const size_t head_bytes = strlen("\tNN:T:");
    char shown[VISIBLE_BYTES];

    for (size_t at = 0, end; at < size; at = end) {
        const unsigned char *tag = tags + at + 1;
        const unsigned char *tab = memchr(tag, '\t', size - at - 1);
        end = tab != NULL ? (size_t)(tab - tags) : size;
        if (end - at < 3 || memcmp(tag, name, 2) != 0)
            continue;
        /* As in htslib, a tag has two letters, a type and two colons. */
        if (end - at < head_bytes)
            return alignment_input_fail(input, input->offset,
                                        "has the incomplete tag '%s'",
                                        visible_name(shown, tag, end - at - 1));
        if (tag[2] != ':' || tag[4] != ':' || tag[3] == '\0' ||
            strchr(types, tag[3]) == NULL)
            continue;
        *value = (struct field){tags + at + head_bytes, end - at - head_bytes};
        break;
    }
    return ALIGNMENT_THERE;
}

/* Set the members of *ALIGNMENT that are in the SIZE bytes at TAGS, as far as
   WORDS need them. */
static enum alignment_bytes
take_tags(struct alignment_input *input, unsigned int words,
          const unsigned char *tags, size_t size, struct alignment *alignment)
{
    enum alignment_bytes bytes = ALIGNMENT_THERE;
    struct field value = {NULL, 0};
    char shown[VISIBLE_BYTES];

    if (alignment_has_word(words, ALIGNMENT_WORD_READ_GROUP)) {
        bytes = find_tag(input, tags, size, "RG", "Z", &value);
        alignment->read_group = value.bytes;
        alignment->read_group_bytes = value.size;
    }
    if (bytes != ALIGNMENT_THERE ||
        !alignment_has_word(words, ALIGNMENT_WORD_EDIT_DISTANCE))
        return bytes;
    value = (struct field){NULL, 0};
    bytes = find_tag(input, tags, size, "NM", "iI", &value);
    alignment->has_edit_distance = value.bytes != NULL;
    if (bytes != ALIGNMENT_THERE || value.bytes == NULL ||
        read_number(&value, INT32_MIN, UINT32_MAX, &alignment->edit_distance))
        return bytes;
    return alignment_input_fail(input, input->offset,
                                "has the edit distance '%s' (NM)",
                                visible_name(shown, value.bytes, value.size));
}

/* Set *ALIGNMENT to the record in FIELDS. */
static enum alignment_bytes
take_fields(struct alignment_input *input, const struct field *fields,
            struct alignment *alignment)
{
    const struct field *bases = &fields[SAM_BASES];
    const struct field *quality = &fields[SAM_QUALITY];
    const bool has_bases = !is_absent(bases);
    char shown[VISIBLE_BYTES];
    int64_t flag;

    if (!read_number(&fields[SAM_FLAG], 0, UINT16_MAX, &flag))
        return alignment_input_fail(
            input, input->offset,
            "has the flag '%s', which is no number up "
            "to 65535",
            visible_name(shown, fields[SAM_FLAG].bytes, fields[SAM_FLAG].size));
    if (bases->size == 0 || quality->size == 0)
        return alignment_input_fail(input, input->offset, "has an empty %s",
                                    bases->size == 0 ? "sequence" : "quality");
    if (!is_absent(quality) && quality->size != (has_bases ? bases->size : 0))
        return alignment_input_fail(input, input->offset,
                                    "has %zu bases, but %zu qualities",
                                    has_bases ? bases->size : 0, quality->size);
    *alignment = (struct alignment){
        .name = fields[SAM_NAME].bytes,
        .name_bytes = fields[SAM_NAME].size,
        .flag = (unsigned int)flag,
        .length = has_bases ? bases->size : 0,
        .bases = bases->bytes,
        .quality = has_bases && is_absent(quality) ? NULL : quality->bytes,
        .quality_zero = '!',
    };
    return take_cigar(input, &fields[SAM_CIGAR], alignment);
}

/* Keep the reference of the SIZE bytes at LINE, if it is a line of one. */
static enum alignment_bytes
keep_reference(struct sam_lines *lines, struct alignment_input *input,
               const unsigned char *line, size_t size)
{
    struct field name = {NULL, 0};
    struct field length = {NULL, 0};
    int64_t bases = 0;

    if (!lines->has_numbers || size < 4 || memcmp(line, "@SQ\t", 4) != 0)
        return ALIGNMENT_THERE;
    for (size_t at = 4, end; at < size; at = end + 1) {
        const unsigned char *tab = memchr(line + at, '\t', size - at);
        end = tab != NULL ? (size_t)(tab - line) : size;
        const struct field value = {line + at + 3, end - at - 3};
        if (end - at > 3 && memcmp(line + at, "SN:", 3) == 0)
            name = value;
        if (end - at > 3 && memcmp(line + at, "LN:", 3) == 0)
            length = value;
    }
    if (name.size == 0 || !read_number(&length, 0, INT32_MAX, &bases))
        return alignment_input_fail(input, input->offset,
                                    "the header has a line @SQ without a name "
                                    "(SN) or a length (LN) up to %ld",
                                    (long)INT32_MAX);
    return alignment_references_add(&lines->references, input, input->offset,
                                    name.bytes, name.size, (uint32_t)bases);
}

/* The header has ended: its references can be found. */
static enum alignment_bytes
sort_references(struct sam_lines *lines, struct alignment_input *input)
{
    char shown[VISIBLE_BYTES];
    int64_t repeated;

    if (!lines->has_numbers)
        return ALIGNMENT_THERE;
    if (alignment_references_sort(&lines->references, &repeated) < 0)
        return alignment_input_fail(input, input->offset, "out of memory");
    if (repeated < 0)
        return ALIGNMENT_THERE;
    const struct alignment_reference reference =
        alignment_references_at(&lines->references, repeated);
    return alignment_input_fail(
        input, 0, "the header has the reference '%s' twice",
        visible_name(shown, reference.name, reference.size));
}

enum alignment_bytes
sam_lines_header(struct sam_lines *lines, struct alignment_input *input)
{
    while (!lines->is_after_header) {
        enum alignment_bytes bytes = read_line(lines, input, &lines->size);
        const unsigned char *line = alignment_input_next(input);
        size_t size = lines->size;
        if (bytes != ALIGNMENT_THERE && bytes != ALIGNMENT_ENDED)
            return bytes;
        lines->is_read = bytes == ALIGNMENT_THERE;
        lines->is_after_header =
            bytes == ALIGNMENT_ENDED || size == 0 || line[0] != '@';
        size -= size > 0 && line[size - 1] == '\r';
        bytes = lines->is_after_header
                    ? sort_references(lines, input)
                    : keep_reference(lines, input, line, size);
        if (bytes == ALIGNMENT_FAILED)
            return bytes;
    }
    return ALIGNMENT_THERE;
}

enum alignment_bytes
sam_lines_next(struct sam_lines *lines, struct alignment_input *input,
               struct alignment *alignment)
{
    struct field fields[SAM_FIELDS];
    enum alignment_bytes bytes = sam_lines_header(lines, input);

    if (bytes == ALIGNMENT_THERE && !lines->is_read)
        bytes = read_line(lines, input, &lines->size);
    if (bytes != ALIGNMENT_THERE)
        return bytes;
    const unsigned char *line = alignment_input_next(input);
    size_t size = lines->size;
    lines->is_read = false;
    input->record++;
    if (size > 0 && line[0] == '@')
        return alignment_input_fail(input, input->offset,
                                    "is a line of the header");
    if (size > 0 && line[size - 1] == '\r')
        size--;
    unsigned int count = cut(line, size, fields);
    if (count < SAM_FIELDS)
        return alignment_input_fail(input, input->offset,
                                    "has %u field%s, but SAM has %d", count,
                                    count == 1 ? "" : "s", SAM_FIELDS);
    bytes = take_fields(input, fields, alignment);
    if (bytes != ALIGNMENT_THERE || lines->words == 0)
        return bytes;
    const struct field *last = &fields[SAM_FIELDS - 1];
    const unsigned char *tags = last->bytes + last->size;
    if (alignment_words_need_tags(lines->words))
        bytes = take_tags(input, lines->words, tags,
                          (size_t)(line + size - tags), alignment);
    return bytes == ALIGNMENT_THERE
               ? take_words(lines, input, fields, alignment)
               : bytes;
}

bool
sam_lines_is_at_record(struct sam_lines *lines, struct alignment_input *input)
{
    if (!lines->is_after_header || lines->is_read)
        return false;
    alignment_input_take(input, lines->line_bytes);
    lines->line_bytes = 0;
    return lines->searched == 0;
}

void
sam_lines_close(struct sam_lines *lines)
{
    alignment_references_close(&lines->references);
}
