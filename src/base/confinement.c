/* SPDX-License-Identifier: MIT */
/* confinement.c -- the process gives up what it does not need */

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/confinement.h"
#include "base/output.h"

/* ---- Landlock: files, and signals to others ---- */

/* The kernel's interface, as headers may be older than the kernel. */
#define CREATE_RULESET 444 /* system calls, the same on each processor */
#define ADD_RULE 445
#define RESTRICT_SELF 446
#define GET_VERSION 1u
#define RULE_PATH_BENEATH 1

#define EXECUTE (1ul << 0)
#define WRITE_FILE (1ul << 1)
#define REMOVE_FILE (1ul << 5)
#define MAKE_REGULAR (1ul << 8)
#define REMOVE_AND_MAKE (0x1ff0ul) /* with directories, devices and links */
#define TRUNCATE (1ul << 14)       /* from version 3 on */
#define TRUNCATE_VERSION 3
#define TCP 3 /* to bind and to connect */
#define TCP_VERSION 4
#define OTHER_PROCESSES 3 /* abstract sockets and signals */
#define OTHER_PROCESSES_VERSION 6

/* What output.c and scratch_file.c need of a directory. */
#define REPLACE_FILES (WRITE_FILE | REMOVE_FILE | MAKE_REGULAR | TRUNCATE)

struct ruleset {
    uint64_t fs;
    uint64_t net;
    uint64_t scoped;
};

struct rule {
    uint64_t allowed;
    int32_t parent;
};

void
confinement_begin(struct confinement *confinement)
{
    long version = syscall(CREATE_RULESET, NULL, (size_t)0, GET_VERSION);
    struct ruleset ruleset = {.fs = EXECUTE | WRITE_FILE | REMOVE_AND_MAKE};

    if (version >= TRUNCATE_VERSION)
        ruleset.fs |= TRUNCATE;
    if (version >= TCP_VERSION)
        ruleset.net = TCP;
    if (version >= OTHER_PROCESSES_VERSION)
        ruleset.scoped = OTHER_PROCESSES;
    /* An older kernel takes the longer struct if the end is zeros. */
    long rules = version < 1
                     ? -1
                     : syscall(CREATE_RULESET, &ruleset, sizeof ruleset, 0u);
    *confinement = (struct confinement){
        .rules = (int)rules,
        .missing = errno,
        .fs = (unsigned long)ruleset.fs,
    };
}

/* Allow RIGHTS at PATH.  What cannot be found needs no rule. */
static void
allow(const struct confinement *confinement, const char *path,
      unsigned long rights)
{
    if (confinement->rules < 0)
        return;
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return;
    const struct rule rule = {.allowed = rights & confinement->fs,
                              .parent = fd};
    (void)syscall(ADD_RULE, confinement->rules, RULE_PATH_BENEATH, &rule, 0u);
    close(fd);
}

void
confinement_allow_directory(const struct confinement *confinement,
                            const char *directory)
{
    allow(confinement, directory, REPLACE_FILES);
}

void
confinement_allow_output(const struct confinement *confinement,
                         const char *path)
{
    struct stat status;

    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        allow(confinement, path, WRITE_FILE);
        return;
    }
    char *directory = output_find_directory(path);
    if (directory != NULL)
        allow(confinement, directory, REPLACE_FILES);
    free(directory);
}

/* ---- seccomp: sockets, programs and terminals ---- */

#if defined __x86_64__ && defined __LP64__
#    define ARCHITECTURE AUDIT_ARCH_X86_64
#    define CALLS_END 0x40000000 /* from here on: calls of another interface */
#elif defined __i386__
#    define ARCHITECTURE AUDIT_ARCH_I386
#elif defined __aarch64__ && !defined __AARCH64EB__
#    define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined __arm__ && !defined __ARMEB__
#    define ARCHITECTURE AUDIT_ARCH_ARM
#elif defined __s390x__
#    define ARCHITECTURE AUDIT_ARCH_S390X
#else
#    define ARCHITECTURE 0 /* not known: no filter */
#endif
#ifndef CALLS_END
#    define CALLS_END 0xffffffff
#endif

static const unsigned int refused[] = {
    SYS_execve,
    SYS_execveat,
    SYS_process_vm_writev,
    425, /* io_uring_setup(), whose requests no filter sees */
#ifdef SYS_socketcall
    SYS_socketcall,
#endif
#ifdef SYS_socket
    SYS_socket,
#endif
};
#define REFUSED (sizeof refused / sizeof *refused)
#define BEFORE 4 /* instructions before those for REFUSED */
#define REFUSAL (BEFORE + REFUSED + 4) /* the place of the last one */

/* The low half of the second argument of a system call. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#    define REQUEST (offsetof(struct seccomp_data, args[1]) + 4)
#else
#    define REQUEST offsetof(struct seccomp_data, args[1])
#endif

/*
 * Refuse the system calls of REFUSED, all of other interfaces to the same
 * kernel, and the request of ioctl() that types on a terminal.  Returns 0, or
 * -1 with errno set.
 */
static int
filter_calls(void)
{
    /* The jumps are counted from the next instruction. */
    struct sock_filter program[REFUSAL + 1] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 0, REFUSAL - 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, CALLS_END, REFUSAL - 4, 0),
        [REFUSAL - 4] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 2),
        [REFUSAL - 3] = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, REQUEST),
        [REFUSAL - 2] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TIOCSTI, 1, 0),
        [REFUSAL - 1] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        [REFUSAL] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    };
    const struct sock_fprog filter = {sizeof program / sizeof *program,
                                      program};

    for (size_t i = BEFORE; i < BEFORE + REFUSED; i++)
        program[i] = (struct sock_filter)BPF_JUMP(
            BPF_JMP | BPF_JEQ | BPF_K, refused[i - BEFORE],
            (uint8_t)(REFUSAL - i - 1), 0);
    /* Without the flag kernels before 5.16 slow all loads of memory down. */
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                        SECCOMP_FILTER_FLAG_SPEC_ALLOW, &filter);
}

int
confinement_enter(struct confinement *confinement, struct error *error)
{
    int reason = confinement->missing;
    bool has_rules = confinement->rules >= 0;

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
        (has_rules && syscall(RESTRICT_SELF, confinement->rules, 0u) < 0)) {
        has_rules = false;
        reason = errno;
    }
    if (confinement->rules >= 0)
        close(confinement->rules);
    if (ARCHITECTURE != 0 && filter_calls() < 0)
        error_set(error, EXIT_DATA, "system calls are not confined: %s",
                  strerror(errno));
    if (!has_rules)
        error_set(error, EXIT_DATA, "files are not confined: %s",
                  strerror(reason));
    return error->status == EXIT_DONE ? 0 : -1;
}
