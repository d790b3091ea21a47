/* SPDX-License-Identifier: MIT */
/* sevenzip_directory.c -- the directory of a 7z archive, which is in memory */

#include <stdlib.h>
#include <string.h>

#include "base/little_endian.h"
#include "input/archive/sevenzip_directory.h"

/* What a part of the directory is. */
enum property {
    PROPERTY_END = 0x00,
    PROPERTY_HEADER = 0x01,
    PROPERTY_OF_ARCHIVE = 0x02,
    PROPERTY_STREAMS = 0x04,
    PROPERTY_FILES = 0x05,
    PROPERTY_PACKED = 0x06,
    PROPERTY_UNPACKED = 0x07,
    PROPERTY_SUBSTREAMS = 0x08,
    PROPERTY_SIZE = 0x09,
    PROPERTY_DIGESTS = 0x0a,
    PROPERTY_FOLDER = 0x0b,
    PROPERTY_OUT_SIZES = 0x0c,
    PROPERTY_STREAM_COUNTS = 0x0d,
    PROPERTY_PACKED_HEADER = 0x17,
};

/* Methods, beside those of the header. */
#define METHOD_DELTA 0x03
#define METHOD_PPMD 0x030401
#define METHOD_DEFLATE 0x040108
#define METHOD_BZIP2 0x040202
#define METHOD_ZSTD 0x04f71101
#define METHOD_BCJ2 0x0303011b
#define METHOD_X86 0x03030103
#define METHOD_POWERPC 0x03030205
#define METHOD_IA64 0x03030401
#define METHOD_ARM 0x03030501
#define METHOD_ARM_THUMB 0x03030701
#define METHOD_SPARC 0x03030805
#define METHOD_AES 0x06f10701
#define METHOD_ZIP_CRYPTO 0x06f10101
#define METHOD_RAR_CRYPTO 0x06f10303

/* Of a coder: the length of its method, and what follows. */
#define CODER_METHOD_BYTES 0x0f
#define CODER_HAS_COUNTS 0x10
#define CODER_HAS_PROPS 0x20
#define CODER_RESERVED 0x80

#define CODERS_MAX 32
#define STREAMS_MAX 32

#define LZMA2_DICTIONARY_MAX 40

/* More than any memory, so that sums of sizes do not overflow. */
#define SPLIT_MAX ((uint64_t)1 << 48)

/* The memory that libarchive takes: for a decoder beside its dictionary, ... */
#define DECODER_BYTES ((uint64_t)512 << 10)
#define BZIP2_BYTES ((uint64_t)4 << 20)
#define ZSTD_BYTES ((uint64_t)128 << 20) /* the widest window, by default */

/* ... and for what the directory lists. */
#define PACKED_COST 32
#define FOLDER_COST 768
#define STREAM_COST 16
#define FILE_COST 128
#define BYTE_COST 3 /* names, and one part of the directory */

/* The bytes that are left of the directory. */
struct listing {
    const unsigned char *at;
    size_t left;
    bool is_bad;
};

/* Returns the next SIZE bytes; NULL: there are fewer, which is noted. */
static const unsigned char *
take(struct listing *listing, uint64_t size)
{
    const unsigned char *data = listing->at;

    if (listing->is_bad || size > listing->left) {
        listing->is_bad = true;
        return NULL;
    }
    listing->at += size;
    listing->left -= (size_t)size;
    return data;
}

/* Returns the next byte, or 0. */
static unsigned int
take_byte(struct listing *listing)
{
    const unsigned char *data = take(listing, 1);

    return data != NULL ? *data : 0;
}

/* Returns the next number, or 0.  The first byte starts with as many ones as
   bytes follow; its other bits are the highest of the number. */
static uint64_t
take_number(struct listing *listing)
{
    unsigned int first = take_byte(listing);
    uint64_t value = 0;

    for (unsigned int i = 0; i < 8; i++) {
        unsigned int mask = 0x80u >> i;
        if ((first & mask) == 0)
            return value | (uint64_t)(first & (mask - 1)) << (8 * i);
        value |= (uint64_t)take_byte(listing) << (8 * i);
    }
    return value;
}

/* Returns the next number, of things that take a byte or more each. */
static uint64_t
take_count(struct listing *listing)
{
    uint64_t count = take_number(listing);

    listing->is_bad |= count > listing->left;
    return listing->is_bad ? 0 : count;
}

