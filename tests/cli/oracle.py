# SPDX-License-Identifier: MIT
"""oracle.py -- what the oracles in Python share: tests, and runs of gpuhist

Some run gpuhist on the device that GPUHIST_TEST_DEVICE names.
"""

import concurrent.futures
import itertools
import os
import subprocess

COMMAND = [os.environ['GPUHIST']]
if os.environ.get('GPUHIST_TEST_DEVICE'):
    COMMAND.append('--device=' + os.environ['GPUHIST_TEST_DEVICE'])
tests = []
# A GPU takes a while to start: several at a time.
threads = concurrent.futures.ThreadPoolExecutor(4)


# ---- tests ----

def ok(name, wrong):
    """One test; WRONG is what is wrong, or gets it from another thread."""
    tests.append((name, wrong))


def test(name, check, *arguments, **named):
    """One test: CHECK, in another thread, returns None or what is wrong."""
    ok(name, threads.submit(check, *arguments, **named))


def skip(name, reason):
    ok(name + ' # SKIP ' + reason, None)


def put_tests():
    for i, (name, wrong) in enumerate(tests):
        if isinstance(wrong, concurrent.futures.Future):
            wrong = wrong.result()
        print('%sok %d - %s' % ('not ' if wrong else '', i + 1, name))
        if wrong:
            print('#', str(wrong).replace('\n', '\n# '), flush=True)
    print('1..%d' % len(tests))


# ---- gpuhist ----

def run(options, data=None):
    return subprocess.run(COMMAND + options, input=data, timeout=120,
                          stdin=subprocess.DEVNULL if data is None else None,
                          capture_output=True, check=False)


def difference(got, wanted, what='line'):
    """The first line, or what else it is, that differs, or None."""
    for i, (a, b) in enumerate(itertools.zip_longest(got, wanted)):
        if a != b:
            return '%s %d of %d: %r, wanted %r' % (what, i + 1, len(wanted), a,
                                                   b)
    return None


def prints(options, wanted, data=None):
    """Whether gpuhist prints the lines WANTED and nothing else."""
    result = run(options, data)
    if result.returncode != 0 or result.stderr:
        return '%s: status %d %s' % (options, result.returncode,
                                     result.stderr.decode())
    wrong = difference(result.stdout.decode().splitlines(), wanted)
    return wrong and '%s: %s' % (options, wrong)
