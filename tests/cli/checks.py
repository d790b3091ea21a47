# SPDX-License-Identifier: MIT
"""checks.py -- tests of an oracle: a line "PASS name" or "FAIL name" for each

For python_checks() of tap.sh, which counts them.
"""

import collections
import os
import re
import subprocess

# Fewer cases: see tests/tap.sh.
IS_SHORT = os.environ.get("IS_SHORT") == "yes"
IS_INSTRUMENTED = os.environ.get("IS_INSTRUMENTED") == "yes"
_turns = collections.Counter()


def has_turn(n, what=None):
    """Whether to try the next of the cases WHAT, which are alike: one of N.

    N has no divisor in common with the lengths of the loops, as in tap.sh.
    """
    _turns[what] += 1
    return not IS_SHORT or _turns[what] % n == 1


def holds(passed, name, got=None):
    """One test: whether PASSED; GOT is what to print if not."""
    print("PASS" if passed else "FAIL", name, flush=True)
    if not passed:
        print("#", repr(got)[:600].replace("\n", " "), flush=True)


def check(name, function, *arguments):
    """One test: FUNCTION, which raises what it has to complain about."""
    why = None
    try:
        function(*arguments)
    except Exception as raised:  # a reader's own, too
        why = raised
    holds(why is None, name, why)


def row_of(value):
    """The key VALUE, or None, as a row has it."""
    if value is None:
        return rb"\N"
    value = re.sub(rb"\\(?=[tn\\NiEe]|$)", rb"\\\\", value)
    return value.replace(b"\t", rb"\t")


def counted_keys(program, *arguments):
    """The counts of the keys that PROGRAM prints, or what went wrong."""
    done = subprocess.run([program, "-q", "--device=cpu", *arguments],
                          capture_output=True, check=False)
    if done.returncode != 0:
        return done.stderr.decode(errors="replace")
    rows = (row.rpartition(b"\t") for row in done.stdout.splitlines())
    return {key: int(count) for key, _, count in rows}
