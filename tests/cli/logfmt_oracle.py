# SPDX-License-Identifier: MIT
"""logfmt_oracle.py -- --logfmt against a reader of its own

Lines are cut by a regular expression, and strings with escapes are read by
Python's json; what this finds is what gpuhist must count.
"""

import collections
import json
import random
import re
import subprocess
import sys

from checks import IS_SHORT, holds

GPUHIST = sys.argv[1]
random.seed(28)

# A key, and after an equals sign a value: in quotes, to the end, or up to a
# blank.
PAIR = re.compile(rb'([^\x00- =]*)(?:(=)(?:"((?:[^"\\]|\\.)*)("|\\?$)|'
                  rb'([^\x00- ]*)))?', re.DOTALL)
BLANKS = re.compile(rb"[\x00- ]*")


def value_of(pair):
    """The bytes of the value of a pair."""
    equals, inner, close, bare = pair.group(2, 3, 4, 5)
    if equals is None:
        return b""
    if bare is not None:
        return bare
    if close != b'"':
        return inner + close
    if b"\\" not in inner:
        return inner
    try:
        text = json.loads(b'"' + inner + b'"')
    except ValueError:
        return inner
    # Half a pair is no character.
    pairs = text.encode("utf-16", "surrogatepass")
    return pairs.decode("utf-16", "replace").encode()


def read(line):
    """The values of a line by their keys, the last one of each."""
    values = {}
    at = BLANKS.match(line).end()
    while at < len(line):
        pair = PAIR.match(line, at)
        values[pair.group(1)] = value_of(pair)
        at = BLANKS.match(line, pair.end()).end()
    return values


def escape(key):
    """A key as a row of gpuhist has it."""
    plain = re.sub(rb"\\(?=[tn\\]|$)", rb"\\\\", key)
    return plain.replace(b"\t", b"\\t").replace(b"\n", b"\\n")


def wanted(lines, keys):
    """The rows of the combinations of the values of KEYS."""
    counts = collections.Counter()
    for line in lines:
        if not line.strip(bytes(range(33))):
            continue
        values = read(line)
        counts[tuple(values.get(key) for key in keys)] += 1
    return {tuple(b"\\N" if v is None else escape(v) for v in k): n
            for k, n in counts.items()}


def counted(data, arguments):
    """The rows that gpuhist prints."""
    done = subprocess.run([GPUHIST, "--logfmt", *arguments], input=data,
                          capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, (done.returncode, done.stderr)
    rows = [row.split(b"\t") for row in done.stdout.split(b"\n")[:-1]]
    return {tuple(row[:-1]): int(row[-1]) for row in rows}


def agrees(lines, keys, *arguments):
    """Whether both find the same."""
    data = b"".join(line + b"\n" for line in lines)
    names = ",".join(key.decode() for key in keys)
    return counted(data, ["-g", names, *arguments]) == wanted(lines, keys)


PLAIN = [
    b"a=1 b=2", b"b=2 a=1", b"a=1 a=2", b"a", b"a=", b"a= b=1", b'a=""',
    b'a="x y" b="z"', b'a="x"b=1', b"  a=1\t b=2  ", b"a=1\r", b"", b" \t",
    b"aa=1", b"a.b=1 a=c", b"=1", b'a="x y', b"a=x=y b", b'b"c=1 a=q"r',
    b"a=\xff\xfe b=\xc3\xa9", b'a="\xff"',
]
ESCAPED = [
    rb'a="x\"y" b=1', rb'a="x\\" b=1', rb'a="\u00e9\ud83d\ude00" b',
    rb'a="\ud83d" b=2', rb'a="\x\"y" b=1', rb'a="\u12" b=3', rb'a="x\q"',
    rb'a="no end\" b=1', rb'a="end' + b"\\", rb'a="tab' + b"\t" + rb'\"" b=1',
    rb'a=x\"y b=1', rb'a="\b\f\/" b=2', b'a="\xff\\"" b=1',
]

holds(agrees(PLAIN, [b"a"]), "values without escapes")
holds(agrees(PLAIN, [b"a", b"b"]), "... of two keys")
holds(agrees(PLAIN, [b"a.b"]), "a key is no path")
holds(agrees(ESCAPED, [b"a"]), "strings of JSON, and others")
holds(agrees(ESCAPED, [b"b", b"a"]), "... before other keys")
holds(agrees(PLAIN + ESCAPED, [b"aa"]), "a key that few lines have")

ALPHABET = [b"a", b"b", b"=", b"=", b'"', b'"', b" ", b" ", b"\\", b"x",
            b"a=", b"b=", b'"x', b"\xff", b"\r", b"\\u0041", b"\\n"]


def noise():
    """A line that may be anything."""
    size = random.randrange(12)
    return b"".join(random.choice(ALPHABET) for _ in range(size))


is_right = True
for _ in range(20 if IS_SHORT else 200):
    some = [noise() for _ in range(200)]
    # A value that is a row of gpuhist itself would be ambiguous.
    some = [line for line in some
            if not any(b"\\" in value for value in read(line).values())]
    is_right &= agrees(some, [b"a", b"b"], "-j2", "--chunk-size=4k")
holds(is_right, "lines of noise")
