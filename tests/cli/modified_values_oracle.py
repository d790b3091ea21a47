# SPDX-License-Identifier: MIT
"""modified_values_oracle.py -- modifiers of texts and numbers against others

usage: modified_values_oracle.py PRINT_MODIFIED

PRINT_MODIFIED is the program of tests/print_modified.c.  What it prints for
random texts must be what ipaddress, urllib, os.path, re and decimal of Python,
and dirname, basename, cut, awk and numfmt make of them.
"""

import decimal
import ipaddress
import os.path
import random
import re
import subprocess
import sys
import urllib.parse

from checks import IS_SHORT, holds

PROGRAM = sys.argv[1]
TEXTS = 10000 if IS_SHORT else 100000
random.seed(43)
decimal.getcontext().prec = 400
SHOWN = 3  # wrong texts in a message


def modified(chain, texts):
    """What the program makes of texts without newlines; None: invalid."""
    done = subprocess.run([PROGRAM, chain], check=True, capture_output=True,
                          input=b"".join(text + b"\n" for text in texts))
    lines = done.stdout.split(b"\n")[:-1]
    assert len(lines) == len(texts)
    return [None if line == b"\\invalid" else line for line in lines]


def same(chain, texts, wanted, name):
    """One test: CHAIN makes WANTED of TEXTS."""
    got = modified(chain, texts)
    wrong = [case for case in zip(texts, got, wanted) if case[1] != case[2]]
    valid = sum(want is not None for want in wanted)
    holds(not wrong and valid > len(texts) // 20,
          f"{chain}: {name}", (valid, wrong[:SHOWN]))


def some(pieces, most):
    """Up to MOST of the pieces, joined."""
    return b"".join(random.choices(pieces, k=random.randint(0, most)))


# ---- addresses ----


def random_address():
    kind = random.random()
    if kind < 0.3:
        numbers = [random.choice((0, 1, 9, 10, 99, 100, 255, 256, 300))
                   for _ in range(random.choice((3, 4, 4, 4, 4, 4, 5)))]
        text = ".".join(map(str, numbers))
    elif kind < 0.5:
        text = str(ipaddress.IPv6Address(random.getrandbits(128)
                                         & random.getrandbits(128)))
    elif kind < 0.8:
        groups = [random.choice(("0", "0", "00", "1", "fFfF", "12", "abc"))
                  for _ in range(random.randint(1, 8))]
        text = ":".join(groups)
        at = random.randint(0, len(text))
        text = text[:at] + "::" + text[at:]
        if random.random() < 0.2:
            text += ":192.0.2.1"
    elif kind < 0.9:
        text = "::ffff:%d.2.3.%d" % (random.randint(0, 256),
                                    random.randint(0, 255))
    else:
        text = some([b":", b"::", b"1", b"0", b"f", b".", b"25"], 12).decode()
    if random.random() < 0.05:
        at = random.randint(0, len(text))
        text = text[:at] + random.choice("0:.x %") + text[at:]
    return text.encode()


def network(text, bits4, bits6):
    """The network as ipaddress has it, in the spelling of RFC 5952."""
    try:
        address = ipaddress.ip_address(text.decode())
    except ValueError:
        return None
    if address.version == 6 and address.scope_id is not None:
        return None
    if address.version == 6 and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    bits = bits4 if address.version == 4 else bits6
    if bits is None:
        return None
    kind = (ipaddress.IPv4Network if address.version == 4
            else ipaddress.IPv6Network)
    return str(kind((int(address), bits), strict=False)).encode()


def check_networks():
    texts = [random_address() for _ in range(TEXTS)]
    for bits4, bits6 in ((24, None), (24, 48), (0, 0), (32, 128), (11, 97),
                         (31, 127), (8, 20)):
        chain = f"net={bits4}" + ("" if bits6 is None else f"/{bits6}")
        same(chain, texts, [network(text, bits4, bits6) for text in texts],
             "ipaddress")


# ---- URLs and paths ----


def random_url():
    host = [b"example.org", b"Example.COM", b"[2001:DB8::1]", b"a@b", b"u:p@h",
            b":80", b":", b"", b"www.a-b_c"]
    path = [b"/", b"//", b"a", b"b.c", b".", b"..", b"?", b"&x=1", b"#", b"=",
            b"%2F", b"@", b":", b"A", b".tar.gz", b".x"]
    scheme = random.choice([b"http://", b"https://", b"a+b-c.1://", b"1a://",
                            b"://", b"http:/", b"", b"", b"//"])
    return scheme + some(host, 2) + some(path, 8)


