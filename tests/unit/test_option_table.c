/* SPDX-License-Identifier: MIT */
/* test_option_table.c -- whether the rows of the table make sense */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../tap.h"
#include "base/near_names.h"
#include "cli/help.h"
#include "cli/option_find.h"
#include "cli/option_parse.h"
#include "cli/option_set.h"
#include "cli/option_table.h"

static bool
has_words(const struct option_row *row)
{
    const char *remark;

    return option_row_word(row, 0, &remark) != NULL;
}

/* Whether the LENGTH bytes at TEXT are a word for the enumerator in a field. */
static bool
is_enumerator(const struct option_row *row, const char *text, size_t length)
{
    return row->field.bytes == sizeof(unsigned int) &&
           option_row_find_word(row, text, length) >= 0;
}

/* Whether each of TERMS, "name" or "name=word", is about an option. */
static bool
are_terms(const char *terms)
{
    for (const char *term = terms; *term != '\0';) {
        size_t length = strcspn(term, " ");
        size_t name = strcspn(term, " =");
        const struct option_row *row = option_find(term, name);
        if (row == NULL ||
            (name < length &&
             !is_enumerator(row, term + name + 1, length - name - 1)))
            return false;
        term += length;
        term += *term == ' ';
    }
    return true;
}

static const char *
find_wrong_rule(const struct option_row *row)
{
    for (size_t i = 0; i < 2; i++) {
        const struct option_rule *rule = &row->rule[i];
        const struct option_use *use = &row->use[i];
        if (rule->when != NULL &&
            !is_enumerator(row, rule->when, strlen(rule->when)))
            return "a rule about no word of the option";
        if ((rule->needs != NULL && !are_terms(rule->needs)) ||
            (rule->excludes != NULL && !are_terms(rule->excludes)))
            return "a rule about no option";
        if (use->when != NULL &&
            (use->feature == 0 ||
             !is_enumerator(row, use->when, strlen(use->when))))
            return "a use of no word of the option";
    }
    return NULL;
}

/* What is wrong with ROW; or NULL. */
static const char *
find_wrong(const struct option_row *row)
{
    if (row->name == NULL || row->help == NULL || row->set == NULL)
        return "no name, help or setter";
    if (strlen(row->name) > SPELLING_LENGTH_MAX || strchr(row->name, '='))
        return "no name for an option";
    if (strlen(row->help) > OPTION_LIST_BYTES)
        return "too much help";
    bool is_simple = row->set == option_set_flag ||
                     row->set == option_set_constant ||
                     row->set == option_set_members;
    if (is_simple != (row->argument == NULL))
        return "an argument that is not looked at, or none";
    if (row->argument == NULL &&
        (row->is_optional || row->completion != OPTION_COMPLETE_NONE))
        return "something of an argument that it does not have";
    if ((row->set == option_set_word || row->is_optional ||
         strstr(row->help, "%w") != NULL) &&
        !has_words(row))
        return "no words";
    /* --tune sets the fields of its keys. */
    if (row->field.offset + row->field.bytes > sizeof(struct options) ||
        (row->field.bytes == 0) != (row->set == option_set_keys))
        return "no field";
    if (row->is_key && (row->argument == NULL || row->set == option_set_text ||
                        row->set == option_set_axis))
        return "a key that keeps its text, or without a value";
    const char *brief = row->brief != NULL ? row->brief : row->help;
    if (strpbrk(brief, "\n'%") != NULL)
        return "a description that shells would not understand";
    return find_wrong_rule(row);
}

/* ---- the table ---- */

static void
test_rows(void)
{
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *row = &option_table[i];
        const char *wrong = find_wrong(row);
        bool is_unique =
            option_find(row->name, strlen(row->name)) == row &&
            (row->letter == '\0' || option_find_letter(row->letter) == row);
        ok(wrong == NULL && is_unique, "--%s: %s", row->name,
           wrong == NULL ? "a name and a letter of its own" : wrong);
    }
}

