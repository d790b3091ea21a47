#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
times.py -- pictures of keys that are times: in order, and with their gaps

    times.py PROGRAM

Prints a line "PASS name" or "FAIL name" for each test.  What is wanted comes of
Python's datetime.
"""

import datetime
import os
import random
import re
import subprocess
import sys

from checks import IS_SHORT, holds

program = sys.argv[1]
random.seed(9)
BEGIN = datetime.datetime(2024, 2, 28, 22, 51, 7)


def draw(keys, lines, *options):
    """The names of the bars and their counts."""
    done = subprocess.run(
        [program, '--plot=only', '--lines', *options],
        input=''.join(key + '\n' for key in keys).encode(),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60,
        env=dict(os.environ, COLUMNS='100', LINES=str(lines)))
    if done.returncode or done.stderr:
        return [(done.returncode, done.stderr)]
    rows = done.stdout.decode().splitlines()[1:]
    return [re.fullmatch(r'(.*?) +(\d+)( [-=]*)?', row).group(1, 2)
            for row in rows]


units = (
    ('days', '%Y-%m-%d', datetime.timedelta(days=1)),
    ('hours', '%Y-%m-%dT%H', datetime.timedelta(hours=1)),
    ('hours', '%Y-%m-%d %H', datetime.timedelta(hours=1)),
    ('minutes', '%Y-%m-%dT%H:%M', datetime.timedelta(minutes=1)),
    ('minutes', '%Y-%m-%d %H:%M+0100', datetime.timedelta(minutes=1)),
    ('seconds', '%Y-%m-%dT%H:%M:%S', datetime.timedelta(seconds=1)),
    ('seconds', '%Y-%m-%dT%H:%M:%SZ', datetime.timedelta(seconds=1)),
    ('seconds', '%Y-%m-%dT%H:%M:%S-02:30', datetime.timedelta(seconds=1)),
)


def wanted(steps, counts, form, step, words, longest):
    """The rows, where longer gaps than LONGEST are one."""
    rows = []
    before = None
    for at in steps:
        gap = at - before - 1 if before is not None else 0
        if gap > longest:
            rows.append(('(%d %s)' % (gap, words), '0'))
        else:
            rows += [((BEGIN + (before + 1 + i) * step).strftime(form), '0')
                     for i in range(gap)]
        rows.append(((BEGIN + at * step).strftime(form), str(counts[at])))
        before = at
    return rows


for words, form, step in units:
    wrong = []
    for _ in range(5 if IS_SHORT else 30):
        steps = sorted(random.sample(range(random.choice((9, 30, 2000))), 7))
        counts = {at: random.randint(1, 9) for at in steps}
        keys = [(BEGIN + at * step).strftime(form) for at in steps
                for _ in range(counts[at])]
        random.shuffle(keys)
        for lines in (9, 10, 12, 16, 24, 50, 3000):
            room = lines - 2
            rows = None
            # As many gaps as fit have a row for each time.
            for longest in range(min(room, 2000), 0, -1):
                rows = wanted(steps, counts, form, step, words, longest)
                if len(rows) <= room:
                    break
            else:
                rows = [row for row in rows if row[1] != '0']
            got = draw(keys, lines)
            if got != rows:
                wrong.append((lines, got, rows))
    holds(not wrong, '%s as %s' % (words, form), wrong[:1])

# More times than fit share bars, which start where people would have them.
SPANS = [datetime.timedelta(**span) for span in (
    *({'seconds': n} for n in (2, 5, 10, 15, 30)),
    *({'minutes': n} for n in (1, 2, 5, 10, 15, 30)),
    *({'hours': n} for n in (1, 2, 3, 6, 12)), *({'days': n} for n in (1, 2)),
    *({'weeks': n} for n in (1, 2, 4, 8, 16, 32, 64, 128)))]
MONDAY = datetime.datetime(1969, 12, 29)


def shared(times, form, step, room):
    """The rows of TIMES, which end where STEP does."""
    for span in SPANS:
        if span <= step:
            continue
        weeks = span % datetime.timedelta(weeks=1) == datetime.timedelta()
        origin = MONDAY if weeks else datetime.datetime(1970, 1, 1)
        bars = [(at - origin) // span for at in times]
        if max(bars) - min(bars) < room:
            return [((origin + bar * span).strftime(form), str(bars.count(bar)))
                    for bar in range(min(bars), max(bars) + 1)]
    return None


for words, form, step in units:
    wrong = []
    for _ in range(5 if IS_SHORT else 20):
        steps = [at for at in range(random.choice((50, 400, 5000)))
                 if at * 7 // 100 % 3 and random.random() < 0.8]
        start = datetime.datetime(2024, 2, 28, 22, 51, 7) if step.seconds \
            else datetime.datetime(2024, 2, 28)
        start -= (start - datetime.datetime(1970, 1, 1)) % step
        times = [start + at * step for at in steps
                 for _ in range(random.randint(1, 3))]
        keys = [at.strftime(form) for at in times]
        random.shuffle(keys)
        for lines in (9, 24, 33):
            if len(steps) > lines - 2:
                got = draw(keys, lines)
                rows = shared(times, form, step, lines - 2)
                if got != rows:
                    wrong.append((lines, got, rows))
    holds(not wrong, '%s as %s that share bars' % (words, form), wrong[:1])

minutes = [(BEGIN + at * datetime.timedelta(minutes=1)).strftime(
    '%Y-%m-%dT%H:%M') for at in range(100) for _ in range(at * 37 % 11 + 1)]
rows = draw(minutes + ['1970-01-01T00:00'], 24)
names = [name for name, _ in rows]
holds(len(rows) == 22 and names[-1] == '\\other' and
      names[:-1] == sorted(names[:-1]), 'one far away: the greatest, in order',
      rows)
holds(sum(int(count) for _, count in rows) == len(minutes) + 1,
      '... the counts add up', rows)
rows = draw(minutes, 24, '--top=9')
holds([name for name, _ in rows[:-1]] == sorted(name for name, _ in rows[:-1]),
      '--top: in order', rows)
rows = draw(minutes, 24, '--sort=count')
amounts = [int(count) for _, count in rows[:-1]]
holds(amounts == sorted(amounts, reverse=True), '--sort=count: by count', rows)
some = ['2024-02-28', '2024-03-02', '2024-03-02']
holds(draw(some, 24, '--nonzero') == [('2024-02-28', '1'),
                                      ('2024-03-02', '2')],
      '--nonzero: no empty rows', draw(some, 24, '--nonzero'))
for name, keys in (
        ('no such day', ['2023-02-27', '2023-02-30']),
        ('no such hour', ['2024-02-27T00', '2024-02-27T24']),
        ('two forms', ['2024-02-27', '2024-02-29T00']),
        ('two zones', ['2024-02-27T00Z', '2024-02-27T09+01']),
        ('words', ['2024-02-27x', '2024-02-29x']),
        ('fractions', ['2024-02-27T00:00:00.5', '2024-02-27T00:00:09.25'])):
    got = draw(keys, 24)
    holds(got == [(key, '1') for key in keys], 'no gaps: ' + name, got)