def split_url(text):
    """What urllib finds, in a text that has a scheme and an authority."""
    if re.match(rb"[A-Za-z][A-Za-z0-9+.-]*://", text) is None:
        return None
    return urllib.parse.urlsplit(text)


def wanted_path(text):
    try:
        url = split_url(text)
    except ValueError:
        return None
    if url is None:
        return text.split(b"?", 1)[0]
    return url.path or b"/"


def wanted_query(text):
    url = split_url(text)
    if url is None:
        return text.split(b"?", 1)[1] if b"?" in text else b""
    return url.query


def wanted_host(text):
    url = split_url(text)
    if url is not None:
        # From a percent sign on, urllib takes a name for a zone.
        return url.hostname and url.hostname.lower()
    found = re.match(rb"(?:\[([^]]+)\]|([A-Za-z0-9._\x80-\xff-]+))(?::\d*)?"
                     rb"(?=[/?#]|\Z)", text)
    return found and (found[1] or found[2]).lower()


def has_odd_brackets(text):
    """Whether urllib says that the host of a URL is no URL's."""
    try:
        host = split_url(text)
    except ValueError:
        return True
    return host is not None and b"[" in host.netloc and re.search(
        rb"(?:^|@)\[[^][]+\](?::[^][]*)?$", host.netloc) is None


def tool(command, texts):
    done = subprocess.run(["xargs", "-0", *command], check=True,
                          capture_output=True,
                          input=b"".join(text + b"\0" for text in texts))
    return done.stdout.split(b"\0")[:-1]


def check_urls():
    texts = [random_url() for _ in range(TEXTS)]
    texts = [text for text in texts if not has_odd_brackets(text)]
    paths = [wanted_path(text) for text in texts]
    same("host", texts, [wanted_host(text) for text in texts], "urllib")
    same("path", texts, paths, "urllib")
    same("query", texts, [wanted_query(text) for text in texts], "urllib")
    same("ext", texts, [os.path.splitext(path)[1][1:] for path in paths],
         "os.path")
    same("dir", texts, tool(["dirname", "-z", "--"], paths), "dirname")
    same("base", texts, tool(["basename", "-az", "--"], paths), "basename")


# ---- bytes ----


def lines_of(command, texts):
    done = subprocess.run(command, check=True, capture_output=True,
                          env={"LC_ALL": "C", "PATH": os.environ["PATH"]},
                          input=b"".join(text + b"\n" for text in texts))
    return done.stdout.split(b"\n")[:-1]


def check_bytes():
    pieces = [b" ", b"\t", b"a", b"B", b";", b";;", b"ab", b"\xc3\x84", b"Z",
              b"--", b"-", b"\r", b"1"]
    texts = [some(pieces, 9) for _ in range(TEXTS)]
    same("lower", texts, [text.lower() for text in texts], "Python")
    same("upper", texts, [text.upper() for text in texts], "Python")
    same("trim", texts, [text.strip() for text in texts], "Python")
    for cut in ("2-4", "3-", "-2", "5"):
        same(f"cut={cut}", texts, lines_of(["cut", "-b", cut], texts), "cut")
    same("prefix=3", texts, lines_of(["cut", "-b", "-3"], texts), "cut")
    for number in (1, 2, 3):
        words = [text.split() for text in texts]
        same(f"field={number}", texts, [word[number - 1] if len(word) >= number
                                        else None for word in words], "Python")
        for separator in (b";", b"--", b"a"):
            parts = [text.split(separator) for text in texts]
            same(f'field={number}"{separator.decode()}"', texts,
                 [part[number - 1] if len(part) >= number else None
                  for part in parts], "Python")


# ---- numbers ----


def plain(number):
    """A decimal as a text in plain spelling."""
    text = f"{number:f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    text = re.sub(r"^(-?)0+(?=\d)", r"\1", text)
    return (b"0" if text in ("-0", "") else text.encode())


