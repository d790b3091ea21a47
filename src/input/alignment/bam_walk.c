/* SPDX-License-Identifier: MIT */
/* bam_walk.c -- from record to record of BAM */

#include <string.h>

#include "base/little_endian.h"
#include "input/alignment/bam_tags.h"
#include "input/alignment/bam_walk.h"

enum {
    NUMBER_BYTES = 4,
    START_BYTES = 8,
    /* The size of the block, and the fields before the name. */
    FIELDS_BYTES = 36,
    BLOCK_MIN = FIELDS_BYTES - NUMBER_BYTES,
    CIGAR_BYTES = 4,
    ABSENT_QUALITY = 0xff,
    /* More bytes of tags show that a number is no length of a record. */
    TAGS_LIKELY = 1 << 20,
};

static int32_t
number_at(const unsigned char *data)
{
    uint32_t bits = little_endian_32(data);

    return bits <= INT32_MAX ? (int32_t)bits : -(int32_t)~bits - 1;
}

/* The content ends within PART: the header, or the current record. */
static enum alignment_bytes
fail_cut(struct bam_walk *walk, struct alignment_input *input, const char *part)
{
    if (input->record == 0)
        return alignment_input_fail(input, walk->start,
                                    "the header is cut off in the %s, at byte "
                                    "%llu",
                                    part,
                                    (unsigned long long)input->offset +
                                        alignment_input_has(input));
    return alignment_input_fail(
        input, walk->start, "is cut off in its %s, at byte %llu", part,
        (unsigned long long)input->offset + alignment_input_has(input));
}

/* As alignment_input_need(), but the end is an error in PART. */
static enum alignment_bytes
need(struct bam_walk *walk, struct alignment_input *input, size_t wanted,
     const char *part)
{
    enum alignment_bytes bytes = alignment_input_need(input, wanted);

    return bytes == ALIGNMENT_ENDED ? fail_cut(walk, input, part) : bytes;
}

/* Skip the bytes that are left, then go to PLACE. */
static enum alignment_bytes
skip_to(struct bam_walk *walk, struct alignment_input *input,
        enum bam_place place, const char *part)
{
    enum alignment_bytes bytes = alignment_input_skip(input, &walk->left);

    if (bytes == ALIGNMENT_ENDED)
        return fail_cut(walk, input, part);
    if (bytes == ALIGNMENT_THERE)
        walk->place = place;
    return bytes;
}

/* ---- the header ---- */

static enum alignment_bytes
read_start(struct bam_walk *walk, struct alignment_input *input)
{
    enum alignment_bytes bytes =
        need(walk, input, START_BYTES, "length of its text");

    if (bytes != ALIGNMENT_THERE)
        return bytes;
    int32_t size = number_at(alignment_input_next(input) + NUMBER_BYTES);
    if (size < 0)
        return alignment_input_fail(input, walk->start,
                                    "the text of the header has %ld bytes",
                                    (long)size);
    alignment_input_take(input, START_BYTES);
    walk->left = (uint64_t)size;
    walk->place = BAM_TEXT;
    return bytes;
}

static enum alignment_bytes
read_count(struct bam_walk *walk, struct alignment_input *input)
{
    enum alignment_bytes bytes =
        need(walk, input, NUMBER_BYTES, "number of references");

    if (bytes != ALIGNMENT_THERE)
        return bytes;
    int32_t count = number_at(alignment_input_next(input));
    if (count < 0)
        return alignment_input_fail(
            input, walk->start, "the header has %ld references", (long)count);
    alignment_input_take(input, NUMBER_BYTES);
    walk->reference_count = (uint64_t)count;
    walk->place = BAM_REFERENCE;
    return bytes;
}

static enum alignment_bytes
read_reference(struct bam_walk *walk, struct alignment_input *input)
{
    if (walk->names == walk->reference_count) {
        walk->place = BAM_FIELDS;
        return ALIGNMENT_THERE;
    }
    enum alignment_bytes bytes =
        need(walk, input, NUMBER_BYTES, "list of references");
    if (bytes != ALIGNMENT_THERE)
        return bytes;
    int32_t size = number_at(alignment_input_next(input));
    if (size < 1)
        return alignment_input_fail(
            input, walk->start,
            "the name of reference %llu has %ld bytes, at byte %llu",
            (unsigned long long)walk->names + 1, (long)size,
            (unsigned long long)input->offset);
    alignment_input_take(input, NUMBER_BYTES);
    walk->names++;
    walk->left = (uint64_t)size + NUMBER_BYTES;
    walk->place = BAM_NAME;
    return bytes;
}

