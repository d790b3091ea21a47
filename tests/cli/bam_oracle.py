# SPDX-License-Identifier: MIT
"""bam_oracle.py -- reads of BAM and SAM, beside FASTQ and samtools

    bam_oracle.py GPUHIST

Random records as BAM (BGZF, plain, other compressions, blocks that cut records
anywhere) and as SAM must count as the FASTQ that the specification says they
are, and that `samtools fastq` makes of them.  Damaged files must be refused
with the record and its offset, and print nothing.  Prints a line for each test,
"PASS name" or "FAIL name", for the shell to count.
"""

import collections
import gzip
import os
import random
import shutil
import struct
import subprocess
import sys

from checks import IS_SHORT, holds
import bam_model as model

GPUHIST = sys.argv[1]
SAMTOOLS = shutil.which('samtools')


def run(arguments, data=None):
    return subprocess.run(
        [GPUHIST, *arguments], capture_output=True, timeout=300, check=False,
        **({'input': data} if data is not None else
           {'stdin': subprocess.DEVNULL}))


def check(passed, name, *got):
    holds(passed, name, got)


def write(name, data):
    with open(name, 'wb') as file:
        file.write(data if isinstance(data, bytes) else data.encode())


def counts(arguments, *names, data=None):
    done = run([*arguments, *names], data)
    assert done.returncode == 0 and not done.stderr, (arguments, names,
                                                      done.stderr)
    return done.stdout


def samtools(*arguments):
    return subprocess.run(['samtools', *arguments], capture_output=True,
                          check=True, stdin=subprocess.DEVNULL).stdout


# ---- random records ----

WAYS = [
    ['--seq'], ['--seq', '-f', 'name'], ['--seq', '-f', 'length'],
    ['--seq', '-f', 'gc'], ['--seq', '-f', 'quality'],
    ['--seq', '-f', 'mean-quality'], ['--seq', '-f', 'mean-error-quality'],
    ['--seq', '--joint', '-f', 'position,base'],
    ['--seq', '--joint', '-f', 'position,quality'],
    ['--seq', '--joint', '-f', 'name,sequence'],
    ['--seq', '-f', 'sequence', '--where=length>100'],
    ['--kmers=4'], ['--kmers=11', '--canonical'], ['--kmers=21'],
]


def try_records(seed, count):
    rng = random.Random(seed)
    records = model.random_records(seed, count)
    plain = model.header() + b''.join(record.bam() for record in records)
    sam = ''.join(record.sam() + '\n' for record in records)
    text = model.header_text() + sam
    write('a.bam', model.bgzf(plain))
    write('cut.bam', model.bgzf(plain, rng))
    write('plain.bam', plain)
    write('gzip.bam', gzip.compress(plain, 1))
    write('a.sam', text)
    write('crlf.sam', text.replace('\n', '\r\n'))
    write('bare.sam', sam)
    write('open.sam', text[:-1])
    write('gzip.sam', gzip.compress(text.encode(), 1))
    names = ['a.bam', 'cut.bam', 'plain.bam', 'gzip.bam', 'a.sam', 'crlf.sam',
             'bare.sam', 'open.sam', 'gzip.sam']
    variants = [
        ([], [r.fastq() for r in records if r.is_primary()]),
        (['--all-alignments'], [r.fastq() for r in records]),
        (['--as-aligned'], [r.fastq(True) for r in records if r.is_primary()]),
        (['--as-aligned', '--all-alignments'],
         [r.fastq(True) for r in records]),
    ]
    for options, fastq in variants:
        write('wanted.fq', ''.join(fastq))
        for way in WAYS:
            wanted = counts(way, 'wanted.fq')
            more = rng.choice([[], ['-j1'], ['-j3'], ['--chunk-size=64K'],
                               ['-j2', '--chunk-size=70001']])
            name = rng.choice(names)
            got = counts([*way, *options, *more], name)
            check(got == wanted, f'{seed}: {name} {way} {options} {more}')
        name = rng.choice(names)
        with open(name, 'rb') as file:
            got = counts(['--seq', *options], data=file.read())
        check(got == counts(['--seq'], 'wanted.fq'), f'{seed}: a pipe, {name}')
    for name in names:
        write('wanted.fq', ''.join(variants[0][1]))
        check(counts(['--seq', '-f', 'name'], name) ==
              counts(['--seq', '-f', 'name'], 'wanted.fq'), f'{seed}: {name}')
    try_fields(seed, records, names, rng)
    return records


