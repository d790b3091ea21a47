# SPDX-License-Identifier: MIT
"""image_oracle.py -- what gpuhist does with images, against numpy

image.sh runs it, in a scratch directory.  It makes arrays of pixels, writes
them as PNM and BMP files, and compares every byte that gpuhist prints with
what numpy counts in the arrays.  It prints TAP.

Pixels are arrays of height x width x channels.
"""

import collections
import fractions
import itertools
import os
import re
import shutil
import struct
import subprocess

import numpy as np

import oracle
from oracle import difference, put_tests, skip, test

HAS_ZSTD = os.environ.get('HAVE_ZSTD') == 'yes' and shutil.which('zstd')
MAXVALS = [1, 2, 100, 255, 256, 1000, 65535]
NAMES = {1: 'P5', 3: 'P6'}
COMMENTS = '%s# a comment\n#\n\t%d #1 2 3\r\n\n %d\r\n# 77\n %d\t'
random = np.random.default_rng(20261)


def first_wrong(wrongs):
    """What is wrong first, if anything; the others are left undone."""
    return next(filter(None, wrongs), None)


# ---- gpuhist ----

def run(options, data=b''):
    return oracle.run(['--image'] + options, data)


def prints(options, wanted, data=b''):
    """Whether gpuhist prints the lines WANTED and nothing else."""
    return oracle.prints(['--image'] + options, wanted, data)


def fails(options, status, *messages, data=b''):
    """
    Whether gpuhist ends with STATUS, prints nothing, and says one line that
    begins like each of MESSAGES, which are regular expressions.
    """
    result = run(options, data)
    said = result.stderr.decode().splitlines()
    is_right = (result.returncode == status and not result.stdout and
                len(said) == len(messages) and
                all(re.match('gpuhist: ' + message, line)
                    for message, line in zip(messages, said)))
    return None if is_right else '%s: status %d, %d bytes printed, %r' % (
        options, result.returncode, len(result.stdout), said)


# ---- files ----

numbers = itertools.count()


def save(data):
    """The name of a new file that holds DATA."""
    name = 'image%d' % next(numbers)
    with open(name, 'wb') as file:
        file.write(data)
    return name


def load(path):
    with open(path, 'rb') as file:
        return file.read()


def pixels(height, width, channels, maxval=255):
    return random.integers(0, maxval + 1, (height, width, channels))


def pnm(image, maxval, header='%s\n%d %d\n%d\n'):
    height, width, channels = image.shape
    head = header % (NAMES[channels], width, height, maxval)
    return head.encode() + image.astype('>u2' if maxval > 255 else
                                        'u1').tobytes()


