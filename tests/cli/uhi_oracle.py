# SPDX-License-Identifier: MIT
"""uhi_oracle.py -- what gpuhist --format=uhi prints, against numpy

uhi.sh runs it.  numpy counts the same data in places of its own: below, bins,
above.  What is printed is read by scikit-hep's uhi and hist, where they are
installed, and in any case by Python's json.  It prints TAP.
"""

import json
import os
import warnings

import numpy as np

from oracle import put_tests, run, skip, test

warnings.simplefilter('ignore')
try:
    import hist
    import uhi.io.json
except ImportError:
    hist = None
random = np.random.default_rng(20264)
LISTS = {'edges', 'index', 'values'}


# ---- readers ----

class Read:
    """A histogram: the edges or categories, the places and the metadata."""

    def __init__(self, axes, values, metadata, axis_metadata):
        self.axes = axes
        self.values = values
        self.metadata = metadata
        self.axis_metadata = axis_metadata


def edges_of(axis):
    """The edges or categories of AXIS, an object of the JSON."""
    if 'categories' in axis:
        return axis['categories']
    if 'edges' in axis:
        return axis['edges']
    if 'boost-histogram' in axis.get('writer_info', ()):
        return list(range(axis['lower'], axis['upper'] + 1))
    # As boost-histogram has them: a part of the one end, and the rest of the
    # other.
    part = np.arange(axis['bins'] + 1) / axis['bins']
    return list((1 - part) * axis['lower'] + part * axis['upper'])


def read_plain(root):
    """ROOT as Python's json has it."""
    axes = [edges_of(axis) for axis in root['axes']]
    storage = root['storage']
    values = np.array(storage['values'],
                      None if storage['values'] else 'i8')
    if 'index' in storage:
        shape = [len(edges) - ('categories' not in axis) +
                 axis.get('underflow', False) + axis.get('overflow', False)
                 for axis, edges in zip(root['axes'], axes)]
        places = np.zeros(shape, values.dtype)
        places[tuple(np.array(storage['index'], 'i8'))] = values
        values = places
    return Read(axes, values, root['metadata'],
                [axis['metadata'] for axis in root['axes']])


def read_hist(root):
    """ROOT as hist has it."""
    read = hist.Hist(uhi.io.from_sparse(uhi.io.json.object_hook(
        {name: as_arrays(value) for name, value in root.items()})))
    is_text = [isinstance(axis, hist.axis.StrCategory) for axis in read.axes]
    axes = [list(axis) if text or isinstance(axis, hist.axis.IntCategory)
            else list(axis.edges) for axis, text in zip(read.axes, is_text)]
    return Read(axes, read.view(flow=True), read.__dict__,
                [axis.__dict__ for axis in read.axes])


def as_arrays(value):
    """VALUE as json.load() with uhi's object_hook returns it."""
    if isinstance(value, dict):
        return uhi.io.json.object_hook(
            {name: as_arrays(part) for name, part in value.items()})
    return [as_arrays(part) for part in value] if isinstance(
        value, list) else value


READERS = [read_plain] + ([read_hist] if hist else [])


# ---- what should be read ----

class Axis:
    """The places of COLUMN between EDGES; or of the keys or integers in it."""

    def __init__(self, column, edges=None, flow=True, **metadata):
        self.metadata = metadata
        if edges is None:
            self.edges = sorted(set(column))
            self.places = len(self.edges)
            self.place = np.searchsorted(self.edges, column)
        else:
            column = np.asarray(column)
            self.edges = list(edges)
            self.places = len(edges) - 1 + 2 * flow
            self.place = np.searchsorted(edges, column, 'right') - (not flow)
            self.place[np.isnan(column.astype('f8'))] = -1
            self.place[self.place >= self.places] = -1


def even(lo, hi, bins):
    """The edges of numpy.histogram, without the last one's rounding."""
    return [lo + i * ((hi - lo) / bins) for i in range(bins)] + [hi]


