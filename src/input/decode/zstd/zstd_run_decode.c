/* zstd_run_decode.c -- decode the blocks of a run to literals and sequences */

#include "input/decode/zstd/zstd_run_decode.h"
#include "input/decode/zstd/zstd_run_bmi2.h"
#include "input/decode/zstd/zstd_run_form.h"

void
zstd_run_decode(struct zstd_run *run, struct zstd_tables *tables,
                uint32_t block_max)
{
#ifdef ZSTD_RUN_HAS_BMI2
    if (zstd_run_bmi2_is_possible()) {
        zstd_run_bmi2(run, tables, block_max);
        return;
    }
#endif
    zstd_run_form(run, tables, block_max);
}
