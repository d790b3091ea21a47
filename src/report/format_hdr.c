/* SPDX-License-Identifier: MIT */
/*
 * format_hdr.c -- the log of HdrHistogram, version 1.3, with histograms in V2
 *
 * Each data point has a line: times, always 0, the greatest value, and a
 * compressed histogram in base64.  The histogram is a stream of zlib, here of
 * stored blocks, with a header and the counts by index, as signed numbers of
 * variable length (LEB128); a negative number is a run of zeros.
 *
 * With D significant digits, the values below 2^(K + 1) have their own index,
 * and each octave above has 2^K.  From 2^K on, the indices are the bins of
 * --log --subdiv=K.  Below 2^K, --log has several bins between whole numbers;
 * such bins are empty.
 */

#include "report/format.h"
#include "report/points.h"

#define HEADER_BYTES 40
#define COMPRESSED_BYTES 8 /* in front of the stream */
#define COOKIE 0x1c849313u
#define COMPRESSED_COOKIE 0x1c849314u

/* Of a stored block of zlib, and of Adler-32. */
#define BLOCK_BYTES 65535u
#define BLOCK_HEAD_BYTES 5
#define STREAM_BYTES 6 /* bytes around the blocks */
#define ADLER_PRIME 65521u

/* The octaves of the values, of 63 bits. */
#define OCTAVES 63

/* K of each number of significant digits, from 1 on. */
static const unsigned int digits_bits[] = {4, 7, 10, 14, 17};

/* Returns the significant digits of AXIS, or 0 for other bins. */
static unsigned int
significant_digits(const struct binning_axis *axis)
{
    if (!axis_has_octaves(axis) || binning_is_float(axis->type) ||
        axis->closed != BINNING_LEFT)
        return 0;
    /* The axis starts at the bin of 1, with only 0 below; all other bins may be
       trimmed. */
    if (axis->first_step > 0 && !axis->is_trimmed)
        return 0;
    for (unsigned int d = 0; d < sizeof digits_bits / sizeof *digits_bits;
         d++) {
        if (digits_bits[d] == axis->subdivision)
            return d + 1;
    }
    return 0;
}

/* Whether the counts of POINT add up to a number of 63 bits. */
static bool
has_place(const struct point *point)
{
    return point->count <= INT64_MAX;
}

/* ---- the indices of a point ---- */

struct hdr_entry {
    int64_t index;
    uint64_t count; /* not 0 */
    uint64_t most;  /* the greatest value with the index */
};

struct hdr_entries {
    struct point point;
    unsigned int bits; /* K */
    bool had_zeros;
};

static struct hdr_entries
entries_open(const struct point *point, const struct binning_axis *axis)
{
    return (struct hdr_entries){.point = *point, .bits = axis->subdivision};
}

/* Go to the next entry, by index.  Returns false at the end. */
static bool
entries_next(struct hdr_entries *entries, struct hdr_entry *entry)
{
    const unsigned int k = entries->bits;
    struct point_bucket bucket;

    if (!entries->had_zeros && entries->point.zeros > 0) {
        entries->had_zeros = true;
        *entry = (struct hdr_entry){.count = entries->point.zeros};
        return true;
    }
    if (!points_bucket(&entries->point, &bucket))
        return false;
    unsigned int octave = (unsigned int)(bucket.index >> k);
    if (octave >= OCTAVES)
        return false;
    uint64_t first = (1u << k) + (uint64_t)(bucket.index & ((1 << k) - 1));
    entry->count = bucket.count;
    if (octave < k) {
        entry->most = first >> (k - octave);
        entry->index = (int64_t)entry->most;
    } else {
        entry->most = ((first + 1) << (octave - k)) - 1;
        entry->index = bucket.index - ((int64_t)(k - 1) << k);
    }
    return true;
}

/* ---- bytes ---- */