def try_fields(seed, records, names, rng):
    """The fields of alignments, and conditions on them."""
    def rows(name):
        counter = collections.Counter(
            str(record.fields()[name]) for record in records)
        return sorted(f'{key}\t{count}' for key, count in counter.items())

    every = ['--seq', '--all-alignments']
    for field in records[0].fields():
        name = rng.choice(names)
        if field == 'rname-number' and name == 'bare.sam':
            name = 'a.sam'  # it needs a header
        got = counts([*every, '-f', field], name).decode()
        check(sorted(got.split('\n')[:-1]) == rows(field), f'{seed}: {field}')
    try_operations(seed, records, names, rng)
    conditions = [
        (name, lambda f, name=name: f[name]) for name in model.FLAGS]
    conditions += [
        ('!' + rng.choice([word, word.lower(), word.capitalize()]),
         lambda f, name=name: not f[name])
        for word, name in zip(model.SAMTOOLS_FLAGS, model.FLAGS)]
    conditions += [
        ('!secondary&&mapq>=30',
         lambda f: not f['secondary'] and f['mapq'] >= 30),
        ('DUP||qcfail=1', lambda f: f['duplicate'] or f['qcfail']),
        ('tlen<-2147483646', lambda f: f['tlen'] < -2147483646),
        ('tlen>2147483646.5', lambda f: f['tlen'] == 2147483647),
        ('pos!=0', lambda f: f['pos'] != 0),
        ('mate-elsewhere&&mapq>=5',
         lambda f: f['mate-elsewhere'] and f['mapq'] >= 5),
        ('rname=HLA*1', lambda f: f['rname'] == 'HLA*1'),
        ('rname=\\N', lambda f: f['rname'] == '\\N'),
        ('mate-rname!=\\N', lambda f: f['mate-rname'] != '\\N'),
        ('rname=~^chr', lambda f: f['rname'][:3] == 'chr'),
        ('strand=-', lambda f: f['strand'] == '-'),
        ('read-group=g1', lambda f: f['read-group'] == 'g1'),
        ('read-group=\\N', lambda f: f['read-group'] == '\\N'),
        ('cigar=~H.*X', lambda f: 'H' in f['cigar'] and 'X' in f['cigar']),
    ]
    ways = [['--seq'], ['--seq', '-f', 'name'], ['--kmers=3']]
    for i, (condition, holds_for) in enumerate(conditions):
        wanted = ''.join(record.fastq() for record in records
                         if holds_for(record.fields()))
        write('wanted.fq', wanted)
        name = rng.choice(names)
        # A few: each condition one way, and another with the next seed.
        for way in [ways[(i + seed) % 3]] if IS_SHORT else ways:
            done = run([*way, '--all-alignments', f'--where={condition}',
                        name])
            check(done.returncode == 0 and done.stdout ==
                  counts(way, 'wanted.fq'), f'{seed}: {way} {condition}',
                  done.stderr)
    got = counts([*every, '-g', 'rname', '-f', 'length', '--columns=count,sum'],
                 rng.choice(names)).decode()
    groups = collections.defaultdict(list)
    for record in records:
        groups[record.fields()['rname']].append(len(record.bases))
    check(sorted(got.split('\n')[:-1]) == sorted(
        f'{key}\t{len(lengths)}\t{sum(lengths)}'
        for key, lengths in groups.items()), f'{seed}: groups', got)
    write('wanted.fq', ''.join(record.fastq() for record in records))
    check(counts([*every, '--joint', '-f', 'base,duplicate', '-f', 'base'],
                 rng.choice(names)).split(b'\nbase\t')[1:] != [],
          f'{seed}: bases by a flag')


