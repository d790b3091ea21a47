# SPDX-License-Identifier: MIT
# hardening.sh -- what the linker was told to make of the program
# shellcheck shell=sh disable=SC2154

# shellcheck source=tests/tap.sh
. "$srcdir/tests/tap.sh"

[ "$HARDENING" = yes ] || skip_all 'configured without hardening'
command -v readelf >readelf-path || skip_all 'no readelf'

LC_ALL=C readelf --wide --file-header --program-headers --dynamic --syms \
    "$GPUHIST" >elf

# has PATTERN NAME
has()
{
    grep -E -q -e "$1" elf
    ok $? "$2"
}

has 'Type: *DYN' 'anywhere in memory (PIE)'
has '^ *GNU_RELRO' 'tables of the linker are read-only (RELRO) ...'
has 'BIND_NOW|FLAGS_1.*NOW' '... all of them, from the start'
has '^ *GNU_STACK .* RW  ' 'nothing is executed on the stack'
is "$(grep -c -E '^ *LOAD .* RWE ' elf)" 0 'no memory is both written and executed'
has '__stack_chk_fail' 'the stack is watched'
has '__[a-z]*_chk@' 'calls with known sizes are checked'
is "$(grep -c TEXTREL elf)" 0 'the loader writes to no code'
is "$(grep -c -E 'RPATH|RUNPATH' elf)" 0 'libraries come from where they always do'

# A large frame touches each of its pages.
if [ "$(uname -m)" = x86_64 ] && command -v objdump >objdump-path; then
    objdump -d --no-show-raw-insn "$GPUHIST" | grep -E 'or[lq] +[$]0x0,\(%rsp\)' >touches
    ok $? "a large frame cannot jump over the guard of the stack ($(wc -l <touches) pages)"
else
    skip 'large frames' 'no objdump, or another processor'
fi

# The linker marks the program if each object is marked, also those of the system,
# which not every system has.
library=$(dirname "$GPUHIST")/libgpuhist.a
LC_ALL=C readelf --wide --notes "$library" 2>/dev/null >notes
if grep -q -E 'x86 feature: .*SHSTK|AArch64 feature: .*BTI' notes; then
    awk '/^File: / { file = $2 } /feature: .*(IBT, SHSTK|BTI)/ { print file }' \
        notes | sort -u >marked
    LC_ALL=C readelf --wide --sections "$library" |
        awk '/^File: / { file = $2 } / [.](text|rodata)[ .]/ { print file }' |
        sort -u >filled
    is "$(comm -23 filled marked | tr '\n' ' ')" '' \
        'all objects let the processor check jumps and returns'
else
    skip 'jumps and returns' 'the compiler knows no checks of this processor'
fi

done_testing