/* Where bytes go: to base64, or nowhere. */
struct sink {
    struct writer *out; /* or NULL: bytes are only counted */
    uint64_t bytes;
    uint32_t group; /* of base64: 3 bytes */
    unsigned int in_group;
    uint64_t left;       /* of the content of the stream */
    uint32_t block_left; /* of the block */
    uint32_t low;        /* of Adler-32 */
    uint32_t high;
};

static void
put_group(struct sink *sink, unsigned int digits)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   "abcdefghijklmnopqrstuvwxyz0123456789+/";

    for (unsigned int d = 0; d < 4; d++)
        writer_put_char(sink->out,
                        d < digits ? alphabet[sink->group >> (18 - 6 * d) & 63]
                                   : '=');
    sink->group = 0;
    sink->in_group = 0;
}

static void
put_byte(struct sink *sink, unsigned int byte)
{
    sink->group |= (byte & 255) << (16 - 8 * sink->in_group++);
    if (sink->in_group == 3)
        put_group(sink, 4);
}

/* Put the lowest BYTES of NUMBER, the highest byte first. */
static void
put_big(struct sink *sink, uint64_t number, unsigned int bytes,
        void (*put)(struct sink *sink, unsigned int byte))
{
    while (bytes-- > 0)
        put(sink, (unsigned int)(number >> (8 * bytes)) & 255);
}

/* Start the next stored block. */
static void
start_block(struct sink *sink)
{
    uint32_t size =
        sink->left < BLOCK_BYTES ? (uint32_t)sink->left : BLOCK_BYTES;

    put_byte(sink, sink->left == size);
    put_byte(sink, size);
    put_byte(sink, size >> 8);
    put_byte(sink, ~size);
    put_byte(sink, ~size >> 8);
    sink->block_left = size;
}

/* Put a byte of the content of the stream. */
static void
put_content(struct sink *sink, unsigned int byte)
{
    sink->bytes++;
    if (sink->out == NULL)
        return;
    if (sink->block_left == 0)
        start_block(sink);
    sink->block_left--;
    sink->left--;
    sink->low = (sink->low + byte) % ADLER_PRIME;
    sink->high = (sink->high + sink->low) % ADLER_PRIME;
    put_byte(sink, byte);
}

/* Put 7 bits a byte, the lowest bits first; the ninth byte has all 8. */
static void
put_signed(struct sink *sink, int64_t number)
{
    uint64_t bits =
        number < 0 ? ~((uint64_t)number << 1) : (uint64_t)number << 1;
    unsigned int bytes = 1;

    for (; bits >= 0x80 && bytes < 9; bytes++, bits >>= 7)
        put_content(sink, (unsigned int)(bits & 0x7f) | 0x80);
    put_content(sink, (unsigned int)bits);
}

/* ---- a histogram ---- */

static void
put_counts(struct sink *sink, struct hdr_entries entries)
{
    struct hdr_entry entry;

    for (int64_t next = 0; entries_next(&entries, &entry);
         next = entry.index + 1) {
        if (entry.index > next + 1)
            put_signed(sink, next - entry.index);
        else if (entry.index > next)
            put_signed(sink, 0);
        put_signed(sink, (int64_t)entry.count);
    }
}

/* Put ENTRIES, with the greatest value MOST. */
static void
put_histogram(struct writer *out, const struct hdr_entries *entries,
              unsigned int digits, uint64_t most)
{
    struct sink counts = {0};
    uint64_t highest = (UINT64_C(2) << entries->bits) - 1;

    put_counts(&counts, *entries);
    while (highest < most)
        highest = 2 * highest + 1;

    uint64_t content = HEADER_BYTES + counts.bytes;
    uint64_t blocks = (content + BLOCK_BYTES - 1) / BLOCK_BYTES;
    struct sink sink = {.out = out, .left = content, .low = 1};
    put_big(&sink, COMPRESSED_COOKIE, 4, put_byte);
    put_big(&sink, STREAM_BYTES + content + BLOCK_HEAD_BYTES * blocks, 4,
            put_byte);
    /* The stream: deflate with a window of 32 KiB, and the least effort. */
    put_big(&sink, 0x7801, 2, put_byte);
    put_big(&sink, COOKIE, 4, put_content);
    put_big(&sink, counts.bytes, 4, put_content);
    put_big(&sink, 0, 4, put_content); /* the indices are not shifted */
    put_big(&sink, digits, 4, put_content);
    put_big(&sink, 1, 8, put_content); /* the least value but 0 */
    put_big(&sink, highest, 8, put_content);
    put_big(&sink, binning_double_bits(1), 8, put_content); /* of a unit */
    put_counts(&sink, *entries);
    put_big(&sink, (uint64_t)sink.high << 16 | sink.low, 4, put_byte);
    if (sink.in_group > 0)
        put_group(&sink, sink.in_group + 1);
}

