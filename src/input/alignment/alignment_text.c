/* SPDX-License-Identifier: MIT */
/* alignment_text.c -- write records of BAM and SAM as FASTQ */

#include <string.h>

#include "base/little_endian.h"
#include "base/number.h"
#include "base/visible.h"
#include "input/alignment/alignment_checksums.h"
#include "input/alignment/alignment_text.h"
#include "input/alignment/common_bases.h"
#include "kernels/seq/alignment_words.h"

/* The letters of the codes 0 to 15. */
static const char code_letters[] = "=ACMGRSVTWYHKDBN";

enum {
    CODES = sizeof code_letters - 1,
    CODE_ANY = CODES - 1, /* N */
    /* The bytes beside name, bases and qualities. */
    MARKS_BYTES = 8,
    /* The words of an alignment, without names and CIGAR string. */
    NUMBERS_BYTES = 192,
};

/* ---- bases ---- */

/* Reverse the order of SIZE bytes. */
static void
turn(unsigned char *bytes, size_t size)
{
    enum {
        STEP = 8
    };
    size_t first = 0;

    for (; size - 2 * first >= (size_t)2 * STEP; first += STEP) {
        unsigned char *last = bytes + size - STEP - first;
        const uint64_t word = little_endian_64(bytes + first);
        little_endian_put_64(bytes + first,
                             __builtin_bswap64(little_endian_64(last)));
        little_endian_put_64(last, __builtin_bswap64(word));
    }
    for (; first < size / 2; first++) {
        unsigned char byte = bytes[first];
        bytes[first] = bytes[size - 1 - first];
        bytes[size - 1 - first] = byte;
    }
}

/* The code of the complement: each bit is a base, and A and T, C and G are in
   mirrored places. */
static unsigned int
complement(unsigned int code)
{
    return (code & 1) << 3 | (code & 2) << 1 | (code & 4) >> 1 | code >> 3;
}

void
alignment_letters_set(struct alignment_letters *letters)
{
    memset(letters, 0, sizeof *letters);
    for (unsigned int byte = 0; byte < 256; byte++) {
        unsigned int first = byte >> 4;
        unsigned int second = byte & 15;
        letters->pair[byte][0] = (unsigned char)code_letters[first];
        letters->pair[byte][1] = (unsigned char)code_letters[second];
        letters->turned[byte][0] =
            (unsigned char)code_letters[complement(second)];
        letters->turned[byte][1] =
            (unsigned char)code_letters[complement(first)];
    }
    /* Section 4.2.3 of the specification: other letters of SAM are N. */
    for (unsigned int i = 0; i < 26; i++) {
        unsigned int code = CODE_ANY;
        for (unsigned int c = 1; c < CODES; c++)
            code = (unsigned int)code_letters[c] == 'A' + i ? c : code;
        letters->letter['A' + i] = letters->letter['a' + i] =
            (unsigned char)code_letters[code];
        letters->complement['A' + i] = letters->complement['a' + i] =
            (unsigned char)code_letters[complement(code)];
        letters->code['A' + i] = letters->code['a' + i] = (unsigned char)code;
    }
    letters->code['.'] = CODE_ANY;
    letters->letter['.'] = letters->complement['.'] = 'N';
    letters->letter['='] = letters->complement['='] = '=';
    crc32_open(&letters->crc32);
}

/* Write the bases of ALIGNMENT, turned or as stored. */
static void
put_packed(const struct alignment_letters *letters,
           const struct alignment *alignment, bool is_turned,
           unsigned char *out)
{
    const unsigned char *bases = alignment->bases;
    size_t pairs = alignment->length / 2;
    bool is_odd = alignment->length % 2 > 0;

    if (!is_turned) {
        for (size_t i = 0; i < pairs; i++)
            memcpy(out + 2 * i, letters->pair[bases[i]], 2);
        if (is_odd)
            out[2 * pairs] = letters->pair[bases[pairs]][0];
        return;
    }
    if (is_odd)
        *out++ = letters->turned[bases[pairs]][1];
    for (size_t i = 0; i < pairs; i++)
        memcpy(out + 2 * i, letters->turned[bases[pairs - 1 - i]], 2);
}

