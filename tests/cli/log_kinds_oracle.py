# SPDX-License-Identifier: MIT
"""log_kinds_oracle.py -- --log-format=NAME against readers in Python

Each reader is written from the documentation of its format.  Random lines, some
of them damaged, are read by both; all fields of each line are compared, and the
names of --clf for them.
"""

import collections
import csv
import datetime
import decimal
import random
import re
import sys
import tempfile

from checks import IS_SHORT, counted_keys, holds, row_of

GPUHIST = sys.argv[1]
LINES = 200 if IS_SHORT else 1000
INVALID = object()


# ---- values ----

def pick(*values):
    """One of VALUES."""
    return random.choice(values)


def number(most=10 ** 6):
    """Digits."""
    return str(random.randrange(most))


def address():
    """An address of IPv4 or IPv6."""
    return pick(f'192.0.2.{number(256)}', f'10.{number(9)}.0.1',
                f'2001:db8::{random.randrange(99):x}', '::1')


def seconds():
    """Seconds as the load balancers of Amazon log them."""
    return pick('-1', '0.000', f'{random.random():.6f}', f'{number(99)}.250')


def text(extra=''):
    """The text of a header of a request."""
    return ''.join(random.choices('ab/;. ()=[]-' + extra,
                                  k=random.randrange(12)))


def clf_time():
    """A time between brackets."""
    return (f'{random.randrange(1, 29):02}/Nov/2026:06:{number(50).zfill(2)}:'
            f'{number(50).zfill(2)} +0000')


def iso_time():
    """A time of ISO 8601."""
    return (f'2026-11-{random.randrange(1, 29):02}T06:'
            f'{number(50).zfill(2)}:{number(50).zfill(2)}.{number()}Z')


def target():
    """The target of a request."""
    return pick('/', '/a/b.html', '/?x=1&y=%20', '/a?b?c', f'/{number(50)}')


def request(base=''):
    """The line of a request, or no request."""
    return pick(f'{pick("GET", "POST", "HEAD")} {base}{target()} '
                f'HTTP/{pick("1.0", "1.1", "2.0")}') if random.random() < .9 \
        else pick('-', 'GET', r'\x16\x03', '')


def request_parts(line, has_url):
    """What --clf calls the parts of LINE."""
    found = re.fullmatch(r'([^ ]+) (.+) (HTTP/[^ ]*)', line) or \
        re.fullmatch(r'([^ ]+) (.+)()', line)
    if not found:
        return {}
    parts = {'method': found[1], 'target': found[2],
             'protocol': found[3] or None}
    path = found[2].partition('?')[0]
    if has_url and re.match('[A-Za-z][A-Za-z0-9+.-]*://', path):
        path = '/' + path.split('://', 1)[1].partition('/')[2]
    return parts | {'path': path}


def exactly(value, unit=1):
    """VALUE, a number of UNIT, in seconds as gpuhist prints them."""
    if value in (None, '-', ''):
        return value
    value = value.strip(' \t')
    if not re.fullmatch(r'[-+]?(\d+(\.\d*)?|\.\d+)', value):
        return INVALID
    sum_ = decimal.Decimal(value) * decimal.Decimal(unit)
    plain = f'{sum_:f}'
    if '.' in plain:
        plain = plain.rstrip('0').rstrip('.')
    return '0' if plain == '-0' else plain


# ---- lines of values between blanks ----

PARTS = {marks: re.compile(f'(?:{part})(?: |$)', re.DOTALL) for marks, part in
         (('', r'([^ "]+)'), ('[', r'\[(.*?)\]|(-)'),
          ('"', r'"((?:\\.|[^\\])*?)"|(-)'))}


class Blanks:
    """A format of Amazon: the fields of its documentation, in their order.

    A field is (name, marks, make): marks are '', '"' or '['.
    """

    def __init__(self, name, needed, fields, mapped):
        self.name = name
        self.needed = needed
        self.fields = [field[0] for field in fields]
        self.marks = [field[1] for field in fields]
        self.make = [field[2] for field in fields]
        self.mapped_of = mapped
        self.mapped = list(mapped(collections.defaultdict(lambda: '-')))

    def line(self):
        """A line, with some of the fields at the end."""
        count = pick(len(self.fields), len(self.fields),
                     random.randint(self.needed, len(self.fields)))
        values = []
        for marks, make in list(zip(self.marks, self.make))[:count]:
            value = make()
            if marks and value == '-':
                values.append(pick('-', {'"': '"-"', '[': '[-]'}[marks]))
            else:
                values.append({'': value, '"': f'"{value}"',
                               '[': f'[{value}]'}[marks])
        if count == len(self.fields):
            values += pick([], [], ['new'], ['"n e w"', '-'], [''])
        return ' '.join(values)

    def read(self, line):
        """The fields of LINE, or None."""
        values = dict.fromkeys(self.fields)
        at = 0
        for i, (name, marks) in enumerate(zip(self.fields, self.marks)):
            if i >= self.needed and at == len(line):
                break
            found = PARTS[marks].match(line, at)
            if not found:
                return None
            values[name] = next(value for value in found.groups()
                                if value is not None)
            at = found.end()
        return values if self.are_right(values) else None

    @staticmethod
    def are_right(values):
        """Whether the numbers of VALUES are numbers."""
        for name, value in values.items():
            if name in ('elb_status_code', 'httpstatus') and \
                    not re.fullmatch(r'\d{3}|-', value):
                return False
            if name in ('received_bytes', 'sent_bytes', 'bytessent') and \
                    not re.fullmatch(r'\d+|-', value):
                return False
        return True


