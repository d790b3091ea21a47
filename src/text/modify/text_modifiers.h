/* SPDX-License-Identifier: MIT */
/* text_modifiers.h -- the rows of modifiers that make texts */

#ifndef GPUHIST_TEXT_MODIFIERS_H
#define GPUHIST_TEXT_MODIFIERS_H

#include "text/modify/modifier.h"

/* A row without a name ends them. */
extern const struct modifier_type text_modifiers[];

#endif