/* Pass one property, PROPERTY. */
static void
expect(struct listing *listing, enum property property)
{
    listing->is_bad |= take_byte(listing) != (unsigned int)property;
}

/* ---- digests ---- */

/* Checksums of some of several things. */
struct digests {
    const unsigned char *bits; /* which have one; NULL: all have */
    const unsigned char *value;
};

static bool
digest_exists(const struct digests *digests, uint64_t i)
{
    return digests->bits == NULL ||
           (digests->bits[i / 8] & 0x80u >> i % 8) != 0;
}

/* Read the digests of COUNT things. */
static struct digests
take_digests(struct listing *listing, uint64_t count)
{
    struct digests digests = {.bits = NULL};
    uint64_t defined = count;

    if (take_byte(listing) == 0) {
        digests.bits = take(listing, count / 8 + (count % 8 != 0));
        defined = 0;
        for (uint64_t i = 0; i < count && digests.bits != NULL; i++)
            defined += digest_exists(&digests, i);
    }
    listing->is_bad |= defined > listing->left / 4;
    digests.value = take(listing, 4 * defined);
    return digests;
}

/* ---- folders ---- */

/* Returns the memory of METHOD with SIZE bytes of PROPS. */
static uint64_t
method_memory(uint64_t method, const unsigned char *props, size_t size)
{
    switch (method) {
    case SEVENZIP_LZMA:
    case METHOD_PPMD:
        return DECODER_BYTES + (size >= 5 ? little_endian_32(props + 1) : 0);
    case SEVENZIP_LZMA2:
        if (size < 1 || props[0] >= LZMA2_DICTIONARY_MAX)
            return DECODER_BYTES + UINT32_MAX;
        return DECODER_BYTES +
               ((uint64_t)(2 | (props[0] & 1)) << (props[0] / 2 + 11));
    case METHOD_BZIP2:
        return BZIP2_BYTES;
    case METHOD_ZSTD:
        return ZSTD_BYTES;
    default:
        return DECODER_BYTES;
    }
}

/* Whether each libarchive reads METHOD, or says that it is a cipher. */
static bool
is_common(uint64_t method)
{
    static const uint32_t common[] = {
        SEVENZIP_COPY,     SEVENZIP_LZMA,  SEVENZIP_LZMA2, METHOD_DELTA,
        METHOD_PPMD,       METHOD_DEFLATE, METHOD_BZIP2,   METHOD_BCJ2,
        METHOD_X86,        METHOD_POWERPC, METHOD_IA64,    METHOD_ARM,
        METHOD_ARM_THUMB,  METHOD_SPARC,   METHOD_AES,     METHOD_ZIP_CRYPTO,
        METHOD_RAR_CRYPTO,
    };

    for (size_t i = 0; i < sizeof common / sizeof *common; i++) {
        if (method == common[i])
            return true;
    }
    return false;
}

/* Read a coder of FOLDER, and add its streams to *INS. */
static void
take_coder(struct listing *listing, struct sevenzip_folder *folder,
           bool is_first, uint64_t *ins)
{
    unsigned int flags = take_byte(listing);
    const unsigned char *id = take(listing, flags & CODER_METHOD_BYTES);
    uint64_t in = 1, out = 1, method = 0, size = 0;

    for (unsigned int i = 0; id != NULL && i < (flags & CODER_METHOD_BYTES);
         i++)
        method = method << 8 | id[i];
    if ((flags & CODER_HAS_COUNTS) != 0) {
        in = take_number(listing);
        out = take_number(listing);
    }
    if ((flags & CODER_HAS_PROPS) != 0)
        size = take_count(listing);
    const unsigned char *props = take(listing, size);
    listing->is_bad |=
        (flags & CODER_RESERVED) != 0 || in > STREAMS_MAX || out > STREAMS_MAX;
    if (listing->is_bad)
        return;
    if (is_first) {
        folder->method = method;
        folder->props = props;
        folder->props_bytes = (size_t)size;
    }
    folder->outs += out;
    *ins += in;
    folder->memory += method_memory(method, props, (size_t)size);
    folder->is_split |= method == METHOD_BCJ2;
    if (!is_common(method))
        folder->odd_method = method;
    folder->is_encrypted |= method == METHOD_AES ||
                            method == METHOD_ZIP_CRYPTO ||
                            method == METHOD_RAR_CRYPTO;
}

