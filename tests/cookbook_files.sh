# SPDX-License-Identifier: MIT
# cookbook_files.sh -- the files of doc/cookbook.md, and gpuhist by its name
#
# To be sourced after tap.sh.  It makes the files in the directory "samples",
# goes there, and puts a gpuhist on the tested engine into PATH.
# shellcheck shell=sh disable=SC2154

command -v python3 >found || skip_all 'no python3'
[ "$HAVE_GZIP$HAVE_ARCHIVE" = yesyes ] ||
    skip_all 'built without gzip or libarchive'
python3 "$srcdir/doc/cookbook/samples.py" samples || exit 99
mkdir bin
cat >bin/gpuhist <<END
#!/bin/sh
exec timeout $gpuhist_seconds '$GPUHIST' \
    ${GPUHIST_TEST_DEVICE:+--device="$GPUHIST_TEST_DEVICE"} "\$@"
END
chmod +x bin/gpuhist
PATH=$tap_dir/bin:$PATH
export PATH
cd samples || exit 99
