/* number_modifiers.c -- the rows of modifiers that make decimals */

#include "text/modify/number_modifiers.h"

const struct modifier_type number_modifiers[] = {
    {.name = NULL},
};
