# SPDX-License-Identifier: MIT
"""columns_model.py -- what --columns must print, by Python's fractions

For the oracles of --columns: groups of values, their figures with rationals
that are rounded once, and the lines of a table.
"""

import collections
import decimal
import fractions
import functools
import itertools
import math
import os
import re
import statistics
import subprocess
import sys

from limits import Limits

GPUHIST = sys.argv[1]
Fraction = fractions.Fraction

NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\Z")
BLANKS = b" \t\n\v\f\r"


def run(arguments, data=None, status=0):
    """What gpuhist prints, or what it says."""
    done = subprocess.run([GPUHIST, "--quiet", *arguments], input=data,
                          capture_output=True, timeout=120, check=False)
    assert done.returncode == status, (arguments, done.returncode, done.stderr)
    return done.stdout if status == 0 else done.stderr.decode()


@functools.lru_cache(maxsize=None)
def value_of(text):
    """The number that a text is, a word for what it is instead."""
    if text is None:
        return "missing"
    text = text.strip(BLANKS)
    if not text:
        return "empty"
    if NUMBER.match(text):
        value = Fraction(decimal.Decimal(text.decode()))
        return value if abs(value) < 2 ** 1024 else "invalid"
    word = text.lower().lstrip(b"+-")
    if word == b"nan":
        return "nan"
    if word in (b"inf", b"infinity"):
        return -math.inf if text.startswith(b"-") else math.inf
    return "invalid"


def float_text(value):
    """A double as gpuhist prints it."""
    if value == int(value) if math.isfinite(value) else False:
        text = repr(value)
        return text[:-2] if text.endswith(".0") else text
    return repr(value)


@functools.lru_cache(maxsize=None)
def number_text(value):
    """An exact number: all its digits."""
    if isinstance(value, float):
        return float_text(value)
    # Many digits are known to be no double's shortest text.
    nearest = float(value)
    if Fraction(decimal.Decimal(repr(nearest))) == value:
        return float_text(nearest)
    return decimal_text(value)


@functools.lru_cache(maxsize=None)
def decimal_text(value):
    """A decimal without an exponent."""
    scaled = abs(value) * 10 ** 38
    assert scaled.denominator == 1
    digits = str(scaled.numerator).rjust(39, "0")
    text = digits[:-38] + "." + digits[-38:]
    text = text.rstrip("0").rstrip(".")
    return ("-" if value < 0 else "") + text


