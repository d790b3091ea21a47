# SPDX-License-Identifier: MIT
"""sequences_model.py -- what sequences are, for oracles

Written from the comment at the begin of kernels/seq/sequence.h and from the man
page, line by line, unlike the program.  Reads FASTA and FASTQ, computes the
fields of reads, bases and windows, and makes random files of all oddities.
"""

import collections
import math

BLANKS = b" \t\r"
BASES = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz*-.")
MISSING, EMPTY, INVALID = "\\N", "\\empty", "\\invalid"
SPECIAL = [MISSING, EMPTY, INVALID, "\\other"]
UNITS = {"name": "read", "sequence": "read", "length": "read", "gc": "read",
         "mean-quality": "read", "mean-error-quality": "read",
         "base": "base", "position": "base", "quality": "base",
         "kmer": "window"}

Record = collections.namedtuple("Record", "name bases quality")


class Wrong(Exception):
    """What is wrong with a file, and what the message has: the number and the
    name of the record, and an offset."""

    def __init__(self, what, at, name=b""):
        super().__init__("%s at byte %d" % (what, at))
        self.at = at
        self.name = name
        self.number = 0

    def place(self, file):
        """The begin of the message of FILE."""
        name = b" (%s%s)" % (self.name[:80].split(b"\0")[0],
                             b"..." * (len(self.name) > 80))
        return b"gpuhist: %s: record %d%s at byte %d: " % (
            file.encode(), self.number, name * bool(self.name), self.at)


def lines_of(data):
    """(offset, line without its '\\n') of each line."""
    at = 0
    while at < len(data):
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end
        yield at, data[at:end]
        at = end + 1


def read_records(data):
    """The records of DATA; a quality of None is that of FASTA."""
    records = []
    try:
        add_records(data, records)
    except Wrong as wrong:
        wrong.number = len(records) + 1
        raise
    return records


def add_records(data, records):
    lines = list(lines_of(data))
    i = 0
    while i < len(lines):
        begin, line = lines[i]
        i += 1
        if not line.strip(BLANKS):
            continue
        if line[:1] not in (b">", b"@"):
            raise Wrong("no begin",
                        begin + len(line) - len(line.lstrip(BLANKS)))
        is_fastq = line[:1] == b"@"
        name = line[1:].replace(b"\t", b" ").replace(b"\r", b" ")
        name = name.split(b" ")[0]
        bases = bytearray()
        while i < len(lines) and lines[i][1][:1] not in (b">", b"@"):
            at, line = lines[i]
            if is_fastq and line[:1] == b"+":
                break
            for j, byte in enumerate(line):
                if byte in BASES:
                    bases.append(byte)
                elif byte not in BLANKS:
                    raise Wrong("no base", at + j, name)
            i += 1
        if not is_fastq:
            records.append(Record(name, bytes(bases), None))
            continue
        if i == len(lines) or lines[i][1][:1] != b"+":
            raise Wrong("no +", begin, name)
        i += 1
        quality = b""
        is_first = True
        while i < len(lines) and (is_first or len(quality) < len(bases)):
            line = lines[i][1]
            quality += line[:-1] if line.endswith(b"\r") else line
            is_first = False
            i += 1
        if len(quality) != len(bases):
            raise Wrong("another length", begin, name)
        records.append(Record(name, bytes(bases), quality))


# ---- fields ----

class Options:
    def __init__(self, phred=33, keep_case=False, kmer=0, canonical=False):
        self.phred = phred
        self.keep_case = keep_case
        self.kmer = kmer
        self.canonical = canonical

    def limit(self, fields):
        """Without those that have no effect on FIELDS: they are refused."""
        if not any("quality" in field for field in fields):
            self.phred = 33
        if not {"base", "sequence"} & set(fields):
            self.keep_case = False

    def arguments(self):
        return (["--phred=64"] * (self.phred == 64) +
                ["--keep-case"] * self.keep_case +
                ["--kmers=%d" % self.kmer] * (self.kmer > 0) +
                ["--canonical"] * self.canonical)


def qualities(record, options):
    return [byte - options.phred for byte in record.quality]


def mean_quality(record, options):
    if record.quality is None:
        return MISSING
    if not record.quality:
        return EMPTY
    return sum(qualities(record, options)) / len(record.quality)


def mean_error_quality(record, options):
    if record.quality is None:
        return MISSING
    if not record.quality:
        return EMPTY
    counts = collections.Counter(qualities(record, options))
    mean = sum(counts[q] * 10 ** (-q / 10) for q in sorted(counts))
    return -10 * math.log10(mean / len(record.quality)) + 0.0


def gc(record, _):
    if not record.bases:
        return EMPTY
    upper = record.bases.upper()
    return (upper.count(b"G") + upper.count(b"C")) / len(upper)


def shown_bases(record, options):
    return record.bases if options.keep_case else record.bases.upper()


def window(record, at, options):
    """The k-mer that begins at AT, or INVALID."""
    kmer = record.bases[at:at + options.kmer].upper()
    if kmer.strip(b"ACGT"):
        if any(byte not in b"ACGT" for byte in kmer):
            return INVALID
    if options.canonical:
        turned = kmer.translate(bytes.maketrans(b"ACGT", b"TGCA"))[::-1]
        kmer = min(kmer, turned)
    return kmer


READ = {
    "name": lambda record, _: record.name,
    "sequence": shown_bases,
    "length": lambda record, _: len(record.bases),
    "gc": gc,
    "mean-quality": mean_quality,
    "mean-error-quality": mean_error_quality,
}


def unit_of(fields):
    """The finest unit of FIELDS."""
    units = [UNITS[field] for field in fields]
    return max(units, key=["read", "base", "window"].index)