# The sign and the currency; whole digits; a fraction; an exponent.
NUMBER = r"""
    (?P<sign> (?<![A-Za-z0-9]) - )? (?:[$]|\xe2\x82\xac|\xc2\xa3|\xc2\xa5)?
    (?P<all>
      (?: (?P<whole> [1-9][0-9]{0,2} (?:T[0-9]{3}(?![0-9]))+ | [0-9]+ )
          (?: P (?P<rest> [0-9]* ) )?
        | (?<![A-Za-z0-9P]) P (?P<only> [0-9]+ ) )
      (?: [eE] (?P<exponent> [+-]?[0-9]+ ) )? )"""


def number_of(pattern, thousands, text):
    # What has a sign or a currency starts before the digits; a match that
    # starts at the first digit is the same number.
    found = pattern.search(text)
    if found is None:
        return None
    whole = (found["whole"] or b"").replace(thousands, b"")
    rest = found["rest"] or found["only"] or b""
    exponent = int(found["exponent"] or 0)
    if abs(exponent) > 38:
        return None
    sign = "-" if found["sign"] else ""
    number = decimal.Decimal(f"{sign}{whole.decode() or 0}.{rest.decode()}")
    return plain(number.scaleb(exponent))


def check_first_numbers():
    pieces = [b"0", b"1", b"23", b"456", b",", b".", b"-", b"$", b"a", b" ",
              b"=", b"e", b"E-", b",789", b".789", b"+", b"\xe2\x82\xac",
              b"\xc2", b"000", b"e40", b"(", b"Z"]
    texts = [some(pieces, 8) for _ in range(TEXTS)]
    for chain, point, thousands in (("number", rb"\.", b","),
                                    ("decimal-comma", b",", b".")):
        source = NUMBER.encode("latin-1").replace(b"T", re.escape(thousands))
        pattern = re.compile(source.replace(b"P)", point + b")")
                             .replace(b"P ", point + b" ")
                             .replace(b"9P]", b"9" + point + b"]"), re.VERBOSE)
        same(chain, texts, [number_of(pattern, thousands, text)
                            for text in texts], "re and decimal")


# Names and seconds, from the greatest to the least.
UNITS = [(("w", "week", "weeks"), "604800"),
         (("d", "day", "days"), "86400"),
         (("h", "hr", "hrs", "hour", "hours"), "3600"),
         (("m", "min", "mins", "minute", "minutes"), "60"),
         (("s", "sec", "secs", "second", "seconds"), "1"),
         (("ms", "msec", "millisecond", "milliseconds"), "0.001"),
         (("us", "\u00b5s", "\u03bcs", "usec", "\u00b5sec", "\u03bcsec",
           "microsecond", "microseconds"), "0.000001"),
         (("ns", "nsec", "nanosecond", "nanoseconds"), "0.000000001")]


def random_number():
    digits = random.choice((1, 1, 2, 3, 20, 60))
    text = "".join(random.choices("0123456789", k=digits))
    if random.random() < 0.4:
        text += "." + "".join(random.choices("0123456789",
                                             k=random.choice((1, 3, 30))))
    return text


def random_duration():
    """A text and its seconds, exactly."""
    sign = random.choice(("", "", "", "-", "+"))
    if random.random() < 0.3:
        parts = [random.randint(0, 200), random.randint(0, 59),
                 random.randint(0, 59)][random.randint(0, 1):]
        total = decimal.Decimal(0)
        for part in parts:
            total = total * 60 + part
        text = ":".join(["%d" % parts[0]] + ["%02d" % part
                                             for part in parts[1:]])
        if len(parts) == 3 and parts[0] < 24 and random.random() < 0.5:
            days = random.randint(0, 10**6)
            text = f"{days}-{text}"
            total += days * 86400
        if random.random() < 0.5:
            rest = str(random.randint(0, 10**9))
            text += "." + rest
            total += decimal.Decimal("0." + rest)
    else:
        chosen = sorted(random.sample(range(len(UNITS)), random.randint(1, 4)))
        total = decimal.Decimal(0)
        texts = []
        for i in chosen:
            number = random_number()
            names, seconds = UNITS[i]
            texts.append(number + random.choice(("", "", " "))
                         + random.choice(names))
            total += decimal.Decimal(number) * decimal.Decimal(seconds)
        text = random.choice(("", " ")).join(texts)
    return (sign + text).encode(), plain(-total if sign == "-" else total)


