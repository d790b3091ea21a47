# SPDX-License-Identifier: MIT
"""log_goaccess_oracle.py -- --log-format=NAME against goaccess

Lines of formats that both know: the counts of hosts, virtual hosts and
statuses are the same.
"""

import collections
import json
import random
import shutil
import subprocess
import sys
import tempfile

from checks import IS_SHORT, counted_keys, holds

GPUHIST = sys.argv[1]
LINES = 500 if IS_SHORT else 20000
random.seed(43)


def pick(*values):
    """One of VALUES."""
    return random.choice(values)


def host():
    """An address."""
    return pick('10.%d.0.1', '192.0.2.%d', '2001:db8::%x') % \
        random.randrange(200)


def clock():
    """A time of a day."""
    return f'06:{random.randrange(10, 60)}:{random.randrange(10, 60)}'


def status():
    """A status that goaccess knows."""
    return pick('200', '301', '404', '500')


def request(base=''):
    """The line of a request."""
    return (f'{pick("GET", "POST")} {base}/{random.randrange(99)}?a=b '
            'HTTP/1.1')


def common():
    """A line with a virtual host."""
    return (f'{pick("a", "b", "c.example")}:{pick(80, 443)} {host()} - '
            f'{pick("-", "bob")} [28/Nov/2026:{clock()} +0000] "{request()}" '
            f'{status()} {random.randrange(10 ** 6)}')


def combined():
    """The same of the Combined Log Format."""
    return (f'{common()} "http://r.example/{random.randrange(9)}" '
            '"Mozilla/5.0 (X11; Linux x86_64) Firefox/99.0"')


def balancer():
    """A line of an Application Load Balancer."""
    return (f'https 2026-11-28T{clock()}.945958Z app/lb/5 192.0.2.'
            f'{random.randrange(200)}:{random.randrange(1, 99)} '
            f'10.0.0.9:80 0.086 0.048 0.037 {status()} 200 0 '
            f'{random.randrange(999)} '
            f'"{request("https://w.example:443")}" "curl/7.46.0" ECDHE '
            f'TLSv1.2 arn:a "Root=1-5" "w.example" "arn:c" 1 '
            f'2026-11-28T{clock()}.3Z "forward" "-" "-" '
            '"10.0.0.1:80" "200" "-" "-" TID_1234')


def bucket():
    """A line of Amazon S3."""
    return (f'79a b1 [28/Nov/2026:{clock()} +0000] {host()} 79a 3E5 '
            f'REST.GET.OBJECT k "{request()}" {status()} - '
            f'{random.randrange(999)} - 7 2 "-" "S3Console/0.4" - s9= SigV4 '
            'ECDHE AuthHeader b.example TLSV1.2 - -')


def iis():
    """A line of IIS."""
    return (f'2026-11-28 {clock()} 10.0.0.1 GET /{random.randrange(50)} - 443 '
            f'- {host()} Mozilla/5.0+(X11) http://r.example/ {status()} 0 0 '
            f'{random.randrange(999)}')


IIS_HEAD = ('#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query '
            's-port cs-username c-ip cs(User-Agent) cs(Referer) sc-status '
            'sc-substatus sc-win32-status time-taken')


def storage():
    """A line of Cloud Storage."""
    values = ['1764312072000000', host(), '1', '', 'GET',
              f'/{random.randrange(99)}', status(), '0',
              str(random.randrange(999)), '58000', 'h.example', '', 'curl/7.1',
              'AEn', 'GET_Object', 'b', 'o']
    return ','.join(f'"{value}"' for value in values)


def panel(report, name):
    """The counts of a panel of goaccess."""
    counts = collections.Counter()
    for row in report[name]['data']:
        for item in row.get('items', [row]):
            key = item['data'].split(' ')[0]
            counts[key.encode()] += item['hits']['count']
    return dict(counts)


def check(name, make, fields, head='', count=LINES // 10):
    """Compare COUNT lines of MAKE of the format NAME of goaccess."""
    with tempfile.NamedTemporaryFile('w') as file, \
            tempfile.NamedTemporaryFile('r', suffix='.json') as out:
        file.write(head + '\n' * bool(head) +
                   ''.join(make() + '\n' for _ in range(count)))
        file.flush()
        subprocess.run(['goaccess', file.name, f'--log-format={name}', '-o',
                        out.name, '--no-global-config', '--max-items=100000'],
                       capture_output=True, check=True)
        report = json.load(out)
        for field, where in fields:
            got = counted_keys(GPUHIST, f'--log-format={name}', '-f', field,
                               file.name)
            wanted = panel(report, where)
            holds(got == wanted and sum(wanted.values()) == count,
                  f'{name}: {field}, as goaccess counts it', (got, wanted))


def main():
    """Compare all formats."""
    if not shutil.which('goaccess'):
        holds(True, 'goaccess is not there')
        return
    both = [('host', 'hosts'), ('status', 'status_codes')]
    all_ = [*both, ('vhost', 'vhosts')]
    check('VCOMMON', common, all_, count=LINES)
    check('VCOMBINED', combined, all_, count=LINES)
    check('AWSALB', balancer, both)
    check('AWSS3', bucket, both)
    check('W3C', iis, both, IIS_HEAD)
    check('CLOUDSTORAGE', storage, both)


main()