/* As put_packed(), of letters. */
static void
put_letters(const struct alignment_letters *letters,
            const struct alignment *alignment, bool is_turned,
            unsigned char *out)
{
    const unsigned char *bases = alignment->bases;
    size_t length = alignment->length;

    if (!is_turned && common_bases_copy(bases, length, out))
        return;
    if (is_turned && common_bases_turn(bases, length, out))
        return;
    for (size_t i = 0; i < length; i++)
        out[i] = is_turned ? letters->complement[bases[length - 1 - i]]
                           : letters->letter[bases[i]];
}

/* Write the bases.  Returns whether all of them are bases. */
static bool
put_bases(const struct alignment_letters *letters,
          const struct alignment *alignment, bool is_turned,
          struct alignment_input *input, uint64_t start, unsigned char *out)
{
    char shown[VISIBLE_BYTE_BYTES];
    size_t length = alignment->length;

    if (alignment->is_packed)
        put_packed(letters, alignment, is_turned, out);
    else
        put_letters(letters, alignment, is_turned, out);
    const unsigned char *wrong = memchr(out, '=', length);
    if (wrong != NULL) {
        (void)alignment_input_fail(input, start,
                                   "has '=' for a base: samtools calmd -e "
                                   "writes it, and the base is not known");
        return false;
    }
    wrong = alignment->is_packed ? NULL : memchr(out, '\0', length);
    if (wrong == NULL)
        return true;
    size_t at = (size_t)(wrong - out);
    at = is_turned ? length - 1 - at : at;
    (void)alignment_input_fail(input, start, "has %s in its sequence",
                               visible_byte(shown, alignment->bases[at]));
    return false;
}

/* ---- qualities and names ---- */

/* Write the qualities.  Returns whether all of them are in the limits. */
static bool
put_quality(const struct alignment *alignment, bool is_turned,
            struct alignment_input *input, uint64_t start, unsigned char *out)
{
    const unsigned char *quality = alignment->quality;
    size_t length = alignment->length;
    unsigned char more = (unsigned char)('!' - alignment->quality_zero);
    unsigned char most = 0;

    for (size_t i = 0; i < length; i++) {
        unsigned char byte =
            (unsigned char)(quality[i] - alignment->quality_zero);
        most = byte > most ? byte : most;
        out[i] = (unsigned char)(quality[i] + more);
    }
    if (most > ALIGNMENT_QUALITY_MAX) {
        size_t at = 0;
        while ((unsigned char)(quality[at] - alignment->quality_zero) <=
               ALIGNMENT_QUALITY_MAX)
            at++;
        (void)alignment_input_fail(input, start,
                                   "has the byte %u for quality %zu of %zu",
                                   quality[at], at + 1, length);
        return false;
    }
    if (is_turned)
        turn(out, length);
    return true;
}

/* Write the name.  Returns whether it can be one of FASTQ. */
static bool
put_name(const struct alignment *alignment, struct alignment_input *input,
         uint64_t start, unsigned char *out)
{
    const unsigned char *name = alignment->name;
    const size_t size = alignment->name_bytes;
    char shown[VISIBLE_BYTE_BYTES];
    unsigned char wrong = 0;
    size_t at = 0;

    for (size_t i = 0; i < size; i++)
        wrong |= (name[i] <= ' ') | (name[i] == 0x7f);
    if (wrong == 0) {
        if (size > 0) /* or NAME may be NULL */
            memcpy(out, name, size);
        return true;
    }
    while (name[at] > ' ' && name[at] != 0x7f)
        at++;
    (void)alignment_input_fail(input, start, "has %s in its name",
                               visible_byte(shown, name[at]));
    return false;
}

