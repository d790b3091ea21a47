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
is "$(grep -c -E 'RPATH|RUNPATH' elf)" 0 'libraries come from where they always do'

done_testing
