/* SPDX-License-Identifier: MIT */
/* number_modifiers.h -- the rows of modifiers that make decimals */

#ifndef GPUHIST_NUMBER_MODIFIERS_H
#define GPUHIST_NUMBER_MODIFIERS_H

#include "text/modify/modifier.h"

/* A row without a name ends them. */
extern const struct modifier_type number_modifiers[];

#endif
