/* SPDX-License-Identifier: MIT */
/*
 * print_modified.c -- print what modifiers make of texts, for tests
 *
 * usage: print_modified CHAIN... <TEXTS
 *
 * CHAIN is NAME[=ARGUMENT][:...].  Each line of the input is a text.  For each
 * line, a line is printed with what each chain makes of the text, or \invalid,
 * separated by tabs.  The status is 2 if a CHAIN is wrong.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/modify/modifiers.h"

#define CHAINS_MAX 32

/* Print what CHAIN makes of the SIZE bytes at LINE, from blocks of their exact
   sizes, so that a sanitizer sees their ends. */
static void
print_one(const struct modifiers *chain, const char *line, size_t size)
{
    unsigned char *copy = malloc(size > 0 ? size : 1);
    unsigned char *out = malloc(modifiers_room(chain, size));
    const unsigned char *text = copy;

    if (copy == NULL || out == NULL)
        exit(99);
    memcpy(copy, line, size);
    if (modifiers_apply(chain, 0, chain->count, &text, &size, out))
        fwrite(text, 1, size, stdout);
    else
        fputs("\\invalid", stdout);
    free(copy);
    free(out);
}

int
main(int argc, char **argv)
{
    struct modifiers chain[CHAINS_MAX];
    struct modifiers_fault fault;
    char *line = NULL;
    size_t room = 0;
    ssize_t size;

    if (argc < 2 || argc - 1 > CHAINS_MAX)
        return 99;
    for (int i = 1; i < argc; i++) {
        if (modifiers_parse(&chain[i - 1], argv[i], strlen(argv[i]), &fault) !=
            MODIFIERS_OK)
            return 2;
    }
    while ((size = getline(&line, &room, stdin)) > 0) {
        if (line[size - 1] == '\n')
            size--;
        for (int i = 0; i < argc - 1; i++) {
            if (i > 0)
                putchar('\t');
            print_one(&chain[i], line, (size_t)size);
        }
        putchar('\n');
    }
    for (int i = 0; i < argc - 1; i++)
        modifiers_close(&chain[i]);
    free(line);
    return fflush(stdout) == 0 ? 0 : 99;
}