def wrong_in(read, axes, weights, has_type):
    """What differs in READ, or None."""
    placed = np.all([axis.place >= 0 for axis in axes], axis=0)
    weights = np.ones(len(placed), 'i8') if weights is None else weights
    wanted = np.zeros([axis.places for axis in axes], weights.dtype)
    np.add.at(wanted, tuple(axis.place[placed] for axis in axes),
              weights[placed])
    for got, axis in zip(read.axes, axes):
        if got != axis.edges:
            return 'edges %r, wanted %r' % (got[:9], axis.edges[:9])
    if (read.values.dtype.kind not in has_type or
            not np.array_equal(read.values, wanted)):
        return 'places %r, wanted %r' % (read.values, wanted)
    outside = weights[~placed].sum()
    if (read.metadata['outside'] != outside or
            read.metadata['total'] != weights.sum() or
            read.values.sum() + outside != weights.sum()):
        return 'metadata %r' % read.metadata
    for got, axis in zip(read.axis_metadata, axes):
        if any(got.get(name) != n for name, n in axis.metadata.items()):
            return 'metadata %r, wanted %r' % (got, axis.metadata)
    return None


def reads(options, data, *axes, weights=None, kinds=None, field=None,
          says=b''):
    """Whether all readers find AXES and the counts of DATA."""
    if isinstance(data, np.ndarray):
        data = data.tobytes()
    result = run(options + ['--format=uhi'], data)
    if result.returncode != 0 or (not result.stderr) != (not says) or (
            says not in result.stderr):
        return '%s: status %d %s' % (options, result.returncode, result.stderr)
    root = json.loads(result.stdout)
    root = root if field is None else root[field]
    got = [axis['type'] for axis in root['axes']]
    if kinds is not None and got != kinds:
        return '%s: axes %s, wanted %s' % (options, got, kinds)
    for reader in READERS:
        wrong = wrong_in(reader(root), axes, weights,
                         'i' if weights is None else 'if')
        if wrong:
            return '%s, %s: %s' % (reader.__name__, options, wrong)
    return None


def refuses(options, message):
    result = run(options + ['--format=uhi'], b'')
    said = result.stderr.decode()
    if result.returncode == 2 and message in said and not result.stdout:
        return None
    return 'status %d, %r' % (result.returncode, said)


def text(*columns):
    """Lines of CSV with COLUMNS."""
    return b''.join(b','.join(line) + b'\n' for line in zip(*columns))


def numbers(column):
    return [repr(float(x)).encode() for x in column]


# ---- numbers ----

if hist is None:
    skip('hist reads it', 'no hist and uhi for python3')

octets = random.integers(0, 200, 5000).astype('u1')
reals = np.concatenate([random.normal(0, 3, 5000), [np.nan] * 7, [np.inf] * 3,
                        [-np.inf], [0.0, -0.0, 0.3, 1, 4, -4, 5e-324]])

test('bytes: integers without flow', reads, [], octets,
     Axis(octets, range(257), flow=False), kinds=['regular'])
signed = octets.view('i1')
test('a range of integers', reads, ['--dtype=i1', '--range=-5,7'], signed,
     Axis(signed, range(-5, 8)), kinds=['regular'])
test('integers closed on the right are values', reads,
     ['--dtype=i1', '--range=-5,7', '--closed=right'], signed,
     Axis(signed, range(-4, 9)))
far = 10**12 + octets.astype('i8')
test('integers of more than 32 bits', reads,
     ['--dtype=i8', '--range=1000000000000,1000000000100'], far,
     Axis(far, range(10**12, 10**12 + 101)))
test('even bins that a reader divides alike', reads,
     ['--dtype=f8', '-b', '16', '--range=-4,4'], reals,
     Axis(reals, even(-4, 4, 16), nan=7), kinds=['regular'])
test('even bins that a reader rounds to other edges', reads,
     ['--dtype=f8', '-b', '10', '--range=0,1'], reals,
     Axis(reals, even(0, 1, 10), nan=7), kinds=['variable'])
test('listed edges', reads, ['--dtype=f8', '--edges=-1,0.1,0.30000000000000004,9'],
     reals, Axis(reals, [-1, 0.1, 0.30000000000000004, 9], nan=7))
