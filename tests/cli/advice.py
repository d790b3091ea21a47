#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
advice.py -- what the program says of content that is something else

    advice.py PROGRAM

Prints a line "PASS name" or "FAIL name" for each test.  The files are made by
Python's own modules where these can.  Each case is tried with a file, a pipe
and, if tar and gzip are read, in an archive and compressed.
"""

import fcntl
import gzip
import io
import json
import os
import pty
import select
import sqlite3
import struct
import subprocess
import sys
import tarfile
import termios
import wave

from checks import holds

program = sys.argv[1]
has_gzip = os.environ.get('HAVE_GZIP') == 'yes'
has_archive = os.environ.get('HAVE_ARCHIVE') == 'yes'


def run(options, **how):
    return subprocess.run([program, *options], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60, **how)


def warnings(done):
    return [line[len('gpuhist: warning: '):]
            for line in done.stderr.decode().splitlines()
            if line.startswith('gpuhist: warning: ')]


# ---- the files ----

noise = bytes((i * i * 7919 >> 5 ^ i) & 255 for i in range(3001))


def database():
    connection = sqlite3.connect('made.db')
    connection.execute('create table t (a, b)')
    connection.execute("insert into t values (1, 'x')")
    connection.commit()
    connection.close()
    with open('made.db', 'rb') as file:
        return file.read()


def sound():
    memory = io.BytesIO()
    with wave.open(memory, 'wb') as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(44100)
        file.writeframes(noise[:3000])
    return memory.getvalue()


def tensors():
    header = json.dumps({'w': {'dtype': 'F32', 'shape': [10],
                               'data_offsets': [0, 40]}}).encode()
    return struct.pack('<Q', len(header)) + header + noise[:41]


table = 'city,price\nBerlin,1\nRome,2\nParis,3\n' * 5
names = 'city,price\nK\u00f6ln,1\nRome,2\nParis,3\n' * 5
safetensors = tensors()
SAM = ('@HD\tVN:1.6\tSO:coordinate\n@SQ\tSN:1\tLN:249250621\n'
       'r1\t0\t1\t100\t60\t4M\t*\t0\t0\tACGT\tIIII\n')
GENBANK = ('LOCUS       SCU49845     5028 bp    DNA             PLN\n'
           'DEFINITION  Saccharomyces cerevisiae TCP1-beta gene\n'
           'ORIGIN\n        1 gatcctccat atacaacggt\n//\n')
objects = [{'a': 1}, {'a': 2}]

WAV = 'looks like a WAV file: --skip-bytes leaves out its header, usually ' \
      '44 bytes'
TENSORS = ('looks like safetensors: --safetensors counts its arrays, '
           '--array=NAME one of them')
UTF16 = 'looks like UTF-16: iconv -f UTF-16 -t UTF-8 makes text that is read'
JSON = 'looks like JSON: --jsonl reads an object in each line'
ARRAY = "looks like an array of JSON: jq -c '.[]' makes lines for --jsonl"
SPREAD = 'looks like JSON in several lines: jq -c . makes lines for --jsonl'
BAM = 'looks like BAM: --seq counts its reads, samtools view makes text'
CRAM = 'looks like CRAM: samtools fastq makes FASTQ, samtools view makes ' \
       'text'
PARQUET = 'looks like Parquet, which is not read: convert it to CSV'
SQLITE = "looks like a database of SQLite: sqlite3 -csv FILE 'select ...' " \
         "makes CSV"

# Ways to count: those of text that take each line, that fail, and others.
LINES = (['-l'], ['-W', '-f2'], ['--csv', '-f1'], ['--words'])
SEQUENCES = (['--seq'], ['--kmers=3'])
FAILING = (['--csv', '-f', 'missing'], ['--jsonl', '-f', 'a'])
SAMPLES = (['--dtype=i2', '--partial=drop'],
           ['--record=u1,u2', '--fields=2', '--partial=drop'])
OTHERS = (['--npy'], ['--image'])
BYTES = ([], ['--dtype=u1'], ['--decompress=none'])
CLF = (['--clf', '-f', 'host'],)

not_samples = (*LINES, *SEQUENCES, *FAILING, *OTHERS, *CLF)
everything = (*not_samples, *SAMPLES)
no_sequences = (*LINES, *FAILING, *OTHERS, *CLF, *SAMPLES)

# Name, content, what is said, and for which ways to count.
cases = (
    ('Parquet', b'PAR1' + noise + b'PAR1', PARQUET, everything),
    ('encrypted Parquet', b'PARE' + noise + b'PARE', PARQUET, everything),
    ('SQLite', database(), SQLITE, everything),
    ('BAM', b'BAM\1' + noise, BAM, no_sequences),
    ('CRAM', b'CRAM\3\0' + noise, CRAM, no_sequences),
    ('WAV', sound(), WAV, everything),
    ('safetensors', safetensors, TENSORS, everything),
    ('UTF-16, little-endian, with a mark',
     b'\xff\xfe' + names.encode('utf-16-le'), UTF16, not_samples),
    ('UTF-16, big-endian, with a mark',
     b'\xfe\xff' + names.encode('utf-16-be'), UTF16, not_samples),
    ('UTF-16, little-endian', table.encode('utf-16-le'), UTF16, not_samples),
    ('UTF-16, big-endian', table.encode('utf-16-be'), UTF16, not_samples),
    ('SAM', SAM.encode(), 'looks like SAM: --seq counts its reads', OTHERS),
    ('GenBank', GENBANK.encode(),
     'looks like GenBank, which is not read: convert it to FASTA',
     (*SEQUENCES, *OTHERS)),
    ('JSON', b'{"a": 1}\n{"a": 2}\n' * 9, JSON,
     (*SEQUENCES, FAILING[0], *CLF)),
    ('an array, pretty', json.dumps(objects, indent=2).encode(), ARRAY,
     (*SEQUENCES, *FAILING, *CLF)),
    ('an array in a line', json.dumps(objects).encode() + b'\n', ARRAY,
     (*SEQUENCES, *FAILING, *CLF)),
    ('an array of strings', b'["a",\n "b"]\n', ARRAY,
     (*SEQUENCES, *FAILING, *CLF)),
    ('an object, pretty', json.dumps(objects[0], indent=2).encode(), SPREAD,
     (*SEQUENCES, *FAILING, *CLF)),
    ('an array after a mark', b'\xef\xbb\xbf[\n{"a": 1},\n{"a": 2}\n]\n',
     ARRAY, (*SEQUENCES, *FAILING, *CLF)),
)


def in_archive(content):
    memory = io.BytesIO()
    with tarfile.open(fileobj=memory, mode='w') as archive:
        for name in ('first', 'second'):
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return memory.getvalue()


def try_case(name, content, said, ways):
    with open('x', 'wb') as file:
        file.write(content)
    wrong = []
    for way in (*everything, *BYTES):
        wanted = said if way in ways else None
        tries = [('x', run([*way, 'x'])),
                 ('standard input', run([*way], input=content))]
        if has_gzip and way != ['--decompress=none']:
            with open('x.gz', 'wb') as file:
                file.write(gzip.compress(content))
            tries.append(('x.gz', run([*way, 'x.gz'])))
            tries.append(('x.gz', run(['-j3', '--chunk-size=64', *way,
                                       'x.gz'])))
        for where, done in tries:
            says = [line for line in warnings(done)
                    if 'looks like text' not in line and
                    'looks like' in line]
            want = ['%s: %s' % (where, wanted)] if wanted else []
            if says != want:
                wrong.append((way, where, says))
    holds(not wrong, name, wrong)
    wrong = [way for way in ways if warnings(run(['-q', *way, 'x']))]
    holds(not wrong, '... -q', wrong)


for case in cases:
    try_case(*case)

# ---- several, archives ----

with open('a.sam', 'w') as file:
    file.write(SAM)
with open('a.parquet', 'wb') as file:
    file.write(cases[0][1])
with open('lines', 'w') as file:
    file.write(table)
for i, name in enumerate(('b.parquet', 'c.parquet')):
    with open(name, 'wb') as file:
        file.write(b'PAR1' + noise[i:] + b'PAR1')
says = warnings(run(['-l', 'lines', 'a.parquet', 'b.parquet']))
holds(says == ['a.parquet and 1 more input: ' + PARQUET], 'two', says)
says = warnings(run(['-l', '-j4', 'a.parquet', 'lines', 'b.parquet',
                     'c.parquet']))
holds(says == ['a.parquet and 2 more inputs: ' + PARQUET], 'three', says)
says = warnings(run(['-l', '--per-file', 'lines', 'a.parquet']))
holds(says == ['a.parquet: ' + PARQUET], 'each by itself', says)
if has_archive:
    with open('x.tar', 'wb') as file:
        file.write(in_archive(cases[0][1]))
    says = warnings(run(['-l', '--members', 'x.tar']))
    holds(says == ['x.tar: first and 1 more input: ' + PARQUET],
          'in an archive', says)
done = run(['--jsonl', '-f', 'a', 'lines', 'none'])
holds('looks like' not in done.stderr.decode(), 'CSV for --jsonl: its error '
      'is enough', done.stderr)
done = run(['-l', 'a.sam', 'none'])
holds('looks like' not in done.stderr.decode(), 'lines of SAM, and a file '
      'that fails', done.stderr)

# What only looks similar.
for name, content in (
        ('zeros between NULs', b'a\0b\0' * 9), ('brackets', b'[Mon] x\n' * 9),
        ('CRAM in words', b'CRAM school\n' * 9), ('RIFF in words',
                                                   b'RIFF and WAVE\n' * 9),
        ('a long binary header', b'\xff' * 8 + b'{"a": 1}' * 9)):
    way = ['-z', '--lines'] if b'\0' in content else ['--lines']
    says = warnings(run(way, input=content))
    holds(not says, 'as it is: ' + name, says)
says = warnings(run(['--dtype=i2', '--skip-bytes=44'], input=sound()))
holds(not says, 'WAV after its header', says)

# ---- terminals ----


class Terminal:
    """PROGRAM with OPTIONS and terminals for the descriptors of TERMINALS."""

    def __init__(self, options, terminals, typed=b'', content=b'', rows=0):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ,
                    struct.pack('4H', rows, 80, 0, 0))
        pipe = {'stdin': subprocess.PIPE, 'stdout': subprocess.PIPE,
                'stderr': subprocess.PIPE}
        for name in terminals:
            pipe[name] = slave
        process = subprocess.Popen([program, *options], **pipe)
        os.close(slave)
        if typed:
            os.write(self.master, typed)
        self.screen = b''
        if process.stdin:
            process.stdin.write(content)
            process.stdin.close()
            process.stdin = None
        self.out, self.err = process.communicate(timeout=60)
        self.status = process.returncode
        while select.select([self.master], [], [], 0)[0]:
            try:
                got = os.read(self.master, 1 << 16)
            except OSError:
                break
            if not got:
                break
            self.screen += got
        os.close(self.master)

    def lines(self):
        return [line for line in self.screen.decode().split('\r\n') if line]


png = b'\x89PNG\r\n\x1a\n\0\0\0\rIHDR' + noise
npy = b'\x93NUMPY\1\0' + struct.pack('<H', 118) + (
    b"{'descr': '<u2', 'fortran_order': False, 'shape': (1500,), }").ljust(
        117) + b'\n' + noise[:3000]
bmp = b'BM' + struct.pack('<IIIIiiHHIIiiII', 54 + 48, 0, 54, 40, 4, 4, 1, 24,
                          0, 48, 0, 0, 0, 0) + noise[:48]
hints = (
    ('.npy', npy, 'a numpy file: --npy counts its values'),
    ('PNM', b'P6\n4 4\n255\n' + noise[:48], 'an image: --image counts its '
     'pixels'),
    ('BMP', bmp, 'an image: --image counts its pixels'),
    ('PNG', png, 'an image: magick IMAGE ppm:- | gpuhist --image counts its '
     'pixels'),
    ('FASTA', b'>chr1 test\nACGTACGTACGTNNNN\n', 'FASTA: --seq counts its '
     'bases, --kmers=K its k-mers'),
    ('FASTQ', b'@r1 test\nACGT\n+\nIIII\n', 'FASTQ: --seq counts its bases, '
     '--seq -f quality its qualities'),
    ('CSV', table.encode(), 'CSV: --csv -f 1 counts the values of the first '
     'column, -f NAME those of another'),
    ('tabs', table.replace(',', '\t').encode(), 'text with tabs: --tsv -f 1 '
     'counts the values of the first column, -f NAME those of another'),
    ('JSON', b'{"a": 1}\n{"a": 2}\n', 'JSON: --jsonl -f NAME counts the '
     'values of a field'),
    ('lines', b'the quick brown\nfox jumps\n', 'text: --lines counts its '
     'lines, --words its words'),
)
for name, content, hint in hints:
    with open('y', 'wb') as file:
        file.write(content)
    wanted = ['gpuhist: bytes were counted, but y looks like ' + hint]
    told = Terminal(['y'], ['stderr'])
    holds(told.status == 0 and told.lines() == wanted and
          told.out == run(['y']).stdout, 'bytes of ' + name, told.screen)
    told = Terminal([], ['stderr'], content=content)
    holds(told.lines() == ['gpuhist: bytes were counted, but standard input '
                           'looks like ' + hint], '... from a pipe',
          told.screen)
    for options in (['-q'], ['--dtype=u1'], ['--decompress=none'], ['-l']):
        told = Terminal([*options, 'y'], ['stderr'])
        holds('bytes were counted' not in told.screen.decode(),
              '... not with ' + options[0], told.screen)
    holds(run(['y']).stderr == b'', '... nobody sees it')
told = Terminal(['y', 'lines'], ['stderr'])
holds(len(told.lines()) == 1, 'two files: one line', told.lines())
with open('z', 'wb') as file:
    file.write(noise)
told = Terminal(['z'], ['stderr'])
holds(told.lines() == [], 'bytes of noise', told.screen)
told = Terminal(['-b', '4', 'z'], ['stderr'])
holds(told.lines() == [], 'bins of noise', told.screen)

with open('long', 'w') as file:
    file.writelines('%d\n' % i for i in range(30))
LONG = 'gpuhist: 30 lines: --top=20 prints the greatest counts, ' \
    '--plot=only a picture'
told = Terminal(['-l', 'long'], ['stdout', 'stderr'])
holds(told.lines()[30:] == [LONG], 'more lines than a terminal has',
      told.screen)
told = Terminal(['-l', '--state=long.state', 'long'], ['stdout', 'stderr'])
told = Terminal(['--merge', 'long.state'], ['stdout', 'stderr'])
holds(told.lines()[30:] == [LONG], '... of a state', told.screen)
told = Terminal(['-l', 'long'], ['stdout', 'stderr'], rows=30)
holds(told.lines()[30:] == [], '... than this one has', told.screen)
told = Terminal(['-l', 'long'], ['stdout', 'stderr'], rows=29)
holds(told.lines()[30:] == [LONG], '... a row less', told.screen)
for options in (['-q'], ['--top=25'], ['-n9'], ['--plot=only', '--every=8'],
                ['--plot=only'], ['--stats=only', '--every=8'],
                ['--where=1<20'], ['--output=long.out']):
    told = Terminal(['-l', *options, 'long'], ['stdout', 'stderr'])
    holds(b'lines:' not in told.screen, '... not with ' + options[0],
          told.screen)
for name in ('', 'dumb', 'xterm'):
    os.environ['TERM'] = name
    told = Terminal(['-l', '--plot=only', '--flow=show', '--every=20', 'long'],
                    ['stdout'])
    holds((b'\033' in told.screen) == (name == 'xterm'),
          "escape sequences with TERM='%s'" % name, told.screen)
for terminals in (['stdout'], ['stderr'], []):
    told = Terminal(['-l', 'long'], terminals)
    holds(b'lines:' not in told.screen + (told.err or b''),
          '... not with %d terminals' % len(terminals), told.screen)

for options in (['--format=npy', 'z'], ['--format=npy', '--dtype=u2',
                                        '--partial=drop', 'z']):
    told = Terminal(options, ['stdout'])
    holds((told.status, told.screen, told.err) == (
        2, b'', b'gpuhist: --format=npy is not for a terminal: use '
        b'--output=FILE, or redirect it\n'), ' '.join(options),
        (told.status, told.screen, told.err))
told = Terminal(['--format=npy', '--output=z.npy', 'z'], ['stdout'])
holds(told.status == 0 and not told.screen and not told.err and
      open('z.npy', 'rb').read(6) == b'\x93NUMPY', '... to a file', told.err)
told = Terminal(['--format=npy', 'z'], [])
holds(told.status == 0 and told.out[:6] == b'\x93NUMPY', '... to a pipe')

SAYS = b'gpuhist: standard input is a terminal: Ctrl-D at the start of a ' \
       b'line ends it (--help shows how to name files)\n'
for options in ([], ['-'], ['z', '-'], ['--files0-from=-'], ['--merge']):
    told = Terminal(options, ['stdin'], typed=b'\4')
    holds(told.err.startswith(SAYS), 'a terminal is read: ' +
          ' '.join(options), told.err)
told = Terminal(['--lines'], ['stdin'], typed=b'one\ntwo\none\n\4')
holds((told.status, told.out, told.err) == (0, b'one\t2\ntwo\t1\n', SAYS),
      'what was typed', (told.out, told.err))
told = Terminal(['-q'], ['stdin'], typed=b'\4')
holds(told.err == b'', '-q', told.err)
for options in (['z'], ['--version'], ['--help'], ['--list-devices']):
    told = Terminal(options, ['stdin'], typed=b'\4')
    holds(SAYS not in told.err, 'it is not read: ' + options[0], told.err)