static void
take_folder(struct listing *listing, struct sevenzip_folder *folder)
{
    uint64_t ins = 0;

    *folder = (struct sevenzip_folder){.streams = 1};
    folder->coders = take_number(listing);
    listing->is_bad |= folder->coders == 0 || folder->coders > CODERS_MAX;
    for (uint64_t i = 0; i < folder->coders && !listing->is_bad; i++)
        take_coder(listing, folder, i == 0, &ins);
    listing->is_bad |= folder->outs == 0 || ins + 1 < folder->outs;
    if (listing->is_bad)
        return;
    for (uint64_t i = 0; i < 2 * (folder->outs - 1); i++)
        take_number(listing);
    folder->packed = ins - (folder->outs - 1);
    for (uint64_t i = 0; folder->packed > 1 && i < folder->packed; i++)
        take_number(listing);
}

/* Make room for COUNT folders. */
static enum sevenzip_result
make_folders(struct sevenzip_directory *directory, uint64_t count)
{
    uint64_t bytes = count * sizeof *directory->folder;

    directory->folders = 0;
    if (count == 0)
        return SEVENZIP_GOOD;
    if (!budget_take(directory->share, bytes))
        return SEVENZIP_NO_MEMORY;
    directory->reserved += bytes;
    directory->folder = calloc((size_t)count, sizeof *directory->folder);
    directory->folders = directory->folder != NULL ? count : 0;
    return directory->folder != NULL ? SEVENZIP_GOOD : SEVENZIP_NO_MEMORY;
}

/* Read the sizes of what the coders of all folders write. */
static void
take_out_sizes(struct listing *listing, struct sevenzip_directory *directory)
{
    for (uint64_t i = 0; i < directory->folders; i++) {
        struct sevenzip_folder *folder = &directory->folder[i];
        for (uint64_t j = 0; j < folder->outs && !listing->is_bad; j++) {
            uint64_t size = take_number(listing);
            /* The last stream is the largest one: filters shorten nothing. */
            uint64_t less = size < folder->unpacked ? size : folder->unpacked;
            folder->unpacked += size - less;
            if (folder->is_split)
                folder->memory += less < SPLIT_MAX ? less : SPLIT_MAX;
        }
    }
}

/* Read what the streams unpack to. */
static enum sevenzip_result
take_unpacked(struct listing *listing, struct sevenzip_directory *directory)
{
    expect(listing, PROPERTY_FOLDER);
    uint64_t count = take_count(listing);
    listing->is_bad |= take_byte(listing) != 0 || directory->folder != NULL;
    enum sevenzip_result result =
        listing->is_bad ? SEVENZIP_BAD : make_folders(directory, count);

    if (result != SEVENZIP_GOOD)
        return result;
    for (uint64_t i = 0; i < count && !listing->is_bad; i++)
        take_folder(listing, &directory->folder[i]);
    expect(listing, PROPERTY_OUT_SIZES);
    if (!listing->is_bad)
        take_out_sizes(listing, directory);
    unsigned int next = take_byte(listing);
    if (next == PROPERTY_DIGESTS) {
        struct digests digests = take_digests(listing, count);
        const unsigned char *value = digests.value;
        for (uint64_t i = 0; i < count && !listing->is_bad; i++) {
            if (!digest_exists(&digests, i))
                continue;
            directory->folder[i].has_digest = true;
            directory->folder[i].digest = little_endian_32(value);
            value += 4;
        }
        next = take_byte(listing);
    }
    listing->is_bad |= next != PROPERTY_END;
    directory->memory += count * FOLDER_COST;
    return SEVENZIP_GOOD;
}

/* ---- streams ---- */

/* Read where the streams are in the archive. */
static void
take_packed(struct listing *listing, struct sevenzip_directory *directory)
{
    directory->start = take_number(listing);
    uint64_t count = take_count(listing);
    unsigned int next = take_byte(listing);

    if (next == PROPERTY_SIZE) {
        for (uint64_t i = 0; i < count && !listing->is_bad; i++) {
            uint64_t size = take_number(listing);
            if (i == 0)
                directory->bytes = size;
        }
        next = take_byte(listing);
    }
    if (next == PROPERTY_DIGESTS) {
        take_digests(listing, count);
        next = take_byte(listing);
    }
    listing->is_bad |= next != PROPERTY_END;
    directory->memory += count * PACKED_COST;
}

