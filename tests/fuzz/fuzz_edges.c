/* SPDX-License-Identifier: MIT */
/*
 * fuzz_edges.c -- files with edges
 *
 * A file must give the edges that the same text as an argument gives, unless
 * the argument has a gap or is a name, and those must increase.
 */

#include "axis_check.h"
#include "hist/axis_finding.h"
#include "hist/axis_rule.h"

static int
make(struct binning_axis *axis, struct axis_edges *edges, const char *text,
     enum sample_type type, struct error *error)
{
    struct axis_texts texts = {.edges = text};
    struct element element = {.type = type};

    return axis_make(axis, edges, &texts, &element, BINNING_LEFT, error);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = {data, size};
    struct axis_edges edges[2] = {{.most = 1 << 16}, {.most = 1 << 16}};
    struct binning_axis axis[2];
    struct error error[2] = {ERROR_NONE, ERROR_NONE};
    enum sample_type type = (enum sample_type)(fuzz_take(&fuzz, 1) % 11);
    char path[33] = "@";

    fuzz_write_file(fuzz.data, fuzz.size, path + 1);
    int of_file = make(&axis[0], &edges[0], path, type, &error[0]);
    bool has_zero = fuzz.size > 0 && memchr(fuzz.data, '\0', fuzz.size) != NULL;
    if (of_file < 0)
        fuzz_must(error[0].status == EXIT_USAGE && *error[0].text != '\0',
                  "a message about usage");
    fuzz_must(of_file < 0 || !has_zero, "a byte 0 is refused");

    char *text = fuzz_take_text(&fuzz);
    int of_text = -1;
    bool is_name =
        strncmp(text, AXIS_FINDING_GROUPS, strlen(AXIS_FINDING_GROUPS)) == 0;
    if (!has_zero && *text != '@' && !is_name) {
        of_text = make(&axis[1], &edges[1], text, type, &error[1]);
        fuzz_must(of_text == of_file ||
                      (of_text < 0 && strchr(text, ',') != NULL),
                  "the file is like the argument");
    }
    if (of_file == 0) {
        axis_check_edges(&axis[0], &edges[0]);
        for (uint64_t i = 0; i <= axis[0].bins && i < 8; i++)
            axis_check_around(&axis[0], &edges[0], axis[0].bins - i);
    }
    if (of_file == 0 && of_text == 0)
        fuzz_must(edges[0].count == edges[1].count &&
                      memcmp(edges[0].edge, edges[1].edge,
                             edges[0].count * sizeof(double)) == 0,
                  "the same edges");
    free(text);
    for (int i = 0; i < 2; i++) {
        free(edges[i].edge);
        error_clear(&error[i]);
    }
    return 0;
}
