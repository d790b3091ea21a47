/* SPDX-License-Identifier: MIT */
/* profile.c -- the lines of --profile, one for each field */

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/thread.h"
#include "report/profile.h"
#include "report/profile_keys.h"
#include "report/profile_numbers.h"
#include "report/profile_samples.h"
#include "report/profile_times.h"

static const char *const names[PROFILE_COLUMNS] = {
    [PROFILE_FIELD] = "field",
    [PROFILE_TYPE] = "type",
    [PROFILE_COUNT] = "count",
    [PROFILE_MISSING] = "missing",
    [PROFILE_EMPTY] = "empty",
    [PROFILE_INVALID] = "invalid",
    [PROFILE_NAN] = "nan",
    [PROFILE_DISTINCT] = "distinct",
    [PROFILE_MIN] = "min",
    [PROFILE_MAX] = "max",
    [PROFILE_MEAN] = "mean",
    [PROFILE_SD] = "sd",
    [PROFILE_P50] = "p50",
    [PROFILE_MODE] = "mode",
    [PROFILE_MODE_COUNT] = "mode_count",
};

const char *
profile_name(enum profile_column column)
{
    return names[column];
}

bool
profile_is_text(const struct profile *profile, enum profile_column column)
{
    for (size_t i = 0; i < profile->count; i++) {
        enum profile_kind kind = profile->line[i].cell[column].kind;
        if (kind == PROFILE_TEXT || kind == PROFILE_WORD)
            return true;
    }
    return false;
}

/* ---- cells ---- */

static void
set_text(struct profile_cell *cell, const unsigned char *byte, size_t size)
{
    cell->kind = PROFILE_TEXT;
    cell->byte = byte;
    cell->size = size;
}

/* END is the end of the text in CELL. */
static void
end_cell(struct profile_cell *cell, enum profile_kind kind, const char *end)
{
    cell->kind = kind;
    cell->size = (size_t)(end - cell->text);
}

static void
set_whole(struct profile_cell *cell, uint64_t whole)
{
    end_cell(cell, PROFILE_WHOLE, number_put(whole, cell->text));
}

static void
set_real(struct profile_cell *cell, double real)
{
    end_cell(cell, PROFILE_NUMBER, number_put_double(real, cell->text));
}

static void
set_word(struct profile_cell *cell, const char *word)
{
    end_cell(cell, PROFILE_WORD, stpcpy(cell->text, word));
}

static void
set_number(struct profile_cell *cell, const struct profile_number *number)
{
    end_cell(cell, PROFILE_NUMBER, profile_number_put(number, cell->text));
}

/* ---- a field of keys ---- */

/* Set the cells of LINE that depend on the type of NUMBERS, which all values
   are. */
static void
set_numbers(struct profile_line *line, const struct profile_numbers *numbers)
{
    const struct group_figures *figures = &numbers->figures;

    set_word(&line->cell[PROFILE_TYPE],
             numbers->are_integers ? "integer" : "decimal");
    set_whole(&line->cell[PROFILE_COUNT], figures->count);
    set_whole(&line->cell[PROFILE_NAN], numbers->nan);
    if (figures->count == 0)
        return;
    set_number(&line->cell[PROFILE_MIN], &numbers->min);
    set_number(&line->cell[PROFILE_MAX], &numbers->max);
    set_number(&line->cell[PROFILE_P50], &numbers->p50);
    if (!numbers->are_short)
        return;
    set_real(&line->cell[PROFILE_MEAN], group_figures_mean(figures));
    set_real(&line->cell[PROFILE_SD], group_figures_deviation(figures, false));
}

/* The values of a field, whatever their type is. */
struct key_facts {
    uint64_t count;
    uint64_t distinct;
    struct profile_value first;
    struct profile_value last;
    struct profile_value mode;
};

/* Find *FACTS of the values of KEYS. */
static void
find_facts(struct profile_keys *keys, struct key_facts *facts)
{
    struct profile_value value;

    *facts = (struct key_facts){0};
    while (profile_keys_next(keys, &value)) {
        if (facts->distinct++ == 0)
            facts->first = value;
        facts->last = value;
        facts->count += value.count;
        /* Of equally frequent values, the first one remains. */
        if (value.count > facts->mode.count)
            facts->mode = value;
    }
}

