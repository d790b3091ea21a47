# SPDX-License-Identifier: MIT
"""modify_times_oracle.py -- modifiers of times beside Python's datetime

Python's datetime makes random times, writes them in each form, and computes
what each modifier makes of them.  Other texts, which are mostly no times, are
read by regular expressions of their own, and datetime says which days exist.
"""

import email.utils
import random
import re
import subprocess
import sys
from datetime import datetime, timedelta, timezone

from checks import IS_SHORT, holds

PRINT_MODIFIED = sys.argv[1]
TIMES = 4000 if IS_SHORT else 100000
random.seed(1128)

UNITS = {"year": 4, "month": 7, "day": 10, "hour": 13, "minute": 16,
         "second": 19}
FLOORS = {"floor=1s": (1, 19), "floor=7s": (7, 19), "floor=5min": (300, 16),
          "floor=90min": (5400, 16), "floor=6h": (21600, 13),
          "floor=48h": (172800, 13), "floor=1d": (86400, 10),
          "floor=10d": (864000, 10), "floor=1w": (604800, None),
          "floor=3w": (3 * 604800, None)}
CHAINS = [*UNITS, "week", *FLOORS, "hour-of-day", "weekday", "utc"]
INVALID = "\\invalid"
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
WEEKDAYS = "Mon Tue Wed Thu Fri Sat Sun".split()


def modified(texts, chains):
    """What each chain makes of each text: rows of words."""
    data = "".join(text + "\n" for text in texts)
    done = subprocess.run([PRINT_MODIFIED, *chains], input=data.encode(),
                          capture_output=True, timeout=300, check=True)
    rows = [row.split("\t") for row in done.stdout.decode().split("\n")[:-1]]
    assert len(rows) == len(texts), (len(rows), len(texts))
    return rows


# ---- what the modifiers make ----

def week_of(day):
    """The spelling of a week."""
    year, week, _ = day.isocalendar()
    return f"{year:04}-W{week:02}"


def floor_of(time, seconds, size):
    """The start of the interval with a time."""
    is_of_days = size is None or size == 10
    origin = datetime(2000, 1, 3) if is_of_days else datetime(1970, 1, 1)
    step = timedelta(seconds=seconds)
    try:
        start = origin + (time - origin) // step * step
    except OverflowError:
        return "0000"
    return week_of(start) if size is None else start.isoformat()[:size]


def utc_of(time, zone, fraction):
    """The time in UTC."""
    if zone is None:
        return INVALID
    try:
        moved = time - timedelta(minutes=zone)
    except OverflowError:
        return INVALID if time.year > 1 else "0000"
    return moved.isoformat() + ("." if fraction else "") + fraction + "Z"


def wanted_of(time, zone=None, fraction="", has_year=True):
    """What each of CHAINS makes of a time."""
    text = time.isoformat()
    if not has_year:
        row = [text[5:size] or INVALID for size in UNITS.values()]
        return row + [INVALID] * (1 + len(FLOORS)) + [text[11:13]] + \
            [INVALID] * 2
    return [*(text[:size] for size in UNITS.values()), week_of(time),
            *(floor_of(time, *floor) for floor in FLOORS.values()),
            text[11:13],
            f"{time.isoweekday()}-{WEEKDAYS[time.weekday()]}",
            utc_of(time, zone, fraction)]


def is_same(got, wanted):
    """Python has no year 0."""
    return all(g == w or (w == "0000" and g.startswith(w))
               for g, w in zip(got, wanted))


# ---- random times ----

LAST = int((datetime(9999, 12, 31) - datetime(1, 1, 1)).days)


