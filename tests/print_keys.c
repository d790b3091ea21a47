/* SPDX-License-Identifier: MIT */
/*
 * print_keys.c -- print a report of keys that are given instead of counted
 *
 *     print_keys FIELDS [OPTION]... <LINES
 *
 * Each line has a field from 1 to FIELDS, a count, and a key as "x" and two
 * hexadecimal digits for each byte, or "-" for records without the field.  The
 * keys of a field ascend.  OPTIONs are those of gpuhist.  If values are not
 * shown, standard error has their number.  The status is that of gpuhist.
 */

#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "key_report.h"

static unsigned int
digit_value(char digit)
{
    return (unsigned int)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

/*
 * Turn TEXT, pairs of hexadecimal digits and a newline, into bytes; they may
 * replace it.  Returns their number.
 */
static size_t
decode(const char *text, unsigned char *bytes)
{
    size_t size = 0;

    for (; text[0] != '\n'; text += 2)
        bytes[size++] =
            (unsigned char)(digit_value(text[0]) << 4 | digit_value(text[1]));
    return size;
}

static void
read_keys(struct key_report *made)
{
    char *line = NULL;
    size_t room = 0;

    while (getline(&line, &room, stdin) > 0) {
        char *at;
        size_t field = strtoul(line, &at, 10);
        uint64_t count = strtoull(at, &at, 10);

        if (field < 1 || field > made->spec.axis_count || *at++ != ' ')
            exit(99);
        if (*at == '-') {
            made->missing[field - 1] = count;
            continue;
        }
        size_t size = decode(at + 1, (unsigned char *)at);
        key_report_add(made, field - 1, at, size, count);
    }
    free(line);
}

int
main(int argc, char **argv)
{
    struct key_report made;
    struct error error = ERROR_NONE;
    struct writer out;
    struct report_hidden hidden = {0};
    int result = -1;

    if (argc < 2)
        exit(99);
    size_t axes = strtoul(argv[1], NULL, 10);
    if (axes < 1 || axes > KEY_REPORT_AXES_MAX || writer_open(&out, 1) < 0)
        exit(99);
    if (key_report_open(&made, axes, argc - 1, argv + 1, &error) == 0) {
        read_keys(&made);
        key_report_count(&made);
        result = key_report_print(&out, &made, 1, &hidden, &error);
    }
    if (result < 0)
        fprintf(stderr, "%s\n", error.text);
    else if (hidden.flow + hidden.other > 0)
        fprintf(stderr, "%" PRIu64 "\n", hidden.flow + hidden.other);
    if (writer_flush(&out) < 0)
        exit(99);
    writer_close(&out);
    key_report_close(&made);
    return result < 0 ? (int)error.status : 0;
}
