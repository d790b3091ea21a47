# SPDX-License-Identifier: MIT
# python.sh -- the module of Python, with the program that is tested
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

PYTHONPATH=$srcdir/python
export PYTHONPATH GPUHIST
python_checks "$srcdir/tests/python/module.py"
python_checks "$srcdir/tests/python/histogram.py"
done_testing