test('--flow=hide: no place beside the bins', reads,
     ['--dtype=f8', '-b', '4', '--range=0,1', '--flow=hide'], reals,
     Axis(reals, even(0, 1, 4), flow=False), says=b'in no bin')
test('--flow=clamp', reads,
     ['--dtype=f8', '-b', '4', '--range=0,1', '--flow=clamp'], reals,
     Axis(np.clip(reals, 0, 0.9), even(0, 1, 4), nan=7))
test('--numpy is in the metadata', reads,
     ['--dtype=f8', '-b', '4', '--range=-4,4', '--numpy'], reals,
     Axis(np.where(reals == 4, 3, reals), even(-4, 4, 4), closed='numpy'))

octaves = [2.0**i * (1 + j / 4) for i in range(-3, 3) for j in range(4)] + [8.0]
test('logarithmic bins: all below them is one place', reads,
     ['--dtype=f8', '--log', '--subdiv=2', '--range=0.125,8'], reals,
     Axis(reals, octaves, nan=7, zero=2, negative=int((reals < 0).sum())),
     kinds=['variable'])
huge = np.array([1e300, 1.7e308])
test('an infinite edge', reads, ['--dtype=f8', '--log=10', '--range=1e307,1.7e308'],
     huge, Axis(huge, [1e307, 1e308, np.inf]))


# ---- several fields ----

pairs = np.zeros(len(reals), [('a', 'f8'), ('b', 'u1'), ('c', 'i4')])
pairs['a'] = reals
pairs['b'] = np.resize(octets, len(reals))
pairs['c'] = random.integers(-1000, 1000, len(reals))
record = ['--record=f8,u1,i4']
joint = record + ['--joint', '-f', '1,2', '-b', '4', '--range=-2,2',
                  '-b', '5', '--range=50,150']
axes = (Axis(reals, even(-2, 2, 4), nan=7), Axis(pairs['b'], even(50, 150, 5)))
test('two axes', reads, joint, pairs, *axes)
test('two axes, with --nonzero', reads, joint + ['--nonzero'], pairs, *axes)
test('two axes, of which the outer one has three cells below its bins', reads,
     record + ['--joint', '-f', '3,1', '--log', '--range=16,256', '--log',
               '--range=1,8'], pairs,
     Axis(pairs['c'], [16, 32, 64, 128, 256],
          negative=int((pairs['c'] < 0).sum())),
     Axis(reals, [1, 2, 4, 8]))
for field, axis in (('1', Axis(reals, even(-2, 2, 4))),
                    ('2', Axis(pairs['b'], even(-2, 2, 4)))):
    test('a histogram for each field: ' + field, reads,
         record + ['-f', '1,2', '-b', '4', '--range=-2,2'], pairs, axis,
         field=field)
test('nothing, with --nonzero', reads,
     ['--dtype=f8', '-b', '4', '--range=-2,2', '--nonzero'], b'',
     Axis(np.zeros(0), even(-2, 2, 4)))

# ---- weights ----

for kind, weights in (('i4', pairs['c']), ('f8', pairs['a'])):
    finite = pairs[np.isfinite(weights)]
    # Halves add up without rounding in any order.
    finite['a'] = np.round(finite['a'] * 2) / 2
    test('sums of ' + kind, reads,
         ['--record=f8,u1,i4', '-f', '2', '--weights',
          '3' if kind == 'i4' else '1', '-b', '5', '--range=50,150'], finite,
         Axis(finite['b'], even(50, 150, 5)),
         weights=finite['c' if kind == 'i4' else 'a'].astype('f8'))


def strange_sums():
    """Whether sums that are no numbers are as Python writes them."""
    data = np.array([(0, np.inf), (1, -np.inf), (2, np.nan), (3, 0.1)],
                    '<u1,<f8')
    got = run(['--record=u1,f8', '-f', '1', '--weights', '2', '--range=0,4',
               '--format=uhi'], data.tobytes()).stdout
    wanted = [0, np.inf, -np.inf, np.nan, 0.1, 0]
    got = json.loads(got)['storage']['values']
    return None if np.array_equal(got, wanted, equal_nan=True) else got


