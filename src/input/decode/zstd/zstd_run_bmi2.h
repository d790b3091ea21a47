/* zstd_run_bmi2.h -- zstd_run_decode() for processors that have BMI2 */

#ifndef GPUHIST_ZSTD_RUN_BMI2_H
#define GPUHIST_ZSTD_RUN_BMI2_H

#include <stdbool.h>
#include <stdint.h>

#ifdef ZSTD_RUN_HAS_BMI2

struct zstd_run;
struct zstd_tables;

bool zstd_run_bmi2_is_possible(void);

void zstd_run_bmi2(struct zstd_run *run, struct zstd_tables *tables,
                   uint32_t block_max);

#endif

#endif
