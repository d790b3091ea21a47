# SPDX-License-Identifier: MIT
"""text_random.py -- a GPU counts random text as the CPU does

    text_random.py GPUHIST CASES [SEED [JOBS]]

Each case is a text of pieces that are borders of something.  Some cases are the
inputs of one process, which prints the counts of each: what it counts of them,
how it divides them and the size of chunks are random, too.  JOBS processes run at
the same time.  It prints nothing, or the processes that differ, whose inputs it
leaves in a folder.
"""

import concurrent.futures
import os
import random
import shutil
import subprocess
import sys

GPUHIST = sys.argv[1]
CASES = int(sys.argv[2])
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
JOBS = int(sys.argv[4]) if len(sys.argv) > 4 else 1

# The cases of a process: a GPU takes long to start.
TOGETHER = 20

PIECES = [b'a', b'b', b'key', b'key1', b'key2', b'x' * 22, b'x' * 23,
          b'x' * 24, b'y' * 511, b'y' * 512, b'y' * 513, b'z' * 2000, b'\n',
          b'\n', b'\n', b'\n', b',', b',', b',', b' ', b'\t', b'"', b'""',
          b'",', b',"', b'\r\n', b'[', b']', b'\\', b'#', b'\0', b'\xff',
          b'GET /p?q HTTP/1.1', b'"GET /p HTTP/1.1"']
LOGS = [b'a - - [22/Nov/2026:08:01:02 +0000] "GET /p?q HTTP/1.1" 200 5',
        b'\nb key - [29/Feb/2024:08:01:60 +0000] "key" - - "a" "b"',
        b'\na b x [31/Feb/2024:08:01:60 +0000] "key" - - "a" "b"\n',
        b'\nkey1 - - [22/Nov/2026:08:01:02 +0000] "GET /p HTTP/1.1" 20',
        b'\nkey.1:80 ::1 key2 key - [22/Nov/2026:08:01:02 +0000] "" 200 5',
        b'\nkey.1:80 ::1 key - [22/Nov/2026:08:01:02 +0000] "" 200 5 x',
        b'\nkey2 1.2 key [22/Nov/2026:08:01:02 +0000] "key" 200 5']
DIVISIONS = [['-l'], ['-l', '-z'], ['--words'], ['--words', '-z'],
             ['-d', ',', '-f', '2'], ['--tsv', '-f', '1'],
             ['--tsv', '-z', '-f', '2'], ['-W', '-f', '2'], ['-W', '-f', 'NF'],
             ['-W', '-f', 'NF-1'], ['--csv', '-f', '1'], ['--csv', '-f', '2'],
             ['--csv', '-d', ' ', '-f', 'NF'], ['--clf', '-f', 'ident'],
             ['--clf', '-f', 'path'], ['--clf', '-f', 'vhost'],
             ['--clf', '-f', 'request']]

# Numbers, and what is none: also long ones, and those between two doubles.
NUMBERS = [b'1', b'12.5', b'-3', b'0.3', b'.5', b'7.', b'+2', b'1e2', b'5e-1',
           b'-0', b'0', b'99.9', b'100', b'1e22', b'1e23', b'1e-300', b'1e400',
           b'9007199254740993', b'9223372036854775807', b'9223372036854775808',
           b'12345678901234567890123', b'0.1000000000000000055511151231257827',
           b'000000000000000000000000000000000000000000001', b'nan', b'-inf',
           b'Infinity', b'12ms', b'0x1F', b'1e', b'-', b'', b' 4 ']
BINS = [['--dtype=num'], ['--dtype=int'], ['--dtype=decimal'],
        ['--bins=10', '--range=0,100'], ['--bins=7', '--range=-3,100.5'],
        ['--bins=10', '--range=0,100', '--closed=right'],
        ['--bins=10', '--range=0,100', '--numpy'], ['--bins=10'],
        ['--edges=-3,0,.3,12.5,1e22'], ['--log'],
        ['--log=2', '--subdiv=4', '--range=.25,64'],
        ['--dtype=int', '--range=-5,200'],
        ['--dtype=int', '--bins=9', '--range=-50,1000']]
SPANS = [['-d', ','], ['--tsv'], ['-W'], ['--csv']]


