/*
 * kernels.cu -- all device code, in one fat binary
 *
 * bytes.cuh, words.cuh and floats.cuh count one kind of sample each, as fast as
 * the device reads memory.  samples.cuh counts one element of any records, and
 * records.cuh any elements, with each strategy.  weights.cuh adds up weights.
 * sequences.cuh counts sequences, text.cuh the keys of text.
 * zstd.cuh decodes.
 */

#include "bytes.cuh"
#include "floats.cuh"
#include "records.cuh"
#include "samples.cuh"
#include "sequences.cuh"
#include "text.cuh"
#include "weights.cuh"
#include "words.cuh"
#include "zstd.cuh"