def try_operations(seed, records, names, rng):
    """The operations of CIGAR strings, in threads, chunks, shards, states."""
    every = ['--seq', '--all-alignments']
    operations = [(record, op, count) for record in records
                  for count, op in record.cigar]
    ways = [
        (['-f', 'cigar-ops'], lambda r, op, count: (op,), None),
        (['-f', 'cigar-ops', '--weights=cigar-length'],
         lambda r, op, count: (op,), lambda r, op, count: count),
        (['--joint', '-f', 'cigar-length,cigar-ops', '--weights=length'],
         lambda r, op, count: (count, op),
         lambda r, op, count: len(r.bases)),
        (['-g', 'cigar-ops,read-group', '-f', 'cigar-length'],
         lambda r, op, count: (op, r.fields()['read-group'], count), None),
        (['-f', 'cigar-length', '--where=cigar-ops=D||cigar-ops=I||flag=0',
          '--where=cigar-length<5'],
         lambda r, op, count: (count,) if (op in 'DI' or r.flag == 0)
         and count < 5 else None, None),
    ]
    for way, key, weight in ways:
        counter = collections.Counter()
        for of in operations:
            if key(*of) is not None:
                counter[key(*of)] += weight(*of) if weight else 1
        wanted = sorted('\t'.join(map(str, key + (count,)))
                        for key, count in counter.items())
        name = rng.choice(names)
        more = rng.choice([['-j1'], ['-j3'], ['--chunk-size=4096'],
                           ['-j2', '--chunk-size=70001']])
        got = counts([*every, *way, *more], name)
        check(sorted(got.decode().split('\n')[:-1]) == wanted,
              f'{seed}: {name} {way} {more}', got[:200])
        for i in '12':
            counts([*every, *way, f'--shard={i}/2', f'--state=s{i}'], name)
        check(counts(['--merge'], 's1', 's2') == got, f'{seed}: states {way}')


def try_samtools(records):
    """What we have made is what samtools reads, and it makes the same."""
    if SAMTOOLS is None:
        print('PASS samtools # SKIP no samtools')
        return
    wanted = ''.join(record.fastq() for record in records
                     if record.is_primary() and record.bases
                     and record.quality is not None)
    kept = model.header() + b''.join(record.bam() for record in records
                                     if record.quality is not None)
    write('kept.bam', model.bgzf(kept))
    check(samtools('fastq', '-n', 'kept.bam').decode() == wanted,
          'samtools fastq agrees with the model')
    view = samtools('view', 'cut.bam').decode()
    check([line.split('\t')[:9] for line in view.split('\n')[:-1]] ==
          [record.sam().split('\t')[:9] for record in records],
          'samtools view prints the fields of the model')
    write('theirs.fq', samtools('fastq', '-n', 'kept.bam'))
    length = ['--where=length>0']
    for way in WAYS[:-4]:
        check(counts([*way, *length], 'kept.bam') == counts(way, 'theirs.fq'),
              f'as samtools fastq | gpuhist: {way}')
    write('theirs.bam', samtools('view', '-b', 'a.sam'))
    check(counts(['--seq'], 'theirs.bam') == counts(['--seq'], 'a.bam'),
          'BAM that samtools has written')
    write('theirs.bam', samtools('view', '-u', 'a.sam'))
    check(counts(['--kmers=5'], 'theirs.bam') == counts(['--kmers=5'], 'a.bam'),
          '... without compression')
    write('theirs.cram', b'CRAM\3\0' + bytes(20))
    done = run(["--seq", "theirs.cram"])
    check(done.stderr == b'gpuhist: theirs.cram: CRAM is not read: samtools '
          b'view -u FILE | gpuhist --seq\n' and done.returncode == 1
          and not done.stdout, 'CRAM is refused')


