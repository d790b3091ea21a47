/*
 * kernels.cu -- all device code, one fat binary
 *
 * bytes.cuh, words.cuh and floats.cuh count one kind of sample each, as fast
 * as the device reads it.  records.cuh counts everything else, with each
 * strategy.
 */

#include "bytes.cuh"
#include "floats.cuh"
#include "records.cuh"
#include "weights.cuh"
#include "words.cuh"
