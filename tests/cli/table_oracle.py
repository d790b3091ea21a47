# SPDX-License-Identifier: MIT
"""table_oracle.py -- --format=table against the tsv of the same run

    table_oracle.py GPUHIST

The table must have the cells of the tsv, laid out by str.ljust() and rjust(),
numbers rounded by decimal.Decimal and written by format().  Prints a line for
each test, "PASS name" or "FAIL name", for the shell to count.
"""

import decimal
import random
import subprocess
import sys
import unicodedata

from checks import check, has_turn

GPUHIST = sys.argv[1]
COUNTS = {"count", "records", "missing", "empty", "invalid", "nan", "distinct",
          "lut", "cumulative", "l50"}
KEYS = {"line", "name", "price"}
LABELS = {"line", "value", "value_lo", "value_hi", "weight_lo", "weight_hi"}
decimal.getcontext().prec = 600


def run(*arguments):
    done = subprocess.run([GPUHIST, "-q", "--device=cpu"] + list(arguments),
                          stdin=subprocess.DEVNULL, capture_output=True)
    assert done.returncode == 0 and not done.stderr, (arguments, done.stderr)
    return done.stdout


def is_hidden(character):
    return ("\udc80" <= character <= "\udcff" or
            unicodedata.category(character) in ("Cc", "Zl", "Zp") or
            (unicodedata.category(character) == "Cf" and
             character not in "\u200c\u200d"))


def shown(cell):
    """A cell of tsv without a backslash of its own, for a terminal."""
    text = cell.decode("utf-8", "surrogateescape")
    result = ""
    for i, character in enumerate(text):
        blank = character == " " and i in (0, len(text) - 1)
        if is_hidden(character) or blank:
            result += "".join("\\x%02x" % byte for byte in
                              character.encode("utf-8", "surrogateescape"))
        else:
            result += character
    return result


def styled(text, name, decimals, thousands, counts):
    if text in ("nan", "inf", "-inf"):
        return text
    number = decimal.Decimal(text)
    if decimals is not None and name not in counts:
        number = number.quantize(decimal.Decimal(1).scaleb(-decimals),
                                 decimal.ROUND_HALF_EVEN)
        number = abs(number) if number == 0 else number
        text = format(number, "f")
    elif "e" in text:
        return text
    if not thousands:
        return text
    whole, point, fraction = text.lstrip("-").partition(".")
    sign = "-" if text.startswith("-") else ""
    return sign + format(int(whole), ",") + point + fraction


def lay_out(rows, is_text):
    widths = [max(len(row[c]) for row in rows) for c in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [cell.ljust(width) if left else cell.rjust(width)
                 for cell, width, left in zip(row, widths, is_text)]
        if is_text[-1]:
            cells[-1] = row[-1]
        lines.append("  ".join(cells) + "\n")
    return "".join(lines)


def expected(options, decimals, thousands):
    header, *lines = [line.split(b"\t") for line in
                      run("--header-out", *options).split(b"\n")[:-1]]
    names = [name.decode() for name in header]
    keys = KEYS | {"field", "file"}
    if "--labels=char" in options or "name,weight" in options:
        keys |= {"value"}
    is_text = [name in keys for name in names]
    counts = COUNTS - {"cumulative"} if "--weights=price" in options else COUNTS
    tables = {}
    for line in lines:
        row = [shown(cell) if left or name in LABELS
               else styled(cell.decode(), name, decimals, thousands, counts)
               for name, cell, left in zip(names, line, is_text)]
        tables.setdefault(line[0] if names[0] == "field" else b"",
                          []).append(row)
    return "\n".join(lay_out([names] + rows, is_text)
                     for rows in tables.values() or [[]])


def check_table(options, decimals, thousands):
    style = ["--round=%d" % decimals] if decimals is not None else []
    style += ["--thousands"] if thousands else []
    got = run("--format=table", *style, *options).decode()
    wanted = expected(options, decimals, thousands)
    assert got == wanted, (got, wanted)


def check_all(*options):
    for decimals in None, 0, 1, 3, 30:
        for thousands in False, True:
            if has_turn(3, options):
                check("%s, %s, %s" % (" ".join(options), decimals, thousands),
                      check_table, list(options), decimals, thousands)


def write(name, content):
    with open(name, "wb") as out:
        out.write(content)


generator = random.Random(44)
PIECES = ["a", "b", " ", "é", "日本", "\x01", "\x7f", "\u200e", "\u200d", "\0",
          "\u2028", "\ue000", "\xad", "\x85", "\"", "|"]


def random_key():
    key = b"".join(generator.choice(PIECES).encode()
                   for _ in range(generator.randrange(7)))
    if generator.random() < 0.2:
        key += bytes([generator.randrange(128, 256)])
    return key


write("keys", b"".join(random_key() + b"\n" for _ in range(500)))
write("bytes", bytes(generator.randrange(256) for _ in range(5000)))
numbers = []
for _ in range(400):
    digits = generator.randrange(10 ** generator.randrange(1, 12))
    numbers.append("%s,%s%d.%s,%d" % (
        generator.choice(["x", "yy", "Zürich"]),
        generator.choice(["", "-"]), digits,
        generator.choice(["5", "25", "125", "0005", "375", "0"]),
        generator.randrange(3000000)))
write("numbers", ("name,price,weight\n" + "\n".join(numbers) + "\n").encode())

check_all("-l", "keys")
check_all("-l", "--sort=count", "--percent", "--cumulative", "keys")
check_all("-l", "--top=3", "keys")
check_all("bytes")
check_all("--labels=hex", "--nonzero", "bytes")
check_all("-b7", "--range=0,256", "--density", "--percent", "bytes")
check_all("--record=u1,u1", "-b3", "--range=0,100", "--percent", "bytes")
check_all("--csv", "-H", "-f", "name,weight", "numbers")
check_all("--csv", "-H", "-f", "name,price", "--joint", "numbers")
check_all("--csv", "-H", "-f", "name", "--weights=price", "--percent",
          "--cumulative", "numbers")
check_all("--csv", "-H", "-g", "name", "-f", "price",
          "--columns=count,records,missing,empty,invalid,nan,distinct,sum,mean,"
          "sd,sample_sd,median,q1,q3,iqr,p90,n50,l50", "numbers")
check_all("--csv", "-H", "-g", "name", "-f", "weight", "--columns=min,max,p50",
          "--sort=max", "--top=1", "numbers")
check_all("--csv", "-H", "-g", "name", "-f", "weight", "-b3",
          "--range=0,2000000", "--columns=min,p50", "numbers")
check_all("-l", "--spectrum", "keys")