def try_sharing(records):
    """Shards, states, several inputs, members."""
    plain = model.header() + b''.join(record.bam() for record in records)
    write('one.bam', model.bgzf(plain))
    write('two.bam', model.bgzf(model.header() + records[0].bam()))
    write('none.bam', model.bgzf(model.header()))
    write('bare.bam', model.bgzf(model.header('', [])))
    names = ['one.bam', 'two.bam', 'none.bam', 'bare.bam']
    wanted = counts(['--seq'], *names)
    for shards in 2, 5:
        for i in range(1, shards + 1):
            done = run(['--seq', f'--shard={i}/{shards}', f'--state=s{i}',
                        *names])
            check(done.returncode == 0, f'shard {i} of {shards}', done.stderr)
        check(counts(['--merge'], *[f's{i}' for i in range(1, shards + 1)]) ==
              wanted, f'{shards} shards')
    counts(['--seq', '--state=all', '--all-alignments'], *names)
    done = run(['--merge', 'all', 's1'])
    check(done.returncode != 0 and b'all-alignments=1' in done.stderr,
          'a state knows what was counted', done.stderr)
    check(counts(['--merge'], 'all') ==
          counts(['--seq', '--all-alignments'], *names), 'a state')
    check(counts(['--seq'], 'none.bam') == b'', 'no record')
    mixed = counts(['--seq'], 'one.bam', 'wanted.fq')
    check(len(mixed) > 0, 'BAM and FASTQ in one run')
    write('parts.bam', open('one.bam', 'rb').read()[:-28])
    done = run(['--seq', 'parts.bam'])
    check(done.returncode == 0 and done.stdout == counts(['--seq'], 'one.bam'),
          'without the end mark of BGZF', done.stderr)


# ---- CIGAR strings that do not fit ----

def try_cigars(seed, count):
    """samtools refuses the same records, and shows the same CIGAR string."""
    rng = random.Random(seed)
    for i in range(count if SAMTOOLS else 0):
        record = good(flag=rng.choice([0, 4, 16]), bases='ACGTA'[:rng.choice(
            [0, 5, 5, 5])], reference=rng.randrange(-1, 3),
            position=rng.choice([-1, 7]), is_long=rng.random() < .6)
        record.quality = record.quality[:len(record.bases)]
        record.cigar = rng.choice([
            [], [(5, 'M')], [(4, 'M')], [(5, 'S'), (9, 'N')],
            [(2, 'M'), (3, 'D'), (3, 'X')], [(2, 'M'), (3, 'D'), (2, 'X')],
            [(5, 'M'), ((1 << 28) - 1, 'M')], [(0, 'M')]])
        data = record.bam()
        if record.is_long and rng.random() < .5:
            # Another array, or tags that are cut or damaged.
            at = data.index(b'CGBI')
            data = rng.choice([
                patched(data, at + 3, '<c', rng.choice([b'i', b'c', b'f', b'x'])),
                patched(data, at + 4, '<I', rng.choice([0, 1, 5, 1 << 28])),
                patched(data, at, '<2s', b'CH'),
                patched(data, data.index(b'NMi') + 2, '<c', b'?'),
                patched(data[:-1], 0, '<i', len(data) - 5)])
        write('c.bam', model.bgzf(model.header() + data))
        view = subprocess.run(
            [SAMTOOLS, 'view', 'c.bam'], capture_output=True, check=False,
            stdin=subprocess.DEVNULL)
        # It can count records with tags that it cannot print.
        is_good = subprocess.run(
            [SAMTOOLS, 'view', '-c', 'c.bam'], capture_output=True,
            check=False, stdin=subprocess.DEVNULL).returncode == 0
        got = run(['--seq', '-f', 'cigar', 'c.bam'])
        what = f'CIGAR {seed}/{i}: {record.sam()}'
        check(is_good == (got.returncode == 0), what, view.stderr, got.stderr)
        check(is_good == (run(['--seq', 'c.bam']).returncode == 0),
              what + ', bases')
        if view.returncode == 0:
            cigar = view.stdout.decode().split('\t')[5]
            check(got.stdout.decode() ==
                  ('\\N' if cigar == '*' else cigar) + '\t1\n', what + ' shown',
                  got.stdout, cigar)
    for text in ('3M', '5M', '*', '', 'M', '5', '4B5M', '05M', '+5M', '0M5M',
                 '268435456N5M', '268435455N5M', '5M*', '*5M', '5m', '5M ',
                 '4M1?', '2147483648M', '99999999999999999999M'):
        for flag in 0, 4:
            line = good(flag=flag).sam().split('\t')
            line[5] = text
            write('c.sam', model.header_text() + '\t'.join(line) + '\n')
            got = run(['--seq', '-f', 'cigar', 'c.sam'])
            if SAMTOOLS is None:
                continue
            view = subprocess.run(
                [SAMTOOLS, 'view', 'c.sam'], capture_output=True, check=False,
                stdin=subprocess.DEVNULL)
            what = f'SAM: CIGAR {text!r}, flag {flag}'
            check((view.returncode == 0) == (got.returncode == 0), what,
                  view.stderr, got.stderr)
            if view.returncode == 0:
                cigar = view.stdout.decode().split('\t')[5]
                check(got.stdout.decode() ==
                      ('\\N' if cigar == '*' else cigar) + '\t1\n',
                      what + ' shown', got.stdout, cigar)