def root(value):
    """The square root of a rational, rounded once."""
    if value == 0:
        return 0.0
    shift = 400
    scaled = value * 4 ** shift
    whole = math.isqrt(scaled.numerator // scaled.denominator)
    is_exact = whole * whole == scaled
    return float(Fraction(whole * 2 + (not is_exact), 2 << shift))


def total_of(values):
    """The sum of rationals, reduced once and not with each of them."""
    scale = math.lcm(*(v.denominator for v in values))
    return Fraction(sum(v.numerator * (scale // v.denominator) for v in values),
                    scale)


def add(numbers):
    """The sum of numbers; of infinite ones as doubles add up."""
    infinite = [n for n in numbers if isinstance(n, float)]
    return sum(infinite) if infinite else sum(numbers, Fraction(0))


def quartile(values, k):
    """Quartile K, as statistics.quantiles(method="inclusive") has it."""
    place, part = divmod((len(values) - 1) * k, 4)
    numbers = [(values[place], 4 - part)]
    numbers += [(values[place + 1], part)] if part else []
    return add([n if isinstance(n, float) else n * Fraction(share, 4)
                for n, share in numbers])


def quartile_text(name, values):
    """Quartiles, rounded once."""
    if all(isinstance(v, Fraction) for v in values) and len(values) > 1:
        assert statistics.quantiles(values, n=4, method="inclusive") == \
            [quartile(values, k) for k in (1, 2, 3)]
    if name == "iqr":
        found = add([quartile(values, 3), -quartile(values, 1)])
    else:
        found = quartile(values, {"q1": 1, "median": 2, "q3": 3}[name])
    return float_text(float(found))


@functools.lru_cache(maxsize=None)
def share_of(name):
    """The part of all that the percentage in a NAME is."""
    return Fraction(name[1:]) / 100


def sum_text(name, values):
    """N and L of a percentage."""
    total = total_of(values) * share_of(name)
    if values[0] < 0:
        return "nan"
    sums = itertools.accumulate(reversed(values))
    place = next(i for i, s in enumerate(sums, 1) if s >= total)
    return number_text(values[-place]) if name[0] == "n" else str(place)


def mode(values):
    """The least of the most frequent values."""
    counts = collections.Counter(values)
    most = max(counts.values())
    return min(v for v in values if counts[v] == most)


def figure(name, values, kinds):
    """A figure of the sorted VALUES, and of what is no value."""
    count = len(values)
    infinite = [v for v in values if isinstance(v, float)]
    if name == "count":
        return str(count)
    if name == "records":
        return str(count + sum(kinds.values()))
    if name in ("missing", "empty", "invalid", "nan"):
        return str(kinds[name])
    if name == "distinct":
        return str(len(set(values)))
    if name == "sum":
        if infinite:
            return float_text(sum(infinite))
        return decimal_text(total_of(values))
    if count == 0 and name == "mode" and "texts" in kinds:
        return "\\N"
    if count == 0 or (name == "sample_sd" and count < 2):
        return "nan"
    if name == "mode":
        found = mode(values)
        return found.decode() if isinstance(found, bytes) else \
            number_text(found)
    if name in ("median", "q1", "q3", "iqr"):
        return quartile_text(name, values)
    if name == "min":
        return number_text(values[0])
    if name == "max":
        return number_text(values[-1])
    if name[0] == "p":
        rank = math.ceil(share_of(name) * count)
        return number_text(values[rank - 1])
    if infinite:
        return float_text(sum(infinite)) if name == "mean" else "nan"
    total = total_of(values)
    if name[0] in "nl":
        return sum_text(name, values)
    if name == "mean":
        return float_text(float(total / count))
    squares = total_of([v * v for v in values])
    above = squares - total * total / count
    return float_text(root(above / (count if name == "sd" else count - 1)))


class Group:
    """The values of a group."""

    def __init__(self):
        self.values = []
        self.kinds = collections.Counter()

    def add(self, value):
        """Add a value, or a word for what it is."""
        if isinstance(value, str):
            self.kinds[value] += 1
        else:
            self.values.append(value)

    def texts(self, names):
        """The figures as gpuhist prints them."""
        self.values.sort()
        return [figure(name, self.values, self.kinds) for name in names]

    def absorb(self, other):
        """Add another group."""
        self.values += other.values
        self.kinds += other.kinds


def groups_of(lines, keys, is_number):
    """The groups of lines, by their keys."""
    groups = collections.defaultdict(Group)
    for line in lines:
        key = tuple(line[k] if k < len(line) else None for k in range(keys))
        text = line[keys] if keys < len(line) else None
        if is_number:
            groups[key].add(value_of(text))
        elif text is None:
            groups[key].kinds["missing"] += 1
        else:
            groups[key].values.append(text)
        if not is_number:
            groups[key].kinds["texts"] += 0
    return groups


def key_order(key):
    """What is missing comes last."""
    return [(part is None, part or b"") for part in key]


def table(groups, names, keys, top=0, limits=Limits(), sort=None,
          no_other=False, kind=Group):
    """The lines that gpuhist prints."""
    if keys == 0 and not groups:
        groups = {(): kind()}
    order = sorted(groups, key=key_order)
    last = [k for k in order if keys and all(part is None for part in k)]
    ranked = order[:len(order) - len(last)]
    chosen = [k for k in ranked if len(groups[k].values) in limits]
    # Without an order, --top is by the first figure.
    if top and sort is None and names[0] != "count" and \
            names[0].rpartition(":")[2] != "mode":
        sort = names[0]
    # The greatest first; equal ones ascend.
    if sort == "count" or (top and sort in (None, "value")):
        chosen.sort(key=lambda k: -len(groups[k].values))
    elif sort not in (None, "value"):
        def rank(key):
            text = groups[key].texts([sort])[0]
            if text in ("nan", "inf", "-inf"):
                return {"nan": 2, "-inf": 1, "inf": -1}[text], 0
            return 0, -Fraction(text)
        chosen.sort(key=rank)
    if top:
        chosen = chosen[:top]
    if sort == "value" or (sort is None and not top):
        chosen.sort(key=key_order)
    rest = kind()
    kept = set(chosen)
    for key in ranked:
        if key not in kept:
            rest.absorb(groups[key])
    lines = []
    for key in chosen + last:
        texts = ["\\N" if part is None else part.decode() for part in key]
        lines.append("\t".join(texts + groups[key].texts(names)))
    if keys and not no_other and (rest.values or rest.kinds):
        lines.append("\t".join(["\\other"] * keys + rest.texts(names)))
    return "".join(line + "\n" for line in lines).encode()


def join(lines, separator=b","):
    """The text of lines."""
    return b"".join(separator.join(line) + b"\n" for line in lines)


def lists(keys):
    """The options for the fields."""
    groups = ",".join(str(k + 1) for k in range(keys))
    return ([f"-g{groups}"] if keys else []) + [f"-f{keys + 1}"]


def compare(got, wanted):
    """GOT is WANTED; or say where not."""
    if got == wanted:
        return
    for a, b in itertools.zip_longest(got.split(b"\n"), wanted.split(b"\n")):
        assert a == b, ("got", a, "wanted", b)


def ways(directory, data):
    """Arguments that must all print the same, and what they read."""
    path = os.path.join(directory, "data")
    with open(path, "wb") as file:
        file.write(data)
    yield [path], None
    yield ["--threads=1"], data
    yield ["--threads=4", "--chunk-size=4k", path], None
    yield ["--threads=2", "--memory-limit=16M", "--chunk-size=1k", path], None
