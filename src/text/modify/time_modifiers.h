/* SPDX-License-Identifier: MIT */
/* time_modifiers.h -- the rows of modifiers that make times */

#ifndef GPUHIST_TIME_MODIFIERS_H
#define GPUHIST_TIME_MODIFIERS_H

#include "text/modify/modifier.h"

/* A row without a name ends them. */
extern const struct modifier_type time_modifiers[];

/* Returns the seconds from a time that MODIFIER makes to the next one, as long
   as all have the same; or 0. */
int64_t time_modifier_interval(const struct modifier *modifier);

#endif