# ---- formats of samtools ----

def try_formats(seed):
    """What samtools prints: of BAM, SAM, conditions, several inputs, states."""
    rng = random.Random(seed)
    records = [record for record in model.random_records(
        seed, rng.choice([1, 30, 3000])) if record.is_consistent()]
    records.sort(key=lambda record: record.reference % 4)
    plain = model.header() + b''.join(record.bam() for record in records)
    write('f.bam', model.bgzf(plain))
    write('cut.bam', model.bgzf(plain, rng))  # which samtools may not know
    write('f.sam', model.header_text() + ''.join(
        record.sam() + '\n' for record in records))
    write('twice.sam', model.header_text() + ''.join(
        record.sam() + '\n' for record in records for _ in (0, 1)))
    for tool in 'flagstat', 'idxstats':
        try_format(tool, seed, plain)


def try_format(tool, seed, plain):
    way = ['--seq', f'--format={tool}']
    wanted = samtools(tool, 'f.bam')
    for name in 'f.bam', 'cut.bam', 'f.sam':
        for more in [], ['-j3', '--chunk-size=4096']:
            check(counts([*way, *more], name) == wanted,
                  f'{seed}: samtools {tool} {name} {more}')
    check(counts(way, data=plain) == wanted, f'{seed}: {tool}, a pipe')
    check(counts(way, 'f.bam', 'f.sam') == samtools(tool, 'twice.sam'),
          f'{seed}: {tool} of two inputs')
    write('part.bam', samtools('view', '-u', '-F', '0x400', 'f.bam'))
    check(counts([*way, '--where=!dup'], 'f.bam') ==
          samtools(tool, 'part.bam'), f'{seed}: {tool}, a condition')
    write('part.bam', samtools('view', '-u', '-H', 'f.bam'))
    check(run([*way, '--where=tlen=7', 'f.bam']).stdout ==
          samtools(tool, 'part.bam'), f'{seed}: {tool}, no record')
    for i in '12':
        counts([*way, f'--shard={i}/2', f'--state=s{i}'], 'f.bam', 'f.sam')
    check(counts(['--merge', f'--format={tool}'], 's1', 's2') ==
          samtools(tool, 'twice.sam'), f'{seed}: {tool} of states')
    write('wanted.fq', '>x\nA\n')
    done = run([*way, 'f.bam', 'wanted.fq'])
    check(done.returncode == 1 and not done.stdout and done.stderr.decode() ==
          f'gpuhist: --format={tool} is of BAM and SAM; reads of FASTA and '
          'FASTQ have no flag, 1 in all\n', f'{seed}: {tool} of FASTA',
          done.stderr)


def try_headers():
    """References that the headers of inputs do not share."""
    way = ['--seq', '--format=idxstats']

    def failed(text, *names):
        done = run([*way, *names])
        check((done.returncode, done.stdout, done.stderr.decode()) ==
              (1, b'', f'gpuhist: {text}\n'), text, done.stderr)

    def header(name, *references, more=''):
        write(name, '@HD\tVN:1.6\n' + ''.join(
            f'@SQ\t{text}\n' for text in references) + more)

    header('one.sam', 'SN:a\tLN:5')
    header('two.sam', 'SN:a\tLN:5', 'M5:x\tLN:7\tSN:b')
    check(counts(way, 'one.sam', 'two.sam') ==
          b'a\t5\t0\t0\nb\t7\t0\t0\n*\t0\t0\t0\n', 'more references')
    header('three.sam', 'SN:a\tLN:6')
    failed("--format=idxstats is of inputs with one header: reference 1 is "
           "'a' with 5 bases, and 'a' with 6", 'one.sam', 'three.sam')
    header('bad.sam', 'SN:a\tLN:5', 'SN:a\tLN:5')
    failed("bad.sam: bad SAM at byte 0: the header has the reference 'a' twice",
           'bad.sam')
    for text in 'SN:a', 'LN:5', 'SN:a\tLN:x', 'SN:a\tLN:2147483648':
        header('bad.sam', text)
        failed('bad.sam: bad SAM at byte 11: the header has a line @SQ '
               'without a name (SN) or a length (LN) up to 2147483647',
               'bad.sam')
    header('bad.sam', 'SN:a\tLN:5',
           more='x\t0\tc\t1\t0\t1M\t*\t0\t0\tA\tI\n')
    failed("bad.sam: bad SAM at byte 25: record 1 names the reference 'c', "
           'which the header lacks', 'bad.sam')