/* What test_rows() finds. */
static void
test_wrong_rows(void)
{
    static const char *const words[] = {"a", NULL};
    const struct option_row *flow = option_find("flow", 4);
    const struct option_row *joint = option_find("joint", 5);
    struct option_row row;

#define WRONG(from, ...)                                               \
    do {                                                               \
        row = *(from);                                                 \
        __VA_ARGS__;                                                   \
        ok(find_wrong(&row) != NULL, "a wrong row: %s", #__VA_ARGS__); \
    } while (false)
    ok(find_wrong(flow) == NULL && find_wrong(joint) == NULL, "right rows");
    WRONG(flow, row.set = NULL);
    WRONG(flow, row.name = "so-long-that-no-one-would-type-it");
    WRONG(flow, row.argument = NULL);
    WRONG(flow, row.words = words + 1);
    WRONG(flow, row.words = words); /* its use is of "show" */
    WRONG(flow, row.brief = "it's");
    WRONG(flow, row.field.bytes = 0);
    WRONG(flow, row.field.offset = sizeof(struct options));
    WRONG(flow, row.rule[0].needs = "nothing");
    WRONG(flow, row.rule[1].excludes = "image sort=cont");
    WRONG(flow, row.rule[0].when = "shown");
    WRONG(flow, row.use[0].when = "");
    WRONG(joint, row.help = "one of %w");
    WRONG(joint, row.argument = "N");
    WRONG(joint, row.is_optional = true);
    WRONG(joint, row.is_key = true);
#undef WRONG
}

/* ---- finding options ---- */

/* What getopt_long() would find, in another way: among old options, and if
   there is none among new ones. */
static const struct option_row *
search(const char *name, size_t length)
{
    const struct option_row *found[2] = {NULL, NULL};
    size_t count[2] = {0, 0};

    for (size_t i = option_count; i-- > 0;) {
        const char *other = option_table[i].name;
        if (strlen(other) < length || memcmp(other, name, length) != 0)
            continue;
        if (strlen(other) == length)
            return &option_table[i];
        found[option_table[i].is_new] = &option_table[i];
        count[option_table[i].is_new]++;
    }
    bool is_new = count[false] == 0;
    return count[is_new] == 1 ? found[is_new] : NULL;
}

static void
test_finding(void)
{
    size_t wrong = 0;
    size_t unique = 0;
    size_t foreign = 0;

    for (size_t i = 0; i < option_count; i++) {
        const char *name = option_table[i].name;
        for (size_t length = 0; length <= strlen(name); length++) {
            const struct option_row *row =
                option_find_abbreviated(name, length);
            /* What other programs mean by it is not taken for something
               else: --min, --count and --int. */
            bool is_foreign = option_find_foreign_name(name, length) != NULL;
            foreign += is_foreign;
            wrong += row != (is_foreign ? NULL : search(name, length));
            unique += row == &option_table[i] && length < strlen(name);
        }
    }
    ok(foreign >= 3 && wrong == 0 && unique > 100,
       "%zu abbreviations, %zu wrong", unique, wrong);
    ok(option_find("bin", 3) == NULL && option_find("binsx", 5) == NULL &&
           option_find_letter('x') == NULL,
       "no option");

    size_t count = 0;
    const char *last = "";
    bool is_sorted = true;
    for (const struct option_row *row = option_find_next(NULL); row != NULL;
         row = option_find_next(row)) {
        is_sorted &= strcmp(last, row->name) < 0;
        last = row->name;
        count++;
    }
    ok(is_sorted && count == option_count, "all, in the order of names");
}

/* ---- rules ---- */

/* The message about LINE; for free().  NULL: it is accepted. */
static char *
message_of(const char *line)
{
    static char text[256];
    struct error error = ERROR_NONE;
    struct options options;
    char *argv[16] = {text};
    int argc = 0;

    snprintf(text, sizeof text, "gpuhist %s", line);
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " "))
        argv[argc++] = word;
    if (option_parse(&options, argc, argv, &error) == 0)
        return NULL;
    char *message = strdup(error.text);
    error_clear(&error);
    return message;
}

