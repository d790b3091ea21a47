# SPDX-License-Identifier: MIT
"""samtools_stats_oracle.py -- --format=samtools-stats beside samtools stats

    samtools_stats_oracle.py GPUHIST

Random records as SAM and BAM: pairs in all directions, indels, clips, all flags,
reads without bases or qualities, with and without NM, long ones.  All sections
but COV and GCD must be those of samtools, with any threads, chunks, shards
and states; also of files with damaged bytes that both accept.  Of samtools
before 1.22, what has other rules since is mended: newer().  Writes a report of
samtools on a.bam to a.stats.  Prints a line for each test, "PASS name" or "FAIL
name", for the shell to count.
"""

import collections
import gzip
import os
import random
import re
import struct
import subprocess
import sys
import zlib

from checks import IS_SHORT, holds

GPUHIST = sys.argv[1]
FORMAT = ['--seq', '--format=samtools-stats']
HEADER = ('@HD\tVN:1.6\n@SQ\tSN:chr1\tLN:100000\n@SQ\tSN:chr2\tLN:90000\n'
          '@RG\tID:g\n')


def run(arguments, **more):
    return subprocess.run(arguments, capture_output=True, timeout=300,
                          check=False, stdin=subprocess.DEVNULL, **more)


def ours(*arguments):
    done = run([GPUHIST, *FORMAT, *arguments])
    return sections(done.stdout) if done.returncode == 0 else None


def theirs(name, *options):
    done = run(['samtools', 'stats', *options, name])
    if done.returncode != 0 or b'# Indels per cycle' not in done.stdout:
        return None
    text = sections(done.stdout)
    # It may read one number behind its table of lengths.
    most = int(re.search(r'SN\tmaximum length:\t(\d+)', text)[1])
    text = re.sub(rf'\nRL\t{most + 1}\t.*', '', text)
    return text if VERSION >= (1, 22) else newer(text, name, options)


def sections(text):
    """From CHK to IC, with the comments before the sections."""
    text = text.decode()
    start = text.index('# CHK')
    end = text.find('# Coverage')
    return text[start:end if end >= 0 else None]


# ---- samtools before 1.22 ----

def version():
    words = run(['samtools', '--version']).stdout.split()
    return tuple(int(part) for part in words[1].split(b'.')[:2])


def newer(text, name, options):
    """TEXT, of samtools before 1.22, with what has other rules since."""
    done = run(['samtools', 'view', '-h', *options, name])
    sam = done.stdout.decode('latin-1')
    records = [line.split('\t') for line in sam.split('\n')
               if line and line[0] != '@']
    text = re.sub(r'(CHK\t\w+\t\w+\t).*', r'\g<1>%08x' %
                  sum_of_qualities(name, options), text)
    text = re.sub(r'(SN\tis sorted:\t)(0|1)\n', lambda found: found[0][:-1] +
                  ('\t# not sorted by coordinate\n', '\t# sorted by coordinate\n')
                  [int(found[2])], text)
    count = {key: int(re.search(f'SN\t{key}:\t(.*?)(\t|\n)', text)[1])
             for key in ('total length', 'sequences')}
    text = re.sub(r'(SN\taverage length:\t).*', r'\g<1>%.0f' %
                  (count['total length'] / (count['sequences'] or 1)), text)
    if '# Mapping qualities' not in text:
        text = text.replace('# Indel dist', mapqs(records) + '# Indel dist')
    apart = place_apart(sam)
    return text if apart == sam else with_inserts(text, apart)


def sum_of_qualities(name, options):
    """That of all bytes of each record of BAM."""
    with open(name, 'rb') as file:
        data = file.read()
    if options or not data.startswith(b'BAM\1'):
        data = gzip.decompress(
            run(['samtools', 'view', '-u', *options, name]).stdout)
    at = 8 + int.from_bytes(data[4:8], 'little')
    references = int.from_bytes(data[at:at + 4], 'little')
    at += 4
    for _ in range(references):
        at += 8 + int.from_bytes(data[at:at + 4], 'little')
    total = 0
    while at < len(data):
        size, name_bytes, operations, _, length = struct.unpack_from(
            '<i8xBxxxHHi', data, at)
        first = at + 36 + name_bytes + 4 * operations + (length + 1) // 2
        total += zlib.crc32(data[first:first + length]) if length else 0
        at += 4 + size
    return total % 2 ** 32