# ---- damage ----

def good(**fields):
    """A record with some fields that are given."""
    record = model.Record(random.Random(4), 0)
    record.name, record.flag, record.bases = 'good', 0, 'ACGTA'
    record.quality, record.is_long = [1, 2, 3, 4, 5], False
    record.cigar, record.array = [(5, 'M')], [1, 2]
    record.reference, record.position, record.group = 0, 7, 'g1'
    for name, value in fields.items():
        setattr(record, name, value)
    return record


def patched(data, at, form, *values):
    size = struct.calcsize(form)
    return data[:at] + struct.pack(form, *values) + data[at + size:]


def try_damage():
    head = model.header()
    first = good().bam()
    second = len(head) + len(first)

    def refused(name, data, text, is_packed=True):
        write('bad.bam', model.bgzf(data) if is_packed else data)
        done = run(['--seq', 'bad.bam'])
        check((done.returncode, done.stdout, done.stderr.decode()) ==
              (1, b'', 'gpuhist: bad.bam: ' + text + '\n'), name,
              done.returncode, done.stdout[:50], done.stderr)

    def record(name, data, text):
        refused(name, head + first + data,
                f'bad BAM at byte {second}: record 2 {text}')

    size = len(first) - 4
    for value in 0, 31, -1, -(1 << 31):
        record(f'a block of {value} bytes', patched(first, 0, '<i', value),
               f'has {value} bytes, but at least 32 are needed')
    record('a block without room', patched(first, 0, '<i', 40),
           'has 40 bytes, too few for its name, CIGAR and 5 bases')
    record('a block that is too long', patched(first, 0, '<i', size + 1),
           f'is cut off in its tags, at byte {second + len(first)}')
    record('a block of 2 GB', patched(first, 0, '<i', (1 << 31) - 1),
           f'is cut off in its tags, at byte {second + len(first)}')
    record('bases that lie', patched(first, 20, '<i', 1 << 20),
           f'has {size} bytes, too few for its name, CIGAR and 1048576 bases')
    record('bases below 0', patched(first, 20, '<i', -5), 'has -5 bases')
    record('the most bases', patched(first, 20, '<i', (1 << 31) - 1),
           f'has {size} bytes, too few for its name, CIGAR and 2147483647 '
           'bases')
    record('a CIGAR that lies', patched(first, 16, '<H', 65535),
           f'has {size} bytes, too few for its name, CIGAR and 5 bases')
    record('no name', patched(first, 12, '<B', 0), 'has a name without an end')
    record('a name that is longer', patched(first, 12, '<B', 6),
           'has a name that does not end with its first NUL')
    record('a name that is shorter', patched(first, 12, '<B', 4),
           'has a name that does not end with its first NUL')
    record('an unknown reference', patched(first, 4, '<i', 3),
           'names reference 3, but the header has 3 references')
    record('a reference below -1', patched(first, 4, '<i', -2),
           'names reference -2, but the header has 3 references')
    record("an unknown reference of the mate", patched(first, 24, '<i', 77),
           "names its mate's reference 77, but the header has 3 references")
    record('a quality', good(quality=[1, 2, 3, 94, 5]).bam(),
           'has the byte 94 for quality 4 of 5')
    record('a quality that is absent later',
           good(quality=[1, 2, 3, 4, 255], flag=16).bam(),
           'has the byte 255 for quality 5 of 5')
    record('a base of the reference', good(bases='AC=TA').bam(),
           "has '=' for a base: samtools calmd -e writes it, and the base is "
           'not known')
    record('a blank in a name', good(name='a b').bam(),
           'has byte 0x20 in its name')
    record('a line in a name', good(name='a\n@b').bam(),
           'has byte 0x0a in its name')
    record('a CIGAR of fewer bases', good(cigar=[(2, 'M'), (3, 'D')]).bam(),
           'has 5 bases, but its CIGAR string is of 2')
    record('... in the tag CG',
           good(cigar=[(4, 'M'), (1, 'D')], is_long=True).bam(),
           'has 5 bases, but its CIGAR string is of 4')
    for cut in 1, 4, 35, 36, 37, 50, len(first) - 1:
        part = ('fixed fields' if cut < 36 else
                'tags' if cut > 58 else 'name, CIGAR, bases or qualities')
        record(f'cut after {cut} bytes', first[:cut],
               f'is cut off in its {part}, at byte {second + cut}')
    for cut in range(4, len(head)):
        text = len(model.header_text())
        part = ('length of its text' if cut < 8 else 'text' if cut < 8 + text
                else 'number of references' if cut < 12 + text
                else 'list of references')
        if IS_SHORT and cut % 7:
            continue
        refused(f'a header of {cut} bytes', head[:cut],
                f'bad BAM at byte 0: the header is cut off in the {part}, at '
                f'byte {cut}')
    refused('a text below 0', patched(head, 4, '<i', -1),
            'bad BAM at byte 0: the text of the header has -1 bytes')
    count = 8 + len(model.header_text())
    refused('references below 0', patched(head, count, '<i', -1),
            'bad BAM at byte 0: the header has -1 references')
    refused('too many references', patched(head, count, '<i', 1 << 30),
            'bad BAM at byte 0: the header is cut off in the list of '
            f'references, at byte {len(head)}')
    refused('a reference without a name', patched(head, count + 4, '<i', 0),
            'bad BAM at byte 0: the name of reference 1 has 0 bytes, at byte '
            f'{count + 4}')
    write('bad.bam', model.bgzf(model.header('', [('a\tb', 5)])))
    done = run(['--seq', '-f', 'rname', 'bad.bam'])
    check(done.returncode == 1 and done.stderr.decode() ==
          'gpuhist: bad.bam: bad BAM at byte 0: reference 1 has byte 0x09 in '
          'its name\n', 'the name of a reference', done.stderr)
    write('bad.bam', model.bgzf(patched(head, count + 12, '<B', 181)))
    done = run(['--seq', '-f', 'rname', 'bad.bam'])
    check(done.returncode == 1 and done.stderr.decode() ==
          'gpuhist: bad.bam: bad BAM at byte 0: the name of reference 1 does '
          'not end with a NUL\n', 'a name without a NUL', done.stderr)
    for name, data, text in (
            ('a line end in a read group', good(group='g\n').bam(),
             'has byte 0x0a in its read group'),
            ('a read group without an end', first[:-1] + b'x',
             'has a damaged tag'),
            ('a tag of no type', first.replace(b'NMi', b'NM?'),
             'has a damaged tag'),
            ('tags that are cut', first[:-1],
             f'is cut off in its tags, at byte {second - 1}')):
        write('bad.bam', model.bgzf(head + data))
        done = run(['--seq', '-f', 'read-group', 'bad.bam'])
        check(done.returncode == 1 and not done.stdout and done.stderr.decode()
              == f'gpuhist: bad.bam: bad BAM at byte {len(head)}: record 1 '
              f'{text}\n', name, done.stderr)
    write('bad.bam', model.bgzf(head + first)[:-40])
    done = run(['--seq', 'bad.bam'])
    check(done.returncode == 1 and not done.stdout
          and done.stderr.startswith(b'gpuhist: bad.bam: ')
          and done.stderr.count(b'\n') == 1, 'a block that is cut',
          done.stderr)
    write('bad.bam', model.bgzf(head + good(bases='=====').bam()))
    check(counts(['--seq', '-f', 'flag'], 'bad.bam') == b'0\t1\n',
          'bases that are not needed are not looked at')
    # Records that do not count are checked as far as their lengths.
    write('bad.bam', model.bgzf(head + good(flag=256, bases='=====').bam()))
    check(run(['--seq', 'bad.bam']).returncode == 0, 'a secondary record')
    write('bad.bam', model.bgzf(head + first))
    check(counts(['--seq', '-f', 'quality'], 'bad.bam') ==
          b'1\t1\n2\t1\n3\t1\n4\t1\n5\t1\n', 'the record itself is good')


