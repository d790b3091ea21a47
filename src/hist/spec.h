/* SPDX-License-Identifier: MIT */
/*
 * spec.h -- what to count: records, fields and axes; constant once made
 *
 * An axis has two forms.  SHOWN is the axis that the user asked for and that
 * is printed.  COUNTED is the axis that the engines use.  Where possible, a
 * field of 8 or 16 bits is counted by its bits, and the counts are mapped to
 * the shown axis once, at the end.
 */

#ifndef GPUHIST_SPEC_H
#define GPUHIST_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/exact_sums.h"
#include "hist/axis.h"
#include "hist/axis_finding.h"
#include "hist/axis_parse.h"
#include "hist/counted_histogram.h"
#include "hist/group_numbers.h"
#include "hist/histogram.h"
#include "hist/key_code.h"
#include "hist/key_list.h"
#include "hist/record.h"
#include "hist/spec_ranks.h"
#include "kernels/binning/binning.h"
#include "seq/sequence_names.h"
#include "text/text_options.h"

/* How the values that are in no bin are printed. */
enum flow {
    FLOW_AUTO,  /* a row for each flow cell that is not 0 */
    FLOW_SHOW,  /* a row for each flow cell */
    FLOW_HIDE,  /* no rows; a warning if a flow cell is not 0 */
    FLOW_CLAMP, /* added to the first and the last bin */
};

/* How often an option for an axis may be repeated. */
#define SPEC_AXES_MAX 64

/* An option that is given once for all axes, or once for each. */
struct axis_option {
    const char *name;
    const char *text[SPEC_AXES_MAX]; /* the COUNT arguments, into argv */
    size_t count;
};

/* Fields, as the user wrote them; not owned. */
struct spec_names {
    const char *name[SPEC_AXES_MAX];
    int length[SPEC_AXES_MAX];
    size_t count;
};

/* axis_make() parses their arguments. */
#define SPEC_AXIS_OPTION(name) struct axis_option name;
struct axis_options {
    AXIS_TEXTS(SPEC_AXIS_OPTION)
};
#undef SPEC_AXIS_OPTION

/* The options for what to count.  Texts point into argv; NULL: not given. */
struct spec_options {
    const char *dtype;
    struct spec_names texts; /* fields of text that have no DTYPE */
    const char *record;
    struct axis_option fields; /* lists of them */
    const char *weights;
    struct axis_option where; /* conditions */
    enum byte_order endian;
    bool joint;
    struct axis_options axis;
    enum binning_closed closed;
    struct text_options text;
    const struct text_header *header; /* of the inputs; NULL: none */
    size_t columns;                   /* of text; 0: not known */
    bool all_fields;                  /* of text, each by itself */
    const struct record *npy;         /* of .npy files; NULL: none */
    uint64_t prefix;        /* bytes that keys are cut to; 0: whole keys */
    bool only_occurring;    /* no rows for values that do not occur */
    bool has_figures;       /* figures of numbers are wanted, not counts */
    unsigned int only_sums; /* enum exact_want: of numbers without bins, only
                               these are wanted; 0: the numbers themselves */
    bool may_occur_only;    /* messages may name --nonzero, which sets it */
    bool spectrum;          /* count the counts of keys */
    bool all_kmers;         /* cells also for short k-mers that do not occur */
};

/* What the records are. */
enum spec_kind {
    SPEC_SAMPLES,   /* binary records of a fixed size */
    SPEC_FIELDS,    /* text: each axis is that of a field */
    SPEC_SEQUENCES, /* FASTA and FASTQ, whose fields are text, too */
};

/* The amount that a record adds to its cells. */
enum spec_adds {
    ADDS_ONE,
    ADDS_COUNT,  /* the record says how often it counts */
    ADDS_WEIGHT, /* 1, and a weight to the sum of weights */
};

struct spec {
    enum spec_kind kind;
    enum spec_adds adds;
    bool may_misfit; /* a record may be an error: none of its format of text, or
                        beyond its limits */
    bool grows;      /* spec_grows() for an axis */

    /* Of each histogram.  Owned, but for the copies that
       counted_histogram.h names. */
    struct counted_histogram *histogram;

    struct record record; /* of text: a byte */
    bool uses_tables;     /* CPU threads count in tables of keys */
    struct text_format text;
    struct field_list text_fields;    /* of each axis, maybe a weight or count,
                                      and of conditions */
    size_t text_weight;               /* its place in TEXT_FIELDS */
    struct condition_list conditions; /* that records must meet */
    uint32_t prefix;                  /* the most bytes of a key */
    size_t axis_count;                /* one axis for each counted field */
    size_t *field; /* of each axis: the index of its element or text field */
    struct axis_finding *finding; /* of each axis: what to find beforehand;
                                     NULL: nothing for all axes */
    struct binning_axis *shown;   /* AXIS_COUNT axes */
    struct binning_axis *counted; /* AXIS_COUNT axes */
    bool is_joint;                /* one histogram over all axes */
    size_t group_count;           /* the first axes, of all histograms */
    bool are_groups;  /* all axes are of --group-by; GROUP_COUNT is 0 then */
    bool all_fields;  /* the axes are all fields, and not chosen by the user */
    bool has_members; /* the only histogram has the values of all members, in
                         groups by their names */
    bool has_rest;    /* the last axis is the field after all known columns,
                        which only longer records have */
    bool is_sparse;   /* histograms of several axes have ROWS_TUPLES */

