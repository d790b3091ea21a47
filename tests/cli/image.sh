# image.sh -- images and their equalisation, against numpy
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

# The system's python may have it where the first one in the path has not.
for python in python3 /usr/bin/python3; do
    if "$python" -c 'import numpy' 2>python-says; then
        "$python" "$srcdir/tests/cli/image_oracle.py"
        exit
    fi
done
skip_all 'no python3 with numpy'