def endpoint():
    """An address with a port."""
    host = address()
    if ':' in host and random.random() < .5:
        host = f'[{host}]'
    return f'{host}:{number(65536)}'


def host_of(value):
    """The address of an endpoint."""
    host = value.rpartition(':')[0] if ':' in value else value
    return host[1:-1] if re.fullmatch(r'\[.*\]', host) else host


def balancer(values, processing):
    """The mapped names of a load balancer."""
    parts = request_parts(values['request'], True)
    return {'time': values['time'], 'host': host_of(values['client:port']),
            'status': values['elb_status_code'],
            'bytes': values['sent_bytes'], 'method': parts.get('method'),
            'path': parts.get('path'), 'agent': values['user_agent'],
            'duration': exactly(values[processing])}


def status():
    """A status, or none."""
    return pick('200', '404', '502', '460', '000', '-')


def url_request():
    """A request to a load balancer."""
    return request('https://www.example.com:443') if random.random() < .95 \
        else '- http://www.example.com:80- -'


def agent():
    """A user agent, with quotes, too."""
    return pick('curl/8.0', '-', 'Mozilla/5.0 (X11; Linux)', text(r'"'),
                r'a \"q\" b', text())


ENDING = [('ssl_cipher', '', lambda: pick('-', 'ECDHE-RSA-AES128-GCM-SHA256')),
          ('ssl_protocol', '', lambda: pick('-', 'TLSv1.2'))]
ELB = Blanks('elb', 12, [
    ('time', '', iso_time), ('elb', '', lambda: 'my-lb'),
    ('client:port', '', endpoint),
    ('backend:port', '', lambda: pick('-', endpoint())),
    ('request_processing_time', '', seconds),
    ('backend_processing_time', '', seconds),
    ('response_processing_time', '', seconds),
    ('elb_status_code', '', status), ('backend_status_code', '', status),
    ('received_bytes', '', number), ('sent_bytes', '', number),
    ('request', '"', url_request), ('user_agent', '"', agent), *ENDING,
], lambda values: balancer(values, 'backend_processing_time'))


ALB = Blanks('awsALB', 17, [
    ('type', '', lambda: pick('http', 'https', 'h2', 'grpcs', 'ws', 'wss')),
    ('time', '', iso_time), ('elb', '', lambda: 'app/lb/50dc6c495c0c9188'),
    ('client:port', '', endpoint),
    ('target:port', '', lambda: pick('-', endpoint())),
    ('request_processing_time', '', seconds),
    ('target_processing_time', '', seconds),
    ('response_processing_time', '', seconds),
    ('elb_status_code', '', status), ('target_status_code', '', status),
    ('received_bytes', '', number), ('sent_bytes', '', number),
    ('request', '"', url_request), ('user_agent', '"', agent), *ENDING,
    ('target_group_arn', '', lambda: pick('-', 'arn:aws:x:123:targets/73e2')),
    ('trace_id', '"', lambda: pick('-', 'Root=1-58337262-36d228ad')),
    ('domain_name', '"', lambda: pick('-', 'www.example.com')),
    ('chosen_cert_arn', '"', lambda: pick('-', 'session-reused', 'arn:a:b')),
    ('matched_rule_priority', '', lambda: pick('-1', '0', '50000', '-')),
    ('request_creation_time', '', iso_time),
    ('actions_executed', '"', lambda: pick('-', 'waf,forward', 'redirect')),
    ('redirect_url', '"', lambda: pick('-', 'https://example.com:80/a b')),
    ('error_reason', '"', lambda: pick('-', 'LambdaInvalidResponse')),
    ('target:port_list', '"', lambda: pick('-', '10.0.0.1:80 10.0.0.2:80')),
    ('target_status_code_list', '"', lambda: pick('-', '200 404')),
    ('classification', '"', lambda: pick('-', 'Acceptable', 'Severe')),
    ('classification_reason', '"', lambda: pick('-', 'SpaceInUri')),
    ('conn_trace_id', '', lambda: pick('-', 'TID_1234abcd')),
    ('transformed_host', '"', lambda: pick('-', 'example.com')),
    ('transformed_uri', '"', lambda: pick('-', '/x')),
    ('request_transform_status', '"', lambda: pick('-', 'TransformSuccess')),
], lambda values: balancer(values, 'target_processing_time'))