/* Keep the reference that comes next, then go to the next one. */
static enum alignment_bytes
keep_reference(struct bam_walk *walk, struct alignment_input *input)
{
    if (walk->left > input->bytes_max)
        return alignment_input_fail_long(input, walk->start);
    const size_t size = (size_t)walk->left;
    enum alignment_bytes bytes = need(walk, input, size, "list of references");
    if (bytes != ALIGNMENT_THERE)
        return bytes;
    const unsigned char *name = alignment_input_next(input);
    const size_t name_bytes = size - NUMBER_BYTES - 1; /* without the NUL */
    if (name[name_bytes] != '\0')
        return alignment_input_fail(
            input, walk->start,
            "the name of reference %llu does not end with "
            "a NUL",
            (unsigned long long)walk->names);
    bytes = alignment_references_add(&walk->references, input, walk->start,
                                     name, name_bytes,
                                     little_endian_32(name + name_bytes + 1));
    if (bytes != ALIGNMENT_THERE)
        return bytes;
    alignment_input_take(input, size);
    walk->left = 0;
    walk->place = BAM_REFERENCE;
    return ALIGNMENT_THERE;
}

void
bam_walk_close(struct bam_walk *walk)
{
    alignment_references_close(&walk->references);
}

/* ---- a record ---- */

/* Whether the reference NUMBER exists, or is -1. */
static bool
has_reference(const struct bam_walk *walk, int32_t number)
{
    return number >= -1 && number < (int64_t)walk->reference_count;
}

/* Check that the reference NUMBER, which WHAT names, exists, or is -1. */
static enum alignment_bytes
check_reference(struct bam_walk *walk, struct alignment_input *input,
                int32_t number, const char *what)
{
    if (has_reference(walk, number))
        return ALIGNMENT_THERE;
    return alignment_input_fail(input, walk->start,
                                "names %s %ld, but the header has %llu "
                                "references",
                                what, (long)number,
                                (unsigned long long)walk->reference_count);
}

/* Returns the bytes of a name of NAME_BYTES, of OPERATIONS of a CIGAR string,
   and of LENGTH bases and their qualities. */
static uint64_t
read_bytes(size_t name_bytes, size_t operations, int32_t length)
{
    return (uint64_t)name_bytes + (uint64_t)CIGAR_BYTES * operations +
           ((uint64_t)length + 1) / 2 + (uint64_t)length;
}

/* Take the lengths in FIELDS, of a block of BLOCK bytes. */
static enum alignment_bytes
take_lengths(struct bam_walk *walk, struct alignment_input *input,
             const unsigned char *fields, int32_t block)
{
    int32_t length = number_at(fields + 16);

    walk->name_bytes = fields[8];
    walk->operations = little_endian_16(fields + 12);
    walk->flag = little_endian_16(fields + 14);
    walk->reference = number_at(fields);
    walk->pos = number_at(fields + 4);
    walk->mapq = fields[9];
    walk->mate_reference = number_at(fields + 20);
    walk->mate_pos = number_at(fields + 24);
    walk->tlen = number_at(fields + 28);
    if (length < 0)
        return alignment_input_fail(input, walk->start, "has %ld bases",
                                    (long)length);
    if (walk->name_bytes == 0)
        return alignment_input_fail(input, walk->start,
                                    "has a name without an end");
    uint64_t bytes = read_bytes(walk->name_bytes, walk->operations, length);
    if (bytes > (uint64_t)block - BLOCK_MIN)
        return alignment_input_fail(
            input, walk->start,
            "has %ld bytes, too few for its name, CIGAR and %ld bases",
            (long)block, (long)length);
    if (bytes > input->bytes_max)
        return alignment_input_fail_long(input, walk->start);
    walk->length = (size_t)length;
    walk->read_bytes = (size_t)bytes;
    walk->left = (uint64_t)block - BLOCK_MIN - bytes;
    return ALIGNMENT_THERE;
}

/* Read the first fields of the next record, if the content has not ended. */
static enum alignment_bytes
read_fields(struct bam_walk *walk, struct alignment_input *input)
{
    enum alignment_bytes bytes = alignment_input_need(input, 1);

    if (bytes != ALIGNMENT_THERE)
        return bytes;
    if (walk->start != input->offset || input->record == 0) {
        input->record++;
        walk->start = input->offset;
    }
    bytes = need(walk, input, FIELDS_BYTES, "fixed fields");
    if (bytes != ALIGNMENT_THERE)
        return bytes;
    const unsigned char *data = alignment_input_next(input);
    int32_t block = number_at(data);
    if (block < BLOCK_MIN)
        return alignment_input_fail(input, walk->start,
                                    "has %ld bytes, but at least %d are needed",
                                    (long)block, BLOCK_MIN);
    data += NUMBER_BYTES;
    bytes = take_lengths(walk, input, data, block);
    if (bytes == ALIGNMENT_THERE)
        bytes = check_reference(walk, input, walk->reference, "reference");
    if (bytes == ALIGNMENT_THERE)
        bytes = check_reference(walk, input, walk->mate_reference,
                                "its mate's reference");
    if (bytes != ALIGNMENT_THERE)
        return bytes;
    alignment_input_take(input, FIELDS_BYTES);
    walk->place = BAM_READ;
    return bytes;
}

