# SPDX-License-Identifier: MIT
"""histogram.py -- gpuhist.histogram() against numpy.histogram(), on random arrays

Prints a line "PASS name" or "FAIL name" for each check.  Needs the module, its
program and numpy.
"""

import gzip
import mmap
import os
import resource
import sys
import tempfile
import warnings

import numpy as np

import gpuhist

module = sys.modules['gpuhist._histogram']
TYPES = ['?', 'u1', 'i1', '<u2', '>i2', '<i4', '>u4', '<u8', '>i8', '<i8', '<f2',
         '>f2', '<f4', '>f4', '<f8', '>f8', '<f8', '<f4']
RULES = ['auto', 'fd', 'sturges', 'sqrt', 'rice', 'scott', 'doane']
random = np.random.default_rng(1)
counted = []


def holds(passed, name, got=None):
    print('PASS' if passed else 'FAIL', name, flush=True)
    if not passed:
        print('#', repr(got)[:600].replace('\n', ' '), flush=True)


def one_of(*choices):
    return choices[random.integers(len(choices))]


def values_of(kind, size):
    """SIZE values; many are alike, and some are special."""
    if kind == '?':
        return random.integers(0, 2, size).astype(kind)
    if kind[-2] == 'f':
        scale = 10.0 ** one_of(-2, 0, 0, 1, 3)
        values = one_of(random.normal(0, scale, size),
                        random.integers(-20, 20, size) / one_of(1, 8, 10),
                        1000 + random.random(size) * scale).astype(kind)
        if random.random() < .2:
            values[random.integers(0, size, 3)] = one_of(
                np.nan, np.inf, -np.inf, -0.0, np.finfo(kind).max,
                np.finfo(kind).tiny)
        return values
    limits = np.iinfo(kind)
    least = one_of(limits.min, max(limits.min, -50), limits.max - 100,
                   max(limits.min, min(1 << 53, limits.max) - 60))
    return random.integers(least, min(least + one_of(3, 100, 1 << 60), limits.max),
                           size, dtype=kind[-2:], endpoint=True).astype(kind)


