/* SPDX-License-Identifier: MIT */
/*
 * edges.h -- a search tree of the edges between bins, for GPUs
 *
 * Node 1 is the root; nodes 2 * I and 2 * I + 1 are below node I.  The nodes
 * are stored by their numbers, so the nodes of a level are adjacent: threads
 * that read one level meet in few banks of shared memory.  All levels are full.
 * In sorted order the first nodes have the edges, and all later nodes have NaN.
 *
 * A node is not the edge itself, but the least number above the edge, in the
 * type of the samples; "above" includes the edge if bins are closed on the
 * left.  So a search of floats needs no doubles, and no search asks which side
 * is closed.  After a search the node's number, less 2^levels, is the number of
 * edges below the sample.
 *
 * The file is written in the common subset of C11 and CUDA C++.
 */

#ifndef GPUHIST_EDGES_H
#define GPUHIST_EDGES_H

#include "kernels/binning/floats.h"

/* The levels of the tree for BINS bins, which has 2^levels - 1 nodes. */
DEVICE_FN binning_u32
edges_levels(binning_u64 bins)
{
    return 64 - (binning_u32)binning_leading_zeros(bins + 1);
}

/*
 * The bytes of the tree of AXIS, with an unused node 0; or 0, if AXIS has no
 * list of edges.
 */
DEVICE_FN binning_u64
edges_bytes(const struct binning_axis *axis)
{
    binning_u64 node_bytes = axis->type == SAMPLE_F4 ? 4 : 8;

    return axis->kind == BINNING_EDGES ? node_bytes << edges_levels(axis->bins)
                                       : 0;
}

/* The place of NODE in the sorted order of LEVELS levels, from 0 on. */
DEVICE_FN binning_u32
edges_place(binning_u32 levels, binning_u32 node)
{
    binning_u32 below = levels + (binning_u32)binning_leading_zeros(node) - 64;

    return ((2 * node + 1) << below) - ((binning_u32)1 << levels) - 1;
}

/* The least float above EDGE, or at it unless IS_EXCLUDED. */
DEVICE_FN float
edges_least_float(double edge, int is_excluded)
{
    return floats_of_key(floats_least_key(edge, is_excluded));
}

/* As edges_least_float(), for doubles. */
DEVICE_FN double
edges_least_double(double edge, int is_excluded)
{
    binning_u64 bits = binning_double_bits(edge);

    if (!is_excluded)
        return edge;
    if (edge == 0)
        return binning_bits_double(1);
    return binning_bits_double(edge < 0 ? bits - 1 : bits + 1);
}

#endif