def of_s3(values):
    """The mapped names of S3."""
    parts = request_parts(values['request_uri'], False)
    return {'time': values['requestdatetime'], 'host': values['remoteip'],
            'user': values['requester'], 'method': parts.get('method'),
            'path': parts.get('path'), 'status': values['httpstatus'],
            'bytes': values['bytessent'], 'referer': values['referrer'],
            'agent': values['useragent'], 'vhost': values['endpoint'],
            'duration': exactly(values['totaltime'], '0.001')}


S3 = Blanks('s3', 18, [
    ('bucketowner', '', lambda: '79a59df900b949e5'),
    ('bucket_name', '', lambda: 'bucket'),
    ('requestdatetime', '[', clf_time), ('remoteip', '', address),
    ('requester', '', lambda: pick('-', 'arn:aws:iam::123:user/a')),
    ('requestid', '', lambda: '3E57427F3EXAMPLE'),
    ('operation', '', lambda: pick('REST.GET.OBJECT', 'S3.EXPIRE.OBJECT')),
    ('key', '', lambda: pick('-', 'a/b%2520c')),
    ('request_uri', '"', request), ('httpstatus', '', status),
    ('errorcode', '', lambda: pick('-', 'NoSuchKey')),
    ('bytessent', '', lambda: pick('-', number())),
    ('objectsize', '', lambda: pick('-', number())),
    ('totaltime', '', lambda: pick('-', number())),
    ('turnaroundtime', '', lambda: pick('-', number())),
    ('referrer', '"', lambda: pick('-', 'http://example.com/a', text())),
    ('useragent', '"', agent), ('versionid', '', lambda: pick('-', '3HL4kq')),
    ('hostid', '', lambda: 's9lzHYrFp76ZVxRcpX9+5cjAnEH2RO='),
    ('sigv', '', lambda: pick('-', 'SigV4')),
    ('ciphersuite', '', lambda: pick('-', 'ECDHE-RSA-AES128-GCM-SHA256')),
    ('authtype', '', lambda: pick('-', 'AuthHeader')),
    ('endpoint', '', lambda: pick('-', 'b.s3.eu-west-1.amazonaws.com')),
    ('tlsversion', '', lambda: pick('-', 'TLSv1.2')),
    ('accesspointarn', '', lambda: pick('-', 'arn:aws:s3:x:1:accesspoint/a')),
    ('aclrequired', '', lambda: pick('-', 'Yes')),
    ('sourceregion', '', lambda: pick('-', 'us-east-1')),
], of_s3)


# ---- lines of a fixed form ----

class Fixed:
    """A format with an expression that names its fields."""

    def __init__(self, name, line, expression, mapped):
        self.name = name
        self.line = line
        self.expression = re.compile(expression, re.DOTALL | re.VERBOSE)
        self.fields = [self.own_name(name)
                       for name in self.expression.groupindex]
        self.mapped_of = mapped
        self.mapped = list(mapped(collections.defaultdict(lambda: '-')))

    @staticmethod
    def own_name(group):
        """The name of the field of GROUP, which has no hyphen."""
        return group.replace('User_Agent', 'User-Agent')

    def read(self, line):
        """The fields of LINE, or None."""
        found = self.expression.fullmatch(line)
        return found and {self.own_name(group): value for group, value
                          in found.groupdict().items()}


def squid_line():
    """A line of the format squid of Squid: %6tr is padded."""
    code = pick('TCP_MISS', 'TCP_HIT', 'NONE', 'TCP_MISS_ABORTED', 'UDP_HIT')
    url = pick(f'http://www.example.com{target()}', 'www.example.com:443',
               'error:invalid-request', f'http://h/{text()}')
    peer = pick('HIER_NONE/-', f'HIER_DIRECT/{address()}',
                'FIRSTUP_PARENT/a.b', 'TIMEOUT_HIER_DIRECT/::1')
    return (f'{random.randrange(10 ** 9, 2 * 10 ** 9)}.'
            f'{number(1000).zfill(3)} {number(10 ** 7):>6} {address()} {code}/'
            f'{pick("000", "200", "404", "503")} {number()} '
            f'{pick("GET", "CONNECT", "NONE", "ICP_QUERY")} {url} '
            f'{pick("-", "bob", "a%20b")} {peer} {pick("-", "text/html")}')


