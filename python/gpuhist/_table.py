# SPDX-License-Identifier: MIT
"""_table.py -- what the program prints, as a structured array of numpy

The rows are those of --format=json, which tells texts from numbers.
"""

import json
import math

from . import _program

# Columns of doubles, also if all are whole numbers.
REAL = {'lo', 'hi', 'mean', 'sd', 'sample_sd', 'serial', 'pi', 'density', 'percent'}
# JSON has no such numbers.
NUMBERS = {'inf': math.inf, '-inf': -math.inf, 'nan': math.nan}


def parse(output):
    """The reports: one, or with --per-file one for each input."""
    text = output.decode()
    decoder = json.JSONDecoder()
    reports = []
    position = 0
    while position < len(text):
        report, position = decoder.raw_decode(text, position)
        if not isinstance(report, dict) or 'gpuhist' not in report:
            raise ValueError('not a report')
        reports.append(report)
        while text[position:position + 1].isspace():
            position += 1
    return reports


def decode(row, known):
    """ROW, where names that are not UTF-8 have the escapes of os.fsdecode().

    KNOWN are the names of fields, one of which may end as an escape does.
    """
    decoded = {}
    for name, value in row.items():
        base = name[:-len('_hex')]
        if name.endswith('_hex') and base not in row and name not in known and \
                isinstance(value, str):
            decoded[base] = bytes.fromhex(value).decode(errors='surrogateescape')
        else:
            decoded[name] = value
    return decoded


def rows_of(report):
    """The rows of one report."""
    if 'profile' in report:
        parts = [({}, report['profile'])]
    else:
        histograms = report['histograms']
        parts = []
        for histogram in histograms:
            if 'rows' in histogram:
                raise ValueError('a table of --pivot has no fixed columns')
            fields = ','.join(str(axis['field']) for axis in histogram['axes'])
            parts.append(({'field': fields} if len(histograms) > 1 else {},
                          histogram.get('groups') or
                          histogram.get('bins', []) + histogram.get('flow', [])))
    file = {name: report[name] for name in ('file', 'file_hex') if name in report}
    known = {axis['name'] for axis in axes_of([report])}
    return [decode({**file, **field, **row}, known)
            for field, rows in parts for row in rows]


def axes_of(reports):
    """The axes of all histograms."""
    return [axis for report in reports for histogram in report.get('histograms', ())
            for axis in histogram['axes']]


def texts_of(axes):
    """The names of columns of texts, of which some may be spelled as numbers."""
    keys = {axis['name'] for axis in axes if axis['type'] == 'key'}
    texts = keys.union(('file', 'field', 'type', 'flow'),
                       (axis['name'] + '_flow' for axis in axes))
    # Figures are of the last axis.
    return texts.union(('mode', 'min', 'max') if axes and axes[-1]['name'] in keys
                       else ())


def column(values, is_text, is_real):
    """The type of a column, and its VALUES; None is a missing one."""
    present = [value for value in values if value is not None]
    if present and all(value is True for value in present):
        return '?', [value is True for value in values]
    if is_text:
        return 'O', values
    values = [NUMBERS.get(value, value) if isinstance(value, str) else value
              for value in values]
    present = [value for value in values if value is not None]
    if any(isinstance(value, str) for value in present):
        return 'O', values
    is_whole = all(isinstance(value, int) for value in present)
    if is_whole and len(present) == len(values) and not is_real:
        if all(-1 << 63 <= value < 1 << 63 for value in present):
            return 'i8', values
        if all(0 <= value < 1 << 64 for value in present):
            return 'u8', values
        return 'O', values
    if any(isinstance(value, int) and abs(value) > 1 << 53 for value in present):
        return 'O', values
    return 'f8', [math.nan if value is None else value for value in values]


def table(args, data=None):
    """Call gpuhist as run() does; return a structured array of what it prints.

    Columns have the names of --format=json, with the column file or field in front
    if there are several.  Counts, and columns of whole numbers, are integers of 64
    bits; edges, means and other numbers are doubles, NaN where a row has none.
    Texts are str, None where a row has none, and integers that are longer are int:
    both are columns of objects.  Rows for values outside of the bins, and for
    records without a value, follow the others: flow, or city_flow, says which.

    Without numpy it raises ImportError, before anything is counted.
    """
    import numpy
    _program.check_args(args)
    output = _program.call(['--format=json', *args], data)
    try:
        reports = parse(output)
    except ValueError:
        raise ValueError('args choose an output that is no table') from None
    rows = [row for report in reports for row in rows_of(report)]
    axes = axes_of(reports)
    texts = texts_of(axes)
    real = REAL.union(axis['name'] + end for axis in axes if 'lo' in axis
                      for end in ('_lo', '_hi'))
    names = list(dict.fromkeys(name for row in rows for name in row))
    if not rows:
        names = [axis['name'] for axis in axes] + ['count']
    columns = [column([row.get(name) for row in rows], name in texts, name in real)
               for name in names]
    array = numpy.empty(len(rows), [(name, form) for name, (form, _) in
                                    zip(names, columns)])
    for name, (_, values) in zip(names, columns):
        array[name] = values
    return array