def go_seconds(text):
    """What numbers with units in any text are, by a regular expression."""
    names = {name: (i, seconds) for i, (all_names, seconds)
             in enumerate(UNITS) for name in all_names}
    number = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
    text = text.decode().strip(" \t\r\v\f")
    sign = text[:1] if text[:1] in ("-", "+") else ""
    text = text[len(sign):]
    if re.fullmatch(number, text):
        terms = [(text, "s")]
    else:
        if not re.fullmatch(rf"(?:{number}\s*[a-z\u00b5\u03bc]+\s*)+", text):
            return None
        terms = re.findall(rf"({number})\s*([a-z\u00b5\u03bc]+)", text)
    total = decimal.Decimal(0)
    order = -1
    for value, name in terms:
        place, seconds = names.get(name, (-1, None))
        exponent = re.search("[eE](.*)", value)
        if place <= order or (exponent and
                              (len(terms) > 1 or abs(int(exponent[1])) > 38)):
            return None
        order = place
        total += decimal.Decimal(value) * decimal.Decimal(seconds)
    return plain(-total if sign == "-" else total)


def check_durations():
    cases = [random_duration() for _ in range(TEXTS)]
    same("duration", [text for text, _ in cases],
         [wanted for _, wanted in cases], "decimal")
    pieces = [b"1", b"0", b"25", b".", b"h", b"m", b"s", b"ms", b"min", b" ",
              b"e2", b"-", b"d", b"us", b"x", b"y", b"\xc2\xb5s", b"sec"]
    texts = [some(pieces, 6) for _ in range(TEXTS)]
    same("duration", texts, [go_seconds(text) for text in texts],
         "re and decimal")


# ---- sizes ----


def numfmt_sizes(scale, texts):
    """What numfmt makes of texts; None: it refuses them."""
    done = subprocess.run(["numfmt", f"--from={scale}", "--invalid=ignore"],
                          check=False, capture_output=True,
                          env={"LC_ALL": "C", "PATH": os.environ["PATH"]},
                          input=b"".join(text + b"\n" for text in texts))
    return [made if re.fullmatch(rb"-?\d+", made) else None
            for made in done.stdout.split(b"\n")[:-1]]


def check_numfmt():
    texts = []
    for _ in range(TEXTS):
        # numfmt prints no number from 2^63 on.
        unit = random.choice("KMGTPEKMGT")
        most = 6 if unit == "E" else 4000
        text = random.choice(("", "", "-")) + str(random.randint(0, most))
        if random.random() < 0.5:
            text += ".%d" % random.randint(0, 99)
        text += unit + random.choice(("", "", "", "x"))
        texts.append(text.encode())
    for chain, scale in (("size", "si"), ("size=iec", "iec")):
        # numfmt computes with long doubles, and rounds away from zero what is
        # too great by a bit.
        got = [made and int(decimal.Decimal(made.decode()).to_integral_value(
            decimal.ROUND_UP)) for made in modified(chain, texts)]
        wanted = [made and int(made) for made in numfmt_sizes(scale, texts)]
        wrong = [case for case in zip(texts, got, wanted)
                 if (case[1] is None) != (case[2] is None) or
                 case[1] is not None and abs(case[1] - case[2]) >
                 (b"." in case[0]) * (1 + (abs(case[2]) >> 60))]
        holds(not wrong, f"{chain}: numfmt", wrong[:SHOWN])


def size_of(base, text):
    """What a size is, by a regular expression."""
    found = re.fullmatch(
        r"\s*([+-]?)((?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)\s*"
        r"(?:([kKMGTPE])(i?)B?|B|bytes?)?\s*", text.decode())
    if found is None:
        return None
    exponent = re.search("[eE](.*)", found[2])
    if exponent and abs(int(exponent[1])) > 38:
        return None
    power = "kMGTPE".index(found[3].replace("K", "k")) + 1 if found[3] else 0
    total = decimal.Decimal(found[2]) * (1024 if found[4] else base)**power
    return plain(-total if found[1] == "-" else total)


def check_sizes():
    pieces = [b"1", b"2.5", b"0", b".", b" ", b"k", b"K", b"M", b"Gi", b"B",
              b"E", b"e3", b"-", b"P", b"T", b"iB", b"bytes", b"g", b"+"]
    texts = [some(pieces, 4) for _ in range(TEXTS)]
    for chain, base in (("size", 1000), ("size=iec", 1024)):
        same(chain, texts, [size_of(base, text) for text in texts],
             "re and decimal")


check_networks()
check_urls()
check_bytes()
check_first_numbers()
check_durations()
check_numfmt()
check_sizes()
