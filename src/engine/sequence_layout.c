/* SPDX-License-Identifier: MIT */
/* sequence_layout.c -- the cells of a device's histogram for sequences */

#include "engine/sequence_layout.h"
#include "engine/sequence_source.h"
#include "hist/text_axis.h"

/* Kernels have an equal layout, whatever the processor aligns. */
_Static_assert(sizeof(struct sequence_work) == 168 &&
                   TEXT_AXIS_KMER_MAX <= SEQUENCE_K_MAX,
               "devices count something else");

/* Whether devices can count histogram I. */
static bool
is_countable(const struct spec *spec, size_t i)
{
    if (spec->histogram[i].kind == COUNTED_KMERS)
        return spec->text.kmer <= TEXT_AXIS_KMER_MAX;
    return sequence_source_choose(spec, i) != SEQUENCE_NO_TABLE;
}

bool
sequence_layout_check(const struct spec *spec, const char *device,
                      struct error *error)
{
    char text[SPEC_HISTOGRAM_BYTES];

    if (spec->text.least_quality > 0) {
        error_set(error, EXIT_NO_DEVICE,
                  "%s: with --min-quality, sequences are counted by the CPU "
                  "only",
                  device);
        return false;
    }
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        if (is_countable(spec, i))
            continue;
        if (spec->histogram[i].kind == COUNTED_KMERS)
            error_set(error, EXIT_NO_DEVICE,
                      "%s: k-mers of more than %d bases are counted by the CPU "
                      "only",
                      device, TEXT_AXIS_KMER_MAX);
        else if (spec_has_part(spec, i, TEXT_PART_KMER))
            error_set(error, EXIT_NO_DEVICE,
                      "%s: k-mers beside other fields are counted by the CPU "
                      "only",
                      device);
        else
            error_set(error, EXIT_NO_DEVICE,
                      "%s: this is counted by the CPU only: %s", device,
                      spec_histogram_text(spec, i, text));
        return false;
    }
    return true;
}

uint64_t
sequence_layout_make(const struct spec *spec, struct sequence_work *work)
{
    uint64_t cells = SEQUENCE_TOTALS;

    *work = (struct sequence_work){.keeps_case = spec->text.keeps_case};
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        if (spec->histogram[i].kind == COUNTED_KMERS)
            work->k = spec->text.kmer;
        else
            work->sources |= 1u << sequence_source_choose(spec, i);
    }
    for (binning_u32 s = 0; s < SEQUENCE_SOURCES; s++) {
        if (!sequence_work_has(work, s))
            continue;
        work->first[s] = (binning_u32)cells;
        cells += sequence_work_cells(s);
    }
    if (work->k == 0)
        return cells;
    work->is_canonical = spec->text.is_canonical != 0;
    work->first_kmer = (binning_u32)cells;
    return cells + ((uint64_t)1 << 2 * work->k);
}

uint64_t
sequence_layout_cells(const struct spec *spec)
{
    struct sequence_work work;

    if (spec->kind != SPEC_SEQUENCES)
        return 0;
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        if (!is_countable(spec, i))
            return 0;
    }
    return sequence_layout_make(spec, &work);
}

uint64_t
sequence_layout_elements(enum sequence_source source, const uint64_t *value)
{
    return value[source == SEQUENCE_OF_LENGTH || source == SEQUENCE_OF_GC
                     ? SEQUENCE_TOTAL_READS
                     : SEQUENCE_TOTAL_BASES];
}

bool
sequence_layout_adds_up(const struct spec *spec,
                        const struct histogram *histogram)
{
    const uint64_t *value = histogram->value;
    struct sequence_work work;

    uint64_t cells = sequence_layout_make(spec, &work);
    for (int s = 0; s < SEQUENCE_SOURCES; s++) {
        enum sequence_source source = (enum sequence_source)s;
        if (sequence_work_has(&work, (binning_u32)s) &&
            histogram_total(histogram, work.first[s],
                            sequence_work_cells(source)) !=
                sequence_layout_elements(source, value))
            return false;
    }
    return work.k == 0 || histogram_total(histogram, work.first_kmer,
                                          cells - work.first_kmer) +
                                  value[SEQUENCE_TOTAL_BROKEN] ==
                              value[SEQUENCE_TOTAL_WINDOWS];
}