/* Set the members of *ALIGNMENT that words need. */
static void
take_words(const struct bam_walk *walk, struct alignment *alignment)
{
    alignment->mapq = walk->mapq;
    alignment->pos = (int64_t)walk->pos + 1;
    alignment->mate_pos = (int64_t)walk->mate_pos + 1;
    alignment->tlen = walk->tlen;
    alignment->reference =
        alignment_references_at(&walk->references, walk->reference);
    alignment->mate_reference =
        alignment_references_at(&walk->references, walk->mate_reference);
}

/*
 * Whether CIGAR, of the current record, may stand in for a longer one in the
 * tag CG: it clips all bases.  As htslib does, only of a read with a place.
 */
static bool
is_stand_in(const struct bam_walk *walk, struct alignment_cigar cigar)
{
    struct alignment_operation operation;

    return walk->reference >= 0 && walk->pos >= 0 &&
           alignment_cigar_next(&cigar, &operation) > 0 &&
           operation.letter == 'S' && operation.length == walk->length;
}

/* Put the operations of TAG into ALIGNMENT, if they are a CIGAR string that is
   at least as long as the one that stands in for them. */
static void
take_long_cigar(struct alignment *alignment, const struct bam_tag *tag)
{
    enum {
        HEAD_BYTES = 5,
        OPERATIONS_MAX = 1 << 29
    };

    if (tag->type != 'B' || (tag->value[0] != 'I' && tag->value[0] != 'i'))
        return;
    const size_t operations = (tag->size - HEAD_BYTES) / CIGAR_BYTES;
    if (operations < alignment->cigar.size || operations >= OPERATIONS_MAX)
        return;
    alignment->cigar.at = tag->value + HEAD_BYTES;
    alignment->cigar.size = operations;
}

/* Set the members of *ALIGNMENT that are in the tags of the current record: the
   LEFT bytes at TAGS. */
static enum alignment_bytes
take_tags(const struct bam_walk *walk, struct alignment_input *input,
          const unsigned char *tags, struct alignment *alignment)
{
    const size_t size = (size_t)walk->left;
    struct bam_tag tag;
    int found = 0;

    if (is_stand_in(walk, alignment->cigar)) {
        found = bam_tags_find(tags, size, "CG", &tag);
        if (found > 0)
            take_long_cigar(alignment, &tag);
    }
    if (found >= 0 &&
        alignment_has_word(walk->words, ALIGNMENT_WORD_EDIT_DISTANCE)) {
        found = bam_tags_find(tags, size, "NM", &tag);
        alignment->has_edit_distance = found > 0;
        alignment->edit_distance = found > 0 ? bam_tags_number(&tag) : 0;
    }
    if (found >= 0 &&
        alignment_has_word(walk->words, ALIGNMENT_WORD_READ_GROUP)) {
        found = bam_tags_find(tags, size, "RG", &tag);
        if (found > 0 && tag.type == 'Z') {
            alignment->read_group = tag.value;
            alignment->read_group_bytes = tag.size - 1;
        }
    }
    if (found >= 0)
        return ALIGNMENT_THERE;
    return alignment_input_fail(input, walk->start, "has a damaged tag");
}

/* Check that the CIGAR string of ALIGNMENT has as many bases as the read, as
   htslib does for mapped reads. */
static enum alignment_bytes
check_cigar(const struct bam_walk *walk, struct alignment_input *input,
            const struct alignment *alignment)
{
    uint64_t bases;

    if (alignment->length == 0 || alignment->cigar.size == 0 ||
        (alignment->flag & ALIGNMENT_UNMAPPED) != 0)
        return ALIGNMENT_THERE;
    (void)alignment_cigar_bases(alignment->cigar, &bases);
    return bases == alignment->length
               ? ALIGNMENT_THERE
               : alignment_input_fail_cigar(input, walk->start,
                                            alignment->length, bases);
}

/* Read the current record, and its tags if they are needed. */
static enum alignment_bytes
need_record(struct bam_walk *walk, struct alignment_input *input,
            bool *has_tags)
{
    enum alignment_bytes bytes =
        need(walk, input, walk->read_bytes, "name, CIGAR, bases or qualities");

    if (bytes != ALIGNMENT_THERE)
        return bytes;
    *has_tags =
        alignment_words_need_tags(walk->words) ||
        is_stand_in(walk, (struct alignment_cigar){true,
                                                   alignment_input_next(input) +
                                                       walk->name_bytes,
                                                   walk->operations});
    if (!*has_tags)
        return bytes;
    if (walk->left > input->bytes_max - walk->read_bytes)
        return alignment_input_fail_long(input, walk->start);
    return need(walk, input, walk->read_bytes + (size_t)walk->left, "tags");
}

