# SPDX-License-Identifier: MIT
"""group_lines.py -- random lines of keys, for oracles of groups

For scripts that get GPUHIST as their first argument.
"""

import collections
import subprocess
import sys

GPUHIST = sys.argv[1]
SPECIAL = "\\N"
OTHER = "\\other"


def run(*options, data=b""):
    done = subprocess.run([GPUHIST, "-q", *options], input=data,
                          capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, (options, done.stderr)
    return done.stdout.decode()


def place(key):
    """Keys ascend, and records without the field follow."""
    return (key is None, key or "")


def show(key):
    return SPECIAL if key is None else key


def records(rng, count, keys, kinds, shape):
    """Rows of KEYS keys, some cut short; a small SHAPE makes some keys hot."""
    rows = []
    for _ in range(count):
        row = [str(int(rng.paretovariate(shape)) % kinds) for _ in range(keys)]
        rows.append(row[:rng.randrange(1, keys + 1)]
                    if rng.random() < 0.05 else row)
    return rows


def count_of(rows, keys):
    return collections.Counter(tuple(row + [None] * (keys - len(row)))
                               for row in rows)


def data_of(rows):
    return "".join("\t".join(row) + "\n" for row in rows).encode()