def of_squid(values):
    """The mapped names of Squid."""
    path = values['URL'].partition('?')[0]
    if re.match('[A-Za-z][A-Za-z0-9+.-]*://', path):
        path = '/' + path.split('://', 1)[1].partition('/')[2]
    return {'time': values['time'], 'host': values['remotehost'],
            'status': values['status'], 'bytes': values['bytes'],
            'method': values['method'], 'target': values['URL'], 'path': path,
            'user': values['rfc931'],
            'duration': exactly(values['elapsed'], '0.001')}


SQUID = Fixed('Squid', squid_line, r"""
    (?P<time>[^ ]*)[ ]+(?P<elapsed>[^ ]+)[ ](?P<remotehost>[^ ]*)[ ]
    (?P<code>[^ /]+)/(?P<status>\d{3}|-)[ ](?P<bytes>\d+|-)[ ]
    (?P<method>[^ ]*)[ ](?P<URL>[^ ]*)[ ](?P<rfc931>[^ ]*)[ ]
    (?P<peerstatus>[^ /]+)/(?P<peerhost>[^ ]*)[ ](?P<type>.*)""", of_squid)


def traefik_line():
    """A line of the format common of Traefik."""
    def quoted(*values):
        return '"' + pick('-', *values).replace('"', r'\"') + '"'
    return (f'{address()} - {pick("-", "bob", "a b")} [{clf_time()}] '
            f'"{pick("GET", "PUT")} {target()} HTTP/{pick("1.1", "2.0")}" '
            f'{pick("-", "200", "404", "499")} {pick("-", number())} '
            f'{quoted("http://a/?b", text())} {quoted("a b", "a " + chr(34))} '
            f'{pick("-", number())} {quoted("api@docker", "/x-0")} '
            f'{quoted("http://10.0.0.1:80")} {number(5000)}ms')


def of_traefik(values):
    """The mapped names of Traefik."""
    return {'host': values['ClientHost'], 'user': values['ClientUsername'],
            'time': values['StartUTC'], 'status': values['DownstreamStatus'],
            'bytes': values['DownstreamContentSize'],
            'referer': values['request_Referer'],
            'agent': values['request_User-Agent'],
            'duration': exactly(values['Duration'], '0.001')}


QUOTED = r'"(?P<%s>(?:\\.|(?!"[ ])[^\\])*)"[ ]'
TRAEFIK = Fixed('traefikclf', traefik_line, r"""
    (?P<ClientHost>[^ ]+)[ ]-[ ](?P<ClientUsername>.*?)[ ]
    \[(?P<StartUTC>.*?)\][ ]""" + QUOTED % 'request' + r"""
    (?P<DownstreamStatus>\d{3}|-)[ ](?P<DownstreamContentSize>\d+|-)[ ]
    """ + QUOTED % 'request_Referer' + QUOTED % 'request_User_Agent' + r"""
    (?P<RequestCount>[^ ]+)[ ]""" + QUOTED % 'RouterName' +
                QUOTED % 'ServiceURL' + '(?P<Duration>.*?)ms', of_traefik)


# ---- syslog ----

FACILITIES = ('kern user mail daemon auth syslog lpr news uucp cron authpriv '
              'ftp ntp audit alert clock local0 local1 local2 local3 local4 '
              'local5 local6 local7').split()
SEVERITIES = 'emerg alert crit err warning notice info debug'.split()
CLOCK = r'\d\d:\d\d:\d\d(?:[.,]\d{1,9})?'
ISO = rf'\d{{4}}-\d\d-\d\dT{CLOCK}(?:Z|[+-]\d\d(?::?\d\d)?)?'
SHORT = ('(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'
         rf' {{1,2}}\d{{1,2}} {CLOCK}')
RFC5424 = re.compile(
    rf'<(?P<pri>\d{{1,3}})>\d{{1,3}} (?P<time>{ISO}|-) (?P<host>[^ ]+) '
    r'(?P<program>[^ ]+) (?P<pid>[^ ]+) (?P<msgid>[^ ]+) '
    r'(?P<data>-|(?:\[(?:"(?:\\.|[^"\\])*"|[^"\]])*\])+)'
    '(?: \ufeff?(?P<message>.*))?', re.DOTALL)
RFC3164 = re.compile(
    rf'(?:<(?P<pri>\d{{1,3}})>)?(?P<time>{ISO}|{SHORT}) '
    r'(?:(?P<host>(?:[^ \[]*[^ \[:])(?= |$)) ?)?'
    r'(?:(?P<program>[^ :\[]+)(?::(?= |$)|\[(?P<pid>[^ \]]*)\](?::|(?= |$)))'
    r' ?)?(?P<message>.*)', re.DOTALL)