def random_time():
    """Any second, and often one at the end of something."""
    day = datetime(1, 1, 1) + timedelta(days=random.randint(0, LAST))
    kind = random.randrange(6)
    if kind == 0:
        day = day.replace(month=random.choice([1, 12]),
                          day=random.choice([1, 2, 3, 4, 28, 29, 30, 31]))
    elif kind == 1 and day.year % 4 == 0 and \
            (day.year % 100 != 0 or day.year % 400 == 0):
        day = day.replace(month=2, day=29)
    elif kind == 2:
        day = datetime(random.randint(1960, 2040), day.month, 1)
    second = random.choice([0, 1, 86399, random.randrange(86400),
                            random.randrange(86400)])
    return day + timedelta(seconds=second)


def random_zone():
    """Minutes east of Greenwich."""
    return random.choice([0, 60, -480, 330, 345, 840, -840,
                          random.randint(-840, 840)])


def zone_text(zone, with_colon):
    """+hh:mm, or +hhmm."""
    sign = "-" if zone < 0 or (zone == 0 and random.random() < .1) else "+"
    colon = ":" if with_colon else ""
    return f"{sign}{abs(zone) // 60:02}{colon}{abs(zone) % 60:02}"


def random_fraction():
    """Digits."""
    size = random.choice([0, 0, 1, 3, 6, 9, 15])
    return "".join(random.choice("0123456789") for _ in range(size))


def in_any_case(word):
    """A name in lower, upper or its own case."""
    return random.choice([word, word, word.lower(), word.upper()])


def iso(time):
    """RFC 3339 and ISO 8601."""
    zone = random.choice([None, random_zone(), 0])
    fraction = random_fraction()
    text = time.isoformat(random.choice("Tt "))
    if random.random() < .2:
        text = text.replace("-", "/")
    elif random.random() < .2:
        text = text.replace("-", "").replace(":", "")
    if fraction:
        text += random.choice(".,") + fraction
    if zone is not None:
        blank = random.choice(["", "", " "])
        words = [zone_text(zone, True), zone_text(zone, False)]
        if zone % 60 == 0:
            words.append(words[0][:3])
        if zone == 0:
            words += ["Z", "z", "UTC"]
        text += blank + random.choice(words)
    return text, wanted_of(time, zone, fraction)


def clf(time):
    """Common log format, and its like."""
    zone = random_zone()
    sign = random.choice("/- ")
    text = f"{time.day:02}{sign}{in_any_case(MONTHS[time.month - 1])}{sign}" \
        f"{time.year:04}{':' if sign == '/' else ' '}{time:%H:%M:%S} " + \
        zone_text(zone, False)
    if random.random() < .5:
        text = "[" + text + "]"
    return text, wanted_of(time, zone)


def ctime(time):
    """As ctime() spells it."""
    fraction = random_fraction()
    text = f"{time.ctime()[:19]}{'.' if fraction else ''}{fraction} " \
        f"{time.year:04}"
    return text, wanted_of(time)


def mail(time):
    """RFC 2822."""
    zone = random_zone()
    zoned = time.replace(tzinfo=timezone(timedelta(minutes=zone)))
    # A library may write an offset of 0 as -0000.
    return email.utils.format_datetime(zoned), wanted_of(time, zone)


def http(time):
    """An HTTP date."""
    zoned = time.replace(tzinfo=timezone.utc)
    return email.utils.format_datetime(zoned, usegmt=True), wanted_of(time, 0)


def syslog(time):
    """RFC 3164."""
    text = f"{MONTHS[time.month - 1]} {time.day:2} {time:%H:%M:%S}"
    return text, wanted_of(time, has_year=False)


def logcat(time):
    """As Android logs."""
    return f"{time:%m-%d %H:%M:%S}.123", wanted_of(time, has_year=False)


def epoch(_):
    """Seconds, or parts of them."""
    digits = random.choice([10, 13, 16, 19])
    number = "".join(random.choice("0123456789") for _ in range(digits))
    fraction = random_fraction()
    time = datetime(1970, 1, 1) + timedelta(seconds=int(number[:10]))
    text = number + (random.choice(".,") + fraction if fraction else "")
    return text, wanted_of(time, 0, number[10:] + fraction)


