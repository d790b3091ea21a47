# SPDX-License-Identifier: MIT
# pages.sh -- the manual and the texts of Markdown as pages for a browser
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

for tool in mandoc cmark-gfm python3; do
    command -v "$tool" >/dev/null || skip_all "no $tool"
done

python3 "$srcdir/doc/pages.py" pages 2>err
ok $? 'the pages are made' || sed 's/^/# /' err
find "$srcdir/man" -name '*.[15]' -exec basename {} \; | sort >wanted
find pages -name '*.[15].html' -exec basename {} .html \; | sort >got
same wanted got 'each page of the manual is there'

# The check itself first.
mkdir bad
echo '<p id="a"><a href="#b">b</a> <a href="none.html">none</a> <p id="a">' >bad/x.html
python3 "$srcdir/tests/cli/pages_links.py" bad >out
is "$(tr '\n' ' ' <out)" 'x.html: a twice x.html: #b x.html: none.html ' \
    'wrong links are found'
python3 "$srcdir/tests/cli/pages_links.py" pages >out
is "$(cat out)" '' 'all links of the pages lead somewhere'
grep -q '<a href="gpuhist-output.1.html#top="><b>--top</b></a>' pages/gpuhist-bins.1.html
ok $? 'an option is a link to its description'

done_testing