/* ---- the log ---- */

/* Put a byte of a tag, %HH for a byte with a meaning in the log or in tags. */
static void
put_tag_byte(struct writer *out, unsigned char byte)
{
    static const char digits[] = "0123456789ABCDEF";

    if (byte > ' ' && byte < 0x7f && byte != ',' && byte != ';' &&
        byte != '=' && byte != '%') {
        writer_put_char(out, (char)byte);
        return;
    }
    writer_put_char(out, '%');
    writer_put_char(out, digits[byte >> 4]);
    writer_put_char(out, digits[byte & 15]);
}

static void
put_tag(struct writer *out, struct point *point)
{
    const char *before = "Tag=";
    struct point_label label;

    for (size_t i = 0; i < points_labels(point); i++) {
        if (!points_label_open(&label, point, i, out))
            continue;
        writer_put_text(out, before);
        writer_put_text(out, label.name);
        writer_put_char(out, '=');
        for (size_t b = 0; b < label.value.size; b++)
            put_tag_byte(out, label.value.byte[b]);
        points_label_close(&label);
        before = ";";
    }
    if (*before == ';')
        writer_put_char(out, ',');
}

static void
put_point(struct writer *out, struct point *point,
          const struct binning_axis *axis)
{
    uint64_t most = 0;
    struct hdr_entry entry;

    put_tag(out, point);
    const struct hdr_entries all = entries_open(point, axis);
    struct hdr_entries entries = all;
    while (entries_next(&entries, &entry))
        most = entry.most;
    writer_put_text(out, "0.000,0.000,");
    writer_put_number(out, most);
    writer_put_text(out, ".000,");
    put_histogram(out, &all, significant_digits(axis), most);
    writer_put_char(out, '\n');
}

static const struct binning_axis *
axis_of(const struct spec *spec, size_t i)
{
    return &spec->shown[spec_own_axis(spec, i)];
}

void
format_hdr(struct writer *out, const struct report *report)
{
    writer_put_text(out,
                    "#[Histogram log format version 1.3]\n"
                    "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\","
                    "\"Interval_Compressed_Histogram\"\n");
    for (size_t i = 0; i < spec_histograms(report->spec); i++) {
        struct points points;
        struct point point;

        points_open(&points, report, i);
        while (!writer_has_failed(out) && points_next(&points, &point)) {
            if (has_place(&point))
                put_point(out, &point, axis_of(report->spec, i));
        }
    }
}

uint64_t
format_hdr_unplaced(const struct report *report, size_t i)
{
    const unsigned int k = axis_of(report->spec, i)->subdivision;
    struct points points;
    struct point point;
    struct point_bucket bucket;
    uint64_t unplaced = 0;

    points_open(&points, report, i);
    while (points_next(&points, &point)) {
        unplaced += point.unplaced;
        if (!has_place(&point)) {
            unplaced += point.count;
            continue;
        }
        while (points_bucket(&point, &bucket)) {
            if (bucket.index >> k >= OCTAVES)
                unplaced += bucket.count;
        }
    }
    return unplaced;
}

const char *
format_hdr_wrong(const struct spec *spec)
{
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        if (spec_own_axes(spec, i) > 1 ||
            significant_digits(axis_of(spec, i)) == 0)
            return FORMAT_HDR_NEEDS;
    }
    return NULL;
}