test('sums that are no numbers', strange_sums)

# ---- text ----

words = [b'', b'a', b'b\xc3\xa9', b'"', b'\t', b'\\', b'z\0']
keys = [words[i] for i in random.integers(0, len(words), 500)]
names = [key.decode() for key in keys]
test('keys', reads, ['--lines'], b''.join(key + b'\n' for key in keys),
     Axis(names, missing=0), kinds=['category_str'])
escaped = {b'\xff': '\\xff', b'\\xff': '\\\\xff', b'\\\xff': '\\\\\\xff',
           b'\\a': '\\a', b'a\xc3': 'a\\xc3'}


def escapes():
    """Whether keys that are no UTF-8 have other categories than all others."""
    got = run(['--lines', '--format=uhi'], b'\n'.join(escaped)).stdout
    got = json.loads(got)['axes'][0]['categories']
    wanted = [escaped[key] for key in sorted(escaped)]
    return None if got == wanted else 'categories %r, wanted %r' % (got, wanted)


test('keys that are no UTF-8', escapes)

whole = random.integers(-50, 50, 500)
test('integers without bins', reads, ['--csv', '-f', '1', '--dtype=int'],
     text([b'%d' % n for n in whole]), Axis(whole.tolist()),
     kinds=['category_int'])
large = sorted(whole.tolist() + [2**40])
axis = Axis(large)
axis.edges = [str(n) for n in axis.edges]
test('... that are too large for the reader', reads,
     ['--csv', '-f', '1', '--dtype=int'], text([b'%d' % n for n in large]), axis,
     kinds=['category_str'])
tenths = np.round(random.normal(0, 1, 500), 1)
axis = Axis(tenths.tolist())
axis.edges = [repr(x) if x % 1 else repr(int(x)) for x in axis.edges]
test('other numbers without bins', reads, ['--csv', '-f', '1', '--dtype=num'],
     text(numbers(tenths)), axis, kinds=['category_str'])

values = whole / 8
of_group = ['--csv', '-g', '1', '-f', '2', '-b', '8', '--range=-5,5']
plain = [b'k%d' % (i % 7) for i in range(len(whole))]
plain[5] = b'only-nan'
values[5] = np.nan
axes = (Axis([key.decode() for key in plain]), Axis(values, even(-5, 5, 8),
                                                    nan=1))
data = text(plain, numbers(values))
test('keys and bins', reads, of_group, data, *axes,
     kinds=['category_str', 'regular'])
test('keys and bins, with --nonzero', reads, of_group + ['--nonzero'], data,
     *axes)
test('decimals as weights of keys', reads,
     ['--csv', '-f', '1', '--weights', '2'],
     text(plain, [b'%d.25' % abs(n) for n in whole]), axes[0],
     weights=abs(whole) + 0.25)


def special():
    """Whether records without a number are in the metadata."""
    got = json.loads(run(['--csv', '-f', '2', '-b', '2', '--range=0,2',
                          '--format=uhi'], b'a,1\na,\na,x\nb\nb\n').stdout)
    metadata = got['axes'][0]['metadata']
    return None if (got['metadata'] == {'total': 5, 'outside': 4} and
                    got['storage']['values'] == [0, 0, 1, 0] and
                    metadata == {'label': 'field2', 'nan': 0, 'missing': 2,
                                 'empty': 1, 'invalid': 1}) else got


test('records without a number', special)

# ---- what cannot be said ----

for message, options in (
        ('--closed=left', ['--dtype=f8', '-b', '4', '--range=0,1',
                           '--closed=right']),
        ('needs --bins', ['--dtype=u8', '--range=9007199254740990,9007199254740994']),
        ('keys alone, or before one field', ['--csv', '-f', '1,2', '--joint']),
        ('--top does not apply', ['--lines', '--top=3']),
        ('--density does not apply', ['--density']),
        ('no place for the names of files', ['--per-file'])):
    test('refused: ' + ' '.join(options), refuses, options, message)

put_tests()