def array_of(kind):
    values = values_of(kind, int(random.integers(1, 400)))
    shape = random.integers(6)
    if shape == 0:
        return values[::2]
    if shape == 1:
        return values[::-3]
    if shape == 2 and len(values) > 4:
        return values[:len(values) // 4 * 4].reshape(4, -1).T
    if shape == 3 and len(values) > 8:
        return values[:len(values) // 8 * 8].reshape(2, 4, -1)[:, ::2]
    return values


def range_of(values):
    if random.random() < .4:
        return None
    low = one_of(-1, 0, 0.5, -3.25, values.flat[0], 0.1, -1e3, 250)
    return low, low + one_of(1, 0.7, 10, 1e3, 1e-3, 0)


def edges_of(values):
    """Bins that are a sequence."""
    if random.random() < .5:
        some = np.unique(random.choice(values.ravel(), 5))
        return one_of(some, some.tolist(), list(some) + [some[-1]], some.astype('f8'))
    edges = np.sort(random.integers(-20, 20, 6))
    return one_of(edges, edges / 8, np.linspace(-4, 4, 9), [0, 1], [1], [3, 2],
                  np.array([-5, 0, 5], 'i1'), [-np.inf, 0, np.inf], [-1, 1 << 53],
                  edges.astype('f4') / 10, np.linspace(0, 0.3, 31).astype('f2'))


def result(function, *arguments):
    """What FUNCTION returns, or the mistake."""
    try:
        counts, edges = function(*arguments)
    except Exception as mistake:
        return type(mistake), str(mistake)
    return counts.dtype, counts.tolist(), edges.dtype, edges.tolist()


def is_same(values, *arguments):
    wanted = result(np.histogram, values, *arguments)
    got = result(gpuhist.histogram, values, *arguments)
    # NaN is not itself.
    return repr(wanted) == repr(got), (values.dtype, arguments, wanted, got, values)


def compare_random(number):
    start = module.Counting.start

    def noted(self, *arguments):
        counted.append(1)
        return start(self, *arguments)

    module.Counting.start = noted
    for kind in TYPES:
        bad = None
        counted.clear()
        for _ in range(number):
            module.BLOCK, module.BLOCK_OF_BIN = one_of(256, 1024, 1 << 20), 1
            values = array_of(kind)
            bins = one_of(10, 1, int(random.integers(1, 300)),
                          int(random.integers(200, 2000)), edges_of(values),
                          edges_of(values), one_of(*RULES))
            weights = random.random(values.shape) if random.random() < .05 else None
            fits, why = is_same(values, bins, range_of(values),
                                one_of(None, None, True, False), weights)
            if not fits:
                bad = why
        holds(bad is None, '%s: random arrays' % kind, bad)
        holds(len(counted) > number / 4, '%s: the program counts' % kind,
              len(counted))


def compare_shapes():
    module.BLOCK = 1 << 20
    for name, values in [('empty', np.array([])), ('empty u1', np.array([], 'u1')),
                         ('a list', [1, 2, 2.5]), ('a number', 7),
                         ('complex', np.array([1j, 2])),
                         ('texts', np.array(['a', 'b'])),
                         ('objects', np.array([1, 2.5], object)),
                         ('long double', np.arange(9, dtype='g')),
                         ('times', np.arange(9).astype('m8[s]')),
                         ('masked', np.ma.array([1, 2, 3], mask=[0, 1, 0]))]:
        values = np.asanyarray(values)
        holds(*is_same(values)[:1], name, is_same(values)[1])


def compare_files():
    """Arrays that are in files are not copied, but for changes that are not."""
    copied = []
    count_blocks = module.Counting.count_blocks

    def noted(self, *arguments):
        copied.append(1)
        return count_blocks(self, *arguments)

    module.Counting.count_blocks = noted
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, 'a b\\n.npy')
        np.save(path, random.normal(0, 1, 5000))
        for mode, copies in ('r', 0), ('r+', 0), ('c', 1):
            values = np.load(path, mmap_mode=mode)
            for part, name in [(values, ''), (values[700:3000], ', a part'),
                               (values.reshape(50, 100), ', two dimensions')]:
                copied.clear()
                holds(is_same(part)[0] and len(copied) == copies,
                      'mapped %s%s' % (mode, name), (is_same(part), copied))
            if mode != 'r':
                values[:] += 1
                holds(is_same(values)[0], 'mapped %s, changed' % mode)
        values = np.load(path, mmap_mode='r')
        # So the system names the one that is mapped.
        np.save(path + ' (deleted)', np.zeros(5000))
        os.rename(path + ' (deleted).npy', path + ' (deleted)')
        os.unlink(path)
        copied.clear()
        holds(is_same(values)[0] and copied, 'mapped, another file by now', copied)
    shared = np.frombuffer(mmap.mmap(-1, 8000), 'f8')
    holds(is_same(shared + 0)[0] and is_same(shared)[0], 'a mapping without a file')


def compare_bounds():
    packed = gzip.compress(bytes(range(256)) * 40)
    holds(is_same(np.frombuffer(packed, 'u1'), 4, (0, 256))[0], 'bytes of gzip')
    for first in 0x00088b1f, 0xfd2fb528, 0x039d9d1f:
        values = np.zeros(5000, 'u4')
        values[0] = first
        holds(is_same(values, 3)[0], 'the magic number %x' % first)
    narrow = np.linspace(-3e-40, 3.2e-40, 20000).astype('f4')
    holds(is_same(narrow, 500)[0], 'bins that are narrower than a normal number')
    for values, most in (np.full(5000, 30000, 'f2'), 4e4), \
            (np.linspace(-3e38, 3e38, 5000).astype('f4'), 3e38):
        holds(is_same(values, 4, (-most, most))[0], 'a width beyond the type')
    before = os.listdir('/proc/self/fd')
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        failed = result(gpuhist.histogram, np.arange(5000.0))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    holds(failed[0] is OSError and os.listdir('/proc/self/fd') == before,
          'nothing stays open', failed)
    holds(result(lambda a: gpuhist.histogram(a, threads=0), narrow)[0] is ValueError,
          'no threads')


def main():
    number = {'yes': 60, 'no': 2000}[os.environ.get('IS_SHORT', 'yes')]
    if os.environ.get('IS_INSTRUMENTED') == 'yes':
        number = 12
    warnings.simplefilter('ignore')
    np.seterr(all='ignore')
    few = random.normal(0, 1, 1000)
    start = module.Counting.start
    module.Counting.start = None
    holds(is_same(few)[0], 'numpy counts few values')
    module.Counting.start = start
    module.FEWEST = 1
    compare_shapes()
    compare_files()
    compare_bounds()
    compare_random(number)


main()
