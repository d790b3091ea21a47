# SPDX-License-Identifier: MIT
"""regex_oracle.py -- --regex and --matches against Python's re and grep -oP

Random expressions over random lines, of what all three understand alike:
groups are not repeated, since Python keeps other groups of a repetition than
Perl.
"""

import collections
import os
import random
import re
import subprocess
import sys
import tempfile

from checks import IS_SHORT, counted_keys, holds, row_of

GPUHIST = sys.argv[1]
random.seed(43)
CASES = 60 if IS_SHORT else 3000
ATOMS = ['a', 'b', 'c', '1', '2', ' ', '=', '"', '.', r'\d', r'\w', r'\s',
         '[abc]', '[^a]', r'[\d-]', r'\.', r'\W', 'ab', 'b=']
REPEATS = ['', '', '', '*', '+', '?', '{2}', '{1,3}', '*?', '+?', '??']
BYTES = b'aabbc12 .="-\xc3\xa9'


def piece(depth):
    """An atom, perhaps repeated, or a group."""
    what = random.random()
    if depth > 0 and what < 0.15:
        return '(' + expression(depth - 1) + ')'
    if depth > 0 and what < 0.25:
        return '(?:' + flat(depth - 1) + ')' + random.choice(REPEATS)
    if what < 0.3:
        return random.choice([r'\b', '^', '$'])
    return random.choice(ATOMS) + random.choice(REPEATS)


def flat(depth):
    """An expression without groups."""
    return '|'.join(''.join(random.choice(ATOMS) + random.choice(REPEATS)
                            for _ in range(random.randint(1, 3)))
                    for _ in range(1 + (depth > 0 and random.random() < 0.4)))


def expression(depth=2):
    """Pieces, one after the other, or alternatives of them."""
    return '|'.join(''.join(piece(depth) for _ in range(random.randint(1, 3)))
                    for _ in range(1 + (random.random() < 0.2)))


def lines():
    """Random lines, some of which end with a carriage return."""
    return b''.join(
        bytes(random.choices(BYTES, k=random.randint(0, 24))) +
        random.choice([b'\n', b'\n', b'\r\n'])
        for _ in range(random.randint(0, 60)))


def own_lines(data):
    """The lines of DATA as gpuhist has them."""
    return [line.removesuffix(b'\r') for line in data.split(b'\n')[:-1]]


def check_groups(name, text, data, groups):
    """Each group of the first match in each line."""
    pattern = re.compile(text.encode())
    for group in range(groups + 1):
        wanted = collections.Counter()
        for line in own_lines(data):
            match = pattern.search(line)
            wanted[row_of(match.group(group) if match else None)] += 1
        size = random.choice([64, 4096, 65536])
        got = counted_keys(GPUHIST, random.choice(['-j1', '-j3']),
                           f'--chunk-size={size}', f'--regex={text}', '-f',
                           str(group), name)
        if got != wanted:
            return f'group {group} of {text!r}: {got}, not {dict(wanted)}'
    return None


def check_matches(name, text, data):
    """All matches of each line, as grep -o prints them."""
    environment = dict(os.environ, LC_ALL='C')
    plain = b''.join(line + b'\n' for line in own_lines(data))
    done = subprocess.run(['grep', '-aoP', '-e', text], input=plain,
                          env=environment, capture_output=True)
    if done.returncode > 1:
        return None
    wanted = collections.Counter(
        row_of(line) for line in done.stdout.split(b'\n')[:-1])
    size = random.choice([64, 4096])
    got = counted_keys(GPUHIST, '-j2', f'--chunk-size={size}',
                       f'--matches={text}', '-f0', name)
    if got != wanted:
        return f'matches of {text!r}: {got}, not {dict(wanted)}'
    return None


def main():
    """Check all cases."""
    wrong = []
    grep = subprocess.run(['grep', '-P', 'x'], input=b'', capture_output=True)
    with tempfile.NamedTemporaryFile() as file:
        for _ in range(CASES):
            text = expression()
            data = lines()
            file.seek(0)
            file.truncate()
            file.write(data)
            file.flush()
            wrong.append(check_groups(file.name, text, data,
                                      re.compile(text).groups))
            if grep.returncode == 1:
                wrong.append(check_matches(file.name, text, data))
    wrong = [text for text in wrong if text]
    for text in wrong[:10]:
        print('#', text[:500])
    holds(not wrong, f'{CASES} random expressions, as Python and grep match')


main()
