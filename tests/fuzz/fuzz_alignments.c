/* SPDX-License-Identifier: MIT */
/*
 * fuzz_alignments.c -- BAM and SAM as text
 *
 * How much is read at a time, that sometimes nothing can be read for now, and
 * that pages of sets have text (alignment_pages.h), must make no difference,
 * neither to the text nor to what is said of bad content.  The text must be
 * records of FASTA and FASTQ to its end.
 */

#include "fuzz.h"
#include "input/alignment/alignment_pages.h"
#include "input/alignment/alignments.h"
#include "kernels/seq/alignment_words.h"
#include "kernels/seq/sequence.h"

#define TEXT_MAX ((size_t)1 << 18)
#define READS_MAX 1024
#define SET_BYTES_MIN 20

struct file {
    const uint8_t *data;
    size_t size;
    size_t next;
    size_t most; /* bytes at a time */
    bool waits;  /* each second call gives nothing */
    bool has_waited;
    size_t set_bytes; /* 0: without pages */
    struct alignment_pages *pages;
    struct alignment_page *page; /* of the set that starts at SET */
    size_t set;
};

static ssize_t
read_file(void *context, void *buffer, size_t capacity, bool *has_ended)
{
    struct file *file = context;
    size_t size = file->size - file->next;

    fuzz_must(capacity > 0, "there is room");
    file->has_waited = file->waits && !file->has_waited;
    *has_ended = !file->has_waited && size == 0;
    if (file->has_waited || size == 0)
        return 0;
    if (size > capacity)
        size = capacity;
    if (size > file->most)
        size = file->most;
    memcpy(buffer, file->data + file->next, size);
    file->next += size;
    return (ssize_t)size;
}

static size_t
set_size(const struct file *file, size_t set)
{
    const size_t left = file->size - set;

    return left < file->set_bytes ? left : file->set_bytes;
}

/* The page of each set is written when the set is first looked for. */
static bool
find_page(void *context, struct alignment_place *place)
{
    struct file *file = context;
    const size_t set = file->next / file->set_bytes * file->set_bytes;

    if (file->next == file->size)
        return false;
    const size_t size = set_size(file, set);
    if (file->set != set) {
        unsigned char *data = malloc(size);
        if (data == NULL)
            abort();
        memcpy(data, file->data + set, size);
        alignment_page_write(file->pages, file->page, data, size);
        free(data);
        file->set = set;
        fuzz_must(file->page->start <= file->page->end &&
                      file->page->end <= size &&
                      file->page->text_bytes <= ALIGNMENT_PAGE_ROOM,
                  "a page of the set");
    }
    *place = (struct alignment_place){file->page, file->next - set, size};
    return true;
}

static void
skip(void *context, size_t size)
{
    struct file *file = context;

    fuzz_must(size <= file->set + set_size(file, file->set) - file->next,
              "no more than the set has");
    file->next += size;
}

struct result {
    unsigned char *text;
    size_t size;
    bool is_good;
    char error[300];
    uint64_t offset;
};

/* Read the text of FILE, CAPACITY bytes at a time. */
static void
read_text(struct alignments *alignments, struct file *file, size_t capacity,
          struct result *result)
{
    unsigned char *buffer = malloc(capacity);
    ssize_t got;

    if (buffer == NULL)
        abort();
    do {
        got = alignments_read(alignments, buffer, capacity);
        if (got > 0) {
            fuzz_must((size_t)got <= capacity, "no more than was wanted");
            fuzz_must((size_t)got <= TEXT_MAX - result->size,
                      "no more text than the file can hold");
            memcpy(result->text + result->size, buffer, (size_t)got);
            result->size += (size_t)got;
        }
    } while (got == (ssize_t)capacity || (got >= 0 && file->has_waited));
    result->is_good = got >= 0;
    fuzz_must(alignments_read(alignments, buffer, 1) == (got < 0 ? -1 : 0),
              "an end remains one");
    free(buffer);
}

