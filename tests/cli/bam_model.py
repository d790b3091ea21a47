# SPDX-License-Identifier: MIT
"""bam_model.py -- make BAM, SAM and BGZF, and the FASTQ that both mean

Written from the specification (SAMv1), for bam_oracle.py.
"""

import random
import struct
import zlib

CODES = '=ACMGRSVTWYHKDBN'
COMPLEMENT = str.maketrans('ACMGRSVTWYHKDBN', 'TGKCYSBAWRDMHVN')
OTHERS = 0x900
REVERSE = 0x10
FLAGS = ['paired', 'proper-pair', 'unmapped', 'mate-unmapped', 'reverse',
         'mate-reverse', 'read1', 'read2', 'secondary', 'qcfail', 'duplicate',
         'supplementary']
SAMTOOLS_FLAGS = ['PAIRED', 'PROPER_PAIR', 'UNMAP', 'MUNMAP', 'REVERSE',
                  'MREVERSE', 'READ1', 'READ2', 'SECONDARY', 'QCFAIL', 'DUP',
                  'SUPPLEMENTARY']
REFERENCES = [('chr1', 1 << 28), ('chr2', 5000), ('HLA*1', 7)]


class Record:
    """A record with random fields; QUALITY None: absent."""

    def __init__(self, rng, number):
        length = rng.choice([0, 1, 2, 3, 7, 8, 150, rng.randrange(400)])
        letters = rng.choice(['ACGT', 'ACGTN', CODES[1:]])
        self.name = rng.choice(['r', '@', '+x', '>', '!~', 'a' * 240]) + str(
            number)
        if self.name[0] == '@':
            self.name = '.' + self.name
        self.flag = rng.choice([0, 4, 16, 20, 99, 147, 83, 163, 77, 141, 512,
                                1024, 256, 272, 2048, 2064, 0xfff])
        self.bases = ''.join(rng.choice(letters) for _ in range(length))
        self.quality = [rng.randrange(94) for _ in range(length)]
        if self.quality == [9]:
            self.quality = [10]  # of one base, '*' would be absent
        if length > 1 and rng.random() < .1:
            self.quality = None
        self.reference = rng.randrange(-1, len(REFERENCES))
        self.position = rng.randrange(-1, 4000)
        self.mapq = rng.choice([0, 60, 255])
        self.mate = rng.choice([-1, self.reference,
                                rng.randrange(len(REFERENCES))])
        self.length = rng.choice([0, rng.randrange(-600, 600), 1 - (1 << 31),
                                  (1 << 31) - 1])
        self.cigar = [(length, 'M')] if length else []
        if length > 8:
            self.cigar = rng.choice([
                [(3, 'S'), (length - 7, 'M'), (2, 'D'), (4, 'I')],
                [(9, 'H'), (length - 1, '='), (300, 'N'), (1, 'X'), (1, 'P')],
                [(1, 'M'), (1, 'D')] * length])
        self.is_long = (len(self.cigar) > 1 and self.reference >= 0 <=
                        self.position and rng.random() < .2)  # CIGAR in CG
        self.group = rng.choice([None, 'g1', 'a group', '*'])
        self.tag = rng.randrange(1 << 31)
        self.array = [rng.randrange(-128, 128) for _ in range(
            rng.choice([0, 1, 5, 5000 if rng.random() < .02 else 2]))]

    def reference_name(self):
        return '*' if self.reference < 0 else REFERENCES[self.reference][0]

    def mate_name(self):
        return '*' if self.mate < 0 else REFERENCES[self.mate][0]

    def fields(self):
        """The fields of the alignment, by their names."""
        fields = {
            'flag': self.flag, 'mapq': self.mapq, 'pos': self.position + 1,
            'tlen': self.length, 'strand': '-' if self.flag & 16 else '+',
            'rname': '\\N' if self.reference < 0 else self.reference_name(),
            'mate-rname': '\\N' if self.mate < 0 else self.mate_name(),
            'rname-number': '\\N' if self.reference < 0 else
                            self.reference + 1,
        }
        fields['read-group'] = '\\N' if self.group is None else self.group
        fields['cigar'] = self.cigar_text() or '\\N'
        fields['mate-elsewhere'] = int(self.reference != self.mate)
        for bit, name in enumerate(FLAGS):
            fields[name] = self.flag >> bit & 1
        return fields

    def is_consistent(self):
        """Whether samtools leaves the flag as it is in SAM text."""
        return bool(self.flag & 4 or (self.reference >= 0 <= self.position
                                      and self.cigar))

    def is_primary(self):
        return not self.flag & OTHERS

    def cigar_text(self):
        return ''.join(f'{count}{op}' for count, op in self.cigar)

    def cigar_bytes(self):
        return b''.join(struct.pack('<I', count << 4 | 'MIDNSHP=X'.index(op))
                        for count, op in self.cigar)

    def tags(self):
        tags = b'NMi' + struct.pack('<i', self.tag) + b'XZZa text\0'
        tags += b'XBBc' + struct.pack(f'<i{len(self.array)}b',
                                      len(self.array), *self.array)
        if self.is_long:
            tags += b'CGBI' + struct.pack('<i', len(self.cigar))
            tags += self.cigar_bytes()
        if self.group is not None:
            tags += b'RGZ' + self.group.encode() + b'\0'
        return tags

    def bam(self):
        length = len(self.bases)
        codes = [CODES.index(base) for base in self.bases] + [0]
        packed = bytes(codes[i] << 4 | codes[i + 1]
                       for i in range(0, length, 2))
        quality = b'\xff' * length if self.quality is None else bytes(
            self.quality)
        cigar = self.cigar_bytes()
        if self.is_long:
            cigar = struct.pack('<II', length << 4 | 4, 99 << 4 | 3)
        name = self.name.encode() + b'\0'
        block = struct.pack(
            '<iiBBHHHiiii', self.reference, self.position, len(name),
            self.mapq, 4680, len(cigar) // 4, self.flag, length, self.mate,
            99, self.length)
        block += name + cigar + packed + quality + self.tags()
        return struct.pack('<i', len(block)) + block

    def sam(self):
        name = self.reference_name()
        quality = '*' if self.quality is None or not self.bases else ''.join(
            chr(33 + q) for q in self.quality)
        mate = self.mate_name()
        if mate == name != '*':
            mate = '='
        array = ''.join(f',{value}' for value in self.array)
        return '\t'.join([
            self.name, str(self.flag), name, str(self.position + 1),
            str(self.mapq), self.cigar_text() or '*', mate, '100', str(self.length),
            self.bases or '*', quality, f'NM:i:{self.tag}', 'XZ:Z:a text',
            f'XB:B:c{array}'] + ([] if self.group is None else
                                 [f'RG:Z:{self.group}']))

    def fastq(self, is_stored=False):
        bases, quality = self.bases, self.quality
        if self.flag & REVERSE and not is_stored:
            bases = bases[::-1].translate(COMPLEMENT)
            quality = quality and quality[::-1]
        if quality is None:
            return f'>{self.name}\n{bases}\n'
        text = ''.join(chr(33 + q) for q in quality)
        return f'@{self.name}\n{bases}\n+\n{text}\n'