    /* With several joint lists of fields: the end of the axes of each, LISTS of
       them; else NULL. */
    size_t *list_end;
    size_t lists;

    bool has_weights;
    struct element weight; /* of text, its type is SAMPLE_DECIMAL */

    struct axis_edges edges; /* listed edges of all axes */
    uint32_t *lookup;        /* lookup tables of all axes */
    size_t lookup_count;

    /* Of each histogram; if it is sparse, its tuples, as in key_code.h.  NULL:
       not known yet.  Set by spec_set_keys(). */
    const struct key_list *keys;

    /* Of each histogram that is COUNTED_SUMS, after counting; NULL: none. */
    const struct exact_sums *sums;
    unsigned int wants_sums; /* enum exact_want; 0: none is COUNTED_SUMS */

    /* After counting, of each histogram, if its tuples are stand-ins and
       ranks.has_other; NULL, or find() is NULL: the tuples have the numbers. */
    const struct group_numbers *numbers;

    bool is_spectrum;  /* shows how many keys have each count */
    bool ranks_keys;   /* lists of keys in files are sorted by count */
    uint64_t top_keys; /* the first keys by count are enough; 0: all by key */
    bool shows_all;    /* k-mers that do not occur, too */
    bool is_part;      /* another run may count values that this run lacks */
    bool sums_series;  /* sums over the bytes in their order are wanted */
    bool only_figures; /* other numbers with equal count, sum, least, greatest
                          may stand for those of a group, or for all, ... */
    struct spec_ranks ranks; /* ... if these are equal, too */
    bool keeps_numbers;      /* only after all counting, all keys are wanted */

    unsigned int generation; /* how often auto_range.h has changed an axis */

    uint64_t cells;       /* of an engine's histogram, by the counted axes */
    unsigned int planes;  /* of the histograms: 1, or more with weights */
    uint64_t shown_cells; /* of the printed histogram, by the shown axes */
};

/*
 * Make a spec from OPTIONS, which need not outlive the call.  If IMAGE is not
 * NULL, the records are its pixels.  The tables of the axes take at most
 * MEMORY_LIMIT bytes.  Returns 0, or -1 with *ERROR set; the caller calls
 * spec_close() in both cases.
 */
int spec_make(struct spec *spec, const struct spec_options *options,
              const struct image_format *image, uint64_t memory_limit,
              struct error *error);

/*
 * Returns the number of histograms.  A record counts in one cell of each.  A
 * joint spec has 1 histogram, or one for each joint list; else each axis beside
 * the groups has a histogram.
 */
size_t spec_histograms(const struct spec *spec);

/* Returns the number of axes of histogram I. */
size_t spec_dimensions(const struct spec *spec, size_t i);

/* Returns axis D of histogram I, from 0 on: the groups, then its own axes. */
size_t spec_axis_of(const struct spec *spec, size_t i, size_t d);

/* Returns the first own axis of histogram I: the first after the groups. */
size_t spec_own_axis(const struct spec *spec, size_t i);

/* Returns the histogram of AXIS; for a group, the first histogram. */
size_t spec_histogram_of(const struct spec *spec, size_t axis);

/* Returns the number of own axes of histogram I: the axes after the groups. */
size_t spec_own_axes(const struct spec *spec, size_t i);

/* Returns the first shown cell of histogram I. */
uint64_t spec_first_cell(const struct spec *spec, size_t i);

/*
 * Returns the unit of histogram I: of sequences the finest enum sequence_unit
 * of the axes; of text with lists the number, from 1, of the innermost list of
 * the axes, among those of the histograms up to I; else 0: a record is an
 * element.  Once SPEC is made, read SPEC->histogram instead.
 */
uint32_t spec_unit(const struct spec *spec, size_t i);

/* Returns the first axis of histogram I, of text, with parts of the innermost
   list; SIZE_MAX: no axis has parts. */
size_t spec_list_axis(const struct spec *spec, size_t i);

/* Returns the number, from 1, of the list among those of the fields of SPEC
   whose elements have the weights; 0: there are no weights, or records have
   them. */
uint32_t spec_weight_list(const struct spec *spec);

/* Returns the number of units of SPEC: of text, 1 more than the lists of its
   histograms. */