static void
test_rules(void)
{
    static const struct {
        const char *line;
        const char *message; /* NULL: none */
    } table[] = {
        {"--dtype=u1 --record=u1", "--dtype and --record exclude each other"},
        {"--reset", "--reset needs --every"},
        {"--reset --every=1 --stats=only", NULL},
        {"--plot-scale=log", "--plot-scale needs --plot or --svg"},
        {"--plot-scale=linear", "--plot-scale needs --plot or --svg"},
        {"--plot-scale=log --svg=a", NULL},
        {"--metric=a",
         "--metric needs --format=prom, --format=prom-native or --format=otlp"},
        {"--metric=a --format=prom", NULL},
        {"--gpu-after=1 --device=cuda",
         "--tune=gpu-after needs --device=auto or several GPUs, as in "
         "--device=cuda:0,1"},
        {"--gpu-after=1 --device=cuda:1,0", NULL},
        {"--gpu-after=1", NULL},
        {"--lut", "--lut needs --image"},
        {"--image --endian=big",
         "--image has its own fields: no --dtype, --record or --endian"},
        {"--stats=only --plot=only",
         "--stats=only and --plot=only exclude each other"},
        {"--stats=only --plot", NULL},
        {"--percentiles=1 --joint",
         "--stats and --percentiles do not work with --joint or --weights"},
        {"--device=cpu --gpu-timeout=30",
         "--tune=gpu-timeout has no effect with --device=cpu"},
        {"--device=cpu --gpu-decode=always",
         "--tune=gpu-decode=always needs a GPU of CUDA, not --device=cpu or "
         "opencl"},
        {"--device=cpu --gpu-decode=never", NULL},
        {"--device=cpu --tune=chunk-size=4k,gpu-timeout=30",
         "--tune=gpu-timeout has no effect with --device=cpu"},
        {"--tune=gpu-timeout=none,strategy=lane --tune gpu-after=1M", NULL},
        {"--tune=", "--tune: '' is not gpu-after, gpu-decode, gpu-timeout, "
                    "strategy or chunk-size"},
        {"--tune=strategy=lane,stategy=lane",
         "--tune: 'stategy' is not strategy, gpu-after, gpu-decode, "
         "gpu-timeout or chunk-size"},
        {"--tune=chunk-size",
         "--tune: 'chunk-size' needs a value: --tune=chunk-size=SIZE"},
        {"--tune=gpu-timeout=-1",
         "--tune=gpu-timeout: '-1' is not a number from 0.01 to 1e6, or none"},
        {"--chunk-siz=3,", "--chunk-size: '3,' is not a size from 1 to 1GiB"},
        {"--chunksize=3",
         "unknown option '--chunksize' (did you mean --tune=chunk-size?)"},
        {"--list-devices -o a", "--output and --format do not apply to lists"},
        {"--list-devices --help -o a", NULL},
        {"-o a --svg=a", "--output and --svg name the same file"},
        {"--format=npy --flow=show",
         "--flow=show does not apply to --format=npy"},
        {"--format=npy --flow=hide", NULL},
        {"--format=npy --sort=count",
         "--sort=count does not apply to --format=npy"},
        {"--format=prom --sort=value", NULL},
        {"--format=uniq --percent",
         "--percent does not apply to --format=uniq"},
        {"--plot=only --top=3", "--top does not apply to --plot=only"},
        {"--stats=only --flow=hide", "--flow does not apply to --stats=only"},
        {"--stats=only --format=csv",
         "--format does not apply to --stats=only"},
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const char *wanted = table[i].message;
        char *message = message_of(table[i].line);
        bool is_right = message == NULL || wanted == NULL
                            ? message == wanted
                            : strcmp(message, wanted) == 0;
        ok(is_right, "%s: %s", table[i].line,
           wanted != NULL ? wanted : "accepted");
        if (!is_right)
            printf("# got: %s\n", message != NULL ? message : "nothing");
        free(message);
    }
}

/* ---- --help ---- */

static void
test_help(void)
{
    char *help = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&help, &size);
    size_t missing = 0;

    help_put(out, 0);
    fclose(out);
    for (size_t i = 0; i < option_count; i++) {
        char name[64];
        snprintf(name, sizeof name, "--%s", option_table[i].name);
        /* Keys stand in --help=gpu. */
        missing += (strstr(help, name) == NULL) != option_table[i].is_key;
    }
    ok(missing == 0, "--help names all options");
    ok(strstr(help, "%w") == NULL &&
           strstr(help, "values in no bin: auto, show, hide or clamp\n") !=
               NULL,
       "--help lists words");
    free(help);
}