/* Whether the read group, if it is wanted, can be a word. */
static bool
check_group(const struct alignment *alignment, struct alignment_input *input,
            uint64_t start)
{
    char shown[VISIBLE_BYTE_BYTES];

    for (size_t i = 0; i < alignment->read_group_bytes; i++) {
        unsigned char byte = alignment->read_group[i];
        if (byte < ' ' || byte == 0x7f) {
            (void)alignment_input_fail(input, start, "has %s in its read group",
                                       visible_byte(shown, byte));
            return false;
        }
    }
    return true;
}

/* Write NUMBER to OUT.  Returns its bytes. */
static size_t
put_number(int64_t number, unsigned char *out)
{
    char text[NUMBER_TEXT_BYTES];

    if (number >= 0 && number < 10) {
        *out = (unsigned char)('0' + number);
        return 1;
    }
    size_t size =
        (size_t)(number_put_integer(wide_of_signed(number), text) - text);
    memcpy(out, text, size);
    return size;
}

/* Whether A and B are one reference, or none. */
static bool
is_same(const struct alignment_reference *a,
        const struct alignment_reference *b)
{
    return a->size == b->size &&
           (a->size == 0 || memcmp(a->name, b->name, a->size) == 0);
}

/* Write the name of REFERENCE to OUT.  Returns its bytes. */
static size_t
put_reference(const struct alignment_reference *reference, unsigned char *out)
{
    if (reference->size > 0)
        memcpy(out, reference->name, reference->size);
    else
        *out = '*';
    return reference->size > 0 ? reference->size : 1;
}

/* Write the orientation of the pair of ALIGNMENT, by the directions and places
   of its reads, to OUT, if it has one.  Returns its bytes. */
static size_t
put_orientation(const struct alignment *alignment, unsigned char *out)
{
    const unsigned int others = ALIGNMENT_UNMAPPED | ALIGNMENT_MATE_UNMAPPED |
                                ALIGNMENT_SECONDARY | ALIGNMENT_SUPPLEMENTARY;
    const unsigned int flag = alignment->flag;
    const bool is_reverse = (flag & ALIGNMENT_REVERSE) != 0;
    const bool is_mate_reverse = (flag & ALIGNMENT_MATE_REVERSE) != 0;
    const bool is_left = alignment->pos < alignment->mate_pos;
    /* Reads at one place point to each other, whichever is named first. */
    const bool is_inward =
        alignment->pos == alignment->mate_pos || is_left != is_reverse;
    const char *name = is_inward ? "inward" : "outward";

    if ((flag & ALIGNMENT_PAIRED) == 0 || (flag & others) != 0 ||
        (alignment->tlen == 0 &&
         !is_same(&alignment->reference, &alignment->mate_reference)))
        return 0;
    if (is_reverse == is_mate_reverse)
        name = "other";
    memcpy(out, name, strlen(name));
    return strlen(name);
}

