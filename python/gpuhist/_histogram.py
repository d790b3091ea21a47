# SPDX-License-Identifier: MIT
"""_histogram.py -- numpy.histogram(), counted by the program

The edges are always those that numpy finds, so that they and all mistakes are
the same, whatever the version of numpy is.  The program counts where its result
is certain to be that of numpy; numpy counts the rest: see is_certain().

Edges are known before anything is counted, so counts of parts add up: each
processor copies a block of the array to a file in memory, has a process count
it, and goes on with the next.  So the memory does not double, the pages of the
files are made once, and a block is in a cache when it is counted.
"""

import concurrent.futures
import io
import mmap
import os
import threading

from . import _memory, _program

# Of fewer values numpy's histogram is there before a process has started.
FEWEST = 1 << 18
# What one process counts, in bytes: at least so many, and so many for each bin,
# because its counts are read, too.
BLOCK = 1 << 25
BLOCK_OF_BIN = 256
# What one thread looks at before it takes the next, in values: its second look
# finds them in a cache.
PIECE = 1 << 17
# Integers up to here are doubles, and so are their neighbours.
MOST_EXACT = (1 << 53) - 1


def pieces(array, length):
    """Views of ARRAY, which has one dimension, of LENGTH values each."""
    return [array[i:i + length] for i in range(0, array.size, length)]


def flatten(array):
    """All values of ARRAY, in any order, without a copy if there is a way."""
    return array if array.ndim == 1 else array.ravel(order='K')


def extremes(array, threads):
    """The least and the greatest value, or NaN if there is one."""
    import numpy
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        found = list(pool.map(lambda piece: (piece.min(), piece.max()),
                              pieces(array, PIECE)))
    return numpy.array([numpy.min([pair[0] for pair in found]),
                        numpy.max([pair[1] for pair in found])], array.dtype)


def find_edges(array, bins, range, threads):
    """The edges of numpy.histogram()."""
    import numpy
    if isinstance(bins, str):
        return numpy.histogram_bin_edges(array, bins, range)
    # All that numpy asks of the values.
    sample = array[:1]
    if numpy.ndim(bins) == 0 and range is None:
        sample = extremes(array, threads)
    return numpy.histogram_bin_edges(sample, bins, range)


def is_certain(array, edges, is_even):
    """Whether counts by the exact comparison with EDGES are those of numpy.

    numpy compares integers of 64 bits and edges as doubles.  It takes the bins of
    even edges from a product with errors, and tries the two neighbours; so the
    product may not be wrong by more than a bin.  Half a bin is lost because edges
    are rounded, and there are at most four roundings.
    """
    import numpy
    if len(edges) < 2 or edges.dtype.kind not in 'iuf' or edges.itemsize > 8:
        return False
    if not numpy.isfinite(edges).all() or not (edges[1:] > edges[:-1]).all():
        return False
    least, greatest = edges[0].item(), edges[-1].item()
    is_wide = array.dtype.kind != 'f' and array.itemsize == 8
    if (is_wide or edges.dtype.kind != 'f') and \
            (least < -MOST_EXACT or greatest > MOST_EXACT):
        return False
    if not is_even:
        return True
    # In the type of the edges, as numpy has it.
    with numpy.errstate(over='ignore'):
        width = float(edges[-1] - edges[0])
    narrow = {2: 1e-3, 4: 1e-30, 8: 1e-290}
    if not numpy.isfinite(width) or width < narrow[edges.itemsize] * len(edges):
        return False
    most = {2: 1 << 7, 4: 1 << 20, 8: 1 << 49}
    return len(edges) - 1 <= most[edges.itemsize]


def axis_options(edges, descriptor):
    """The options for bins with EDGES; DESCRIPTOR is of an empty file for them."""
    import numpy
    edges = edges.astype('f8')
    bins = len(edges) - 1
    low, high = edges[0].item(), edges[-1].item()
    even = numpy.arange(bins + 1) * ((high - low) / bins) + low
    even[-1] = high
    # The program computes these, so a bin is found without a search; it refuses
    # some that are almost too large or too close.
    if numpy.array_equal(edges, even) and high - low > 1e-290 * bins and \
            max(-low, high) < 1e300:
        return ['--bins=%d' % bins, '--range=%r,%r' % (low, high)]
    _memory.write(descriptor, '\n'.join(map(repr, edges.tolist())).encode())
    return ['--edges=@/proc/self/fd/%d' % descriptor]