for form in (iso, clf, ctime, mail, http, syslog, logcat, epoch):
    cases = [form(random_time()) for _ in range(TIMES)]
    # With blanks around.
    texts = [random.choice(["", "", " ", "\t"]) + text +
             random.choice(["", "", " ", "\r"]) for text, _ in cases]
    wrong = 0
    for text, (_, wanted), got in zip(texts, cases, modified(texts, CHAINS)):
        if not is_same(got, wanted):
            wrong += 1
            if wrong < 4:
                print(repr(text), got, wanted)
    holds(wrong == 0, f"{TIMES} times: {form.__doc__}")


# ---- texts that may be times ----

DATE = r"(?P<Y>\d{4})(?P<s>[-/])(?P<m>\d\d)(?P=s)(?P<d>\d\d)"
PACKED = r"(?P<Y>\d{4})(?P<m>\d\d)(?P<d>\d\d)"
CLOCK = r"(?P<H>\d\d)(?::(?P<M>\d\d)(?::(?P<S>\d\d)(?:[.,]\d+)?)?|" \
    r"(?P<M2>\d\d)(?:(?P<S2>\d\d)(?:[.,]\d+)?)?)?"
NAME = "(?:ACDT|ACST|ADT|AEDT|AEST|AKDT|AKST|AST|AWST|BST|CAT|CDT|CEST|CET|" \
    "CST|EAT|EDT|EEST|EET|EST|HDT|HKT|HST|IDT|IST|JST|KST|MDT|MEST|MET|MSK|" \
    "MST|NDT|NST|NZDT|NZST|PDT|PKT|PST|SAST|SST|WAT|WEST|WET|WIB|WIT|WITA|" \
    "UTC|GMT|UT)"
# With colons.
TIME = r"(?P<H>\d\d):(?P<M>\d\d)(?::(?P<S>\d\d)(?:[.,]\d+)?)?"
ZONE = r"(?:\s*(?:[Zz]|(?P<z>[-+])(?P<zh>\d\d)(?::?(?P<zm>\d\d))?" \
    rf"(?:\s*(?:{NAME}|\({NAME}\)))?|(?P<zn>{NAME})))?"
MONTH = "(?P<b>" + "|".join(MONTHS) + ")"
WEEKDAY = "(?:(?:" + "|".join(WEEKDAYS) + r"),?\s+)?"
FORMS = [re.compile(r"\s*(\[)?" + form + r"(?(1)\]|)\s*",
                    re.ASCII | re.IGNORECASE if "?P<b>" in form else re.ASCII)
         for form in (
    rf"{WEEKDAY}{DATE}(?:(?:[Tt]|\s+){CLOCK}{ZONE})?",
    rf"{WEEKDAY}(?P<Y>\d{{4}})[-/](?P<m>\d\d)",
    rf"{PACKED}(?:(?:[Tt]|\s+){CLOCK}{ZONE})?",
    rf"{PACKED}(?P<H>\d\d)(?P<M>\d\d)(?P<S>\d\d)(?:[.,]\d+)?{ZONE}",
    rf"{WEEKDAY}(?P<m>\d\d)-(?P<d>\d\d)(?:(?:[Tt]|\s+){CLOCK}{ZONE})?",
    rf"{WEEKDAY}(?P<d>\d\d?)(?:(?P<s>[-/])|\s+){MONTH}(?(s)(?P=s)|\s+)"
    rf"(?P<Y>\d{{4}})(?:(?:(?::|\s+){TIME}|:(?P<H2>\d\d))(?-i:{ZONE}))?",
    rf"{WEEKDAY}{MONTH}\s+(?P<d>\d\d?)(?:,?\s+{TIME}(?-i:{ZONE})"
    rf"(?:\s+(?P<Y>\d{{4}}))?)?",
    rf"{WEEKDAY}{MONTH}\s+(?P<d>\d\d?),?\s+(?P<Y>\d{{4}})"
    rf"(?:\s+{TIME}(?-i:{ZONE}))?",
    rf"{TIME}{ZONE}",
    r"(?P<e>\d{10}(?:\d{3}|\d{6}|\d{9})?)(?:[.,]\d+)?",
)]