def mapqs(records):
    title = ('# Mapping qualities for reads !(UNMAP|SECOND|SUPPL|QCFAIL|DUP). '
             'Use `grep ^MAPQ | cut -f 2-` to extract this part. The columns '
             'are: mapq, count\n')
    of = collections.Counter(int(record[4]) for record in records
                             if not int(record[1]) & 0xf04 and record[9] != '*')
    return title + ''.join(f'MAPQ\t{q}\t{of[q]}\n' for q in sorted(of))


def place_apart(sam):
    """SAM, with reads that start where their mates do one base away from them,
    so that they point to each other by the rules of each version."""
    lines = sam.split('\n')
    for i, line in enumerate(lines):
        fields = line.split('\t')
        if line[:1] == '@' or len(fields) < 11 or fields[3] != fields[7]:
            continue
        flag = int(fields[1])
        if (flag & 16 != 0) != (flag & 32 != 0):
            at = 3 if flag & 16 else 7
            fields[at] = str(int(fields[at]) + 1)
            lines[i] = '\t'.join(fields)
    return '\n'.join(lines)


def with_inserts(text, sam):
    """TEXT with the insert sizes and orientations that samtools finds in SAM, or
    None if it refuses what `samtools view` made of a damaged file."""
    done = subprocess.run(['samtools', 'stats', '-'], capture_output=True,
                          check=False, input=sam.encode('latin-1'))
    if done.returncode != 0:
        return None
    other = sections(done.stdout)
    for lines in (r'SN\tinsert size average.*\n(SN\t.*\n)*',
                  r'# Insert sizes.*\n(IS\t.*\n)*'):
        found = re.search(lines, other)
        # Those after the orientations do not depend on them.
        text = re.sub(lines, lambda _, found=found: found[0], text)
    return text


def first_difference(got, wanted):
    if got is None or wanted is None:
        return 'refused', got is None, wanted is None
    for a, b in zip(got.split('\n'), wanted.split('\n')):
        if a != b:
            return a, b
    return len(got), len(wanted)


# ---- random records ----

def cigar_of(rng, length):
    """Operations with LENGTH bases of the read."""
    parts = []
    left = length
    if rng.random() < .1:
        parts.append((rng.randrange(1, 40), 'H'))
    if rng.random() < .2 and left > 1:
        clip = rng.randrange(1, left)
        parts.append((clip, 'S'))
        left -= clip
    while left > 0:
        count = min(left, rng.randrange(1, length + 1))
        parts.append((count, rng.choice('MMMMMMI=X')))
        left -= count
        if rng.random() < .3:
            parts.append((rng.choice([0, 1, 1, 2, 5, 299, 300, 301, 400]),
                          rng.choice('DDNP')))
        if left > 0 and rng.random() < .05:
            parts.append((left, 'S'))
            left = 0
    if rng.random() < .1:
        parts.append((rng.randrange(1, 40), 'H'))
    return ''.join(f'{count}{op}' for count, op in parts)


FLAGS = [0, 16, 4, 99, 147, 83, 163, 99, 147, 83, 163, 97, 145, 65, 129, 113,
         177, 73, 133, 77, 141, 1024 + 99, 512 + 147, 2048 + 99, 2048 + 16,
         256 + 16, 256 + 99, 1, 1 + 64 + 128, 64, 128]