def make_text(source, options, pieces):
    """Pieces, most of them from a few; or the same line over and over."""
    few = source.sample(pieces, source.randint(3, len(pieces)))
    if options[0] == '--clf':
        few += LOGS * source.choice((0, len(few)))
    if source.random() < 0.3:
        line = b''.join(source.choices(few, k=source.randint(1, 8))) + b'\n'
        return line * source.randint(1, 1000)
    return b''.join(source.choices(few, k=source.choice((0, 1, 40, 4000))))


def make_numbers(source, options):
    """Lines of numbers, which have one at least, so that none is an error."""
    delimiter = {'-W': b' ', '--tsv': b'\t'}.get(options[0], b',')
    few = source.sample(NUMBERS, source.randint(1, len(NUMBERS)))
    lines = [delimiter.join([b'1'] * 4)]
    for _ in range(source.choice((0, 3, 100, 2000))):
        fields = source.choices(few, k=source.choice((1, 2, 3, 3, 3, 4)))
        if source.random() < 0.1:
            fields[0] = b'"' + fields[0] + b'"'
        if source.random() < 0.3:
            fields[-1] = b'%d' % source.randrange(10 ** source.randint(1, 20))
        lines.append(delimiter.join(fields))
    end = b'\r\n' if source.random() < 0.1 else b'\n'
    return end.join(lines) + source.choice((b'', end))


def make_options(source):
    """How to divide texts and count them; and whether they have numbers."""
    kind = source.random()
    if kind < 0.35:
        options = list(source.choice(SPANS))
        options += ['-f', str(source.randint(1, 3)), *source.choice(BINS)]
        return options, True
    if kind < 0.65:
        options = list(source.choice(SPANS))
        a, b = (str(field) for field in source.sample((1, 2, 3), 2))
        how = source.choice(('f', 'g', 'gf', 'joint', 'columns', 'numbers'))
        if how == 'columns':
            options += ['-g', a, '-f', b, '--columns=count,sum,min,max,p50']
        elif how == 'gf':
            options += ['-g', a, '-f', b, *source.choice(BINS)]
        elif how == 'numbers':
            options += ['--joint', '-f', f'{a},{b}', *source.choice(BINS)]
        else:
            options += [{'f': '-f', 'g': '-g'}.get(how, '-f'), f'{a},{b}']
            options += ['--joint'] if how == 'joint' else []
        return options, True
    options = list(source.choice(DIVISIONS))
    if source.random() < 0.2:
        options.append(f'--prefix={source.randint(1, 30)}')
    if options[0] != '--csv' and source.random() < 0.2:
        options.append('--comment=#')
    if source.random() < 0.1:
        options.append('--spectrum')
    return options, False


def count(options, folder):
    done = subprocess.run([GPUHIST, '--memory-limit=64M', *options, '--per-file',
                           *sorted(os.listdir(folder))], cwd=folder,
                          capture_output=True, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


def run(number):
    """Returns what differs in process NUMBER."""
    source = random.Random(f'{SEED} {number}')
    folder = f'case.{SEED}.{number}'
    options, has_numbers = make_options(source)
    chunk = source.choice(('333', '4096', '20000', '64Ki', '1Mi'))
    options.append(f'--chunk-size={chunk}')
    os.mkdir(folder)
    for case in range(TOGETHER):
        with open(f'{folder}/{case:03}', 'wb') as file:
            if options[0] == '--clf':
                file.write(LOGS[0] + b'\n')
            for _ in range(source.choice((1, 1, 3))):
                file.write(make_numbers(source, options) if has_numbers
                           else make_text(source, options, PIECES))
    wanted = count(['--device=cpu', *options], folder)
    got = count([*options, '--device=cuda'], folder)
    # How much memory would be needed depends on the device.
    lacks_memory = all(done[0] == 2 and b'memory-limit' in done[2]
                       for done in (wanted, got))
    if got != wanted and not lacks_memory:
        return f'{folder}: {options}: {wanted[0]}, {got[0]}, {got[2]}'
    if wanted[0] == 2 and not lacks_memory:
        return f'{options}: {wanted[2]}'
    shutil.rmtree(folder)
    return None


def main():
    with concurrent.futures.ThreadPoolExecutor(JOBS) as jobs:
        for wrong in jobs.map(run, range((CASES + TOGETHER - 1) // TOGETHER)):
            if wrong is not None:
                print(wrong)


main()
