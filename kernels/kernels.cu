/* SPDX-License-Identifier: MIT */
/*
 * kernels.cu -- all device code, in one fat binary
 *
 * bytes.cuh, words.cuh and floats.cuh count one kind of sample each, as fast as
 * the device reads memory.  samples.cuh counts one element of any records, and
 * records.cuh any elements, with each strategy.  weights.cuh adds up weights.
 * sequences.cuh counts sequences, text.cuh the keys of text.
 * inflate.cuh and zstd.cuh decode.
 */

#include "kernels/binning/bytes.cuh"
#include "kernels/binning/floats.cuh"
#include "kernels/binning/records.cuh"
#include "kernels/binning/samples.cuh"
#include "kernels/binning/weights.cuh"
#include "kernels/binning/words.cuh"
#include "kernels/seq/sequences.cuh"
#include "kernels/text/text.cuh"
#include "kernels/zstd/zstd.cuh"
/* After sequences.cuh. */
#include "kernels/inflate/inflate.cuh"