def bmp(stored, is_top_down=False, palette=b'', masks=b''):
    """STORED has the bytes of each pixel as they are in the file."""
    height, width, size = stored.shape
    padding = b'\x5a' * (-width * size % 4)
    rows = stored if is_top_down else stored[::-1]
    raster = b''.join(row.astype('u1').tobytes() + padding for row in rows)
    begin = 54 + len(masks) + len(palette)
    return struct.pack('<2sIHHIIiiHHIIiiII', b'BM', begin + len(raster), 0, 0,
                       begin, 40, width, -height if is_top_down else height,
                       1, 8 * size, 6 if masks else 0, len(raster), 2835,
                       2835, len(palette) // 4, 0) + masks + palette + raster


def bmp_palette(indices, colours, is_top_down):
    """An image of 8 bits and its pixels; COLOURS is 1 or 3 x their number."""
    entries = np.zeros((colours.shape[0], 4))
    entries[:, :3] = colours[:, ::-1]
    data = bmp(indices, is_top_down, entries.astype('u1').tobytes())
    return data, colours[indices[:, :, 0]]


def bmp_images(height, width, is_top_down):
    """A file of each kind: its name, the data, and the pixels."""
    indices = pixels(height, width, 1, 19)
    for name, channels in [('grey', 1), ('palette', 3)]:
        yield (name, *bmp_palette(indices, pixels(20, channels, 1)[:, :, 0],
                                  is_top_down))
    image = pixels(height, width, 4)
    yield '24 bits', bmp(image[:, :, 2::-1], is_top_down), image[:, :, :3]
    # The fourth byte is nothing without a mask that says it is alpha.
    yield ('32 bits', bmp(image[:, :, [2, 1, 0, 3]], is_top_down),
           image[:, :, :3])
    masks = struct.pack('<4I', 0xff00, 0xff0000, 0xff000000, 0xff)
    yield 'alpha', bmp(image[:, :, [3, 0, 1, 2]], is_top_down,
                       masks=masks), image


def small_files():
    """One of each kind, for what has to be tried often."""
    for channels, maxval in itertools.product([1, 3], [200, 300]):
        image = pixels(5, 7, channels, maxval)
        yield ('%s %d' % (NAMES[channels], maxval), pnm(image, maxval), image,
               maxval)
    for name, data, image in bmp_images(5, 7, False):
        yield name, data, image, 255


# ---- what should be printed ----

# What to call each cell, and in which of them each sample is.
Axis = collections.namedtuple('Axis', 'labels cells')


def direct(samples, maxval):
    return Axis([str(v) for v in range(maxval + 1)], samples)


def bins(samples, edges):
    names = ['-inf', *map(str, edges), 'inf']
    return Axis(list(map('\t'.join, zip(names, names[1:]))),
                np.digitize(samples, edges))


def together(axes, is_nonzero=False):
    """The lines of one histogram; the last axis is the fastest."""
    shape = [len(axis.labels) for axis in axes]
    cells = np.ravel_multi_index([axis.cells for axis in axes], shape)
    counts = np.bincount(cells, minlength=np.prod(shape)).tolist()
    labels = itertools.product(*(axis.labels for axis in axes))
    return ['\t'.join([*label, str(count)])
            for label, count in zip(labels, counts)
            if count > 0 or not is_nonzero]


def separately(axes, is_nonzero=False):
    """AXES is a dictionary of them by field."""
    if len(axes) == 1:
        return together(list(axes.values()), is_nonzero)
    return ['%d\t%s' % (field, line) for field, axis in axes.items()
            for line in together([axis], is_nonzero)]


def channels_of(images):
    """The samples of each field."""
    samples = np.concatenate([image.reshape(-1, image.shape[2])
                              for image in images])
    return dict(enumerate(samples.T, 1))


def direct_axes(images, maxval):
    return {field: direct(samples, maxval)
            for field, samples in channels_of(images).items()}


def lines_of(images, maxval):
    return separately(direct_axes(images, maxval))


# ---- counts ----

def check(name, options, data, wanted):
    """One test: gpuhist prints WANTED for a file that holds DATA."""
    test(name, prints, options + [save(data)], wanted)


def test_pnm():
    for channels, maxval in itertools.product([1, 3], MAXVALS):
        image = pixels(31, 37, channels, maxval)
        check('%s %d' % (NAMES[channels], maxval), [], pnm(image, maxval),
              lines_of([image], maxval))
        images = [pixels(height, 11, channels, maxval)
                  for height in [1, 13, 6]]
        data = b''.join(pnm(image, maxval, COMMENTS) for image in images)
        check('%s %d: comments; three in a file' % (NAMES[channels], maxval),
              [], data, lines_of(images, maxval))


def test_bmp():
    for is_top_down, width in itertools.product([False, True], range(1, 6)):
        for name, data, image in bmp_images(9, width, is_top_down):
            check('BMP %s, %s, width %d' % (
                name, 'top-down' if is_top_down else 'bottom-up', width),
                  [], data, lines_of([image], 255))


def test_fields():
    image = pixels(20, 30, 4)
    data = pnm(image[:, :, :3], 255)
    masks = struct.pack('<4I', 0xff, 0xff00, 0xff0000, 0xff000000)
    axes = direct_axes([image], 255)
    for option, fields in [('-f2', [2]), ('-f3,1', [3, 1]), ('-f2-', [2, 3]),
                           ('-fred', [1]), ('--fields=green', [2]),
                           ('-fblue,1', [3, 1]), ('-fred,green', [1, 2])]:
        check('P6 ' + option, [option], data,
              separately({field: axes[field] for field in fields}))
    for option in '-f4', '-falpha':
        check('BMP %s: alpha' % option, [option], bmp(image, masks=masks),
              together([axes[4]]))
    test('P6 -falpha is refused', fails, ['-falpha'], 2,
         "--fields=alpha: no field is named 'alpha'; there are red, green, blue$",
         data=data)
    test('P5 -fred is refused', fails, ['-fred'], 2,
         "--fields=red: no field is named 'red'; there is grey$",
         data=pnm(image[:, :, :1], 255))
    check('P5 -fgrey', ['-fgrey'], pnm(image[:, :, :1], 255),
          together([axes[1]]))
    check('P6 --nonzero', ['--nonzero', '-f1-3'], data,
          separately({field: axes[field] for field in (1, 2, 3)}, True))
    check('P6 --joint --nonzero', ['--joint', '--nonzero'], data,
          together([axes[1], axes[2], axes[3]], True))
    check('P6 --joint -f3,2', ['--joint', '-f3,2'], data,
          together([axes[3], axes[2]]))
    few = pixels(20, 30, 3, 6)
    check('P6 6 --joint', ['--joint'], pnm(few, 6),
          together(list(direct_axes([few], 6).values())))


def test_bins():
    edges = {1: [10, 60, 110], 2: [0, 100, 200, 300], 3: [-20, 230]}
    options = ['-b2', '-b3', '-b1', '--range=10,110', '--range=0,300',
               '--range=-20,230', '--flow=show']
    for maxval in [250, 999]:
        image = pixels(40, 30, 3, maxval)
        fields = channels_of([image])
        axes = {field: bins(fields[field], edges[field]) for field in edges}
        data = pnm(image, maxval)
        check('P6 %d in bins' % maxval, options, data, separately(axes))
        check('P6 %d in bins, joint' % maxval, options + ['--joint'], data,
              together(list(axes.values())))
        check('P5 %d in bins' % maxval,
              ['-b3', '--range=0,300', '--flow=show'],
              pnm(image[:, :, 1:2], maxval), together([axes[2]]))


def test_range():
    """A bin for each value of the range, and those around it."""
    image = pixels(20, 30, 1, 999)
    labels = ['-inf', *map(str, range(100, 200)), 'inf']
    cells = np.clip(image.ravel(), 99, 200) - 99
    check('P5 999 --range', ['--range=100,200', '--flow=show'],
          pnm(image, 999), together([Axis(labels, cells)]))


# ---- where images come from, and how they are read ----

def zstd(data):
    return subprocess.run(['zstd', '-qc'], input=data, capture_output=True,
                          check=True).stdout


def add_up(data, wanted, twice):
    """DATA by itself, and with itself from standard input."""
    path = save(data)
    return (prints([], wanted, data) or prints(['-'], wanted, data) or
            prints([path], wanted) or
            prints([path, path], twice) or
            prints([path, '-'], twice, data) or
            prints(['-', path], twice, data))


def test_inputs():
    for name, data, image, maxval in small_files():
        wanted = lines_of([image], maxval)
        twice = lines_of([image] * 2, maxval)
        test(name + ': files and pipes', add_up, data, wanted, twice)
        if HAS_ZSTD:
            packed = zstd(data)
            test(name + ': zstd', add_up, packed, wanted, twice)
            # All pixels are there, but not all of the checksum.
            test(name + ': zstd, cut off', fails, [save(packed[:-1])], 1,
                 'image.* at byte ')
        else:
            skip(name + ': zstd', 'no zstd')
        check(name + ': --skip-bytes', ['--skip-bytes=5'], b'P6\n1 ' + data,
              wanted)
        if not name.startswith('P'):
            check(name + ': bytes behind it', [], data + b'BM' * 5000, wanted)


def same_each_way(paths, wanted):
    return first_wrong(
        prints(['--chunk-size=' + size, threads_option] + paths, wanted)
        for size, threads_option in itertools.product(
            ['1', '3', '7', '4096'], ['-j1', '-j3']))


def test_chunks():
    for name, data, image, maxval in small_files():
        test(name + ': chunks and threads', same_each_way, [save(data)] * 2,
             lines_of([image] * 2, maxval))


# ---- equalisation ----

def equalised(image, maxval):
    """The table, by the definition."""
    counts = np.bincount(image.ravel(), minlength=maxval + 1).tolist()
    sums = list(itertools.accumulate(counts))
    lowest = next(filter(None, counts))
    others = sums[-1] - lowest
    if others == 0:
        return list(range(maxval + 1))
    half = fractions.Fraction(1, 2)
    return [max(0, int(fractions.Fraction((up_to - lowest) * maxval, others) +
                       half)) if up_to else 0 for up_to in sums]


def with_table(lines, table):
    return ['%s\t%d' % pair for pair in zip(lines, table)]


def grey_files():
    for maxval in MAXVALS:
        # Dark for the most part, as images are that need it.
        image = np.minimum(pixels(23, 29, 1, maxval),
                           pixels(23, 29, 1, maxval))
        yield 'P5 %d' % maxval, pnm(image, maxval), image, maxval
    image = np.full((4, 3, 1), 9)
    yield 'all the same', pnm(image, 20), image, 20
    colours = pixels(100, 1, 1)[:, 0]
    for is_top_down in [False, True]:
        yield ('BMP, %s' % ('top-down' if is_top_down else 'bottom-up'),
               *bmp_palette(pixels(6, 5, 1, 99), colours, is_top_down), 255)


def test_lut():
    for name, data, image, maxval in grey_files():
        lines = with_table(lines_of([image], maxval),
                           equalised(image, maxval))
        check('--lut, ' + name, ['--lut'], data, lines)
        check('--lut --nonzero, ' + name,
              ['--lut', '--nonzero', '--header-out'], data,
              ['value\tcount\tlut'] + [line for line in lines
                                       if line.split('\t')[1] != '0'])
    images = [pixels(9, 8, 1, 50), pixels(7, 30, 1, 50) // 3]
    everything = np.concatenate([image.ravel() for image in images])
    test('--lut, of two images', prints,
         ['--lut'] + [save(pnm(image, 50)) for image in images],
         with_table(lines_of(images, 50), equalised(everything, 50)))


def writes(arguments, data, wanted, wanted_maxval, old, lines):
    """
    Whether --equalize writes WANTED, where OLD was if that is not None, and
    nothing else.
    """
    folder = save(b'') + '.d'
    path = os.path.join(folder, 'out.pgm')
    os.mkdir(folder)
    if old is not None:
        shutil.copy(save(old), path)
    wrong = prints(['--equalize=' + path] + arguments, lines, data)
    if wrong:
        return wrong
    if os.listdir(folder) != ['out.pgm']:
        return 'there are %s' % os.listdir(folder)
    # Magic number, width, height and maxval; one byte of white space.
    found = re.match(rb'P5\s+(\d+)\s+(\d+)\s+(\d+)\s', load(path))
    if not found:
        return 'no header: %r' % load(path)[:30]
    width, height, maxval = map(int, found.groups())
    if (height, width, maxval) != (*wanted.shape[:2], wanted_maxval):
        return 'wrong header: %r' % found.group()
    raster = wanted.astype('>u2' if maxval > 255 else 'u1').tobytes()
    return None if load(path)[found.end():] == raster else 'wrong pixels'


def test_equalize():
    for name, data, image, maxval in grey_files():
        table = equalised(image, maxval)
        wanted = np.array(table)[image]
        lines = lines_of([image], maxval)
        test('--equalize, ' + name, writes, [save(data)], b'', wanted, maxval,
             None, lines)
        test('--equalize --lut, over an old file, ' + name, writes,
             ['--lut', '--chunk-size=7'], data, wanted, maxval, b'old' * 9999,
             with_table(lines, table))


def replaces_a_file(data, lines, wanted):
    path = save(data)
    old = save(b'old')
    wrong = prints(['--equalize=' + old, path], lines)
    return wrong or (None if load(old) == wanted else
                     'it holds %r' % load(old))


def refuses_to_write(arguments, status, message, data=b''):
    """Whether a run fails, and --equalize changes nothing."""
    folder = save(b'') + '.d'
    path = os.path.join(folder, 'out.pgm')
    os.mkdir(folder)
    shutil.copy(save(b'old'), path)
    wrong = (fails(['--equalize=' + path] + arguments, status, message,
                   data=data) or
             fails(['--equalize=%s/new' % folder] + arguments, status,
                   message, data=data))
    if wrong:
        return wrong
    if os.listdir(folder) != ['out.pgm'] or load(path) != b'old':
        return 'there are %s' % os.listdir(folder)
    return None


def test_equalize_failures():
    same = np.full((2, 2, 1), 9)
    test('--equalize over an old file, all pixels the same', replaces_a_file,
         pnm(same, 20, '%s %d %d %d\n'), lines_of([same], 20),
         pnm(same, 20))

    image = pixels(50, 40, 1)
    grey = pnm(image, 255)
    path = save(grey)
    two = save(grey + grey)
    cut = '.* byte %d: ' % (len(grey) - 1)
    for name, arguments, status, message in [
            ('two files', [path, path], 2, '--equalize '),
            ('two in a file', [two], 1, two + ': '),
            ('colour', [save(pnm(pixels(5, 4, 3), 255))], 2, ''),
            ('bins', ['-b4', '--range=0,256', path], 2, ''),
            ('a cut off image', [save(grey[:-1])], 1, 'image' + cut),
            ('a bad header', [save(b'P5 0')], 1, 'image.* byte '),
            ('too little memory', ['--memory-limit=500k',
                                   save(pnm(pixels(1000, 800, 1), 255))], 1,
             'image.*: the image does not fit into --memory-limit'),
            ('no such file', ['missing'], 1, 'missing: ')]:
        test('--equalize refused: ' + name, refuses_to_write, arguments, status,
             message)
    test('--equalize refused: a cut off stream', refuses_to_write, [], 1,
         'standard input' + cut, data=grey[:-1])

    os.mkdir('folder')
    for name, target in [('no such directory', 'missing/out.pgm'),
                         ('not a directory', path + '/out.pgm'),
                         ('a directory', 'folder')]:
        test('--equalize refused: ' + name, fails,
             ['--equalize=' + target, path], 1, target + ': ')


# ---- bad images ----

def fails_wherever_cut(data, begin):
    """
    Whether DATA, cut off anywhere from BEGIN on, where an image begins, is
    refused; and the offset is where it was cut, unless not even the magic
    number is there.
    """
    def at(end):
        offset = end if end - begin >= 2 else begin
        path = save(data[:end])
        return fails([path], 1, '%s: .* byte %d: ' % (path, offset))
    # Where a second image might begin the file may as well end.
    return first_wrong(map(at, range(begin + (begin > 0), len(data))))


def test_cut_off():
    for channels in [1, 3]:
        for maxval in [9, 300]:
            data = pnm(pixels(1, 2, channels, maxval), maxval)
            commented = pnm(pixels(2, 1, channels, maxval), maxval, COMMENTS)
            name = '%s %d, cut off' % (NAMES[channels], maxval)
            test(name, fails_wherever_cut, commented, 0)
            test(name + ' in the second image', fails_wherever_cut, data * 2,
                 len(data))
    for name, data, _ in bmp_images(2, 3, False):
        test('BMP %s, cut off' % name, fails_wherever_cut, data, 0)


def test_bad_images():
    for name, data, offset in [
            ('empty', b'', 0), ('text', b'P3 1 1 9 1', 0),
            ('width 0', b'P5 0 1 9\n', 3),
            ('maxval 65536', b'P5 1 1 65536\n', 7),
            ('a sample above maxval', b'P6 1 1 9\n\1\12\2', 10),
            ('a sample of 16 bits above maxval', b'P5 1 1 259\n\1\4', 11),
            ('garbage behind it', b'P5 1 1 9\n\1x', 10),
            ('another format behind it', b'P5 1 1 9\n\1P6 1 1 9\n\1\1\1', 10),
            ('another maxval behind it', b'P5 1 1 9\n\1P5 1 1 8\n\1', 10)]:
        path = save(data)
        message = ' bad image at byte %d: ' % offset
        test(name, fails, [path], 1, path + ':' + message)
        test(name + ', on standard input', fails, [], 1,
             'standard input:' + message, data=data)
    test('skipped bytes count in the offset', fails,
         ['--skip-bytes=4', save(b'1234P5 0 1 9\n')], 1, '.* at byte 7: ')


def test_several_bad_images():
    data = pnm(pixels(3, 3, 3), 255)
    good, cut, empty = save(data), save(data[:-1]), save(b'')
    test('all bad files are named', fails, [cut, good, 'missing', empty], 1,
         cut + ': ', 'missing: ', empty + ': ')
    test('all bad files are named, after a bad header too', fails,
         [empty, good, 'missing'], 1, empty + ': ', 'missing: ')


def test_mixed():
    files = [(name, save(data), image.shape[2], maxval)
             for name, data, image, maxval in small_files()]
    for one, other in itertools.permutations(files, 2):
        if one[2:] != other[2:]:
            test('%s, then %s' % (one[0], other[0]), fails, [one[1], other[1]],
                 1, '%s: has %d channel%s and maxval %d, but the first image '
                 'has %d and %d$' % (other[1], other[2], 's' * (other[2] > 1),
                                     other[3], one[2], one[3]))


# ---- that these tests can fail ----

def see_that_tests_can_fail():
    image = pixels(4, 3, 1)
    changed = image.copy()
    changed[3, 2] ^= 1
    data = pnm(image, 255)
    lines = lines_of([image], 255)
    other_lines = lines_of([changed], 255)
    assert prints([], other_lines, data)
    assert prints([], lines[:-1], data) and prints([], lines + ['0'], data)
    assert prints([], lines, data[:-1])
    assert add_up(data, lines, lines)
    assert same_each_way([save(data)], other_lines)
    assert prints(['--lut'], with_table(lines, equalised(changed, 255)), data)

    wanted = np.array(equalised(image, 255))[image]
    assert writes([], data, wanted, 255, None, other_lines)
    assert writes([], data, wanted, 254, None, lines)
    assert writes([], data, wanted ^ 1, 255, None, lines)
    assert replaces_a_file(data, lines, data)
    assert refuses_to_write([], 1, '', data)
    assert refuses_to_write([], 1, 'nothing', data[:-1])

    assert fails([], 1, '', data=data)
    assert fails([], 1, data=data[:-1])
    assert fails([], 2, '', data=data[:-1])
    assert fails([], 1, '', '', data=data[:-1])
    assert fails_wherever_cut(data + b'P5 1 1 255\n\1', 0)


def main():
    see_that_tests_can_fail()
    test_pnm()
    test_bmp()
    test_fields()
    test_bins()
    test_range()
    test_inputs()
    test_chunks()
    test_lut()
    test_equalize()
    test_equalize_failures()
    test_cut_off()
    test_bad_images()
    test_several_bad_images()
    test_mixed()
    put_tests()


main()
