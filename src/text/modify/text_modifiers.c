/* text_modifiers.c -- the rows of modifiers that make texts */

#include "text/modify/text_modifiers.h"

const struct modifier_type text_modifiers[] = {
    {.name = NULL},
};
