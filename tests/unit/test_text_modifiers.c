/* SPDX-License-Identifier: MIT */
/* test_text_modifiers.c -- modifiers that make texts: arguments and results */

#include "../modify_check.h"
#include "../tap.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void
test_results(void)
{
    static const struct {
        const char *chain;
        const char *text;
        const char *made; /* NULL: invalid */
    } cases[] = {
        {"lower", "A@Z[az\xc3\x84", "a@z[az\xc3\x84"},
        {"upper", "A@Zaz`{\xc3\xa4", "A@ZAZ`{\xc3\xa4"},
        {"lower", "", ""},
        {"trim", " \t a b\r\n", "a b"},
        {"trim", " \v\f ", ""},
        {"prefix=2", "abc", "ab"},
        {"prefix=5", "abc", "abc"},
        {"prefix=9223372036854775807", "abc", "abc"},
        {"cut=2-3", "abcd", "bc"},
        {"cut=2-", "abcd", "bcd"},
        {"cut=-2", "abcd", "ab"},
        {"cut=3", "abcd", "c"},
        {"cut=5", "abcd", ""},
        {"cut=4-9", "abcd", "d"},

        {"host", "http://User:p%40@Example.ORG:8080/a?b#c", "example.org"},
        {"host", "https://[2001:DB8::1]:443/", "2001:db8::1"},
        {"host", "http://a@b@c", "c"},
        {"host", "http://example.org", "example.org"},
        {"host", "http://example.org?x", "example.org"},
        {"host", "http:///a", NULL},
        {"host", "http://[::1", NULL},
        {"host", "android-app://com.Google", "com.google"},
        {"host", "Example.org:8080", "example.org"},
        {"host", "example.org:8080/x", "example.org"},
        {"host", "192.0.2.1:50000", "192.0.2.1"},
        {"host", "[2001:db8::1]:443", "2001:db8::1"},
        {"host", "[2001:db8::1]x", NULL},
        {"host", "::1", NULL},
        {"host", "localhost", "localhost"},
        {"host", "-", "-"},
        {"host", "/a/b", NULL},
        {"host", "//a/b", NULL},
        {"host", "?a", NULL},
        {"host", "", NULL},
        {"host", "about:blank", NULL},
        {"host", "user@example.org", NULL},
        {"host", "a b", NULL},

        {"path", "/a/b?x=/y", "/a/b"},
        {"path", "//xmlrpc.php?rsd", "//xmlrpc.php"},
        {"path", "http://example.org", "/"},
        {"path", "http://example.org?x", "/"},
        {"path", "http://example.org/a#b?c", "/a"},
        {"path", "http://example.org/?u=http://x/", "/"},
        {"path", "/?u=http://x/", "/"},
        {"path", "a#b.c", "a#b.c"},
        {"path", "*", "*"},
        {"path", "", ""},
        {"path", "example.org:8080/x", "example.org:8080/x"},
        {"query", "/a?b=c?d", "b=c?d"},
        {"query", "http://h/a?b#c", "b"},
        {"query", "http://h/a#b?c", ""},
        {"query", "/a", ""},
        {"query", "/a?", ""},
        {"ext", "/a/b.tar.gz?v=1.x", "gz"},
        {"ext", "/a.d/b", ""},
        {"ext", "/a/.bashrc", ""},
        {"ext", "/a/..x.y", "y"},
        {"ext", "a.", ""},
        {"ext", "http://example.org", ""},
        {"ext", "http://h/A.PNG", "PNG"},
        {"dir", "/a/b/c", "/a/b"},
        {"dir", "/a/b/", "/a"},
        {"dir", "/a//b", "/a"},
        {"dir", "/a", "/"},
        {"dir", "/", "/"},
        {"dir", "//a", "/"},
        {"dir", "a", "."},
        {"dir", "", "."},
        {"dir", "http://h", "/"},
        {"base", "/a/b/c", "c"},
        {"base", "/a/b/?x", "b"},
        {"base", "/", "/"},
        {"base", "//", "/"},
        {"base", "", ""},
        {"base", "a", "a"},

        {"net=24", "192.0.2.77", "192.0.2.0/24"},
        {"net=0", "192.0.2.77", "0.0.0.0/0"},
        {"net=32", "255.255.255.255", "255.255.255.255/32"},
        {"net=9", "10.255.1.1", "10.128.0.0/9"},
        {"net=24", "2001:db8::1", NULL},
        {"net=24/48", "192.0.2.77", "192.0.2.0/24"},
        {"net=24/48", "2001:DB8:1:2::3", "2001:db8:1::/48"},
        {"net=24/0", "2001:db8::", "::/0"},
        {"net=24/128", "1:0:0:2:0:0:0:3", "1:0:0:2::3/128"},
        {"net=24/128", "1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7/128"},
        {"net=24/128", "1:0:0:2:3:0:0:4", "1::2:3:0:0:4/128"},
        {"net=24/48", "::ffff:1.2.3.4", "1.2.3.0/24"},
        {"net=24", "::FFFF:0102:0304", "1.2.3.0/24"},
        {"net=24/48", "0:0:0:0:0:ffff:1.2.3.4", "1.2.3.0/24"},
        {"net=24/96", "::fffe:102:304", "::fffe:0:0/96"},
        {"net=24/128", "::ffff:0:1.2.3.4", "::ffff:0:102:304/128"},
        {"net=24/128", "::1.2.3.4", "::102:304/128"},
        {"net=24/128", "64:ff9b::192.0.2.33", "64:ff9b::c000:221/128"},
        {"net=24/128", "1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0/128"},
        {"net=24/48", "1:2:3:4:5:6:7:8::", NULL},
        {"net=24/48", "1::2::3", NULL},
        {"net=24/48", ":::", NULL},
        {"net=24/48", "1:2:3:4:5:6:7", NULL},
        {"net=24/48", "12345::", NULL},
        {"net=24/48", "fe80::1%eth0", NULL},
        {"net=24/48", "::1.2.3", NULL},
        {"net=24/48", "1.2.3.4::", NULL},
        {"net=24/48", "[::1]", NULL},
        {"net=24", "192.0.2.077", NULL},
        {"net=24", "192.0.2.256", NULL},
        {"net=24", "192.0.2", NULL},
        {"net=24", "192.0.2.1.1", NULL},
        {"net=24", " 192.0.2.1", NULL},
        {"net=24", "192.0.2.1:80", NULL},
        {"net=24", "", NULL},
        {"host:net=24/48", "[2001:db8::1]:443", "2001:db8::/48"},

        {"field=1", "  a \t b ", "a"},
        {"field=2", "  a \t b ", "b"},
        {"field=3", "  a \t b ", NULL},
        {"field=1", "   ", NULL},
        {"field=5\":\"", "a:b:c:d:e:f", "e"},
        {"field=2\":\":upper", "a:b", "B"},
        {"field=\"2:\"", "a:b", "b"},
        {"field=2;", "a;;b", ""},
        {"field=3;", "a;;b", "b"},
        {"field=4;", "a;;b", NULL},
        {"field=1;", "", ""},
        {"field=2\" - \"", "a - b-c - d", "b-c"},
        {"field=2\"1\"", "a1b", "b"},
        {"field=2\"\"\"\"", "a\"b", "b"},
        {"field=2\"", "a\"b", "b"},
        {"field=2aab", "xaaaaby", "y"},
        {"pair", "a/1", "a"},
        {"pair", "a/2 x", "a"},
        {"pair", "a/3", "a/3"},
        {"pair", "a/1/2", "a/1"},
        {"pair", "a\t/1", "a"},
        {"pair", "/1", ""},
        {"pair", "1", "1"},
        {"pair", "", ""},
        {"path:dir:upper", "http://h/a/b.c?d", "/A"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct modifiers chain;
        struct modifiers_fault fault;
        const char *wanted = cases[i].made;
        unsigned char *made = NULL;
        size_t size = strlen(cases[i].text);
        bool is_chain =
            modifiers_parse(&chain, cases[i].chain, strlen(cases[i].chain),
                            &fault) == MODIFIERS_OK;

        if (is_chain)
            made = modify_apply(&chain, cases[i].text, &size);
        ok(is_chain &&
               (wanted == NULL ? made == NULL
                               : made != NULL && size == strlen(wanted) &&
                                     memcmp(made, wanted, size) == 0),
           "%s of '%s': '%.*s', wanted '%s'", cases[i].chain, cases[i].text,
           made != NULL ? (int)size : 3, made != NULL ? (char *)made : "(-)",
           wanted != NULL ? wanted : "(-)");
        free(made);
        modifiers_close(&chain);
    }
}

static void
test_arguments(void)
{
    static const char *const wrong[] = {
        "lower=1",
        "trim=",
        "prefix",
        "prefix=0",
        "prefix=",
        "prefix=a",
        "prefix=1a",
        "prefix=-1",
        "cut",
        "cut=",
        "cut=0",
        "cut=-",
        "cut=0-2",
        "cut=3-2",
        "cut=-0",
        "cut=1-2-3",
        "cut=1,2",
        "cut=--",
        "net",
        "net=",
        "net=33",
        "net=24/",
        "net=24/129",
        "net=/48",
        "net=24/48/1",
        "net=64",
        "field",
        "field=",
        "field=0",
        "field=;",
        "split",
        "split=",
        "split=\"\"",
        "field=1\"\"",
        "field=1\"a\"b",
        "prefix=18446744073709551616",
        "prefix=99999999999999999999999",
        "host=1",
        "lower::upper",
    };
    static const struct {
        const char *chain;
        const char *separator;
        size_t size;
    } splits[] = {
        {"split=;", ";", 1},         {"split=\",\"", ",", 1},
        {"split=\", \"", ", ", 2},   {"split=\":\"", ":", 1},
        {"split=\"\"\"\"", "\"", 1}, {"trim:split=|:lower", "|", 1},
    };
    struct modifiers chain;
    struct modifiers_fault fault;

    for (size_t i = 0; i < COUNT(wrong); i++) {
        ok(modifiers_parse(&chain, wrong[i], strlen(wrong[i]), &fault) ==
               MODIFIERS_WRONG,
           "%s is wrong", wrong[i]);
        modifiers_close(&chain);
    }
    for (size_t i = 0; i < COUNT(splits); i++) {
        bool is_chain =
            modifiers_parse(&chain, splits[i].chain, strlen(splits[i].chain),
                            &fault) == MODIFIERS_OK;
        size_t at = modifiers_parts(&chain);
        ok(is_chain && at < chain.count &&
               chain.modifier[at].size == splits[i].size &&
               memcmp(chain.modifier[at].text, splits[i].separator,
                      splits[i].size) == 0,
           "%s", splits[i].chain);
        modifiers_close(&chain);
    }
}

int
main(void)
{
    test_results();
    test_arguments();
    return done_testing();
}