/* Set *ALIGNMENT to the current record, and consume its bytes. */
static enum alignment_bytes
read_read(struct bam_walk *walk, struct alignment_input *input,
          struct alignment *alignment)
{
    bool has_tags;
    enum alignment_bytes bytes = need_record(walk, input, &has_tags);

    if (bytes != ALIGNMENT_THERE)
        return bytes;
    const unsigned char *name = alignment_input_next(input);
    const unsigned char *cigar = name + walk->name_bytes;
    const unsigned char *bases = cigar + CIGAR_BYTES * walk->operations;
    const unsigned char *quality = bases + (walk->length + 1) / 2;
    bool is_absent = walk->length > 0 && quality[0] == ABSENT_QUALITY;
    if (memchr(name, '\0', walk->name_bytes) != name + walk->name_bytes - 1)
        return alignment_input_fail(input, walk->start,
                                    "has a name that does not end with its "
                                    "first NUL");
    *alignment = (struct alignment){
        .name = name,
        .name_bytes = walk->name_bytes - 1,
        .flag = walk->flag,
        .length = walk->length,
        .is_packed = true,
        .bases = bases,
        .quality = is_absent ? NULL : quality,
        .cigar = {true, cigar, walk->operations},
    };
    if (has_tags)
        bytes = take_tags(walk, input, name + walk->read_bytes, alignment);
    if (bytes == ALIGNMENT_THERE)
        bytes = check_cigar(walk, input, alignment);
    if (bytes != ALIGNMENT_THERE)
        return bytes;
    if (walk->words != 0)
        take_words(walk, alignment);
    alignment_input_take(input, walk->read_bytes);
    walk->place = BAM_TAGS;
    return bytes;
}

/* Take one step in the header. */
static enum alignment_bytes
read_header(struct bam_walk *walk, struct alignment_input *input)
{
    switch (walk->place) {
    case BAM_START:
        return read_start(walk, input);
    case BAM_TEXT:
        return skip_to(walk, input, BAM_COUNT, "text");
    case BAM_COUNT:
        return read_count(walk, input);
    case BAM_REFERENCE:
        return read_reference(walk, input);
    default:
        return walk->words != 0
                   ? keep_reference(walk, input)
                   : skip_to(walk, input, BAM_REFERENCE, "list of references");
    }
}

enum alignment_bytes
bam_walk_header(struct bam_walk *walk, struct alignment_input *input)
{
    enum alignment_bytes bytes = ALIGNMENT_THERE;

    while (bytes == ALIGNMENT_THERE && walk->place < BAM_FIELDS)
        bytes = read_header(walk, input);
    return bytes;
}

enum alignment_bytes
bam_walk_next(struct bam_walk *walk, struct alignment_input *input,
              struct alignment *alignment)
{
    enum alignment_bytes bytes = bam_walk_header(walk, input);

    while (bytes == ALIGNMENT_THERE) {
        if (walk->place == BAM_READ)
            return read_read(walk, input, alignment);
        bytes = walk->place == BAM_FIELDS
                    ? read_fields(walk, input)
                    : skip_to(walk, input, BAM_FIELDS, "tags");
    }
    return bytes;
}

bool
bam_walk_is_at_record(struct bam_walk *walk, struct alignment_input *input)
{
    if (walk->place == BAM_TAGS && walk->left <= alignment_input_has(input)) {
        alignment_input_take(input, (size_t)walk->left);
        walk->place = BAM_FIELDS;
    }
    return walk->place == BAM_FIELDS;
}

size_t
bam_walk_guess(const struct bam_walk *walk, const unsigned char *data,
               size_t size)
{
    if (size < FIELDS_BYTES)
        return size;
    const int32_t block = number_at(data);
    const unsigned char *fields = data + NUMBER_BYTES;
    const unsigned char *name = data + FIELDS_BYTES;
    const size_t name_bytes = fields[8];
    const int32_t length = number_at(fields + 16);
    if (block < BLOCK_MIN || !has_reference(walk, number_at(fields)) ||
        !has_reference(walk, number_at(fields + 20)) ||
        number_at(fields + 4) < -1 || number_at(fields + 24) < -1 ||
        name_bytes == 0 || length < 0)
        return 0;
    const uint64_t bytes =
        read_bytes(name_bytes, little_endian_16(fields + 12), length);
    if (bytes > (uint64_t)block - BLOCK_MIN ||
        (uint64_t)block - BLOCK_MIN - bytes > TAGS_LIKELY)
        return 0;
    if (name_bytes <= size - FIELDS_BYTES &&
        memchr(name, '\0', name_bytes) != name + name_bytes - 1)
        return 0;
    return (size_t)block + NUMBER_BYTES;
}