def try_damaged_sam():
    head = model.header_text()
    first = good().sam()
    at = len(head) + len(first) + 1

    def record(name, line, text):
        write('bad.sam', head + first + '\n' + line + '\n')
        done = run(['--seq', 'bad.sam'])
        check((done.returncode, done.stdout, done.stderr.decode()) ==
              (1, b'', f'gpuhist: bad.sam: bad SAM at byte {at}: record 2 '
               f'{text}\n'), 'SAM: ' + name, done.stderr)

    def line(**values):
        fields = good().sam().split('\t')
        for name, value in values.items():
            fields[{'flag': 1, 'bases': 9, 'quality': 10}[name]] = value
        return '\t'.join(fields)

    record('an empty line', '', 'has 1 field, but SAM has 11')
    record('ten fields', '\t'.join(first.split('\t')[:10]),
           'has 10 fields, but SAM has 11')
    record('a late header', '@CO\tx', 'is a line of the header')
    for flag in '', 'x', '65536', '-1', '0x10', '99999999999':
        record(f'flag {flag}', line(flag=flag),
               f"has the flag '{flag}', which is no number up to 65535")
    record('fewer qualities', line(quality='III'),
           'has 5 bases, but 3 qualities')
    record('qualities alone', line(bases='*'), 'has 0 bases, but 5 qualities')
    record('no bases', line(bases=''), 'has an empty sequence')
    record('no quality', line(quality=''), 'has an empty quality')
    record('a digit', line(bases='AC1TA'), "has '1' in its sequence")
    record('a digit, turned', line(bases='AC1TA', flag='16'),
           "has '1' in its sequence")
    record('a quality', line(quality='II\x1fII'),
           'has the byte 31 for quality 3 of 5')
    record('a quality above', line(quality='II\x7fII'),
           'has the byte 127 for quality 3 of 5')
    for name, value, what in (
            ('pos', '-1', 'position'), ('pos', '2147483648', 'position'),
            ('mapq', '256', 'mapping quality'), ('mapq', '', 'mapping quality'),
            ('tlen', '-', 'template length'), ('tlen', '2147483648',
                                               'template length')):
        fields = line().split('\t')
        fields[{'pos': 3, 'mapq': 4, 'tlen': 8}[name]] = value
        write('bad.sam', head + first + '\n' + '\t'.join(fields) + '\n')
        done = run(['--seq', '-f', 'mapq', 'bad.sam'])
        check((done.returncode, done.stdout, done.stderr.decode()) ==
              (1, b'', f'gpuhist: bad.sam: bad SAM at byte {at}: record 2 has '
               f"the {what} '{value}'\n"), f'SAM: {name} {value}',
              done.stderr)
    for cigar, text in (
            ('4M', 'has 5 bases, but its CIGAR string is of 4'),
            ('5m', "has the CIGAR string '5m'"),
            ('', "has the CIGAR string ''")):
        fields = line().split('\t')
        fields[5] = cigar
        record(f'CIGAR {cigar}', '\t'.join(fields), text)
    record('=', line(bases='AC=TA'),
           "has '=' for a base: samtools calmd -e writes it, and the base is "
           'not known')
    write('odd.sam', line(bases='acgtn') + '\n' + line(bases='.uEx*'[:4] + 'a')
          + '\n')
    check(counts(['--seq'], 'odd.sam') == b'A\t2\nC\t1\nG\t1\nN\t5\nT\t1\n',
          'SAM: letters that BAM cannot have are N')


# ---- main ----

os.environ.setdefault('LC_ALL', 'C')
made = try_records(1, 400)
try_samtools(made)
try_sharing(made)
for number in range(2, 3 if IS_SHORT else 12):
    try_records(number, random.Random(number).randrange(
        1, 400 if IS_SHORT else 2000))
for number in range(1, 4 if SAMTOOLS else 0):
    try_formats(number)
try_cigars(1, 40 if IS_SHORT else 2000)
try_headers()
try_damage()
try_damaged_sam()