def record_of(rng, number, length, pos, kind):
    flag = rng.choice(FLAGS) if kind != 'wild' else rng.randrange(4096)
    bases = ''.join(rng.choices(
        kind == 'iupac' and 'ACGTNMRSVWYHKDB' or 'ACGTN',
        k=length, weights=None if kind == 'iupac' else [9, rng.randrange(1, 9),
                                                        9, 9, 1]))
    quality = ''.join(rng.choices('!#,:FJ~' if kind == 'wild' else '#,:F',
                                  k=length))
    cigar = cigar_of(rng, length)
    if rng.random() < .03:
        bases = quality = '*'
    if kind != 'all' and rng.random() < .05:
        quality = '*'
    rname = rng.choice(['chr1', 'chr1', 'chr1', 'chr2'])
    mate = rng.choice(['=', '=', '=', 'chr1', 'chr2'])
    size = rng.choice([0, 1, 150, 150, 151, 300, 310, 320, 7999, 8000, 8001,
                       90000, rng.randrange(600)])
    fields = [f'r{number}', flag, rname, pos, rng.choice([0, 3, 60, 255]),
              cigar, mate, rng.choice([pos, pos, pos + 1, max(1, pos - 1),
                                       rng.randrange(1, 90000)]),
              rng.choice([1, -1]) * size, bases, quality]
    if rng.random() < .7:
        fields.append('RG:Z:g')
    if rng.random() < .8:
        fields.append('NM:i:%d' % rng.choice([0, 1, 2, 130, 256, 40000, 70000]))
    if rng.random() < .1:
        fields.append('XB:B:c,1,2,-3')
    return '\t'.join(str(field) for field in fields)


def random_sam(rng, count, kind):
    lengths = {'long': [5, 310, 1000, 2500], 'all': [100]}.get(
        kind, [1, 35, 50, 99, 100, 199, 200, 250, 310])
    pos = 1
    lines = []
    for number in range(count):
        pos = pos + rng.randrange(20) if kind != 'unsorted' else \
            rng.randrange(1, 90000)
        lines.append(record_of(rng, number, rng.choice(lengths), pos, kind))
    if kind == 'pairs':
        lines = [line for line in lines for _ in range(2)]
    lines.sort(key=lambda line: line.split('\t')[2] == 'chr2'
               if kind != 'unsorted' else 0)
    return HEADER + ''.join(line + '\n' for line in lines)


def write(name, data):
    with open(name, 'wb') as file:
        file.write(data if isinstance(data, bytes) else data.encode())


def make(seed, kind, count):
    rng = random.Random(f'{seed} {kind}')
    write('a.sam', random_sam(rng, count, kind))
    run(['samtools', 'view', '-b', '-o', 'a.bam', 'a.sam'])
    return rng


# ---- tests ----

def try_kind(seed, kind, count):
    rng = make(seed, kind, count)
    wanted = theirs('a.bam')
    for name in 'a.bam', 'a.sam':
        more = rng.choice([[], ['-j1'], ['-j3', '--chunk-size=4096'],
                           ['-j2', '--chunk-size=70001'],
                           ['--memory-limit=40M']])
        got = ours(*more, name)
        holds(got is not None and got == wanted, f'{seed}: {kind} {name} {more}',
              first_difference(got, wanted))
    return wanted


def try_parts(wanted):
    """A pipe; shards; states; several inputs beside samtools cat."""
    with open('a.bam', 'rb') as file:
        done = subprocess.run([GPUHIST, *FORMAT], stdin=file,
                              capture_output=True, check=False)
    holds(sections(done.stdout) == wanted, 'a pipe', done.stderr)
    for i in 1, 2, 3:
        run([GPUHIST, *FORMAT, f'--shard={i}/3', f'--state=s{i}', 'a.bam'])
    got = run([GPUHIST, '--merge', FORMAT[1], 's1', 's2', 's3'])
    holds(sections(got.stdout) == wanted, 'shards', got.stderr)
    run([GPUHIST, *FORMAT, '--state=s', 'a.bam', 'a.sam'])
    got = run([GPUHIST, '--merge', FORMAT[1], 's'])
    both = ours('a.bam', 'a.sam')
    holds(sections(got.stdout) == both, 'a state', got.stderr)
    # Each file begins anew, which samtools does not know: the files are sorted.
    run(['samtools', 'cat', '-o', 'both.bam', 'a.bam', 'a.bam'])
    two = theirs('both.bam')
    holds(both.replace('is sorted:\t1', 'is sorted:\t0') ==
          two.replace('is sorted:\t1', 'is sorted:\t0'), 'two inputs',
          first_difference(both, two))


