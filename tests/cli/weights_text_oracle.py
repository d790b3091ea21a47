# SPDX-License-Identifier: MIT
"""weights_text_oracle.py -- sums of decimals in text, added up by Python

    weights_text_oracle.py GPUHIST

Random fields by any threads, chunks and memory.  Fractions add up the weights;
keys, tuples, numbers and bins are found as the other oracles do.  Prints a line
for each test, "PASS name" or "FAIL name", for the shell to count.
"""

import bisect
import collections
import csv
import decimal
import fractions
import io
import json
import random
import subprocess
import sys
import threading
import time

from checks import IS_SHORT, check

GPUHIST = sys.argv[1]
decimal.getcontext().prec = 400
ZERO = fractions.Fraction(0)
LIMITS = ["9" * 38, "-" + "9" * 38, "1e-38", "-1e-38", "9" * 38 + "." + "9" * 38,
          "0." + "0" * 37 + "1", "1" + "0" * 37, "4611686018.427387903",
          "4611686018.427387904", "-4611686018.427387904", "9223372036854775808",
          "0" * 300 + "1.5" + "0" * 300, "0e999999", "-0", "+7"]


def show(number):
    """The exact decimal, without an exponent."""
    text = format(decimal.Decimal(number.numerator) /
                  decimal.Decimal(number.denominator), "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text


def make_weight(source):
    way = source.random()
    if way < .05:
        return ""
    if way < .35:
        return "%.1f" % source.uniform(-99, 99)
    if way < .55:
        return str(source.randrange(-10**source.randrange(1, 20), 10**6))
    if way < .65:
        return repr(source.gauss(0, 1e6))
    if way < .75:
        return "%.*f" % (source.randrange(39), source.random() * 1000)
    if way < .85:
        return "%de%d" % (source.randrange(-1000, 1000),
                          source.randrange(-30, 30))
    if way < .95:
        return source.choice([" ", "  "]) + str(source.randrange(10**9)) + " "
    return source.choice(LIMITS)


def weight_of(text):
    text = text.strip(" ")
    return fractions.Fraction(decimal.Decimal(text)) if text else ZERO


class Table:
    """Random records with the fields K, L, number and weight."""

    def __init__(self, seed, records=3000, keys=50, weight=make_weight):
        self.source = source = random.Random(seed)
        names = ["k%d%s" % (i, "x" * source.choice([0, 3, 30]))
                 for i in range(keys)]
        self.records = [
            [source.choice(names), source.choice("abcd"),
             source.choice(["", "12ms", str(source.randrange(100)),
                            "%.2f" % source.uniform(0, 10)]),
             weight(source)] for _ in range(records)]
        for record in self.records[::97]:
            del record[source.randrange(1, 4):]
        self.lines = "".join("\t".join(r) + "\n" for r in self.records)

    def unweighted(self):
        return sum(1 for r in self.records
                   if len(r) < 4 or not r[3].strip(" "))

    def sums(self, key):
        """The sum for each KEY(record)."""
        sums = collections.defaultdict(lambda: ZERO)
        for record in self.records:
            sums[key(record)] += weight_of((record + [""] * 4)[3])
        return sums

    def run(self, *options, data=None, how="--tsv", **more):
        source = self.source
        line = [GPUHIST, how, "--weights=4", *options,
                "--threads=%d" % source.choice([1, 2, 5]),
                "--chunk-size=%s" % source.choice(["4k", "64k", "128k"])]
        done = subprocess.run(line, input=(data or self.lines).encode(),
                              capture_output=True, **more)
        assert done.returncode == 0, (line, done.stderr)
        said = done.stderr.decode()
        count = self.unweighted()
        wanted = "%d record%s no weight\n" % (count,
                                              " has" if count == 1 else "s have")
        assert (wanted in said) == (count > 0), said
        return done.stdout.decode()

    def expect(self, rows, *options, **more):
        printed = self.run(*options, **more).splitlines()
        assert printed == rows, (options, [
            x for x in zip(printed, rows) if x[0] != x[1]][:3],
            len(printed), len(rows))


def field(number):
    return lambda record: (record[number - 1] if len(record) >= number
                           else None)


def key_rows(sums):
    rows = ["%s\t%s" % (key, show(sums[key]))
            for key in sorted(key for key in sums if key is not None)]
    return rows + (["\\N\t" + show(sums[None])] if None in sums else [])


def tables(count=4 if IS_SHORT else 12):
    for seed in range(count):
        yield Table(seed, records=[0, 1, 7, 3000, 20000][seed % 5] or 1,
                    keys=[3, 50, 5000][seed % 3])


# ---- tests ----

def keys():
    for table in tables():
        table.expect(key_rows(table.sums(field(1))), "-f1")


def long_keys_and_spilling():
    for seed in range(1 if IS_SHORT else 3):
        table = Table(seed, records=60000, keys=30000)
        rows = key_rows(table.sums(field(1)))
        table.expect(rows, "-f1", "--memory-limit=32M")
        for limit in "2M", "3M":
            table.expect(rows, "-f1", "--memory-limit=" + limit)


def ranked():
    for seed in range(1 if IS_SHORT else 3):
        table = Table(seed, records=40000, keys=20000)
        sums = table.sums(field(1))
        order = sorted((k for k in sums if k is not None),
                       key=lambda k: (-sums[k], k))
        rows = ["%s\t%s" % (k, show(sums[k])) for k in order]
        for limit in "64M", "2M":
            table.expect(rows, "-f1", "--sort=count",
                         "--memory-limit=" + limit)
            rest = sum((sums[k] for k in order[10:]), ZERO)
            table.expect(rows[:10] + ["\\other\t" + show(rest)], "-f1",
                         "--top=10", "--memory-limit=" + limit)


def tuples():
    for table in tables():
        sums = table.sums(lambda r: (field(2)(r), field(1)(r)))
        rows = []
        for pair in sorted(sums, key=lambda p: [(x is None, x or "")
                                                for x in p]):
            rows.append("\t".join("\\N" if x is None else x for x in pair) +
                        "\t" + show(sums[pair]))
        table.expect(rows, "-g2,1")
        table.expect(rows, "-g2", "-f1")
        table.expect(rows, "-f2,1", "--joint")


def number_of(text):
    try:
        return float(text) if text != "" else "\\empty"
    except ValueError:
        return "\\invalid"


def specials(sums):
    return ["%s\t%s" % (name, show(sums[name]))
            for name in ("\\N", "\\empty", "\\invalid") if name in sums]


def shown(number):
    text = repr(number)
    return text[:-2] if text.endswith(".0") else text


def read_number(record):
    return number_of(record[2]) if len(record) > 2 else "\\N"


def numbers():
    for table in tables():
        if not any(isinstance(read_number(r), float) for r in table.records):
            continue
        sums = table.sums(read_number)
        rows = ["%s\t%s" % (shown(x), show(sums[x]))
                for x in sorted(x for x in sums if isinstance(x, float))]
        table.expect(rows + specials(sums), "-f3", "--dtype=num")


def bins():
    for table in tables():
        if not any(isinstance(read_number(r), float) for r in table.records):
            continue

        def find(record, edges=tuple(range(0, 51, 5))):
            x = read_number(record)
            if isinstance(x, str):
                return x
            return (bisect.bisect_right(edges, x) - 1 if x < edges[-1]
                    else len(edges))
        sums = table.sums(find)
        rows = []
        for bin_number in range(10):
            # A bin without records is no row.
            if bin_number in sums:
                rows.append("%d\t%d\t%s" % (5 * bin_number, 5 * bin_number + 5,
                                            show(sums[bin_number])))
        if 11 in sums:
            rows.append("50\tinf\t" + show(sums[11]))
        rows += ["%s\t%s\t%s" % (n, n, show(sums[n]))
                 for n in ("\\N", "\\empty", "\\invalid") if n in sums]
        table.expect(rows, "-f3", "--range=0:50", "-b10", "--nonzero")


def ranges_that_grow():
    for table in tables():
        numbers_only = [read_number(r) for r in table.records]
        if not any(isinstance(x, float) for x in numbers_only):
            continue
        printed = [line.split("\t")
                   for line in table.run("-f3", "--bins=16").splitlines()]
        for lo, hi, total in printed:
            def is_inside(record):
                x = read_number(record)
                if isinstance(x, str) or lo.startswith("\\"):
                    return x == lo
                return float(lo) <= x < float(hi)
            assert show(table.sums(is_inside)[True]) == total, (lo, hi, total)


def every_thread_the_same():
    table = Table(77, records=20000 if IS_SHORT else 50000, keys=3000)
    first = table.run("-f1,2")
    for _ in range(6):
        assert table.run("-f1,2") == first


def snapshots():
    for options in [], ["--memory-limit=3M", "--chunk-size=64k"]:
        table = Table(9, records=30000, keys=15000)
        run = subprocess.Popen([GPUHIST, "--tsv", "-f1", "--weights=4",
                                "--every=1ms", "--reset", "--format=jsonl",
                                *options],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
        said = []
        reader = threading.Thread(target=lambda: said.append(run.stdout.read()))
        reader.start()
        data = table.lines.encode()
        for at in range(0, len(data), len(data) // 10):
            run.stdin.write(data[at:at + len(data) // 10])
            run.stdin.flush()
            time.sleep(.02)
        run.stdin.close()
        reader.join()
        assert run.wait() == 0
        parts = collections.defaultdict(lambda: ZERO)
        part, unweighted = {}, 0
        for line in said[0].decode().splitlines():
            line = json.loads(line, parse_float=decimal.Decimal)
            if "totals" not in line:
                part[line["field1"]] = fractions.Fraction(line["sum"])
                continue
            if "snapshot" not in line:
                break
            for key in part:
                parts[key] += part[key]
            part, unweighted = {}, unweighted + line["unweighted"]
        sums = table.sums(field(1))
        assert part == sums and parts == sums
        assert unweighted == line["unweighted"] == table.unweighted()


def in_csv():
    for seed in range(4):
        table = Table(seed, records=4000)
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        for record in table.records:
            record[:1] = [r + table.source.choice(["", ",", '"', "\n"])
                          for r in record[:1]]
            writer.writerow(record)
        sums = table.sums(field(1))
        printed = json.loads(table.run("-f1", "--format=json",
                                       data=out.getvalue(), how="--csv"),
                             parse_float=decimal.Decimal,
                             parse_int=decimal.Decimal)
        got = {row["field1"]: row["sum"]
               for row in printed["histograms"][0]["bins"]}
        assert printed["unweighted"] == table.unweighted()
        assert set(got) == set(sums), (set(got) ^ set(sums))
        for key in got:
            assert show(fractions.Fraction(got[key])) == show(sums[key]), key


def sums_that_cancel():
    lines = "a\t" + "9" * 38 + "\n"
    data = lines * 1000 + "a\t-" + "9" * 38 + "\n" * 1
    data = data + ("a\t-" + "9" * 38 + "\n") * 998 + "a\t0.25\n"
    line = [GPUHIST, "--tsv", "-f1", "--weights=2"]
    done = subprocess.run(line, input=data.encode(), capture_output=True)
    wanted = 1000 * int("9" * 38) - 999 * int("9" * 38)
    assert done.stdout.decode() == "a\t%d.25\n" % wanted, done


def field_that_is_a_key_too():
    table = Table(5, weight=lambda s: str(s.randrange(20)))
    sums = table.sums(field(4))
    table.expect(key_rows(sums), "-f4")


def main():
    check("sums by key", keys)
    check("... beyond the memory", long_keys_and_spilling)
    check("... the greatest first, in memory and in files", ranked)
    check("sums by tuple", tuples)
    check("sums by number", numbers)
    check("sums in bins", bins)
    check("... of a range that is not known", ranges_that_grow)
    check("the same bytes from any threads", every_thread_the_same)
    check("snapshots add up", snapshots)
    check("fields of CSV with quotes", in_csv)
    check("sums that cancel", sums_that_cancel)
    check("a field may be key and weight", field_that_is_a_key_too)


main()
