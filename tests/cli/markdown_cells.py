# SPDX-License-Identifier: MIT
"""markdown_cells.py -- the cells of tables in GitHub's Markdown

By its definition (github.github.com/gfm), of text that has nothing but tables.
"""

import re
import string

# What may begin something inside a cell.  A pipe ends the cell.
INLINE = set("\\`*_~[]<>&")
ESCAPES = set(string.punctuation)


def read_cells(line):
    """The cells of a row, each as its text."""
    cells, text, at = [], "", 0
    while at < len(line):
        byte = line[at]
        if byte == "\\":
            # Before anything else it would be a backslash: nothing does that.
            assert at + 1 < len(line) and line[at + 1] in ESCAPES, line
            at += 1
            text += line[at]
        elif byte == "|":
            cells.append(text.strip(" "))
            text = ""
        else:
            assert byte not in INLINE - set("]>"), line
            assert byte >= " " and byte != "\x7f", line
            text += byte
        at += 1
    assert line.startswith("|") and line.endswith("|"), line
    assert not cells[0] and not text
    return cells[1:]


def read_tables(text):
    """[(header, alignments, rows)], of text that has nothing but tables."""
    assert text.endswith("|\n")
    tables = []
    for block in text[:-1].split("\n\n"):
        header, delimiters, *rows = map(read_cells, block.split("\n"))
        assert all(re.match(":?-+:?$", cell) for cell in delimiters)
        assert all(len(row) == len(header) for row in [delimiters] + rows)
        sides = [("left" if cell[0] == ":" else "") +
                 ("right" if cell[-1] == ":" else "") for cell in delimiters]
        tables.append((header, sides, rows))
    return tables
