# SPDX-License-Identifier: MIT
"""limits.py -- the counts of printed lines, for oracles: --min-count, --max-count"""


class Limits:
    """From LEAST to MOST; 0 is no limit."""

    def __init__(self, least=0, most=0):
        self.least, self.most = least, most

    def __contains__(self, count):
        return count >= self.least and (not self.most or count <= self.most)

    def __bool__(self):
        return bool(self.least or self.most)

    def __repr__(self):
        return f"Limits({self.least}, {self.most})"

    def options(self):
        return ([f"--min-count={self.least}"] * (self.least > 0) +
                [f"--max-count={self.most}"] * (self.most > 0))


def some_limits(source):
    """Often none."""
    return Limits(*source.choice([(0, 0)] * 5 + [(2, 0), (5, 0), (0, 1),
                                                 (0, 30), (2, 9), (3, 3)]))