static void
read_alignments(enum alignment_kind kind, unsigned int choices,
                struct file *file, size_t first, size_t capacity,
                struct result *result)
{
    const struct alignment_choice choice = {
        .has_all = (choices & 1) > 0,
        .has_references = (choices & 64) > 0,
        .is_stored = (choices & 2) > 0,
        .has_bases = (choices & 128) == 0,
        .words = choices & 64 ? (1u << ALIGNMENT_WORDS) - 1 : 0,
    };
    const struct alignment_sets sets = {find_page, skip, file};
    unsigned char *data = malloc(first + 1);

    if (data == NULL)
        abort();
    if (first > 0)
        memcpy(data, file->data, first);
    file->next = first;
    struct alignments *alignments =
        alignments_open(kind, &choice, choices & 4 ? 100 : SIZE_MAX, read_file,
                        file, data, first);
    if (alignments == NULL)
        abort();
    if (file->set_bytes > 0)
        file->pages = alignments_take_pages(alignments, &sets);
    read_text(alignments, file, capacity, result);
    const char *error = alignments_error(alignments, &result->offset);
    fuzz_must((error == NULL) == result->is_good, "an error, or none");
    snprintf(result->error, sizeof result->error, "%s",
             error != NULL ? error : "");
    fuzz_must(error == NULL || result->offset <= file->size,
              "an offset in the file");
    alignments_close(alignments);
}

/* The text must be whole records. */
static void
check_text(const struct result *result)
{
    struct sequence_record record = {0};
    binning_u32 size = (binning_u32)result->size;
    enum sequence_found found;
    binning_u32 at = 0;

    while ((found = sequence_find(result->text, size, at, 1, &record)) ==
           SEQUENCE_RECORD)
        at = record.next;
    fuzz_must(found == SEQUENCE_NONE, "records of FASTA and FASTQ");
}

/* Both results must be the same. */
static void
compare(const struct result *whole, const struct result *parts)
{
    fuzz_must(whole->is_good == parts->is_good &&
                  strcmp(whole->error, parts->error) == 0 &&
                  whole->offset == parts->offset,
              "the same error");
    fuzz_must(!whole->is_good ||
                  (whole->size == parts->size &&
                   memcmp(whole->text, parts->text, whole->size) == 0),
              "the same text");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static unsigned char text[2][TEXT_MAX];
    static struct alignment_page *page;
    struct fuzz fuzz = {data, size};
    struct result whole = {.text = text[0]};
    struct result parts = {.text = text[1]};
    unsigned int choices = (unsigned int)fuzz_take(&fuzz, 1);
    size_t capacity = 1 + (size_t)fuzz_take(&fuzz, 1);
    size_t most = 1 + (size_t)fuzz_take(&fuzz, 1);
    size_t first = (size_t)fuzz_take(&fuzz, 1);
    enum alignment_kind kind = choices & 8 ? ALIGNMENT_SAM : ALIGNMENT_BAM;

    page = page != NULL ? page : alignment_page_open();
    if (page == NULL || fuzz.size * 4 > TEXT_MAX)
        return 0;
    (void)alignment_kind_of(fuzz.data, fuzz.size, (choices & 16) > 0);
    if (capacity < fuzz.size / READS_MAX)
        capacity = fuzz.size / READS_MAX;
    first = first < fuzz.size ? first : fuzz.size;
    struct file file = {.data = fuzz.data, .size = fuzz.size, .most = SIZE_MAX};
    read_alignments(kind, choices, &file, 0, TEXT_MAX, &whole);
    file = (struct file){.data = fuzz.data,
                         .size = fuzz.size,
                         .most = most,
                         .waits = (choices & 32) > 0};
    read_alignments(kind, choices, &file, first, capacity, &parts);
    compare(&whole, &parts);
    file.set_bytes = SET_BYTES_MIN + 4 * most;
    file.set = SIZE_MAX;
    file.page = page;
    parts = (struct result){.text = text[1]};
    read_alignments(kind, choices, &file, first, capacity, &parts);
    compare(&whole, &parts);
    if (whole.is_good)
        check_text(&whole);
    return 0;
}
