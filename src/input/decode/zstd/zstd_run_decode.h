/* zstd_run_decode.h -- decode the blocks of a run to literals and sequences */

#ifndef GPUHIST_ZSTD_RUN_DECODE_H
#define GPUHIST_ZSTD_RUN_DECODE_H

#include "input/decode/zstd/zstd_run.h"

/* Decode all blocks of RUN, with TABLES for this thread. */
void zstd_run_decode(struct zstd_run *run, struct zstd_tables *tables,
                     uint32_t block_max);

#endif