def try_empty():
    write('a.sam', HEADER)
    run(['samtools', 'view', '-b', '-o', 'a.bam', 'a.sam'])
    for name in 'a.bam', 'a.sam':
        got, wanted = ours(name), theirs(name)
        holds(got is not None and got == wanted, f'no records: {name}',
              first_difference(got, wanted))


def try_damaged(count):
    """One byte of the decoded records is another: no other output."""
    rng = make('damaged', 'some', 40)
    with open('a.sam', 'rb') as file:
        sam = file.read()
    plain = run(['samtools', 'view', '-b', '-u', 'a.bam']).stdout
    plain = run(['gzip', '-dc', 'a.bam']).stdout or plain
    both = 0
    for i in range(count):
        is_sam = i % 2 > 0
        data = bytearray(sam if is_sam else plain)
        at = rng.randrange(len(HEADER) + (not is_sam) * 40, len(data))
        data[at] = rng.choice(
            data if is_sam else [rng.randrange(256), data[at] ^ 1 << i % 8])
        name = 'd.sam' if is_sam else 'd.bam'
        write(name, bytes(data))
        got, wanted = ours(name), theirs(name)
        if got is None or wanted is None:
            continue
        both += 1
        if is_sam and is_changed(bytes(data)):
            continue
        if got != wanted and not is_sam:
            # Qualities that begin with 255 are absent, as samtools view says,
            # but samtools stats takes each byte for itself; so does CHK.
            run(['samtools', 'view', '-h', '-o', 'd.sam', name])
            wanted = ''.join(wanted.splitlines(True)[:3] +
                             theirs('d.sam').splitlines(True)[3:])
        holds(got == wanted, f'damage {i}: byte {at} of {name}',
              first_difference(got, wanted))
    holds(both > count // 8, 'both accept some damaged files', both)


def is_changed(sam):
    """Whether htslib reads a record as another one, as the manual says: without
    a place or a CIGAR string it is unmapped, and so is its mate."""
    for line in sam[len(HEADER):].split(b'\n'):
        fields = line.split(b'\t')
        if len(fields) > 10 and (b'*' in fields[2:7] or
                                 b'0' in (fields[3], fields[7])):
            return True
    return False


def try_where():
    """A condition is what -F is, also in a state."""
    make('where', 'some', 300)
    condition = '--where=!duplicate&&!secondary'
    wanted = theirs('a.bam', '-F', '0x500')
    got = ours(condition, 'a.bam')
    holds(got == wanted, 'a condition', first_difference(got, wanted))
    for i in 1, 2:
        run([GPUHIST, *FORMAT, condition, f'--shard={i}/2', f'--state=w{i}',
             'a.sam', 'a.bam'])
    got = run([GPUHIST, '--merge', FORMAT[1], 'w1', 'w2'])
    wanted = ours(condition, 'a.sam', 'a.bam')
    holds(sections(got.stdout) == wanted, 'a condition in states',
          (got.stderr, first_difference(sections(got.stdout), wanted)))


def write_report():
    head = run(['samtools', 'stats', 'a.bam']).stdout.decode().split('# CHK')[0]
    write('a.stats', head + theirs('a.bam'))


VERSION = version()


def main():
    seed = os.environ.get('SEED') or '1'
    rounds = 1 if IS_SHORT else int(os.environ.get('ROUNDS') or 3)
    wanted = None
    for i in range(rounds):
        for kind in 'some', 'wild', 'iupac', 'long', 'unsorted', 'all', 'pairs':
            wanted = try_kind(f'{seed}.{i}', kind, 150 if IS_SHORT else 250)
    try_parts(wanted)
    try_empty()
    try_where()
    try_damaged(40 if IS_SHORT else 250)
    write_report()


main()