/* Set the cells of LINE that count the records without a value. */
static void
set_valueless(struct profile_line *line, const struct profile_keys *keys)
{
    const uint64_t *count = keys->valueless;

    set_whole(&line->cell[PROFILE_MISSING], count[AXIS_KEY_MISSING]);
    set_whole(&line->cell[PROFILE_EMPTY], count[AXIS_EMPTY]);
    set_whole(&line->cell[PROFILE_INVALID], count[AXIS_INVALID]);
    set_whole(&line->cell[PROFILE_NAN], 0);
}

/* Set the cells of LINE that depend on the type of the values of KEYS, which
   are at their start and have FACTS.  Returns 0, or -1 with *ERROR set. */
static int
set_type(struct profile_line *line, const struct profile_keys *keys,
         const struct key_facts *facts, struct error *error)
{
    struct profile_numbers numbers;
    struct profile_times times;

    int result = profile_numbers_find(&numbers, keys, error);
    if (result > 0)
        set_numbers(line, &numbers);
    if (result != 0)
        return result < 0 ? -1 : 0;
    bool are_times = profile_times_find(&times, keys);
    const struct profile_value *min = are_times ? &times.min : &facts->first;
    const struct profile_value *max = are_times ? &times.max : &facts->last;
    set_word(&line->cell[PROFILE_TYPE], are_times ? "time" : "text");
    set_text(&line->cell[PROFILE_MIN], min->byte, min->size);
    set_text(&line->cell[PROFILE_MAX], max->byte, max->size);
    return 0;
}

/*
 * Make LINE of the values of KEYS, which are at their start.  Of the RECORDS,
 * those without any of the keys lack the field; 0: KEYS counts them.  Returns
 * 0, or -1 with *ERROR set.
 */
static int
make_keys(struct profile_line *line, const struct profile_keys *keys,
          uint64_t records, struct error *error)
{
    struct profile_keys walk = *keys;
    struct key_facts facts;
    uint64_t found;

    find_facts(&walk, &facts);
    found =
        facts.count + walk.valueless[AXIS_EMPTY] + walk.valueless[AXIS_INVALID];
    if (records > 0)
        walk.valueless[AXIS_KEY_MISSING] = records - found;
    set_valueless(line, &walk);
    set_whole(&line->cell[PROFILE_COUNT], facts.count);
    set_whole(&line->cell[PROFILE_DISTINCT], facts.distinct);
    if (facts.distinct == 0)
        return 0;
    set_text(&line->cell[PROFILE_MODE], facts.mode.byte, facts.mode.size);
    set_whole(&line->cell[PROFILE_MODE_COUNT], facts.mode.count);
    return set_type(line, keys, &facts, error);
}

/* ---- all fields ---- */

/* Returns the number of lines for the histograms of REPORT: without the field
   after all columns if no record has that field. */
static size_t
count_lines(const struct report *report)
{
    const struct spec *spec = report->spec;
    size_t count = spec_histograms(spec);

    if (!spec->has_rest)
        return count;
    const struct key_list *list = spec_keys(spec, count - 1);
    return count - (list == NULL || list->count == 0);
}

/* Set the name in LINE, of the field of histogram I. */
static void
set_field(struct profile_line *line, const struct spec *spec, size_t i)
{
    struct profile_cell *cell = &line->cell[PROFILE_FIELD];
    const char *text = spec_histogram_text(spec, i, cell->text);

    cell->kind = PROFILE_TEXT;
    cell->size = strlen(text);
    cell->byte = text != cell->text ? (const unsigned char *)text : NULL;
}

/* Set the name in LINE to that of GROUP, in KEYS.  Returns 0, or -1 with *ERROR
   set. */
static int
set_member(struct profile_line *line, const struct profile_keys *keys,
           const struct profile_group *group, struct error *error)
{
    const struct key_entry tuple = key_list_key(keys->list, group->first);
    struct key_component name;

    (void)key_code_read(tuple.key, tuple.key + tuple.size, KEY_TEXT, false,
                        &name);
    line->name = name.is_escaped ? malloc(name.text_size + 1) : NULL;
    if (name.is_escaped && line->name == NULL)
        return error_fail_memory(error);
    set_text(&line->cell[PROFILE_FIELD],
             name.is_escaped ? line->name : name.text,
             name.is_escaped ? key_component_copy(&name, line->name)
                             : name.text_size);
    return 0;
}