def header_text():
    lines = ['@HD\tVN:1.6\tSO:unsorted']
    lines += [f'@SQ\tSN:{name}\tLN:{size}' for name, size in REFERENCES]
    return '\n'.join(lines + ['@CO\ta comment', ''])


def header(text=None, references=None):
    text = (header_text() if text is None else text).encode()
    references = REFERENCES if references is None else references
    data = b'BAM\1' + struct.pack('<i', len(text)) + text
    data += struct.pack('<i', len(references))
    for name, size in references:
        data += struct.pack('<i', len(name) + 1) + name.encode() + b'\0'
        data += struct.pack('<i', size)
    return data


def block(data, level=6):
    """A block of BGZF with DATA."""
    packer = zlib.compressobj(level, zlib.DEFLATED, -15)
    body = packer.compress(data) + packer.flush()
    return (b'\x1f\x8b\x08\x04\0\0\0\0\0\xff\x06\0BC\x02\0'
            + struct.pack('<H', len(body) + 25) + body
            + struct.pack('<II', zlib.crc32(data), len(data)))


END = block(b'')


def bgzf(data, rng=None, most=0xff00):
    """DATA in blocks: of random sizes, wherever records end, if RNG."""
    at = 0
    out = b''
    while at < len(data):
        size = most if rng is None else rng.choice(
            [1, 35, 36, 37, 1000, most, rng.randrange(1, most)])
        out += block(data[at:at + size], 6 if rng is None else
                     rng.choice([1, 6]))
        at += size
    return out + END


def random_records(seed, count):
    rng = random.Random(seed)
    records = [Record(rng, number) for number in range(count)]
    if records[0].name[0] == '>':
        records[0].name = 'a'  # without a header, it would start FASTA
    return records
