# SPDX-License-Identifier: MIT
"""jsonl_oracle.py -- --jsonl against Python's json

Each case has lines and paths; what Python reads of them, with its own order of
duplicates, is what gpuhist must count.
"""

import collections
import json
import os
import random
import subprocess
import sys

from checks import IS_SHORT, check

GPUHIST = sys.argv[1]
MISSING = object()
random.seed(20)


def run(arguments, data, status=0):
    """The rows that gpuhist prints, or what it says."""
    done = subprocess.run([GPUHIST, *arguments], input=data,
                          capture_output=True, timeout=60, check=False)
    assert done.returncode == status, (done.returncode, done.stderr)
    return done.stdout if status == 0 else done.stderr.decode()


def escape(key):
    """A key as a row of gpuhist has it; it has no backslash before t or n."""
    return key.replace(b"\t", b"\\t").replace(b"\n", b"\\n")


class Number(str):
    """A number as it stands."""


def find(value, steps):
    """The value at a path, or MISSING."""
    for step in steps:
        if isinstance(step, int):
            if not isinstance(value, list) or step >= len(value):
                return MISSING
        elif not isinstance(value, dict) or step not in value:
            return MISSING
        value = value[step]
    return value


def key_of(value):
    """The bytes that are counted; None: this is an array or an object."""
    if value is True:
        return b"true"
    if value is False:
        return b"false"
    if value is None:
        return b"null"
    if isinstance(value, str):
        # Half a pair is no character.
        pairs = value.encode("utf-16", "surrogatepass")
        return pairs.decode("utf-16", "replace").encode()
    return None


def read(line):
    return json.loads(line, parse_int=Number, parse_float=Number)


PATHS = [("a", ["a"]), ("a.b", ["a", "b"]), ("c[1]", ["c", 1]),
         ("c[0].a", ["c", 0, "a"]), ('["x.y"]', ["x.y"]),
         ('a["\\u00e9,"]', ["a", "é,"]), (".b", ["b"]), ('[""]', [""])]


def wanted(lines, steps):
    """Counter of the keys of LINES, of what is no object or array."""
    counts = collections.Counter()
    for line in lines:
        value = find(read(line), steps)
        counts[b"\\N" if value is MISSING else escape(key_of(value))] += 1
    return b"".join(b"%s\t%d\n" % pair for pair in
                    sorted(counts.items(), key=lambda p: (p[0] == b"\\N", p)))


def scalar():
    return random.choice([
        "1", "-0.5", "1e5", "12345678901234567890", "true", "false", "null",
        '""', '"text"', '"1"', '"\\u00e9\\ud83d\\ude00"', '"é€😀"', '"\\"\\\\\\/"',
        '"tab\\tline\\n"', '"\\u0000"', '"a,b:c{d}[e]"', '"c:\\\\dir"'])


def other(depth):
    """Anything, where no path leads to its text."""
    kind = random.randrange(3) if depth else 0
    if kind == 0:
        return scalar()
    inner = [other(depth - 1) for _ in range(random.randrange(4))]
    if kind == 1:
        return "[" + ", ".join(inner) + "]"
    return "{" + ",".join('"%s" : %s' % (random.choice("abcé"), value)
                          for value in inner) + "}"


def some_line():
    """An object in whose paths are scalars, or nothing."""
    members = []
    for _ in range(random.randrange(7)):
        kind = random.randrange(6)
        if kind == 0:
            members.append('"z":' + other(3))
        elif kind == 1:
            members.append('"c":[{"a":%s,"b":%s},%s]' %
                           (scalar(), other(2), scalar()))
        elif kind == 2:
            members.append('"x.y" :\t' + scalar())
        elif kind == 3:
            members.append('"\\u0062": ' + scalar())
        elif kind == 4:
            members.append('"" :' + scalar())
        else:
            members.append('"other%d":%s' % (random.randrange(9), other(1)))
    members.append('"a":{"b":%s,"é,":%s}' % (scalar(), scalar())
                   if random.randrange(2) else '"k":[]')
    random.shuffle(members)
    return "{%s}" % random.choice([",", " , "]).join(members)


def check_random(arguments):
    lines = [some_line() for _ in range(150 if IS_SHORT else 1500)]
    ends = [random.choice(["\n", "\r\n", "\n\n", " \n"]) for _ in lines]
    data = "".join(a + b for a, b in zip(lines, ends)).encode()
    data = data.rstrip(b"\n") if random.randrange(2) else data
    for path, steps in PATHS:
        if path == "a":  # an object
            continue
        got = run(["--jsonl", "-f", path, *arguments], data)
        assert got == wanted(lines, steps), (path, got[:300])


def check_tuples():
    lines = [some_line() for _ in range(300)]
    data = "\n".join(lines).encode()
    counts = collections.Counter()
    for line in lines:
        values = [find(read(line), steps) for steps in (["a", "b"], ["x.y"])]
        counts[tuple(b"\\N" if v is MISSING else escape(key_of(v))
                     for v in values)] += 1
    for arguments in ["-g", "a.b", "-f", '["x.y"]'], \
            ["--joint", "-f", 'a.b,["x.y"]']:
        rows = run(["--jsonl", *arguments], data).splitlines()
        got = {tuple(row.split(b"\t")[:2]): int(row.split(b"\t")[2])
               for row in rows}
        assert got == counts and len(rows) == len(counts), got


def check_numbers():
    """Numbers, strings of numbers, null, and what is none."""
    data = b"\n".join(b'{"n":%s}' % v for v in
                      [b"1", b"1.50", b'"2"', b'"\\u0033"', b"1e0", b"null",
                       b"true", b'"x"', b"[]", b'""', b"-0"]) + b"\n{}\n"
    assert run(["--jsonl", "-f", "n", "--dtype=num"], data) == (
        b"0\t1\n1\t2\n1.5\t1\n2\t1\n3\t1\n"
        b"\\N\t1\n\\empty\t2\n\\invalid\t3\n")


