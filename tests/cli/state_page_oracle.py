# SPDX-License-Identifier: MIT
"""state_page_oracle.py -- reads a state by its manual page alone

    state_page_oracle.py STATE PAGE

Checks the hashes of STATE and the digest and marks of its parts, whose files are
in the current directory, as gpuhist-state(5) defines them, with xxHash's own
package for Python; and that PAGE names each word of the state.  Prints what
differs; exits with 77 if the package is missing.
"""

import re
import sys

try:
    import xxhash
except ImportError:
    sys.exit(77)

LEAF = 8192


def segments(size):
    """The segments of SIZE bytes: (start, end) of each."""
    starts = list(range(8, 16))
    bounds = [0] + [start << k for k in range(60) for start in starts]
    for start, end in zip(bounds, bounds[1:]):
        if start >= size:
            return
        yield start, end


def leaves(start, end, size):
    step = LEAF if end - start > LEAF else end - start
    for at in range(start, min(end, size), step):
        yield at, min(at + step, size)


def check_part(line, wrong):
    words = dict(word.partition("=")[::2] for word in line[1].split(" "))
    with open(line[2], "rb") as file:
        data = file.read()
    low = high = head = 0
    marks = ""
    for start, end in segments(len(data)):
        sum_low = 0
        for at, to in leaves(start, end, len(data)):
            digest = xxhash.xxh3_128_intdigest(data[at:to], seed=at)
            sum_low += digest & (1 << 64) - 1
            high += digest >> 64
            if at < 4096:
                head += digest & (1 << 64) - 1
        low += sum_low
        if end <= len(data):
            marks += "%04x" % (sum_low >> 48 & 0xFFFF)
    cut = (1 << 64) - 1
    wanted = {
        "size": str(len(data)),
        "range": "0-%d" % len(data),
        "head": "%016x" % (head & cut),
        "hash": "%016x%016x" % (high & cut, low & cut),
        "marks": marks or None,
    }
    for name, value in wanted.items():
        if words.get(name) != value:
            wrong.append("%s: %s, not %s" % (name, words.get(name), value))


def words_of(line):
    """The words of a line that the page must name."""
    if line[0] not in ("spec", "part", "total", "end", "rows", "lattice"):
        return
    yield line[0]
    if line[0] not in ("spec", "total", "end"):
        return
    before = ""
    for field in line[1:]:
        is_name, before = before == "name", field
        if is_name:
            continue
        name = field.split("=")[0]
        if re.fullmatch("[a-z][a-z-]+", name):
            yield name
        value = field.partition("=")[2] if name else ""
        if re.fullmatch("[a-z][a-z-]+", value):
            yield value


def check_elements(lines, wrong):
    """The elements of lists are the counts of the rows, if all histograms of
    the state are of lists of their own, and have no weights."""
    total = [line for line in lines if line[0] == "total"][0]
    elements = [int(field.partition("=")[2]) for field in total
                if field.startswith("elements=")]
    counts = []
    if len(elements) < 2:
        return
    for line in lines[lines.index(total) + 1:]:
        if line[0] == "rows":
            counts.append(0)
        elif line[0] != "end":
            counts[-1] += int(line[-1])
    if elements != counts:
        wrong.append("elements: %s, and the rows have %s" % (elements, counts))


def main():
    state, page = sys.argv[1:]
    wrong = []
    with open(page, encoding="utf-8") as file:
        text = file.read().replace("\\-", "-")
    with open(state, "rb") as file:
        data = file.read()
    for match in re.finditer(rb"\thash=([0-9a-f]{16})$", data, re.M):
        hashed = "%016x" % xxhash.xxh3_64_intdigest(data[: match.start()])
        if hashed != match[1].decode():
            wrong.append("hash: %s, not %s" % (match[1].decode(), hashed))
    lines = [row.split("\t") for row in data.decode().splitlines()]
    check_elements(lines, wrong)
    for line in lines:
        if line[0] == "part":
            check_part(line, wrong)
        for word in words_of(line):
            known = re.search(r"(?<![a-z])%s(?![a-z])" % re.escape(word), text)
            if not known:
                wrong.append("not in the page: " + word)
    print("\n".join(wrong), end="")


main()