size_t spec_units(const struct spec *spec);

/*
 * Whether a record of FASTA may be cut anywhere, if *OVERLAP bases are
 * repeated: all histograms count bases, or all count windows, and no field or
 * condition describes the whole record.
 */
bool spec_allows_pieces(const struct spec *spec, unsigned int *overlap);

/* Whether only the name, the length and the GC of a sequence of FASTA are
   needed. */
bool spec_allows_long(const struct spec *spec);

/* Whether histogram I, of sequences or a log, has an axis of PART. */
bool spec_has_part(const struct spec *spec, size_t i, enum text_part part);

/* Whether conditions choose among the bases or windows of a sequence: then all
   histograms have the same unit, which is not SEQUENCE_READS. */
bool spec_chooses_elements(const struct spec *spec);

/* Returns the list of histogram I after counting, or NULL: its rows are in no
   list. */
const struct key_list *spec_keys(const struct spec *spec, size_t i);

/* Returns the kind of the components of shown axis I in codes of tuples. */
enum key_kind spec_key_kind(const struct spec *spec, size_t i);

/*
 * Whether the histogram of axis I has ROWS_TUPLES and the range of the axis is
 * found while counting.  Until the range is known, codes have the numbers
 * themselves.
 */
bool spec_codes_grow(const struct spec *spec, size_t i);

/* Whether each value of axis I, not a k-mer, has a row of its own: no two
   values share a bin or a flow cell. */
bool spec_has_values(const struct spec *spec, size_t i);

/* Returns the seconds from a time of axis I to the next one, if a modifier of
   its field makes such times; or 0. */
int64_t spec_time_interval(const struct spec *spec, size_t i);

/* Room for spec_field_text(). */
#define SPEC_FIELD_BYTES 24

/* Whether the field of axis I has a name: in .npy, or given by the user. */
bool spec_field_is_named(const struct spec *spec, size_t i);

/*
 * Write the number of the field of axis I to TEXT, from 1 on; or of text "NF",
 * "NF-1".  Returns TEXT; or the name, which may have any bytes.
 */
const char *spec_field_text(const struct spec *spec, size_t i,
                            char text[SPEC_FIELD_BYTES]);

/* Whether the user may call the field of axis I by the LENGTH bytes at NAME:
   its text, maybe between double quotes, the word for a channel, or the name
   of its column. */
bool spec_field_is_called(const struct spec *spec, size_t i, const char *name,
                          size_t length);

/* As spec_field_text(), but only names that are short words, as in logs. */
const char *spec_field_word(const struct spec *spec, size_t i,
                            char text[SPEC_FIELD_BYTES]);

/*
 * Returns the name of the column of axis I after *BEFORE, which the name starts
 * with: the name of the field as the user wrote it; "field2" if the field has a
 * number alone; "line", "word" and "kmer"; "value" if the only field of binary
 * records has no name, or for a spectrum.  TEXT as in spec_field_text().
 */
const char *spec_column_text(const struct spec *spec, size_t i,
                             const char **before, char text[SPEC_FIELD_BYTES]);

/* Room for the names of the fields of a histogram. */
#define SPEC_HISTOGRAM_BYTES 128

/*
 * Write a name of histogram I to TEXT: the field of its own axis, as
 * spec_field_text(), or the names of several fields with commas.  Returns TEXT,
 * or the name.
 */
const char *spec_histogram_text(const struct spec *spec, size_t i,
                                char text[SPEC_HISTOGRAM_BYTES]);

/* Whether the bins of an axis of SPEC are to be found before counting. */
bool spec_is_open(const struct spec *spec);

/* Whether the exact extremes of axis I, of samples, are to be found. */
bool spec_finds_extremes(const struct spec *spec, size_t i);

/* Whether the field of weights, which SPEC has, has a name in
   spec_weight_text(). */
bool spec_weight_is_named(const struct spec *spec);

/* As spec_field_text(), of the field of weights, which SPEC has. */
const char *spec_weight_text(const struct spec *spec,
                             char text[SPEC_FIELD_BYTES]);

/* Returns the tables of edges and cells that the axes of SPEC index. */
struct binning_tables spec_tables(const struct spec *spec);

/*
 * Whether the range of counted axis I is found while counting, by the readers;
 * false with tables of keys: then the engines find it.
 */
bool spec_grows(const struct spec *spec, size_t i);

/*
 * Decide what the axes of SPEC mean: make SPEC->histogram, which spec_close()
 * frees.  spec_make() calls this.  Returns 0, or -1: out of memory.
 */
int spec_compile(struct spec *spec);

/* Returns the number of cells of counted axis I, flow cells included. */
uint64_t spec_axis_cells(const struct spec *spec, size_t i);

/*
 * Set base and stride of AXIS, the shown or the counted axes of SPEC, and
 * *CELLS to the number of their cells.  Returns 0, or -1: more than MOST cells.
 */
