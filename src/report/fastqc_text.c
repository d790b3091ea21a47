/* SPDX-License-Identifier: MIT */
/* fastqc_text.c -- the parts of a report as FastQC spells them */

#include <math.h>

#include "base/decimal.h"
#include "report/fastqc_text.h"

enum fastqc_verdict
fastqc_verdict_above(double value, double warn, double fail)
{
    return value > fail   ? FASTQC_FAIL
           : value > warn ? FASTQC_WARN
                          : FASTQC_PASS;
}

void
fastqc_put_start(struct writer *out, const char *name,
                 enum fastqc_verdict verdict)
{
    static const char *const words[] = {"pass", "warn", "fail"};

    writer_put_text(out, ">>");
    writer_put_text(out, name);
    writer_put_char(out, '\t');
    writer_put_text(out, words[verdict]);
    writer_put_char(out, '\n');
}

void
fastqc_put_end(struct writer *out)
{
    writer_put_text(out, ">>END_MODULE\n");
}

/* Put DIGITS, COUNT of them, with a point after the first BEFORE digits, which
   may be outside. */
static void
put_digits(struct writer *out, const char *digits, int count, int before)
{
    if (before <= 0)
        writer_put_char(out, '0');
    for (int i = 0; i < before; i++)
        writer_put_char(out, i < count ? digits[i] : '0');
    writer_put_char(out, '.');
    for (int i = before; i < 0; i++)
        writer_put_char(out, '0');
    for (int i = before > 0 ? before : 0; i < count; i++)
        writer_put_char(out, digits[i]);
    if (count <= before)
        writer_put_char(out, '0');
}

void
fastqc_put_double(struct writer *out, double value)
{
    char digits[NUMBER_TEXT_BYTES];

    if (isnan(value)) {
        writer_put_text(out, "NaN");
        return;
    }
    if (value < 0)
        writer_put_char(out, '-');
    if (value == 0) {
        writer_put_text(out, "0.0");
        return;
    }
    struct decimal decimal = decimal_shortest(fabs(value));
    for (; decimal.digits % 10 == 0; decimal.exponent++)
        decimal.digits /= 10;
    int count = (int)(number_put(decimal.digits, digits) - digits);
    int before = count + decimal.exponent;
    if (before > -3 && before <= 7) {
        put_digits(out, digits, count, before);
        return;
    }
    put_digits(out, digits, count, 1);
    writer_put_char(out, 'E');
    writer_put_signed(out, before - 1);
}

void
fastqc_put_range(struct writer *out, uint64_t first, uint64_t last)
{
    writer_put_number(out, first);
    if (last == first)
        return;
    writer_put_char(out, '-');
    writer_put_number(out, last);
}
