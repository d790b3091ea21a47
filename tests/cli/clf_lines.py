# SPDX-License-Identifier: MIT
"""clf_lines.py -- which lines are of the Common Log Format, for the oracles

As Apache's documentation of mod_log_config has it, "%h %l %u %t \"%r\" %>s %b",
or the same after "%v:%p " or "%v ", and whatever a server adds; with regular
expressions and Python's own calendar.
"""

import datetime
import re

MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
# A word without blanks; Apache writes "" for an empty user.
WORD = rb'(?:"(?:\\[^ \t]|[^"\\ \t])*"|\[[^\] \t]*\]|[^ \t"\[][^ \t]*)'
LINE = re.compile(
    rb'[ \t]*(?:%(word)s[ \t]+){3}'
    rb'\[(\d\d)/(%(months)s)/(\d{4}):(\d\d):(\d\d):(\d\d) [+-]\d{4}\][ \t]+'
    rb'"(?:\\.|[^"\\])*"[ \t]+(?:\d{3}|-)[ \t]+(?:\d+|-)(?:[ \t].*)?\Z'
    % {b"word": WORD, b"months": "|".join(MONTHS).encode()}, re.S)
# A line that has its time in the fifth word, and not the fourth one.
VHOST = re.compile(rb'[ \t]*([^ \t"\[\],:]+)(?::\d+)?(?=[ \t]+[^ \t]*[.:][^ \t]*'
                   rb'[ \t]+%(word)s[ \t]+(?!\[)%(word)s[ \t]+\[)'
                   % {b"word": WORD}, re.S)


def is_blank(line):
    return not line.strip(b" \t")


def divide(line):
    """The virtual host of LINE, or None, and the rest of the line."""
    match = VHOST.match(line)
    return (match[1], line[match.end():]) if match else (None, line)


def fits(line):
    """Whether LINE, without its end, is a line of the format."""
    match = LINE.match(divide(line)[1])
    if match is None:
        return False
    day, month, year, hour, minute, second = match.groups()
    try:
        # The calendar repeats after 400 years; a second 60 may be.
        datetime.datetime(int(year) % 400 + 400,
                          1 + MONTHS.index(month.decode()), int(day),
                          int(hour), int(minute), min(int(second), 60) % 60)
    except ValueError:
        return False
    return int(second) <= 60