/* Write WORD to OUT.  Returns its bytes. */
static size_t
put_word(const struct alignment_letters *letters,
         const struct alignment *alignment, enum alignment_word word,
         unsigned char *out)
{
    if (alignment->is_reference && word != ALIGNMENT_WORD_RNAME &&
        word != ALIGNMENT_WORD_RNAME_NUMBER &&
        word != ALIGNMENT_WORD_RNAME_LENGTH)
        return 0;
    switch (word) {
    case ALIGNMENT_WORD_FLAG:
        return put_number(alignment->flag, out);
    case ALIGNMENT_WORD_MAPQ:
        return put_number(alignment->mapq, out);
    case ALIGNMENT_WORD_POS:
        return put_number(alignment->pos, out);
    case ALIGNMENT_WORD_TLEN:
        return put_number(alignment->tlen, out);
    case ALIGNMENT_WORD_STRAND:
        *out = (alignment->flag & ALIGNMENT_REVERSE) != 0 ? '-' : '+';
        return 1;
    case ALIGNMENT_WORD_RNAME:
        return put_reference(&alignment->reference, out);
    case ALIGNMENT_WORD_MATE_RNAME:
        return put_reference(&alignment->mate_reference, out);
    case ALIGNMENT_WORD_RNAME_NUMBER:
        return alignment->reference.number < 0
                   ? 0
                   : put_number(alignment->reference.number + 1, out);
    case ALIGNMENT_WORD_RNAME_LENGTH:
        return alignment->reference.number < 0
                   ? 0
                   : put_number(alignment->reference.length, out);
    case ALIGNMENT_WORD_READ_GROUP:
        if (alignment->read_group_bytes > 0)
            memcpy(out, alignment->read_group, alignment->read_group_bytes);
        return alignment->read_group_bytes;
    case ALIGNMENT_WORD_HAS_BASES:
        return put_number(alignment->length > 0, out);
    case ALIGNMENT_WORD_FULL_LENGTH:
        return put_number(alignment_cigar_clipped(alignment->cigar) +
                              (int64_t)alignment->length,
                          out);
    case ALIGNMENT_WORD_EDIT_DISTANCE:
        return alignment->has_edit_distance
                   ? put_number(alignment->edit_distance, out)
                   : 0;
    case ALIGNMENT_WORD_ORIENTATION:
        return put_orientation(alignment, out);
    case ALIGNMENT_WORD_OUT_OF_ORDER:
        return put_number(alignment->is_out_of_order, out);
    case ALIGNMENT_WORD_CHECKSUMS:
        return alignment_checksums_write(&letters->crc32, letters->code,
                                         alignment, out);
    default:
        return alignment_cigar_write(alignment->cigar, out);
    }
}

/* Write the WORDS that are wanted, which follow the name.  Returns their
   bytes. */
static size_t
put_words(const struct alignment_letters *letters,
          const struct alignment *alignment, unsigned int words,
          unsigned char *out)
{
    size_t size = 0;

    out[size++] = '\t';
    out[size++] = alignment->is_reference ? ALIGNMENT_REFERENCE_MARK
                                          : ALIGNMENT_WORDS_MARK;
    for (unsigned int w = 0; words != 0; w++, words >>= 1) {
        if ((words & 1) != 0)
            size += put_word(letters, alignment, (enum alignment_word)w,
                             out + size);
        if (words > 1)
            out[size++] = '\t';
    }
    return size;
}

size_t
alignment_text_bytes(const struct alignment *alignment)
{
    return alignment->name_bytes + 2 * alignment->length + MARKS_BYTES +
           NUMBERS_BYTES + alignment->reference.size +
           alignment->mate_reference.size + alignment->read_group_bytes +
           alignment_cigar_text_bytes(&alignment->cigar);
}

size_t
alignment_text_write(const struct alignment_letters *letters,
                     const struct alignment *alignment,
                     const struct alignment_choice *choice,
                     struct alignment_input *input, uint64_t start,
                     unsigned char *out)
{
    const bool is_turned =
        !choice->is_stored && (alignment->flag & ALIGNMENT_REVERSE) != 0;
    const size_t length = alignment->length;
    unsigned char *at = out;

    *at++ = alignment->quality != NULL && choice->has_bases ? '@' : '>';
    if (!put_name(alignment, input, start, at) ||
        !check_group(alignment, input, start))
        return 0;
    at += alignment->name_bytes;
    if (choice->words != 0)
        at += put_words(letters, alignment, choice->words, at);
    *at++ = '\n';
    if (!choice->has_bases || alignment->is_reference) {
        *at++ = '\n';
        return (size_t)(at - out);
    }
    if (!put_bases(letters, alignment, is_turned, input, start, at))
        return 0;
    at += length;
    *at++ = '\n';
    if (alignment->quality == NULL)
        return (size_t)(at - out);
    *at++ = '+';
    *at++ = '\n';
    if (!put_quality(alignment, is_turned, input, start, at))
        return 0;
    at += length;
    *at++ = '\n';
    return (size_t)(at - out);
}
