# SPDX-License-Identifier: MIT
# image.sh -- images and their equalisation, against numpy
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

numpy_script "$srcdir/tests/cli/image_oracle.py"
