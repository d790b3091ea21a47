/* SPDX-License-Identifier: MIT */
/*
 * derive.h -- the values of a batch of records, if fields have modifiers
 *
 * A scan finds the sources of the wanted fields: fields of the record, each
 * once.  This stage writes the value of each wanted field, without quotes and
 * modified, into memory of the thread.  From then on the wanted fields are
 * slices of this memory, and struct text_format.is_derived is set.
 *
 * A value that a modifier cannot read is TEXT_SLICE_INVALID.  There are two
 * exceptions.  An empty field stays empty where its modifiers give decimals.
 * And a wrong weight is a text that is not a number, so that it is an error.
 */

#ifndef GPUHIST_DERIVE_H
#define GPUHIST_DERIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/derive_lists.h"
#include "text/field_list.h"
#include "text/field_value.h"

/* What threads share; constant. */
struct derive_plan {
    struct text_format format;     /* of the records: not derived */
    struct text_format plain;      /* of values that are written */
    const struct field_list *list; /* the wanted fields */
    struct field_list source;      /* the fields that a scan finds ... */
    uint32_t *column;              /* ... where that of each wanted field is */
};

/*
 * Prepare for the fields of LIST, which outlives PLAN, of records of FORMAT.
 * Returns 0, or -1: out of memory.  The caller calls derive_plan_close() in
 * both cases.
 */
int derive_plan_open(struct derive_plan *plan, const struct text_format *format,
                     const struct field_list *list);

/*
 * The same for records whose slices have all fields of LIST, each at its own
 * place: SOURCE and SLICE of derive_run() may be the same then.
 */
int derive_plan_open_in_place(struct derive_plan *plan,
                              const struct text_format *format,
                              const struct field_list *list);

/* Also of a PLAN that is all 0. */
void derive_plan_close(struct derive_plan *plan);

/* A wanted field, and its last value. */
struct derive_field {
    const struct modifiers *chain;
    struct field_text text; /* of the source */
    size_t place;           /* in the list */
    uint32_t column;        /* of the source */
    size_t first;           /* of the modifiers: those before made the list */
    size_t level;           /* of the list that has its elements ... */
    size_t within;          /* ... of which it is this member */
    bool is_of_list;        /* each element of the list has a value */
    bool gives_decimal;
    bool is_weight;
    bool has_last; /* LAST_SOURCE and LAST are set */
    struct text_slice last_source;
    struct text_slice last;
};

/* The values of some wanted fields, of one thread. */
struct derive {
    const struct derive_plan *plan;
    struct derive_field *field; /* COUNT of them, owned */
    size_t count;
    bool has_list; /* some field is of LISTS */
    struct derive_lists lists;
    unsigned char *data; /* the values; ROOM bytes, owned */
    size_t used;
    size_t room;
};

/*
 * Prepare to derive the COUNT fields of PLAN at PLACE; those with parts have
 * parts of one list, or of lists around it.  WEIGHT is the place of the weight,
 * or SIZE_MAX.  Returns 0, or -1: out of memory.  The caller calls
 * derive_close() in both cases.
 */
int derive_open(struct derive *derive, const struct derive_plan *plan,
                const size_t *place, size_t count, size_t weight);

/* Returns the bytes that derive_open() and derive_run() usually allocate for
   COUNT fields. */
uint64_t derive_bytes(size_t count);

/*
 * Derive the values of the fields without parts of the first records at SOURCE,
 * which has the sources of
 * RECORDS in the chunk at DATA.  Sets their fields in SLICE, which has all
 * wanted fields of each record, to slices of DERIVE->data, which are valid
 * until the next call.  Returns for how many records: all, or fewer if their
 * values are long; 0: out of memory.
 */
size_t derive_run(struct derive *derive, const unsigned char *data,
                  const struct text_slice *source, size_t records,
                  struct text_slice *slice);

/* Where derive_elements() continues.  All 0: at the start of a batch. */
struct derive_cursor {
    size_t record;
    struct derive_place place; /* in the lists of this record */
};

/*
 * Derive the values of all fields for the next elements of the RECORDS at
 * SOURCE, from *CURSOR on, at most MOST.  Sets the fields of each element in
 * SLICE, as derive_run() does, and OWNER to its record; moves *CURSOR, to
 * RECORDS at the end.  Returns the number of elements, which may be 0;
 * SIZE_MAX: out of memory.
 */
size_t derive_elements(struct derive *derive, const unsigned char *data,
                       const struct text_slice *source, size_t records,
                       struct derive_cursor *cursor, size_t most,
                       struct text_slice *slice, uint32_t *owner);

/* Also of a DERIVE that is all 0. */
void derive_close(struct derive *derive);

#endif
