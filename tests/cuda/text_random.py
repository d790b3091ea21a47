"""text_random.py -- a GPU counts the keys of random text as the CPU does

    text_random.py GPUHIST CASES [SEED]

Each case is a text of pieces that are borders of something, a way to divide it
and a size of chunks.  It prints nothing, or the first case that differs, and
leaves it in the file "case".
"""

import random
import subprocess
import sys

GPUHIST = sys.argv[1]
CASES = int(sys.argv[2])
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1

PIECES = [b'a', b'b', b'key', b'key1', b'key2', b'x' * 22, b'x' * 23,
          b'x' * 24, b'y' * 511, b'y' * 512, b'y' * 513, b'z' * 2000, b'\n',
          b'\n', b'\n', b'\n', b',', b',', b',', b' ', b'\t', b'"', b'""',
          b'",', b',"', b'\r\n', b'[', b']', b'\\', b'#', b'\0', b'\xff',
          b'GET /p?q HTTP/1.1', b'"GET /p HTTP/1.1"']
DIVISIONS = [['-l'], ['-l', '-z'], ['--words'], ['--words', '-z'],
             ['-d', ',', '-f', '2'], ['--tsv', '-f', '1'],
             ['--tsv', '-z', '-f', '2'], ['-W', '-f', '2'], ['-W', '-f', 'NF'],
             ['-W', '-f', 'NF-1'], ['--csv', '-f', '1'], ['--csv', '-f', '2'],
             ['--csv', '-d', ' ', '-f', 'NF'], ['--clf', '-f', '2'],
             ['--clf', '-f', 'path'], ['--clf', '-f', 'request']]
PREFIXABLE = ('-l', '-d', '--tsv', '-W')


def make_text(source):
    """Pieces, most of them from a few; or the same line over and over."""
    few = source.sample(PIECES, source.randint(3, len(PIECES)))
    if source.random() < 0.3:
        line = b''.join(source.choices(few, k=source.randint(1, 8))) + b'\n'
        return line * source.randint(1, 1000)
    return b''.join(source.choices(few, k=source.choice((0, 1, 40, 4000))))


def make_options(source):
    """How to divide and count it."""
    options = list(source.choice(DIVISIONS))
    if options[0] in PREFIXABLE and source.random() < 0.2:
        options.append(f'--prefix={source.randint(1, 30)}')
    if options[0] != '--csv' and source.random() < 0.2:
        options.append('--comment=#')
    if source.random() < 0.1:
        options.append('--spectrum')
    return options


def count(options):
    done = subprocess.run([GPUHIST, '--memory-limit=64M', *options, 'case'],
                          capture_output=True, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


def main():
    source = random.Random(SEED)
    for case in range(CASES):
        options = make_options(source)
        chunk = source.choice(('333', '4096', '20000', '64Ki', '1Mi'))
        options.append(f'--chunk-size={chunk}')
        with open('case', 'wb') as file:
            for _ in range(source.choice((1, 1, 3))):
                file.write(make_text(source))
        wanted = count(['--device=cpu', *options])
        got = count([*options, '--device=cuda'])
        if got != wanted:
            print(f'case {case}, seed {SEED}: {options}: {got[0]}, {got[2]}')
            return


main()
