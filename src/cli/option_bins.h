/*
 * option_bins.h -- the rows of option_table.c for bins
 *
 * Only option_table.c includes this file, as it does option_text.h.
 */

/* clang-format off */
    {
        .heading = "Bins (give an option once for all fields, or once for each "
                   "field; - for none)",
        .name = "bins",
        .letter = 'b',
        .argument = "N",
        .help = "N bins of equal width",
        .brief = "number of bins of equal width",
        AXIS(spec.axis.bins),
    },
    {
        .name = "range",
        .argument = "LO,HI",
        .help = "bins from LO to HI; auto: the range of the values",
        .brief = "first and last edge: LO,HI or auto",
        .words = WORDS("auto"),
        AXIS(spec.axis.range),
    },
    {
        .name = "bin-width",
        .argument = "W",
        .help = "bins of width W",
        .brief = "bins of this width",
        AXIS(spec.axis.bin_width),
    },
    {
        .name = "edges",
        .argument = "E0,E1,...",
        .help = "bins between these edges; @FILE: read them there",
        .brief = "bins between these edges, or @FILE",
        .completion = OPTION_COMPLETE_AT_FILE,
        AXIS(spec.axis.edges),
    },
    {
        .name = "log",
        .is_optional = true,
        .argument = "BASE",
        .help = "logarithmic bins; BASE is 2 (default), 10 or e",
        .brief = "logarithmic bins",
        .words = WORDS("2", "10", "e"),
        AXIS(spec.axis.log),
    },
    {
        .name = "subdiv",
        .argument = "K",
        .help = "with --log: 2^K bins in each octave, decade or e-fold",
        .brief = "2^K bins in each octave, decade or e-fold",
        AXIS(spec.axis.subdiv),
    },
    {
        .name = "shift",
        .argument = "N",
        .help = "shift integers right by N bits,",
        .brief = "shift integers right by this many bits",
        AXIS(spec.axis.shift),
    },
    {
        .name = "mask",
        .argument = "M",
        .help = "then keep only the bits of M,",
        .brief = "keep these bits",
        AXIS(spec.axis.mask),
    },
    {
        .name = "mod",
        .argument = "M",
        .help = "then take the remainder of division by M",
        .brief = "take the remainder of division",
        AXIS(spec.axis.mod),
    },
    {
        .name = "closed",
        .argument = "SIDE",
        .help = "bins are [lo,hi) (left, default) or (lo,hi] (right)",
        .brief = "which edge belongs to a bin",
        .words = WORDS("left", "right"),
        WORD(spec.closed, BINNING_LEFT),
    },
    {
        .name = "numpy",
        .help = "like --closed=left, but the last bin is [lo,hi]",
        .brief = "the last bin is closed, as in numpy",
        CONSTANT(spec.closed, BINNING_NUMPY),
    },
    {
        .name = "flow",
        .argument = "HOW",
        .help = "values in no bin: %w",
        .brief = "what to do with values in no bin",
        .words = WORDS("auto", "show", "hide", "clamp"),
        WORD(report.flow, FLOW_AUTO),
        .use = {{.feature = REPORT_FLOW},
                {.feature = REPORT_FLOW_ROWS, .when = "show"}},
    },
