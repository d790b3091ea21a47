/* time_modifiers.c -- the rows of modifiers that make times */

#include "text/modify/time_modifiers.h"

const struct modifier_type time_modifiers[] = {
    {.name = NULL},
};