class Syslog:
    """Three forms of a line."""

    name = 'syslog'
    fields = ['pri', 'time', 'host', 'program', 'pid', 'msgid',
              'structured-data', 'message']
    mapped = ['facility', 'severity', 'host', 'program', 'pid', 'message']

    @staticmethod
    def line():
        """A line of one of the forms."""
        message = pick('su root failed', '[  1.2] usb', '', 'a: b [1]: c',
                       'last message repeated 2 times', ' x', text('":'))
        pri = f'<{random.randrange(192)}>'
        iso = iso_time()[:-1] + pick('Z', '+01:00', '-0730', '')
        iso = iso.replace('.', pick('.', ','))
        host = pick('h', 'a.example.com', '192.0.2.1', '2001:db8::1', '-')
        program = pick('su', 'postfix/smtpd', 'systemd-logind', 'su(pam_unix)')
        pid = pick('1', number())
        if random.random() < .4:
            data = pick('-', '[x@1 a="b"]', r'[x@1 a="\"] \\"][y]', '[a b="]["]')
            return (f'{pri}{pick("1", "2")} {pick(iso, iso, "-")} {host} '
                    f'{pick(program, "-")} {pick(pid, "-")} '
                    f'{pick("ID47", "-")} {data}'
                    f'{pick("", " ", " " + message, " " + chr(0xfeff) + "x")}')
        day = f'{random.randrange(1, 32):2}'
        time = pick(iso, f'{pick("Jan", "May", "Dec")} {day} 06:41:12')
        tag = pick(f'{program}[{pid}]: ', f'{program}: ', f'{program}[{pid}] ',
                   '', f'{program}[{pid}]:', f'{program}:')
        return (f'{pick(pri, "")}{time} {pick(host + " ", host + " ", "")}'
                f'{tag}{message}')

    @staticmethod
    def read(line):
        """The fields of LINE, or None."""
        is_new = re.match(r'<\d{1,3}>\d{1,3} ', line)
        found = (RFC5424 if is_new else RFC3164).fullmatch(line)
        if not found:
            return None
        values = {'msgid': None, **found.groupdict()}
        values['structured-data'] = values.pop('data', None)
        if found.end('host') == len(line):
            values['message'] = None
        return values

    @staticmethod
    def mapped_of(values):
        """The names that syslogd has for the priority."""
        pri = values['pri']
        is_right = pri is not None and int(pri) < 192
        wrong = None if pri is None else INVALID
        return values | {
            'facility': FACILITIES[int(pri) // 8] if is_right else wrong,
            'severity': SEVERITIES[int(pri) % 8] if is_right else wrong}


# ---- HAProxy ----

CLIENT = r'(?P<client>[^ ]+) \[(?P<accept_date>[^ ]+?)\] '
NUMBER = '(?P<%s>[-+]?\\d+|-)'


def joined(names):
    """Numbers between slashes."""
    return '/'.join(NUMBER % name for name in names.split())


SERVER = '(?P<frontend_name>[^ ]+) (?P<backend_name>[^ /]+)/' \
    '(?P<server_name>[^ ]+) '
LOADS = joined('actconn feconn beconn srv_conn retries') + ' ' + \
    joined('srv_queue backend_queue')
HTTP = re.compile(
    CLIENT + SERVER + joined('TR Tw Tc Tr Ta') +
    r' (?P<status_code>\d{3}|-|-1) ' + NUMBER % 'bytes_read' +
    ' (?P<captured_request_cookie>[^ ]+) (?P<captured_response_cookie>[^ ]+) '
    '(?P<termination_state>[^ ]+) ' + LOADS +
    r'(?: \{(?P<captured_request_headers>(?:(?!\}(?: |$)).)*)\}'
    r'(?: \{(?P<captured_response_headers>(?:(?!\}(?: |$)).)*)\})?)?'
    ' "(?P<http_request>(?:(?!"(?: |$)).)*)(?:"|$)(?: (?P<fc_err>[^ /]+)/(?P<ssl_fc_err>'
    '[^ /]+)/(?P<ssl_c_err>[^ /]+)/(?P<ssl_c_ca_err>[^ /]+)/'
    '(?P<ssl_fc_is_resumed>[^ ]+) (?P<ssl_fc_sni>[^ /]+)/'
    '(?P<ssl_version>[^ /]+)/(?P<ssl_ciphers>[^ ]+))?', re.DOTALL)
TCP = re.compile(CLIENT + SERVER + joined('Tw Tc Tt') + ' ' +
                 NUMBER % 'bytes_read' + ' (?P<termination_state>[^ ]+) ' +
                 LOADS, re.DOTALL)
FAULT = re.compile(CLIENT + '(?P<frontend_name>[^ /]+)/'
                   '(?P<bind_name>[^ ]+?): (?P<message>.*)', re.DOTALL)
CONNECT = re.compile('Connect from (?P<client>[^ ]+) to '
                     r'(?P<destination>[^ ]+) \((?P<frontend_name>[^ /]+)/'
                     r'(?P<mode>[^ )]+)\)', re.DOTALL)


def haproxy_line():
    """A line of one of the forms."""
    def times(count):
        return '/'.join(pick('-1', number(), number())
                        for _ in range(count - 1)) + pick('/+', '/') + number()
    start = pick('Feb  6 12:14:14 h ', '<134>Nov 28 06:41:12 h ',
                 '2026-11-28T06:41:12+01:00 h ')
    start = pick(start + pick('haproxy[143]: ', 'haproxy: '), 'haproxy[7]: ',
                 '')
    client = f'{address()}:{number(65536)}'
    front = f'{client} [{clf_time()[:-6]}.655] '
    loads = f'{times(5)} {number(9)}/{number(9)}'
    server = f'{pick("in", "in~")} {pick("bck/srv1", "in/<NOSRV>")} '
    form = random.random()
    if form < .15:
        message = pick('SSL handshake failure', 'Timeout during handshake')
        return f'{start}{front}in/{pick("f1", "1", "::1:80")}: {message}'
    if form < .2:
        return f'{start}Connect from {client} to [::1]:80 (www/HTTP)'
    if form < .4:
        return (f'{start}{front}{server}{times(3)} {pick("", "+")}{number()} '
                f'{pick("--", "cD", "SC")} {loads}')
    headers = pick('', ' {}', ' {a b|c} {}', ' {a} {"x"}', ' {} {b|}')
    quoted = pick(request(), '<BADREQ>', 'GET /#22 HTTP/1.1')
    tls = pick('', '', ' 0/0000000000000000/0/0/0 a.b/TLSv1.3/TLS_AES_128',
               ' 30/1FFF/0/0/1 -/-/-')
    return (f'{start}{front}{server}{times(5)} '
            f'{pick("200", "404", "-1", "503")} {pick("", "+")}{number()} '
            f'{pick("-", "A=b")} - {pick("----", "SC--", "PR--", "cD--")} '
            f'{loads}{headers} "{quoted}"{tls}')


class Haproxy:
    """Four forms of a line."""

    name = 'HAproxy'
    line = staticmethod(haproxy_line)
    fields = [field for one in (HTTP, TCP, FAULT, CONNECT)
              for field in one.groupindex]
    fields = [field for field in dict.fromkeys(fields)
              if field != 'client']
    fields = [{'destination': 'destination:port'}.get(field, field)
              for field in fields] + ['client:port', 'process_name', 'pid']
    mapped = ['host', 'port', 'time', 'status', 'bytes', 'method', 'path',
              'duration', 'client_ip', 'client_port']

    @classmethod
    def read(cls, line):
        """The fields of LINE, or None."""
        start = Syslog.read(line)
        if not start:
            start = RFC3164.fullmatch('Jan  1 00:00:00 h ' + line).groupdict()
        rest = start['message']
        found = None
        for form in (HTTP, TCP, FAULT, CONNECT):
            found = found or (rest is not None and form.fullmatch(rest))
        if not found:
            return None
        groups = found.groupdict()
        values = dict.fromkeys(cls.fields) | groups
        values['process_name'] = start['program']
        values['pid'] = start['pid']
        values['client:port'] = groups['client']
        values['destination:port'] = groups.get('destination')
        return values

    @staticmethod
    def mapped_of(values):
        """The mapped names."""
        parts = request_parts(values['http_request'] or '', False)
        client = values['client:port']
        took = values['Ta'] if values['http_request'] is not None \
            else values['Tt']
        return {'host': host_of(client), 'client_ip': host_of(client),
                'port': client.rpartition(':')[2] if ':' in client else None,
                'client_port': client.rpartition(':')[2]
                if ':' in client else None,
                'time': values['accept_date'], 'status': values['status_code'],
                'bytes': values['bytes_read'], 'method': parts.get('method'),
                'path': parts.get('path'), 'duration': exactly(took, '0.001')}


# ---- names in the data ----

W3C_VALUES = {
    's-ip': address, 'cs-method': lambda: pick('GET', 'POST', '-'),
    'cs-uri-stem': lambda: pick('/', '/a+b.aspx', '/x;y'),
    'cs-uri-query': lambda: pick('-', 'a=b&c=%20d'),
    's-port': lambda: '443', 'cs-username': lambda: pick('-', 'DOM\\xyz'),
    'c-ip': address, 'cs-version': lambda: pick('HTTP/1.1', '-'),
    'cs(User-Agent)': lambda: pick('-', 'Mozilla/5.0+(X11)', '"a b ""c"" "'),
    'cs(Referer)': lambda: pick('-', 'http://r.example/?a', '"http://r/ x"'),
    'cs(Cookie)': lambda: '-', 'cs-host': lambda: 'www.example.com',
    'sc-status': lambda: pick('200', '404', '0'), 'sc-substatus': lambda: '0',
    'sc-win32-status': lambda: pick('0', '64', '2148074254'),
    'sc-bytes': number, 'time-taken': number,
}


class W3c:
    """IIS: some of the fields, in any order."""

    name = 'w3c'
    mapped = ['time', 'host', 'user', 'method', 'path', 'query', 'status',
              'bytes', 'duration', 'agent', 'referer', 'vhost']
    own = ('time c-ip cs-username cs-method cs-uri-stem cs-uri-query sc-status '
           'sc-bytes time-taken cs(User-Agent) cs(Referer) cs-host').split()
    unit = '0.001'
    wrong_status = r'[-+]?\d+|-'

    def __init__(self):
        random.seed(7)
        columns = list(W3C_VALUES)
        random.shuffle(columns)
        at = random.randrange(len(columns))
        self.columns = columns[:at] + ['date', 'time'] + columns[at:]
        self.fields = ['date', 'time-of-day', *columns]
        self.head = ['#Software: IIS', '#Fields: ' + ' '.join(self.columns)]

    def line(self):
        """A line."""
        make = dict(W3C_VALUES, date=lambda: f'2026-11-{number(19)}',
                    time=lambda: f'06:41:{number(60)}')
        return ' '.join(make[name]() for name in self.columns) + pick('', ' ')

    def split(self, line):
        """The values of LINE with their places, or None."""
        if re.match('[^ \t]*\t', line):
            return list(re.finditer('(?:^|(?<=\t))(?:((?!))|([^\t]*))', line))
        values = []
        at = 0
        while not values or at < len(line):
            found = re.compile('(?:"((?:[^"]|"")*)"|((?!")[^ ]*))(?: +|$)'
                               ).match(line, at)
            if not found:
                return None
            values.append(found)
            at = found.end()
        return values

    def read(self, line):
        """The fields of LINE, or None."""
        found = self.split(line)
        if found is None or len(found) != len(self.columns):
            return None
        values = {name: one[1] or one[2] or ''
                  for name, one in zip(self.columns, found)}
        if not re.fullmatch(self.wrong_status, values['sc-status']) or \
                not re.fullmatch(r'\d+|-', values['sc-bytes']):
            return None
        date = found[self.columns.index('date')]
        time = found[self.columns.index('time')]
        values['time-of-day'] = values['time']
        values['time'] = line[date.start(1 + (date[1] is None)):
                              time.end(1 + (time[1] is None))]
        return values

    def mapped_of(self, values):
        """The mapped names."""
        mapped = {name: values[own] for name, own in zip(self.mapped, self.own)}
        return mapped | {'duration': exactly(values['time-taken'], self.unit)}


class CloudFront(W3c):
    """Names between blanks, values between tabs."""

    name = 'CloudFront'
    own = ('time c-ip x-edge-request-id cs-method cs-uri-stem cs-uri-query '
           'sc-status sc-bytes time-taken cs(User-Agent) cs(Referer) '
           'cs(Host)').split()
    mapped = ['x-edge-request-id' if name == 'user' else name
              for name in W3c.mapped]
    unit = '1'
    kept = len('2026-11-10\t06:41:50\t')
    wrong_status = r'\d{3}|-'

    def __init__(self):
        super().__init__()
        self.columns = (
            'date time x-edge-location sc-bytes c-ip cs-method cs(Host) '
            'cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query '
            'x-edge-result-type x-edge-request-id time-taken').split()
        self.fields = [name for name in self.columns if name != 'time']
        self.fields.append('time-of-day')
        self.head = ['#Version: 1.0', '#Fields: ' + ' '.join(self.columns)]

    def line(self):
        return '\t'.join([
            f'2026-11-1{number(9)}', f'06:41:5{number(9)}', 'FRA6', number(),
            address(), pick('GET', 'PUT'), 'd1.cloudfront.net', target(),
            pick('200', '000', '502', '-'), pick('-', 'http://r/', ''),
            pick('-', 'Mozilla/5.0%20(X11)', text()), pick('-', 'a=b'),
            pick('Hit', 'Error'), 'SOX4xwn4XV6Q4==', seconds()])

    def mapped_of(self, values):
        mapped = super().mapped_of(values)
        time = datetime.datetime.strptime(values['time'], '%Y-%m-%d\t%H:%M:%S')
        return mapped | {'time': time.isoformat()}


class CloudStorage:
    """CSV with a header."""

    name = 'cloudstorage'
    fields = ('time_micros c_ip c_ip_type c_ip_region cs_method cs_uri '
              'sc_status cs_bytes sc_bytes time_taken_micros cs_host '
              'cs_referer cs_user_agent s_request_id cs_operation cs_bucket '
              'cs_object').split()
    mapped = ['time', 'host', 'method', 'target', 'status', 'bytes', 'vhost',
              'duration', 'referer', 'agent']
    own = ('time_micros c_ip cs_method cs_uri sc_status sc_bytes cs_host '
           'time_taken_micros cs_referer cs_user_agent').split()
    head = [','.join(f'"{name}"' for name in fields)]

    @staticmethod
    def line():
        """A line."""
        values = [f'13837781{number()}', address(), '1', '',
                  pick('GET', 'PUT'), target(), pick('200', '404'), number(),
                  number(), number(), 'storage.googleapis.com',
                  pick('', 'http://r/'), pick('', 'a, b', 'x ""y"" z'),
                  'AEnB2U', 'GET_Object', 'bucket', pick('', 'a,b', 'o')]
        return ','.join(f'"{value}"' for value in values)

    @classmethod
    def read(cls, line):
        """The fields of LINE, or None."""
        value = '(?:"((?:[^"]|"")*)"|([^",]*))'
        found = re.fullmatch(','.join([value] * 17), line, re.DOTALL)
        if not found:
            return None
        texts = [found[i] if found[i] is not None else found[i + 1]
                 for i in range(1, 35, 2)]
        if [text.replace('""', '"') for text in texts] != \
                next(csv.reader([line])):
            return {'the module csv reads it otherwise'}
        values = dict(zip(cls.fields, texts))
        is_right = re.fullmatch(r'\d{3}|-', values['sc_status']) and \
            re.fullmatch(r'\d+|-', values['sc_bytes'])
        return values if is_right else None

    @classmethod
    def mapped_of(cls, values):
        """The mapped names."""
        mapped = {name: values[own] for name, own in zip(cls.mapped, cls.own)}
        return mapped | {
            'duration': exactly(values['time_taken_micros'], '0.000001')}


# ---- all formats ----

def damaged(line):
    """LINE, or a part of it, or LINE with another byte."""
    if random.random() < .9 or not line:
        return line
    at = random.randrange(len(line))
    return pick(line[:at], line[:at] + pick(' ', '"', '-', ']', '')
                + line[at + 1:], line[at:])


def rows_of(lines, read, names):
    """The counts of the rows of LINES with the values of NAMES."""
    rows = collections.Counter()
    for line in lines:
        values = read(line)
        if values is None:
            is_blank = not line.strip(' \t')
            rows[b'\t'.join([rb'\N' if is_blank else rb'\invalid']
                            * len(names))] += 1
            continue
        rows[b'\t'.join(
            rb'\invalid' if values[name] is INVALID else
            row_of(None if values[name] is None else values[name].encode())
            for name in names)] += 1
    return dict(rows)


def compare(kind, file, lines, names, read):
    """Count NAMES of LINES, which are in FILE."""
    got = counted_keys(GPUHIST, f'--log-format={kind.name}', pick('-j1', '-j3'),
                       f'--chunk-size={pick(4096, 65536)}', '-g',
                       ','.join(names), file.name)
    wanted = rows_of(lines, read, names)
    if got == wanted:
        return None
    if isinstance(got, str):
        return got
    return sorted(set(got.items()) ^ set(wanted.items()))[:4]


def check(kind):
    """Compare random lines of KIND."""
    random.seed(kind.name)
    kept = getattr(kind, 'kept', 0)
    lines = [kind.line() for _ in range(LINES)]
    lines = [line[:kept] + damaged(line[kept:]) for line in lines]
    fits = sum(kind.read(line) is not None for line in lines)
    with tempfile.NamedTemporaryFile() as file:
        head = getattr(kind, 'head', [])
        file.write(b''.join(line.encode() + pick(b'\n', b'\r\n')
                            for line in head + lines))
        file.flush()
        wrong = compare(kind, file, lines, kind.fields, kind.read)
        holds(not wrong and fits > LINES / 2,
              f'{kind.name}: {LINES} lines, {len(kind.fields)} fields',
              (fits, wrong))

        def mapped(line):
            values = kind.read(line)
            return values and kind.mapped_of(values)
        wrong = compare(kind, file, lines, kind.mapped, mapped)
        holds(not wrong, f'{kind.name}: {", ".join(kind.mapped)}', wrong)


def main():
    """Compare all formats."""
    for kind in (ELB, ALB, S3, SQUID, TRAEFIK, Syslog, Haproxy, W3c(),
                 CloudFront(), CloudStorage):
        check(kind)


main()
