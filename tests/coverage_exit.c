/* SPDX-License-Identifier: MIT */
/*
 * coverage_exit.c -- _exit() for `make coverage`
 *
 * The program leaves with _exit() where a thread may still be running; what
 * was executed is written down by exit() alone.
 */

void __gcov_dump(void);
_Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);

_Noreturn void
__wrap__exit(int status)
{
    __gcov_dump();
    __real__exit(status);
}
