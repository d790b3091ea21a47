# SPDX-License-Identifier: MIT
"""log_format_oracle.py -- --log-format against Python's re

Random patterns over random lines: Python's expression for a value is the
shortest text before what follows, and the whole line must match.
"""

import collections
import random
import re
import sys
import tempfile

from checks import IS_SHORT, counted_keys, holds, row_of

GPUHIST = sys.argv[1]
random.seed(43)
CASES = 60 if IS_SHORT else 2000
TEXTS = [' ', ' ', ' - ', '] ', ' [', '"', '" ', ' "', '" "', ': ', '|', ',',
         '=', '\t', '.', 'ab', '::']
BYTES = b'ab0 -"\\[]:|,=.\xc3\xa9'
SPELLINGS = ['${%s}', '%%{%s}', '%%{%s}o']


def pattern():
    """The spelling, the texts before and after the names, and the names."""
    count = random.randint(1, 5)
    texts = [random.choice(TEXTS + ['']) for _ in range(count + 1)]
    for i in range(1, count):
        texts[i] = texts[i] or ' '
    return random.choice(SPELLINGS), texts, [f'n{i}' for i in range(count)]


def expression(texts, names):
    """The parts of a line, one after the other: a text, and then its value."""
    parts = []
    for i in range(len(names)):
        after = texts[i + 1]
        is_quoted = texts[i].endswith('"') and after.startswith('"')
        byte = r'(?:\\.|[^\\]|\\$)' if is_quoted else '.'
        parts.append((byte, after))
    return parts


def match(texts, parts, line):
    """The values of LINE, or None."""
    before = texts[0].encode()
    if not line.startswith(before):
        return None
    at = len(before)
    values = []
    for byte, after in parts:
        after = after.encode()
        if not after:
            values.append(line[at:])
            at = len(line)
            continue
        found = re.compile(b'(' + byte.encode() + b'*?)' + re.escape(after),
                           re.DOTALL).match(line, at)
        if not found:
            return None
        values.append(found.group(1))
        at = found.end()
    return values if at == len(line) else None


def line_of(texts, names):
    """A line that may fit."""
    def value():
        return bytes(random.choices(BYTES, k=random.randint(0, 6)))
    line = texts[0].encode()
    for text in texts[1:]:
        line += value() + text.encode()
    if random.random() < 0.2:
        line = line[:random.randint(0, len(line))]
    return line


def check(file):
    """One pattern over some lines, each of its fields."""
    spelling, texts, names = pattern()
    lines = [line_of(texts, names) for _ in range(random.randint(1, 40))]
    text = ''.join(literal.replace('\\', '\\\\') + name for literal, name in
                   zip(texts, [spelling % name for name in names] + ['']))
    parts = expression(texts, names)
    file.seek(0)
    file.truncate()
    file.write(b''.join(line + random.choice([b'\n', b'\r\n'])
                        for line in lines))
    file.flush()
    wanted = [collections.Counter() for _ in names]
    fits = 0
    for line in lines:
        values = match(texts, parts, line)
        is_blank = values is None and not line.strip(b' \t')
        fits += values is not None or is_blank
        for i in range(len(names)):
            key = (row_of(values[i]) if values else
                   rb'\N' if is_blank else rb'\invalid')
            wanted[i][key] += 1
    i = random.randrange(len(names))
    size = random.choice([64, 4096, 65536])
    got = counted_keys(GPUHIST, random.choice(['-j1', '-j3']),
                       f'--chunk-size={size}', f'--log-format={text}', '-f',
                       names[i], file.name)
    if fits == 0 and isinstance(got, str) and 'no line fits' in got:
        return None
    if got == dict(wanted[i]):
        return None
    return f'{names[i]} of {text!r}: {got}, not {dict(wanted[i])}: {lines}'


def main():
    """Check all cases."""
    with tempfile.NamedTemporaryFile() as file:
        wrong = [check(file) for _ in range(CASES)]
    wrong = [text for text in wrong if text]
    for text in wrong[:10]:
        print('#', text[:800])
    holds(not wrong, f'{CASES} random patterns, as Python reads them')


main()