def check_weights():
    data = (b'{"k":"a","w":0.1}\n{"k":"a","w":"0.2"}\n{"k":"b","w":1e2}\n'
            b'{"w":5}\n')
    assert run(["--jsonl", "-f", "k", "--weights=w"], data) == (
        b"a\t0.3\nb\t100\n\\N\t5\n")
    data += b'{"k":"c","w":true}\n'
    says = run(["--jsonl", "-f", "k", "--weights=w"], data, 1)
    assert ("the weight at byte %d, 'true', is no number" %
            data.index(b"true")) in says, says


def check_values():
    """Objects and arrays as they stand, duplicates, lone surrogates."""
    data = (b'{"a":{ "b" : [1, 2] },"c":[ ]}\n{"a":1,"a":{"b":2}}\n'
            b'{"a":{"b":3},"a":4}\n{"a":"\\ud800x\\udc00"}\n')
    assert run(["--jsonl", "-f", "a"], data) == (
        b'4\t1\n{ "b" : [1, 2] }\t1\n{"b":2}\t1\n'
        b"\xef\xbf\xbdx\xef\xbf\xbd\t1\n")
    assert run(["--jsonl", "-f", "a.b"], data) == (
        b"2\t1\n[1, 2]\t1\n\\N\t2\n")


def check_wrong():
    """Wrong lines: the first one of the input, or counted."""
    right = b'{"a":1}\n' * 3000
    wrong = [(b'{"a":1', 0, "is an object of JSON without an end"),
             (b'{"a" 1}', 5, "is not the colon after a name"),
             (b'{"a":01}', 5, "is no number of JSON"),
             (b'{"b":nul}', 5, "is no value of JSON"),
             (b'{"b":"\\x"}', 6, "is no escape of JSON"),
             (b'{"b":"\xff"}', 6, "is no UTF-8"),
             (b'{"b":"\t"}', 6, "is a control character in a string"),
             (b'{"b":"x}', 5, "is a string without an end"),
             (b'{"b":[1}', 7, "is neither a comma nor the end of an array"),
             (b'{"b":1]', 6, "is neither a comma nor the end of an object"),
             (b"{}{}", 2, "follows the object of a line"),
             (b"[1]", 0, "is no object of JSON")]
    for i, (line, at, reason) in enumerate(wrong):
        data = right + line + b"\n" + right + line
        says = run(["--jsonl", "-f", "a", "-j%d" % (1 + i % 4),
                    "--chunk-size=4k"], data, 1)
        assert ("standard input: the text at byte %d, " %
                (len(right) + at)) in says and reason in says, says
        assert run(["--jsonl", "-f", "a", "--invalid=count"], data) == (
            b"1\t6000\n\\invalid\t2\n"), line
    data = right + b"{\n"
    assert run(["--jsonl", "-f", "a", "-g", "b", "--invalid=count"], data) == (
        b"\\N\t1\t3000\n\\invalid\t\\invalid\t1\n")
    assert run(["--jsonl", "-f", "a", "--dtype=int", "--invalid=count"],
               data) == b"1\t3000\n\\invalid\t1\n"


def check_large():
    """Numbers, strings and depths of any size, in linear time."""
    size = 1 << 20 if IS_SHORT else 1 << 24
    data = (b'{"a":"x","b":%s}\n{"a":"%s"}\n{"a":"y","b":"%s"}\n' %
            (b"9" * size, b"z" * 1000, b"\\\\" * size))
    data += b'{"a":"d","b":%s1%s}' % (b"[" * 900000, b"]" * 900000)
    assert run(["--jsonl", "-f", "a"], data) == (
        b"d\t1\nx\t1\ny\t1\n%s\t1\n" % (b"z" * 1000))


def check_files():
    """A byte order mark, ranges, shards and states of a file."""
    lines = [some_line() for _ in range(2000)]
    data = b"\xef\xbb\xbf" + "\n".join(lines).encode()
    want = wanted(lines, ["a", "b"])
    with open("data", "wb") as file:
        file.write(data)
    for arguments in ([], ["-j4", "--chunk-size=4k"], ["-j1"]):
        assert run(["--jsonl", "-f", "a.b", *arguments, "data"], b"") == want
        assert run(["--jsonl", "-f", "a.b", *arguments], data) == want
    states = []
    for i in range(3):
        states.append("state%d" % i)
        run(["--jsonl", "-f", "a.b", "--shard=%d/3" % (i + 1),
             "--state=" + states[i], "data"], b"")
    assert run(["--merge", *states], b"") == want
    comments = b"".join(b"# {\"\n" + line.encode() + b"\n" for line in lines)
    assert run(["--jsonl", "-f", "a.b", "--comment=#"], comments) == want


def check_refused():
    for options, text in (
            (["-f", "a..b"], "'a..b' is no path of a member of JSON"),
            (["-f", "a,a"], ""),
            (["-f", "a", "-z"], ""),
            (["-f", "a", "-d,"], ""),
            (["-f", "a", "--counts"], "--counts is for values"),
            ([], "")):
        says = run(["--jsonl", *options], b"{}\n", 2)
        assert text in says, says
    assert "--jsonl" in run(["--invalid=count", "--lines"], b"", 2)


if __name__ == "__main__":
    check("random lines", check_random, [])
    check("... in small chunks", check_random, ["-j3", "--chunk-size=4k"])
    check("tuples", check_tuples)
    check("numbers", check_numbers)
    check("weights", check_weights)
    check("values", check_values)
    check("wrong lines", check_wrong)
    check("large values", check_large)
    check("files", check_files)
    check("refused options", check_refused)
