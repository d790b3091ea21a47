# SPDX-License-Identifier: MIT
"""prom_oracle.py -- labels of --format=prom, against the lines themselves

    prom_oracle.py GPUHIST

The counts are those of collections.Counter.  The metrics are read by the parser
of this script and, where it is installed, by prometheus_client, the client of
the Prometheus project.  Prints a line for each test, "PASS name" or "FAIL
name", for the shell to count.
"""

import collections
import math
import random
import re
import statistics
import subprocess
import sys

from checks import check

try:
    from prometheus_client.parser import text_string_to_metric_families
except ImportError:
    text_string_to_metric_families = None

GPUHIST = sys.argv[1]
SAMPLE = re.compile(r'([a-zA-Z_:][a-zA-Z0-9_:]*)'
                    r'(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*",?)'
                    r'+)\})? (\S+)')
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"')


def run(*arguments, data):
    done = subprocess.run([GPUHIST, "-q", "--device=cpu"] + list(arguments),
                          input=data, capture_output=True)
    assert done.returncode == 0 and not done.stderr, (arguments, done.stderr)
    return done.stdout.decode()


def read_plainly(text):
    """(type, {(name, labels): value}), of one metric."""
    lines = text.split("\n")
    assert lines[-2:] == ["# EOF", ""], lines[-2:]
    assert lines[0].startswith("# HELP ") and lines[1].startswith("# TYPE ")
    samples = {}
    for line in lines[2:-2]:
        match = SAMPLE.fullmatch(line)
        assert match, line
        name, labels, value = match.groups()
        pairs = [(key, re.sub(r'\\(.)', lambda m: {"n": "\n"}.get(m[1], m[1]),
                              text)) for key, text in LABEL.findall(labels or "")]
        assert len(dict(pairs)) == len(pairs), line
        key = name, frozenset(pairs)
        assert key not in samples, line
        samples[key] = float(value)
    return lines[1].split()[3], samples


def read_as_client(text):
    (family,) = text_string_to_metric_families(text)
    samples = {}
    for sample in family.samples:
        key = sample.name, frozenset(sample.labels.items())
        assert key not in samples, sample
        samples[key] = sample.value
    return family.type, samples


def same(got, wanted):
    assert got[0] == wanted[0], (got[0], wanted[0])
    assert got[1].keys() == wanted[1].keys(), set(got[1]) ^ set(wanted[1])
    for key, value in wanted[1].items():
        assert got[1][key] == value or (math.isnan(value) and
                                        math.isnan(got[1][key])), key


def value_of(key):
    """The value of a label: a backslash more if the key looks special."""
    return "\\" + key if re.fullmatch(r"\\+(N|other|empty|invalid)", key) else key


generator = random.Random(44)
PIECES = ["a", "b", "é", "日", "\"", "\\", "\\N", "\\other", "\\n", "{", "}", " ",
          "=", ","]


def random_key():
    return "".join(generator.choice(PIECES)
                   for _ in range(generator.randrange(4)))


rows = [(random_key(), generator.choice(["200", "404", "\\N", ""]),
         generator.randrange(-2, 14)) for _ in range(3000)]
data = "".join("%s\t%s\t%d\n" % row for row in rows).encode()


def wanted_keys(*columns):
    counter = collections.Counter(
        frozenset(("field%d" % (c + 1), value_of(row[c])) for c in columns)
        for row in rows)
    return "counter", {("m_total", labels): count
                       for labels, count in counter.items()}


def wanted_histograms(bounds, exact):
    samples = collections.Counter()
    groups = collections.defaultdict(list)
    for row in rows:
        groups[frozenset({("field2", value_of(row[1]))})].append(row[2])
    for labels, values in groups.items():
        for bound in bounds + [math.inf]:
            le = "+Inf" if bound == math.inf else repr(float(bound))
            samples["m_bucket", labels | {("le", le)}] = sum(
                value <= bound for value in values)
        samples["m_count", labels] = len(values)
        samples["m_sum", labels] = math.nan
    assert exact is None
    return "histogram", dict(samples)


def read_gauges(text):
    """{name: {labels: value}}, by the client."""
    gauges = {}
    for family in text_string_to_metric_families(text):
        assert family.type == "gauge" and family.name not in gauges, family
        gauges[family.name] = {frozenset(sample.labels.items()): sample.value
                               for sample in family.samples}
    return gauges


def check_figures():
    groups = collections.defaultdict(list)
    for row in rows:
        groups[frozenset({("field2", value_of(row[1]))})].append(row[2])
    got = read_gauges(run("--tsv", "--header-in=none", "-g2", "-f3",
                          "--columns=count,mean,median,max", "--format=prom",
                          "--metric=m", data=data))
    figures = {"m_count": len, "m_mean": statistics.mean,
               "m_median": statistics.median, "m_max": max}
    assert got == {name: {labels: find(values)
                          for labels, values in groups.items()}
                   for name, find in figures.items()}, got


def check_top(read):
    counter = collections.Counter(row[0] for row in rows)
    chosen = sorted(counter, key=lambda key: (-counter[key],
                                              key.encode()))[:10]
    wanted = {("m", frozenset({("field1", value_of(key))})): counter[key]
              for key in chosen}
    wanted["m", frozenset({("field1", "\\other")})] = len(rows) - sum(
        counter[key] for key in chosen)
    got = run("--tsv", "--header-in=none", "-f1", "--top=10", "--format=prom",
              "--metric=m", data=data)
    same(read(got), ("gauge", wanted))


def check_keys(read, option, *columns):
    got = run("--tsv", "--header-in=none", option, "--format=prom",
              "--metric=m_total", data=data)
    same(read(got), wanted_keys(*columns))


def check_histograms(read):
    got = run("--tsv", "--header-in=none", "-g2", "-f3", "-b5", "--range=0,10",
              "--closed=right", "--format=prom", "--metric=m", data=data)
    same(read(got), wanted_histograms([0, 2, 4, 6, 8, 10], None))


READERS = [("", read_plainly)]
if text_string_to_metric_families is not None:
    READERS.append(("prometheus_client: ", read_as_client))
else:
    print("PASS prometheus_client # SKIP not installed")
for prefix, read in READERS:
    check(prefix + "one key", check_keys, read, "-f1", 0)
    check(prefix + "two keys", check_keys, read, "-g1,2", 0, 1)
    check(prefix + "groups of bins", check_histograms, read)
    check(prefix + "the most frequent keys", check_top, read)
if text_string_to_metric_families is not None:
    check("prometheus_client: figures of groups", check_figures)