/* The shortest abbreviation of each option of 0.1 that has one. */
static const struct {
    const char *text;
    const char *name;
} abbreviations[] = {
    {"bin-", "bin-width"},
    {"ca", "canonical"},
    {"ch", "chunk-size"},
    {"clo", "closed"},
    {"col", "columns"},
    {"com", "comment"},
    {"cou", "counts"},
    {"cs", "csv"},
    {"cu", "cumulative"},
    {"dec", "decompress"},
    {"del", "delimiter"},
    {"den", "density"},
    {"dev", "device"},
    {"dt", "dtype"},
    {"du", "duplicates"},
    {"ed", "edges"},
    {"en", "endian"},
    {"eq", "equalize"},
    {"ev", "every"},
    {"ex", "explain"},
    {"fie", "fields"},
    {"fil", "files0-from"},
    {"fl", "flow"},
    {"fo", "format"},
    {"fu", "full"},
    {"gpu-a", "gpu-after"},
    {"gpu-d", "gpu-decode"},
    {"gpu-t", "gpu-timeout"},
    {"gr", "group-by"},
    {"header-i", "header-in"},
    {"header-o", "header-out"},
    {"hel", "help"},
    {"im", "image"},
    {"inc", "incomplete"},
    {"inte", "interrupted"},
    {"inv", "invalid"},
    {"jo", "joint"},
    {"js", "jsonl"},
    {"ke", "keep-case"},
    {"km", "kmers"},
    {"la", "labels"},
    {"lin", "lines"},
    {"list-d", "list-devices"},
    {"list-s", "list-strategies"},
    {"low", "low-quality"},
    {"lu", "lut"},
    {"ma", "mask"},
    {"memb", "members"},
    {"memo", "memory-limit"},
    {"mer", "merge"},
    {"met", "metric"},
    {"mi", "min-count"},
    {"mo", "mod"},
    {"no-", "no-other"},
    {"non", "nonzero"},
    {"np", "npy"},
    {"nu", "numpy"},
    {"o", "output"},
    {"pa", "partial"},
    {"per-", "per-file"},
    {"percenti", "percentiles"},
    {"ph", "phred"},
    {"plot-", "plot-scale"},
    {"pre", "prefix"},
    {"pro", "progress"},
    {"q", "quiet"},
    {"ra", "range"},
    {"rea", "read-bytes"},
    {"rec", "record"},
    {"res", "reset"},
    {"sc", "scale"},
    {"se", "seq"},
    {"sha", "shard"},
    {"shi", "shift"},
    {"sk", "skip-bytes"},
    {"so", "sort"},
    {"sp", "spectrum"},
    {"str", "strategy"},
    {"su", "subdiv"},
    {"sv", "svg"},
    {"th", "threads"},
    {"to", "top"},
    {"ts", "tsv"},
    {"verb", "verbose"},
    {"vers", "version"},
    {"we", "weights"},
    {"whe", "where"},
    {"whi", "whitespace"},
    {"wo", "words"},
    {"z", "zero-terminated"},
};

/* Returns an abbreviation that no longer means what it meant in 0.1, however
   long it is; NULL: none. */
static const char *
find_changed(void)
{
    for (size_t i = 0; i < sizeof abbreviations / sizeof *abbreviations; i++) {
        const char *name = abbreviations[i].name;
        for (size_t length = strlen(abbreviations[i].text);
             length <= strlen(name); length++) {
            const struct option_row *row =
                option_find_abbreviated(name, length);
            bool is_foreign =
                row == NULL && option_find_foreign_name(name, length) != NULL;
            if (!is_foreign && (row == NULL || strcmp(row->name, name) != 0))
                return name;
        }
    }
    return NULL;
}

int
main(void)
{
    test_rows();
    test_wrong_rows();
    test_finding();
    test_rules();
    test_help();
    ok(find_changed() == NULL, "abbreviations mean what they did in 0.1: %s",
       find_changed() != NULL ? find_changed() : "all");
    return done_testing();
}