class Counting:
    """The processes that count values between edges."""

    def __init__(self, edges, threads):
        self.threads = threads
        self.bins = len(edges) - 1
        self.edges = edges

    def __enter__(self):
        self.file = _memory.create('gpuhist-edges')
        try:
            self.axis = axis_options(self.edges, self.file)
        except BaseException:
            os.close(self.file)
            raise
        return self

    def __exit__(self, *failure):
        os.close(self.file)

    def start(self, array, descriptor, *more):
        """Count the values of ARRAY, which are in the file DESCRIPTOR."""
        return _program.start(
            ['--format=npy', '--numpy', '--flow=hide', '--quiet', '--decompress=none',
             '--dtype=' + array.dtype.str.lstrip('|'), *self.axis,
             '--read-bytes=%d' % array.nbytes, *more],
            descriptor, [self.file])

    def finish(self, process):
        import numpy
        output = _program.finish(process)
        return numpy.load(io.BytesIO(output)).astype(numpy.intp)

    def count(self, array):
        """The counts of ARRAY, which has one dimension."""
        file = _memory.find_file(array)
        if file is None:
            return self.count_blocks(array)
        try:
            return self.finish(self.start(array, file, '-j%d' % self.threads))
        finally:
            os.close(file)

    def count_blocks(self, array):
        """As count(), of an array that must be copied."""
        length = max(BLOCK, BLOCK_OF_BIN * self.bins) // array.itemsize
        length = min(length, -(-array.size // self.threads))
        own = threading.local()
        copies = []

        def count_block(block):
            if not hasattr(own, 'copy'):
                own.copy = Copy()
                copies.append(own.copy)
                own.copy.open(length, array.dtype)
            own.copy.fill(block)
            # One thread, because others count other blocks; a GPU has no time to
            # start.
            return self.finish(self.start(block, own.copy.file, '-j1',
                                          '--device=cpu'))

        try:
            with concurrent.futures.ThreadPoolExecutor(self.threads) as pool:
                return sum(pool.map(count_block, pieces(array, length)))
        finally:
            for copy in copies:
                copy.close()


class Copy:
    """A file in memory for values of one type."""

    file = None

    def open(self, length, dtype):
        """Have room for LENGTH values."""
        import numpy
        self.file = _memory.create('gpuhist')
        os.truncate(self.file, length * dtype.itemsize)
        self.values = numpy.frombuffer(
            mmap.mmap(self.file, length * dtype.itemsize), dtype)

    def fill(self, block):
        """Have the values of BLOCK in the file, and read it from the start."""
        import numpy
        numpy.copyto(self.values[:block.size], block)
        os.lseek(self.file, 0, os.SEEK_SET)

    def close(self):
        if self.file is not None:
            os.close(self.file)


def histogram(a, bins=10, range=None, density=None, weights=None, *, threads=None):
    """numpy.histogram(a, bins, range, density, weights), on all processors.

    Counts and edges are exactly those of the installed numpy.  numpy itself
    counts arrays of fewer than 262,144 values, arrays with weights, values that
    are not booleans, integers or floats of at most 64 bits, edges that are equal
    or infinite, and integers of 64 bits where an edge is beyond 2**53.

    THREADS is how many processors are used at most.
    """
    import numpy
    if threads is not None and threads < 1:
        raise ValueError('threads must be at least 1')
    array = numpy.asarray(a)
    if weights is not None or array.size < FEWEST or array.itemsize > 8 or \
            array.dtype.kind not in 'biuf':
        return numpy.histogram(a, bins, range, density, weights)
    threads = threads or len(os.sched_getaffinity(0))
    array = flatten(array)
    edges = find_edges(array, bins, range, threads)
    if array.dtype.kind == 'b':
        array = array.view('u1')
    if not is_certain(array, edges, numpy.ndim(bins) == 0):
        return numpy.histogram(a, bins, range, density)
    with Counting(edges, threads) as counting:
        counts = counting.count(array)
    if density:
        widths = numpy.array(numpy.diff(edges), float)
        return counts / widths / counts.sum(), edges
    return counts, edges
