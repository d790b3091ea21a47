/* SPDX-License-Identifier: MIT */
/*
 * option_sequences.h -- the rows of option_table.c for sequences
 *
 * Only option_text.h includes this file, in the middle of its rows.
 */

/* clang-format off */
    {
        .name = "seq",
        .is_counting = true,
        .help = "sequences of FASTA and FASTQ: count bases, or with -f\n"
                "length, gc (0 to 1), quality, position and others",
        .brief = "sequences of FASTA and FASTQ",
        CONSTANT(spec.text.kind, TEXT_SEQUENCES),
        .rule = {NOT_OF_SEQUENCES, {.excludes = NOT_OF_READS " delimiter"}},
    },
    {
        .name = "kmers",
        .is_counting = true,
        .argument = "K",
        .help = "sequences: count all runs of K bases A, C, G, T",
        .brief = "count all runs of this many bases",
        .set = option_set_number,
        .field = FIELD(unsigned int, spec.text.kmer),
        .least = 1,
        .most = 64,
        .wanted = "a number of bases from 1 to 64",
        .rule = {NOT_OF_SEQUENCES,
                 {.excludes = NOT_OF_READS " weights lines words " DIVIDING}},
    },
    {
        .name = "canonical",
        .is_counting = true,
        .help = "with --kmers: count a k-mer and its reverse\n"
                "complement as the lesser of both",
        .brief = "count both strands of a k-mer as one",
        FLAG(spec.text.is_canonical),
        .rule = {{.needs = "kmers"}},
    },
    {
        .name = "spectrum",
        .help = "print how many keys occur once, twice, ...",
        .brief = "print how many keys occur so often",
        FLAG(spec.spectrum),
        .rule = {{.needs = "lines words " DIVIDING " counts seq kmers merge",
                  .message = "--spectrum is of what is counted as text: keys, "
                             "numbers, combinations and k-mers; samples have "
                             "none"},
                 {.excludes = "weights reset"}},
    },
    {
        .name = "phred",
        .is_counting = true,
        .argument = "N",
        .help = "of sequences: the byte of quality 0, %w (default: 33)",
        .brief = "the byte of quality 0",
        .words = WORDS("33", "64"),
        WORD(spec.text.phred, PHRED_33),
        .rule = {{.needs = "seq kmers"},
                 {.excludes = "format=fastqc",
                  .message = "--format=fastqc finds the byte of quality 0 as "
                             "FastQC does: leave out --phred"}},
    },
    {
        .name = "min-quality",
        .is_counting = true,
        .is_new = true,
        .argument = "Q",
        .help = "of sequences: a base with a lower quality is N, and in\n"
                "no k-mer",
        .brief = "bases with a lower quality are N",
        .set = option_set_number,
        .field = FIELD(unsigned int, spec.text.min_quality),
        .most = 93,
        .wanted = "a quality from 0 to 93",
        .rule = {{.needs = "seq kmers"}},
    },
    {
        .name = "keep-case",
        .is_counting = true,
        .help = "lower-case bases are other ones than upper-case bases",
        .brief = "tell lower-case bases from upper-case ones",
        FLAG(spec.text.keeps_case),
        .rule = {{.needs = "seq kmers"}},
    },
    {
        .name = "as-aligned",
        .is_counting = true,
        .is_new = true,
        .help = "reads of BAM and SAM as they are stored, not as they\n"
                "were sequenced",
        .brief = "count reads of BAM and SAM as they are stored",
        FLAG(spec.text.as_aligned),
        .rule = {{.needs = "seq kmers"}},
    },
    {
        .name = "all-alignments",
        .is_counting = true,
        .is_new = true,
        .help = "count secondary and supplementary records of BAM and\n"
                "SAM, too",
        .brief = "count all records of BAM and SAM",
        FLAG(spec.text.all_alignments),
        .rule = {{.needs = "seq kmers"}},
    },
    {
        .name = "reads",
        .is_new = true,
        .argument = "N",
        .help = "of sequences: --first=N",
        COUNT_OF_FIRST(reads),
        .rule = {{.needs = "seq kmers",
                  .message = "--reads is of sequences: it needs --seq or "
                             "--kmers; --first=N has the first N records of "
                             "anything"},
                 FIRST_OF_WHAT,
                 {.excludes = "first merge"}},
    },
    {
        .name = "sample",
        .is_counting = true,
        .is_new = true,
        .argument = "P%",
        .help = "count only so many of the reads, chosen by their names;\n"
                "both mates of a pair, or neither",
        .brief = "count a sample of the reads",
        .set = option_set_percentage,
        .field = FIELD(const char *, sample),
        .wanted = "a percentage above 0% and up to 100%, such as 1% or 0.1%",
        .rule = {{.needs = "seq kmers",
                  .message = "--sample is of reads: it needs --seq or --kmers; "
                             "of text --where='FIELD:hash<0.01' chooses 1 % of "
                             "the values of a field"},
                 {.excludes = "device=cuda device=opencl"}},
    },
    {
        .name = "seed",
        .is_counting = true,
        .is_new = true,
        .argument = "N",
        .help = "another sample for each N (default: 0)",
        .brief = "choose another sample",
        .set = option_set_size,
        .field = FIELD(uint64_t, seed),
        .wanted = "a whole number",
        .rule = {{.needs = "sample"}},
    },
    {
        .name = "low-quality",
        .argument = "Q",
        .help = "with --format=fqchk: lesser qualities are low (default:\n"
                "20); 0: a column for each quality",
        .brief = "lesser qualities are low, with --format=fqchk",
        .set = option_set_number,
        .field = FIELD(unsigned int, report.low_quality),
        .most = 94,
        .wanted = "a quality from 0 to 94",
        .rule = {{.needs = "format=fqchk"}},
    },