int spec_place(const struct spec *spec, struct binning_axis *axis,
               uint64_t most, uint64_t *cells);

/* Set base and stride of the shown axes again after their bins became fewer. */
void spec_place_shown(struct spec *spec);

/*
 * Give each shown axis that has keys the bins of KEYS[I], of its histogram I,
 * and place all shown axes.  KEYS, which has an element for each histogram,
 * must outlive SPEC; the elements of other histograms are not used.
 */
void spec_set_keys(struct spec *spec, const struct key_list *keys);

/*
 * Let histogram I, whose keys a spectrum counts, show the multiplicities, which
 * spec_set_keys() sets.  If the keys are tuples, one axis replaces all axes.
 */
void spec_show_spectrum(struct spec *spec, size_t i);

/* Show the k-mers of histogram I as keys, which spec_set_keys() sets. */
void spec_list_kmers(struct spec *spec, size_t i);

/* Returns the number of shown axes whose values are keys, or numbers without
   bins. */
size_t spec_key_axes(const struct spec *spec);

/* Whether spec_fold() has work: an axis is counted by its bits. */
bool spec_has_raw(const struct spec *spec);

/* Whether the values are all bytes as they are: records of one field, which
   follow each other, without shift, mask and mod. */
bool spec_is_of_bytes(const struct spec *spec);

/* Whether a field of SPEC is a number without bins. */
bool spec_lacks_bins(const struct spec *spec);

/* Returns the size of an engine's histogram in bytes. */
uint64_t spec_table_bytes(const struct spec *spec);

/* Returns how many bytes of that size are bins of k-mers. */
uint64_t spec_kmer_bytes(const struct spec *spec);

/* Returns the size, in bytes, of the axes' tables and spec_fold()'s result. */
uint64_t spec_other_bytes(const struct spec *spec);

/* Whether histogram I in HISTOGRAM, which has the counted axes, has counted
   ELEMENTS, in bins and in flow cells. */
bool spec_histogram_adds_up(const struct spec *spec, size_t i,
                            const struct histogram *histogram,
                            uint64_t elements);

/*
 * Whether HISTOGRAM, which has the counted axes, counts each of RECORDS
 * records exactly once for each axis, in a bin or in a flow cell.
 */
bool spec_adds_up(const struct spec *spec, const struct histogram *histogram,
                  uint64_t records);

/*
 * Find the ranges of the shown axes that are not found while counting, from
 * HISTOGRAM, which has the counted axes and is complete.
 */
void spec_find_ranges(const struct spec *spec,
                      const struct histogram *histogram);

/*
 * Replace HISTOGRAM, which has the counted axes, by one with the shown axes,
 * whose ranges are known.  Returns 0, or -1: out of memory.
 */
int spec_fold(const struct spec *spec, struct histogram *histogram);

/* Show all bins of logarithmic axes without a range, also the empty ends.  A
   lattice changes anyway. */
void spec_keep_bins(struct spec *spec);

/*
 * Add the values below the first bin of each axis to that bin, including zero
 * and negative values of a logarithmic axis, and the values above the last bin
 * to the last.  NaN keeps its cell, and so do records without a key.  HISTOGRAM
 * has the shown axes.
 */
void spec_clamp(const struct spec *spec, struct histogram *histogram);

/*
 * Make *TRIMMED a copy of SPEC without the empty ends of trimmed axes, and move
 * the cells of HISTOGRAM from the shown axes of SPEC to those of *TRIMMED.
 *
 * A logarithmic axis without a range has bins for all values of its type, and
 * nearly all of them are empty.  A lattice has room for values that did not
 * occur.  A trimmed axis has the bins from the first to the last with a count.
 * If no bin has a count, a logarithmic axis has the bin of 1.
 *
 * The lattice of one value has bins as narrow as numbers are.  The bin of one
 * floating-point value is shown from 1/2 below the value to 1/2 above; without
 * values a lattice of floating-point numbers is shown as the bin [0, 1].
 *
 * Returns 0, or -1: out of memory, and HISTOGRAM is unchanged.  *TRIMMED points
 * into SPEC, which must outlive it.  The caller calls spec_trim_close() in both
 * cases.
 */
int spec_trim(struct spec *trimmed, const struct spec *spec,
              struct histogram *histogram);

/* Free what spec_trim() allocated. */
void spec_trim_close(struct spec *trimmed);

/*
 * Make COPY, which has axes of its own, since the ranges of some are found; all
 * other arrays are those of SPEC, which must outlive COPY.  Returns 0, or -1:
 * out of memory.
 */
int spec_copy_axes(struct spec *copy, const struct spec *spec);

/* Free what spec_copy_axes() allocated. */
void spec_close_axes(struct spec *copy);

void spec_close(struct spec *spec);

#endif
