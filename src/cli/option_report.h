/* SPDX-License-Identifier: MIT */
/*
 * option_report.h -- the rows of option_table.c for what is printed of counts
 *
 * Only option_table.c includes this file, in the middle of its table.
 */

/* clang-format off */
    {
        .name = "format",
        .argument = "FORMAT",
        .help = "output format: %w; -c is uniq, of lines if nothing\n"
                "else is counted",
        .brief = "output format",
        .word_at = word_of_format,
        WORD(report.format, FORMAT_TSV),
        .rule = {{.when = "histo", .needs = "spectrum"},
                 {.when = "state", .excludes = "every"},
                 {.when = "state",
                  .excludes = "spectrum",
                  .message = STATE_OF_KEYS}},
        .use = {{.feature = REPORT_ROWS}},
    },
    {
        .name = "header-out",
        .help = "print a header line",
        FLAG(report.header_out),
        .use = {{.feature = REPORT_HEADER}},
    },
    {
        .name = "rename",
        .is_new = true,
        .argument = "OLD=NEW,...",
        .help = "print other names of columns, labels and axes",
        .brief = "print other names of columns",
        TEXT(report.rename),
        .rule = {{.excludes = "profile"},
                 {.needs = "header-out format=csv format=md format=table "
                           "format=json format=jsonl format=prom format=uhi "
                           "format=otlp format=prom-native plot svg",
                  .message = "--rename is for output with names: --header-out "
                             "or --format=csv, md, table, json, jsonl, prom, "
                             "uhi, otlp or prom-native, --plot or --svg"},
                 {.excludes = "stats=only"}},
    },
    {
        .name = "nonzero",
        .help = "leave out values that do not occur",
        FLAG(report.nonzero),
        .use = {{.feature = REPORT_NONZERO}},
    },
    {
        .name = "full",
        .help = "with --kmers: print also k-mers that do not occur",
        FLAG(report.full),
        .rule = {{.needs = "kmers",
                  .excludes = "nonzero top min-count max-count "
                              "spectrum"}},
        .use = {{.feature = REPORT_NONZERO}},
    },
    {
        .name = "top",
        .argument = "N",
        .help = "print the N most frequent values, with --columns the N\n"
                "groups with the greatest first figure; one line for\n"
                "the rest; also -n N",
        .brief = "print only the most frequent values",
        .set = option_set_size,
        .field = FIELD(uint64_t, report.top),
        .least = 1,
        .wanted = "a number of lines from 1 on",
        .use = {{.feature = REPORT_ORDER}},
    },
    {
        .name = "top-each",
        .is_new = true,
        .argument = "N",
        .help = "print the N most frequent values of each group, one line\n"
                "for the rest of the group",
        .brief = "print only the most frequent values of each group",
        .set = option_set_size,
        .field = FIELD(uint64_t, report.top_each),
        .least = 1,
        .wanted = "a number of lines from 1 on",
        .rule = {{.excludes = "columns full spectrum"},
                 {.excludes = "plot svg",
                  .message = "--top-each is for tables: no --plot and no "
                             "--svg"}},
        .use = {{.feature = REPORT_ORDER}},
    },
    {
        .name = "pivot",
        .is_new = true,
        .help = "print a table of counts: a column for each value of the\n"
                "last key, with --per-file for each input",
        .brief = "print a column for each value of the last key",
        FLAG(report.pivot),
        .rule = {{.excludes = "top-each percent cumulative density labels "
                              "columns spectrum full total flow=show "
                              "flow=clamp"},
                 {.excludes = "plot svg stats percentiles",
                  .message = "--pivot is a table by itself: no --plot, --svg, "
                             "--stats or --percentiles"}},
        .use = {{.feature = REPORT_GROUPS}, {.feature = REPORT_COLUMNS}},
    },
    {
        .name = "min-count",
        .argument = "N",
        .help = "print no value that occurs less than N times, but one\n"
                "line for all of them",
        .brief = "print only values that occur so often",
        .set = option_set_size,
        .field = FIELD(uint64_t, report.limits.least),
        .least = 1,
        .wanted = "a number from 1 on",
        .use = {{.feature = REPORT_LEAST}},
    },
    {
        .name = "max-count",
        .is_new = true,
        .argument = "N",
        .help = "print no value that occurs more than N times, but one\n"
                "line for all of them",
        .brief = "print only values that occur at most so often",
        .set = option_set_size,
        .field = FIELD(uint64_t, report.limits.most),
        .least = 1,
        .wanted = "a number from 1 on",
        .use = {{.feature = REPORT_LEAST}},
    },
    {
        .name = "no-other",
        .help = "leave out the line for the rest",
        FLAG(report.no_other),
        .rule = {{.needs = "top top-each min-count max-count"}},
        .use = {{.feature = REPORT_LEAST}},
    },
    {
        .name = "sort",
        .argument = "ORDER",
        .help = "order of the lines: value, or count (descending), or\n"
                "with --columns one of them (descending)",
        .brief = "order of the lines",
        .word_at = word_of_order,
        .set = option_set_sort,
        .field = FIELD(unsigned int, report.sort),
        .first = SORT_VALUE,
        .use = {{.feature = REPORT_ORDER, .when = "count"}},
    },
    {
        .name = "columns",
        .argument = "NAME,...",
        .help = "one line for each group of --group-by, with figures\n"
                "of the field of --fields: %w\n"
                "(these two of --spectrum), all for the first ones, and\n"
                "percentages, as p50, p99.9, n50 and l50; of several\n"
                "fields in a line, as price:mean,quantity:sum",
        .brief = "one line for each group, with these figures",
        .word_at = word_of_column,
        .set = option_set_columns,
        .field = FIELD(size_t, report.figures.count),
        .rule = {{.excludes = "weights joint full nonzero flow cumulative "
                              "density percent labels"},
                 {.excludes = "stats percentiles",
                  .message = "--columns has the figures that --stats and "
                             "--percentiles print: leave them out"},
                 {.excludes = "plot svg",
                  .message = "--columns is a table, and no histogram: no "
                             "--plot and no --svg"}},
        .use = {{.feature = REPORT_GROUPS}},
    },
    {
        .name = "profile",
        .is_new = true,
        .help = "print a line for each field: type, counts, extremes,\n"
                "mean, deviation, median and most frequent value",
        .brief = "print a line of figures for each field",
        FLAG(report.profile),
        .rule = {{.needs = PROFILED,
                  .excludes = "group-by joint weights spectrum columns pivot "
                              "top top-each min-count max-count sort full "
                              "nonzero flow "
                              "cumulative density percent labels prefix "
                              "ignore-case seq kmers image numpy"},
                 {.excludes = "bins range bin-width edges log scale shift "
                              "mask mod",
                  .message = "--profile has the figures of values, not of "
                             "bins: no options for bins"},
                 {.excludes = "plot svg stats percentiles",
                  .message = "--profile is a table by itself: no --plot, "
                             "--svg, --stats or --percentiles"}},
        .use = {{.feature = REPORT_PROFILE}},
    },
    {
        .name = "labels",
        .argument = "HOW",
        .help = "write bytes as %w",
        .brief = "how to write bytes",
        .words = WORDS("dec", "hex", "char"),
        WORD(report.labels, LABELS_DEC),
        .use = {{.feature = REPORT_LABELS}},
    },
    {
        .name = "cumulative",
        .help = "add a column: the sum of all lines so far",
        .brief = "add a column: the sum so far",
        FLAG(report.cumulative),
        .use = {{.feature = REPORT_COLUMNS}},
    },
    {
        .name = "density",
        .help = "add a column: the density, as in numpy",
        .brief = "add a column: the density",
        FLAG(report.density),
        .use = {{.feature = REPORT_COLUMNS}},
    },
    {
        .name = "percent",
        .is_optional = true,
        .argument = "group",
        .help = "add a column: the percentage of all values, or of those\n"
                "of the group",
        .brief = "add a column: the percentage",
        .words = WORDS("group"),
        WORD(report.percent, PERCENT_GROUP),
        .absent = PERCENT_ALL,
        .rule = {{.when = "group", .excludes = "spectrum"}},
        .use = {{.feature = REPORT_COLUMNS}},
    },
    {
        .name = "thousands",
        .is_new = true,
        .help = "with --format=table: 1,234,567 instead of 1234567",
        .brief = "separate thousands by commas",
        FLAG(report.thousands),
        .rule = {{.needs = "format=table"}},
    },
    {
        .name = "round",
        .is_new = true,
        .argument = "N",
        .help = "with --format=table: N decimals of figures, sums of\n"
                "weights, densities and percentages",
        .brief = "number of decimals",
        .set = option_set_number,
        .field = FIELD(unsigned int, report.decimals),
        .least = 0,
        .most = NUMBER_STYLE_DECIMALS_MAX,
        .wanted = "a number of decimals from 0 to 30",
        .rule = {{.needs = "format=table"}},
    },
    {
        .name = "metric",
        .argument = "NAME",
        .help = "with --format=prom, prom-native or otlp: the name of the\n"
                "metric (default: gpuhist_values)",
        .brief = "name of the metric",
        .set = option_set_metric,
        .field = FIELD(const char *, report.metric),
        .wanted = "a name of letters, digits, _ and :",
        .rule = {{.needs = "format=prom format=prom-native format=otlp"}},
    },
    {
        .name = "metric-type",
        .is_new = true,
        .argument = "TYPE",
        .help = "with --format=prom, of keys: %w (default:\n"
                "counter if the name ends with _total)",
        .brief = "type of the metric",
        .words = WORDS("counter", "gauge"),
        WORD(report.metric_type, METRIC_COUNTER),
        .rule = {{.needs = "format=prom"}},
    },
    {
        .name = "lut",
        .help = "with --image: add a column, the equalized value",
        .brief = "add a column: the equalized value",
        FLAG(lut),
        .rule = {{.needs = "image"}},
        .use = {{.feature = REPORT_COLUMNS}},
    },
    {
        .name = "equalize",
        .argument = "FILE",
        .help = "with --image: write the equalized image as PGM",
        .brief = "write the equalized image",
        .completion = OPTION_COMPLETE_FILE,
        FILE_BESIDE(equalize),
        .rule = {{.needs = "image"}},
    },
    {
        .heading = "Statistics",
        .name = "stats",
        .is_optional = true,
        .argument = "NAME,...",
        .help = "print mean, deviation, entropy in bits and more, or the\n"
                "figures of these names, on standard error; only: on\n"
                "standard output, without the counts",
        .brief = "print mean, deviation, entropy and more",
        .word_at = word_of_stats,
        .set = option_set_stats,
        .field = FIELD(unsigned int, stats),
        .first = PLACE_ONLY,
        .absent = PLACE_BESIDE,
        .rule = {{.excludes = "weights", .message = OPTION_ONE_FIELD},
                 {.when = "only", .excludes = "plot=only"}},
    },
    {
        .name = "percentiles",
        .argument = "P,...",
        .help = "print the values that P percent do not exceed, as\n"
                "--stats=p50,p99",
        .brief = "print the values that P percent do not exceed",
        .set = option_set_percentiles,
        .field = FIELD(size_t, percentiles.count),
        .wanted = "a list of numbers above 0, up to 100, with up to 9 decimals",
        .rule = {{.excludes = "weights", .message = OPTION_ONE_FIELD}},
    },
    {
        .heading = "Pictures",
        .name = "plot",
        .is_optional = true,
        .argument = "only",
        .help = "draw bars or a heat map on standard error; only:\n"
                "on standard output, without the counts",
        .brief = "draw bars or a heat map",
        .words = WORDS("only"),
        PLACE(plot),
    },
    {
        .name = "plot-scale",
        .argument = "SCALE",
        .help = "scale of the bars: linear (default) or log",
        .brief = "scale of the bars",
        .words = WORDS("linear", "log"),
        WORD(plot_scale, PLOT_SCALE_LINEAR),
        .rule = {{.needs = "plot svg"}},
    },
    {
        .name = "svg",
        .argument = "FILE",
        .help = "draw the picture to FILE, as SVG",
        .brief = "draw the picture to a file, as SVG",
        .completion = OPTION_COMPLETE_FILE,
        FILE_BESIDE(svg),
    },