def elements(records, fields, options):
    """A tuple of the values of FIELDS for each element."""
    unit = unit_of(fields)
    for record in records:
        read = {field: READ[field](record, options) for field in fields
                if field in READ}
        count = (1 if unit == "read" else len(record.bases) if
                 unit == "base" else len(record.bases) - options.kmer + 1)
        for at in range(count):
            row = []
            for field in fields:
                if field in read:
                    row.append(read[field])
                elif field == "position":
                    row.append(at + 1)
                elif field == "kmer":
                    row.append(window(record, at, options))
                elif field == "base":
                    row.append(shown_bases(record, options)[at:at + 1])
                elif record.quality is None:
                    row.append(MISSING)
                else:
                    row.append(record.quality[at] - options.phred)
            yield tuple(row)


# ---- output ----

def place(value):
    """Its place among the values of a column."""
    if isinstance(value, str):
        return (1, SPECIAL.index(value))
    return (0, value)


def show(value):
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, bytes):
        return value
    text = "0" if value == 0 else repr(value)
    return (text[:-2] if text.endswith(".0") else text).encode()


def counted(records, fields, options):
    return collections.Counter(elements(records, fields, options))


def table(records, fields, options, name=None):
    """The lines of a histogram, as --format=tsv prints them."""
    counts = counted(records, fields, options)
    rows = sorted(counts, key=lambda row: [place(value) for value in row])
    begin = [name.encode()] if name else []
    return b"".join(b"\t".join(begin + [show(value) for value in row] +
                               [b"%d" % counts[row]]) + b"\n"
                    for row in rows)


# ---- random files ----

ALPHABETS = [b"ACGT", b"ACGT", b"ACGT" * 20 + b"N", b"ACGTN", b"A",
             b"ACGTacgt", b"ACGTacgtNnUu*-.", b"ACGTRYSWKMBDHVN", b"AT", b"n"]
QUALITIES = [bytes(range(33, 74)), b"I", b"#", b"@>+I", b"@", b"+", b">@",
             bytes(range(33, 127)), bytes(range(64, 105)),
             bytes(x for x in range(256) if x != 10)]
NAMES = [b"r%d", b"read:%d:1101:5\t1:N:0:ACGT", b"%d/1 length=5 >@+", b"",
         b"@%d", b">", b"+", b"a", b" %d", b"\xc3\xa9%d", b"%d\0", b"a\\x"]
LENGTHS = [0, 1, 2, 3, 7, 20, 31, 32, 33, 63, 64, 65, 150, 150, 150, 400]


def split(source, data, width, end):
    """DATA in lines; sometimes of any widths."""
    if width < 0:
        lines = []
        while data:
            size = source.choice([0, 1, 2, 5, 30, len(data)])
            lines.append(data[:size])
            data = data[size:]
    elif width == 0:
        lines = [data]
    else:
        lines = [data[i:i + width] for i in range(0, len(data), width)]
    return b"".join(line + end for line in lines)


class Style:
    """What the records of a file have in common."""

    def __init__(self, source):
        self.kind = source.choice([">", "@", "@", "@", "both"])
        self.end = source.choice([b"\n", b"\n", b"\n", b"\r\n"])
        self.width = source.choice([0, 0, 0, 0, 1, 7, 60, -1])
        self.lengths = [source.choice(LENGTHS) for _ in range(
            source.choice([1, 1, 3]))]
        if source.random() < .3:
            self.lengths = LENGTHS
        if source.random() < .02:
            self.lengths = [5000, 70000]
        self.alphabet = source.choice(ALPHABETS)
        self.quality = source.choice(QUALITIES[:-1] * 3 + QUALITIES[-1:])
        self.names = source.choice([NAMES[:2], NAMES[:1], NAMES])
        self.plus = source.choice([False, False, True])
        self.odds = source.choice([0, 0, 0, .1])


def make_record(source, style, number):
    kind = source.choice(">@@") if style.kind == "both" else style.kind
    end = style.end
    name = source.choice(style.names)
    name = name % number if b"%d" in name else name
    length = source.choice(style.lengths)
    bases = bytes(source.choices(style.alphabet, k=length))
    blank = b""
    if source.random() < style.odds:
        blank = source.choice([b"\n", b"\r\n", b" \t\n", b"\n\n\n"])
    text = split(source, bases, style.width, end)
    if source.random() < style.odds:
        at = source.randrange(len(text) + 1)
        text = text[:at] + source.choice(
            [b" ", b"\t", b"\r", b"\n"]) + text[at:]
    if not bases:
        text = source.choice([b"", end])
    record = kind.encode() + name + end + text
    if kind == "@":
        quality = bytes(source.choices(style.quality, k=length))
        text = split(source, quality, style.width, end) or end
        record += (b"+" + (name if style.plus else b"") + end + text)
    return record + blank


def make_file(source, size):
    """A file of about SIZE bytes, nearly always a valid one."""
    style = Style(source)
    data = bytearray(source.choice([b"", b"", b"", b"\n", b"\r\n \n"]))
    number = 0
    while len(data) < size:
        number += 1
        data += make_record(source, style, number)
    if source.random() < .1:
        data = data.rstrip(b"\r\n")
    return bytes(data)


def damage(source, data):
    """DATA with something wrong, or not."""
    way = source.randrange(6)
    at = source.randrange(len(data) + 1)
    if way == 0:
        return data[:at]
    if way == 1:
        return data[:at] + data[at + 1:]
    if way == 2:
        return data[:at] + bytes([source.randrange(256)]) + data[at:]
    if way == 3:
        return data[:at] + bytes([source.randrange(256)]) + data[at + 1:]
    if way == 4:
        end = data.find(b"\n", at) + 1
        return data[:at] + data[end:]
    return source.choice([b"x", b" >a", b"\xef\xbb\xbf", b"; old\n"]) + data