/* Read how the folders are divided into files. */
static void
take_substreams(struct listing *listing, struct sevenzip_directory *directory)
{
    unsigned int next = take_byte(listing);
    uint64_t streams = 0, digests = 0, sizes = 0;

    for (uint64_t i = 0; i < directory->folders && !listing->is_bad; i++) {
        struct sevenzip_folder *folder = &directory->folder[i];
        if (next == PROPERTY_STREAM_COUNTS)
            folder->streams = take_number(listing);
        listing->is_bad |= folder->streams > listing->left;
        streams += folder->streams;
        sizes += folder->streams > 0 ? folder->streams - 1 : 0;
        if (folder->streams != 1 || !folder->has_digest)
            digests += folder->streams;
    }
    if (next == PROPERTY_STREAM_COUNTS)
        next = take_byte(listing);
    if (next == PROPERTY_SIZE) {
        for (uint64_t i = 0; i < sizes && !listing->is_bad; i++)
            take_number(listing);
        next = take_byte(listing);
    }
    if (next == PROPERTY_DIGESTS) {
        take_digests(listing, digests);
        next = take_byte(listing);
    }
    listing->is_bad |= next != PROPERTY_END;
    directory->memory += listing->is_bad ? 0 : streams * STREAM_COST;
}

static enum sevenzip_result
take_streams(struct listing *listing, struct sevenzip_directory *directory)
{
    enum sevenzip_result result = SEVENZIP_GOOD;
    unsigned int next = take_byte(listing);

    if (next == PROPERTY_PACKED) {
        take_packed(listing, directory);
        next = take_byte(listing);
    }
    if (next == PROPERTY_UNPACKED) {
        result = take_unpacked(listing, directory);
        next = take_byte(listing);
    }
    if (result == SEVENZIP_GOOD && next == PROPERTY_SUBSTREAMS) {
        take_substreams(listing, directory);
        next = take_byte(listing);
    }
    listing->is_bad |= next != PROPERTY_END;
    return result;
}

/* ---- the directory ---- */

/* Add the memory of the folder that takes most: libarchive decodes one.  Find
   an odd method. */
static void
end_folders(struct sevenzip_directory *directory)
{
    uint64_t most = 0;

    for (uint64_t i = directory->folders; i-- > 0;) {
        const struct sevenzip_folder *folder = &directory->folder[i];
        if (folder->memory > most)
            most = folder->memory;
        if (folder->odd_method != 0)
            directory->odd_method = folder->odd_method;
    }
    directory->memory += most;
}

/* Read the properties of the archive, which mean nothing here. */
static void
take_properties(struct listing *listing)
{
    while (!listing->is_bad && take_byte(listing) != PROPERTY_END)
        take(listing, take_count(listing));
}

enum sevenzip_result
sevenzip_directory_read(struct sevenzip_directory *directory,
                        struct budget *share, const unsigned char *data,
                        size_t size)
{
    struct listing listing = {.at = data, .left = size};
    enum sevenzip_result result = SEVENZIP_GOOD;

    *directory = (struct sevenzip_directory){
        .share = share, .memory = (uint64_t)size * BYTE_COST};
    unsigned int next = take_byte(&listing);
    directory->is_packed = next == PROPERTY_PACKED_HEADER;
    if (directory->is_packed) {
        result = take_streams(&listing, directory);
        listing.is_bad |= directory->folders == 0;
    } else {
        listing.is_bad |= next != PROPERTY_HEADER;
        next = take_byte(&listing);
        if (next == PROPERTY_OF_ARCHIVE) {
            take_properties(&listing);
            next = take_byte(&listing);
        }
        if (next == PROPERTY_STREAMS) {
            result = take_streams(&listing, directory);
            next = take_byte(&listing);
        }
        if (next == PROPERTY_FILES)
            directory->files = take_number(&listing);
        listing.is_bad |= next != PROPERTY_FILES && next != PROPERTY_END;
        listing.is_bad |= directory->files > UINT32_MAX;
        directory->memory += listing.is_bad ? 0 : directory->files * FILE_COST;
    }
    end_folders(directory);
    if (result != SEVENZIP_GOOD)
        return result;
    return listing.is_bad ? SEVENZIP_BAD : SEVENZIP_GOOD;
}

void
sevenzip_directory_close(struct sevenzip_directory *directory)
{
    free(directory->folder);
    directory->folder = NULL;
    if (directory->reserved > 0)
        budget_return(directory->share, directory->reserved);
    directory->reserved = 0;
}
