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

/* Set the cells of LINE for records without a value in histogram I; EMPTY keys
   have none either. */
static void
set_valueless(struct profile_line *line, const struct report *report, size_t i,
              uint64_t empty)
{
    const struct spec *spec = report->spec;
    const struct binning_axis *axis = &spec->shown[spec_own_axis(spec, i)];
    unsigned int specials = axis_flows(axis) - axis_number_flows(axis);
    uint64_t count[AXIS_SPECIALS] = {[AXIS_EMPTY] = empty};

    for (unsigned int s = 0; s < specials; s++)
        count[s] += histogram_count(
            report->histogram,
            axis->base + axis_special_cell(axis, (enum axis_special)s));
    set_whole(&line->cell[PROFILE_MISSING], count[AXIS_KEY_MISSING]);
    set_whole(&line->cell[PROFILE_EMPTY], count[AXIS_EMPTY]);
    set_whole(&line->cell[PROFILE_INVALID], count[AXIS_INVALID]);
}

/* Make LINE, of histogram I, which has keys.  Returns 0, or -1 with *ERROR
   set. */
static int
make_keys(struct profile_line *line, const struct report *report, size_t i,
          struct error *error)
{
    struct profile_keys keys;
    struct profile_numbers numbers;
    struct profile_times times;
    struct key_facts facts;

    profile_keys_open(&keys, report, i);
    find_facts(&keys, &facts);
    set_valueless(line, report, i, keys.empty);
    set_whole(&line->cell[PROFILE_COUNT], facts.count);
    set_whole(&line->cell[PROFILE_NAN], 0);
    set_whole(&line->cell[PROFILE_DISTINCT], facts.distinct);
    if (facts.distinct == 0)
        return 0;
    set_text(&line->cell[PROFILE_MODE], facts.mode.byte, facts.mode.size);
    set_whole(&line->cell[PROFILE_MODE_COUNT], facts.mode.count);
    int result = profile_numbers_find(&numbers, report, i, error);
    if (result > 0)
        set_numbers(line, &numbers);
    if (result != 0)
        return result < 0 ? -1 : 0;
    bool are_times = profile_times_find(&times, report, i);
    const struct profile_value *min = are_times ? &times.min : &facts.first;
    const struct profile_value *max = are_times ? &times.max : &facts.last;
    set_word(&line->cell[PROFILE_TYPE], are_times ? "time" : "text");
    set_text(&line->cell[PROFILE_MIN], min->byte, min->size);
    set_text(&line->cell[PROFILE_MAX], max->byte, max->size);
    return 0;
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

static void
set_field(struct profile_line *line, const struct spec *spec, size_t i)
{
    struct profile_cell *cell = &line->cell[PROFILE_FIELD];
    const char *text = spec_histogram_text(spec, i, cell->text);

    cell->kind = PROFILE_TEXT;
    cell->size = strlen(text);
    cell->byte = text != cell->text ? (const unsigned char *)text : NULL;
}

/* The work of a thread: the next fields, until no field is left. */
struct profile_part {
    struct profile *profile;
    const struct report *report;
    atomic_size_t *next;
    struct error error;
    int result;
};

static void
make_lines(void *task, unsigned int member)
{
    struct profile_part *part = (struct profile_part *)task + member;
    struct profile *profile = part->profile;

    while (part->result == 0) {
        size_t i = atomic_fetch_add(part->next, 1);
        if (i >= profile->count)
            break;
        set_field(&profile->line[i], part->report->spec, i);
        part->result =
            make_keys(&profile->line[i], part->report, i, &part->error);
    }
}

int
profile_make(struct profile *profile, const struct report *report,
             struct error *error)
{
    size_t count = count_lines(report);
    size_t parts = report->threads < CREW_MAX ? report->threads : CREW_MAX;
    atomic_size_t next = 0;
    int result = 0;

    parts = parts < count ? parts : count;
    parts = parts < 1 ? 1 : parts;
    *profile = (struct profile){
        .line = calloc(count + 1, sizeof *profile->line), .count = count};
    struct profile_part *part = calloc(parts, sizeof *part);
    if (profile->line == NULL || part == NULL) {
        free(part);
        return error_fail_memory(error);
    }
    for (size_t p = 0; p < parts; p++)
        part[p] = (struct profile_part){
            .profile = profile, .report = report, .next = &next};
    crew_run((unsigned int)parts, make_lines, part);
    for (size_t p = 0; p < parts; p++) {
        result = part[p].result < 0 ? -1 : result;
        error_move(error, &part[p].error);
    }
    free(part);
    return result;
}

void
profile_close(struct profile *profile)
{
    free(profile->line);
    *profile = (struct profile){0};
}