/* The lines to make. */
struct profile_work {
    struct profile *profile;
    const struct report *report;
    struct profile_group *group; /* of each line, owned; NULL: a histogram */
    uint64_t named;              /* records with members or none */
    uint64_t nameless;           /* records that are wrong */
    atomic_size_t next;          /* line */
};

/* Make line I of WORK, the values of a member.  Returns 0, or -1 with *ERROR
   set. */
static int
make_member(const struct profile_work *work, size_t i, struct error *error)
{
    struct profile_line *line = &work->profile->line[i];
    struct profile_keys keys;

    profile_keys_open_group(&keys, work->report, 0, &work->group[i]);
    if (set_member(line, &keys, &work->group[i], error) < 0 ||
        make_keys(line, &keys, work->named, error) < 0)
        return -1;
    set_whole(&line->cell[PROFILE_INVALID], work->nameless);
    return 0;
}

/* Whether histogram I of SPEC has codes of numbers instead of texts, as in a
   state that was counted without --profile. */
static bool
are_numbers(const struct spec *spec, size_t i)
{
    return axis_bins(&spec->shown[spec_own_axis(spec, i)]) == AXIS_NUMBERS;
}

/* Make line I of WORK.  Returns 0, or -1 with *ERROR set. */
static int
make_line(const struct profile_work *work, size_t i, struct error *error)
{
    const struct report *report = work->report;
    struct profile_line *line = &work->profile->line[i];
    struct profile_keys keys;

    if (work->group != NULL)
        return make_member(work, i, error);
    set_field(line, report->spec, i);
    if (report->spec->kind == SPEC_SAMPLES || are_numbers(report->spec, i))
        return profile_samples_make(line, report, i, error);
    profile_keys_open(&keys, report, i);
    return make_keys(line, &keys, 0, error);
}

/* The work of a thread: the next lines, until no line is left. */
struct profile_part {
    struct profile_work *work;
    struct error error;
};

static void
make_lines(void *task, unsigned int member)
{
    struct profile_part *part = (struct profile_part *)task + member;
    struct profile_work *work = part->work;
    int result = 0;

    while (result == 0) {
        size_t i = atomic_fetch_add(&work->next, 1);
        if (i >= work->profile->count)
            break;
        result = make_line(work, i, &part->error);
    }
}

/* Make the lines of WORK.  Returns 0, or -1 with *ERROR set. */
static int
run(struct profile_work *work, struct error *error)
{
    struct profile *profile = work->profile;
    const unsigned int threads = work->report->threads;
    size_t parts = threads < CREW_MAX ? threads : CREW_MAX;

    parts = parts < profile->count ? parts : profile->count;
    parts = parts < 1 ? 1 : parts;
    profile->line = calloc(profile->count + 1, sizeof *profile->line);
    struct profile_part *part = calloc(parts, sizeof *part);
    if (profile->line == NULL || part == NULL) {
        free(part);
        return error_fail_memory(error);
    }
    for (size_t p = 0; p < parts; p++)
        part[p].work = work;
    crew_run((unsigned int)parts, make_lines, part);
    for (size_t p = 0; p < parts; p++)
        error_move(error, &part[p].error);
    free(part);
    return error->status == EXIT_DONE ? 0 : -1;
}

int
profile_make(struct profile *profile, const struct report *report,
             struct error *error)
{
    struct profile_work work = {.profile = profile, .report = report};
    int result = 0;

    *profile = (struct profile){.count = count_lines(report)};
    if (report->spec->has_members) {
        const uint64_t line = sizeof *profile->line + sizeof *work.group;
        result = profile_keys_groups(report, 0, &work.group, &profile->count,
                                     (size_t)(report->memory / line),
                                     &work.nameless, error);
        work.named = report->records - work.nameless;
    }
    if (result == 0)
        result = run(&work, error);
    free(work.group);
    return result;
}

void
profile_close(struct profile *profile)
{
    for (size_t i = 0; profile->line != NULL && i < profile->count; i++)
        free(profile->line[i].name);
    free(profile->line);
    *profile = (struct profile){0};
}
