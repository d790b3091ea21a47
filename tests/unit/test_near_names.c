/* SPDX-License-Identifier: MIT */
/* test_near_names.c -- names in messages: what is shown of them, and in which
   order */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tap.h"
#include "base/near_names.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void
test_visible(void)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *shown;
    } cases[] = {
        {"", 0, ""},
        {"b\r", 2, "b\\r"},
        {" b\t\n", 4, " b\\t\\n"},
        {"a\0b", 3, "a\\x00b"},
        {"gr\xc3\xbcn", 5, "gr\xc3\xbcn"},
        {"\xef\xbb\xbfx", 4, "\\xef\\xbb\\xbfx"},
        {"a\xe2\x80\xae", 4, "a\\xe2\\x80\\xae"},
        {"\xc2\xa0y", 3, "\\xc2\\xa0y"},
        {"\xff\xc3", 2, "\\xff\\xc3"},
        {"\xc2\x9b", 2, "\\xc2\\x9b"},
        {"1234567890123456789012345678901234567890", 40,
         "1234567890123456789012345678901234567890"},
        {"12345678901234567890123456789012345678901", 41,
         "1234567890123456789012345678901234567890..."},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[VISIBLE_BYTES];
        const char *shown = visible_name(text, cases[i].bytes, cases[i].size);
        ok(shown == text && strcmp(text, cases[i].shown) == 0, "%s", text);
    }
    /* The longest text there is. */
    char bytes[4 * VISIBLE_MAX + 1];
    char *text = malloc(VISIBLE_BYTES);
    for (size_t i = 0; i < VISIBLE_MAX; i++)
        memcpy(bytes + 4 * i, "\xf3\xa0\x80\x81", 4);
    bytes[4 * VISIBLE_MAX] = 'x';
    visible_name(text, bytes, sizeof bytes);
    ok(strlen(text) == VISIBLE_BYTES - 1, "all of the room is used");
    free(text);
}

static void
test_order(void)
{
    static const struct {
        const char *wanted;
        const char *name[6];
        const char *list;
    } cases[] = {
        {"x", {"a", "b", NULL}, "'a', 'b'"},
        {"b", {"a", "number", "b\r", NULL}, "'b\\r', 'a', 'number'"},
        {"PRICE",
         {"city", "price_eur", "Price", NULL},
         "'Price', 'price_eur', 'city'"},
        {"prise", {"city", " price ", NULL}, "' price ', 'city'"},
        {"id",
         {"name", "user_id", "idx", "ID", NULL},
         "'ID', 'idx', 'name', 'user_id'"},
        {"id", {"\"id\"", NULL}, "'\"id\"'"},
        {"qty",
         {"city", "quality", "quantity", "tqy", NULL},
         "'tqy', 'quality', 'quantity', 'city'"},
        {"quantity", {"a", "city", "qty", NULL}, "'qty', 'a', 'city'"},
        {"", {"b", "a", "", NULL}, "'b', 'a', ''"},
        {"model.layers.10.self_attn.q_proj.weigth",
         {"model.embed_tokens.weight", "model.layers.1.mlp.up_proj.weight",
          "model.layers.10.self_attn.q_proj.weight",
          "model.layers.11.self_attn.q_proj.weight", NULL},
         "'model.layers.10.self_attn.q_proj.weight', "
         "'model.layers.11.self_attn.q_proj.weight', "
         "'model.layers.1.mlp.up_proj.weight', 'model.embed_tokens.weight'"},
        {"a name that is longer than all that are compared",
         {"b", "a", NULL},
         "'b', 'a'"},
        {"x", {NULL}, ""},
    };
    char text[NEAR_NAMES_BYTES];

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct near_names names = {near_names_string, cases[i].name, 0, "'"};
        while (cases[i].name[names.count] != NULL)
            names.count++;
        near_names_list(&names, cases[i].wanted, strlen(cases[i].wanted), text);
        ok(strcmp(text, cases[i].list) == 0, "%s: %s", cases[i].wanted, text);
    }
}

/* Name I of many: its number. */
static const void *
number_at(const void *context, size_t i, size_t *size)
{
    char *number = (char *)(size_t)context;

    *size = (size_t)sprintf(number, "n%zu", i);
    return number;
}

static void
test_many(void)
{
    char number[32];
    char text[NEAR_NAMES_BYTES];
    struct near_names names = {number_at, number, 1000, ""};
    const char *end = " and 976 more";

    near_names_list(&names, "n-123", 5, text);
    ok(strncmp(text, "n123, n0, n1, n2,", 17) == 0 &&
           strcmp(text + strlen(text) - strlen(end), end) == 0,
       "%s", text);
    names.count = NEAR_NAMES_MAX;
    near_names_list(&names, "zzz", 3, text);
    ok(strstr(text, "more") == NULL, "%s", text);
}

int
main(void)
{
    test_visible();
    test_order();
    test_many();
    return done_testing();
}
