/*
 * kernels.cu -- all device code, in one fat binary
 *
 * bytes.cuh, words.cuh and floats.cuh count one kind of sample each, as fast as
 * the device reads memory.  records.cuh counts all other records, with each
 * strategy.  weights.cuh adds up weights.
 */

#include "bytes.cuh"
#include "floats.cuh"
#include "records.cuh"
#include "weights.cuh"
#include "words.cuh"