def is_time_of(found):
    """Whether what a form found is in the calendar."""
    part = found.groupdict()
    if part.get("e"):
        return True
    hour, minute, second = (part.get(name) or part.get(name + "2")
                            for name in "HMS")
    if part.get("zh") and (int(part["zh"]) > 23 or
                           int(part.get("zm") or 0) > 59):
        return False
    month = int(part.get("m") or 1)
    if part.get("b"):
        month = MONTHS.index(part["b"].title()) + 1
    year = int(part.get("Y") or 4)
    try:
        # Python has no year 0, which is a leap year as 400 is.
        time = datetime(year or 400, month, int(part.get("d") or 1),
                        int(hour or 0), int(minute or 0),
                        min(int(second or 0), 59) if second != "61" else 61)
    except ValueError:
        return False
    if second and int(second) > 60:
        return False
    is_known = part.get("Y") and found.re is not FORMS[4] and (
        part.get("z") or re.search(r"(?:[Zz]|UTC|GMT|UT)\s*\]?\s*$|"
                                   r"(?:[Zz]|UTC|GMT|UT)\s+\d{4}\]?\s*$",
                                   found.group()))
    if second == "60" and is_known:
        zone = int(part.get("zh") or 0) * 60 + int(part.get("zm") or 0)
        zone = -zone if part.get("z") == "-" else zone
        after = time.replace(year=time.year % 400 + 2000) - \
            timedelta(minutes=zone) + timedelta(seconds=1)
        return (after.day, after.hour, after.minute) == (1, 0, 0)
    return True


SAMPLES = [
    "2026-11-28T06:41:12.123+01:00", "2026-12-31T23:59:60Z", "2026-11-28",
    "28/Nov/2026:06:41:12 +0100", "[28/Nov/2026:06:41:12 +0100]",
    "28/Nov/2026:06", "28/Nov/2026:06 +0100", "2026-11",
    "Sat, 28 Nov 2026 06:41:12 GMT", "Sat Nov 28 06:41:12 2026",
    "Sat Nov  8 06:41:12.12 CET 2026", "Nov 28 06:41:12", "11-28 06:41:12",
    "1795848072.123", "1795848072123", "1795848072123456789", "06:41:12",
    "20261128T064112Z", "20261128064112", "2026/02/28 06:41:12 +0100 (CET)",
    "Nov 28, 2026 06:41 UTC", "2026-06-30T16:59:60-07:00", "2026-02-28T06Z",
]
BYTES = "0123456789::-+/.,TZ  []()NovSatCETUTC"


def mutant():
    """A time with some bytes that are others, fewer or more."""
    text = list(random.choice(SAMPLES))
    for _ in range(random.choice([0, 1, 1, 1, 2, 3])):
        at = random.randrange(len(text) + 1)
        kind = random.randrange(4)
        if kind == 0:
            text.insert(at, random.choice(BYTES))
        elif kind == 1 and text:
            del text[min(at, len(text) - 1)]
        elif text:
            text[min(at, len(text) - 1)] = random.choice(
                "0123456" if kind == 2 else BYTES)
    return "".join(text)


texts = [mutant() for _ in range(10 * TIMES)]
wrong = times = 0
for text, got in zip(texts, modified(texts, CHAINS)):
    is_time = any(found and is_time_of(found)
                  for found in (form.fullmatch(text) for form in FORMS))
    times += is_time
    if is_time != (got != [INVALID] * len(CHAINS)):
        wrong += 1
        if wrong < 9:
            print(repr(text), is_time, got[:6])
holds(wrong == 0 and times > len(texts) / 10,
      f"{len(texts)} texts of which some are times")
