/* SPDX-License-Identifier: MIT */
/* file_table.c -- --per-file --pivot: a column for each input */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/file_table.h"
#include "cli/option_table.h"
#include "cli/wanted_spec.h"

struct file_table {
    /* As if the records were lines of TSV, whose header has NAMES. */
    struct options options;
    struct text_header names;
    struct reading reading;
    char *fields; /* these names as a list */
    struct spec spec;
    struct total total;
};

/* Add BEFORE and NAME as the next name of HEADER, which has room.  Returns 0,
   or -1: out of memory. */
static int
add_name(struct text_header *header, const char *before, const char *name)
{
    char *text;
    int size = asprintf(&text, "%s%s", before, name);

    if (size < 0)
        return -1;
    header->name[header->count++] = (struct text_name){
        .bytes = (unsigned char *)text, .size = (size_t)size};
    return 0;
}

/* Name the keys of SPEC, and the input.  Returns 0, or -1: out of memory. */
static int
make_names(struct text_header *names, const struct spec *spec)
{
    char text[SPEC_FIELD_BYTES];
    const char *before;
    binning_u32 number;

    names->name = calloc(spec->axis_count + 1, sizeof *names->name);
    if (names->name == NULL)
        return -1;
    for (size_t i = 0; i < spec->axis_count; i++) {
        const char *name = spec_column_text(spec, i, &before, text);
        if (add_name(names, before, name) < 0)
            return -1;
    }
    char last[32] = "file";
    for (size_t n = 2; text_header_find(names, last, &number) > 0; n++)
        snprintf(last, sizeof last, "file_%zu", n);
    return add_name(names, "", last);
}

/* Returns NAMES as a list of fields, each in quotes, which the caller frees; or
   NULL: out of memory. */
static char *
list_names(const struct text_header *names)
{
    char *list;
    size_t size;
    FILE *out = open_memstream(&list, &size);

    if (out == NULL)
        return NULL;
    for (size_t i = 0; i < names->count; i++) {
        fputs(i > 0 ? ",\"" : "\"", out);
        for (const char *at = (char *)names->name[i].bytes; *at != '\0'; at++) {
            if (*at == '"')
                putc('"', out);
            putc(*at, out);
        }
        putc('"', out);
    }
    bool has_failed = ferror(out) != 0;
    if (fclose(out) == 0 && !has_failed)
        return list;
    free(list);
    return NULL;
}

/* Set the options of TABLE, and how its records would be read. */
static void
set_options(struct file_table *table, const struct options *options)
{
    table->names.input = "--per-file";
    table->options = *options;
    table->options.spec = option_defaults.spec;
    table->options.spec.text.kind = TEXT_DELIMITED;
    table->options.spec.text.group_by = table->fields;
    table->options.plan.per_file = false;
    options_forgo_devices(&table->options);
    table->reading = (struct reading){.header = &table->names};
}

struct file_table *
file_table_open(const struct spec *spec, const struct options *options,
                unsigned int threads, struct error *error)
{
    struct file_table *table = calloc(1, sizeof *table);

    if (table == NULL || make_names(&table->names, spec) < 0 ||
        (table->fields = list_names(&table->names)) == NULL) {
        (void)error_fail_memory(error);
        file_table_close(table);
        return NULL;
    }
    set_options(table, options);
    if (wanted_spec_make(&table->spec, &table->options, &table->reading,
                         error) == 0 &&
        total_open(&table->total, "--per-file --pivot", &table->spec, threads,
                   options->plan.memory_limit, error) == 0)
        return table;
    file_table_close(table);
    return NULL;
}

int
file_table_add(struct file_table *table, const struct snapshot *counts,
               const char *name, struct error *error)
{
    return total_add(&table->total, counts, name, error);
}

int
file_table_finish(struct file_table *table, struct snapshot *counts,
                  struct error *error)
{
    return total_finish(&table->total, counts, error);
}

void
file_table_close(struct file_table *table)
{
    if (table == NULL)
        return;
    total_close(&table->total);
    spec_close(&table->spec);
    text_header_close(&table->names);
    free(table->fields);
    free(table);
}
