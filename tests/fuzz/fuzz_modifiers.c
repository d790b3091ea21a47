/* SPDX-License-Identifier: MIT */
/*
 * fuzz_modifiers.c -- chains of modifiers, and what they make of a text
 *
 * The data are a chain and a text.  A chain makes the same each time, one
 * modifier after the other as all at once.  inet_pton() and inet_ntop() are the
 * oracle of addresses, dirname() and basename() of the C library that of paths.
 */

#include <arpa/inet.h>
#include <libgen.h>

#include "../modify_check.h"
#include "fuzz.h"
#include "text/modify/network.h"

/* Apply CHAIN, and then its modifiers one by one. */
static void
check_chain(const struct modifiers *chain, const unsigned char *text,
            size_t size)
{
    size_t all_size = size;
    unsigned char *all = modify_apply(chain, text, &all_size);
    unsigned char *each = modify_copy(text, size);

    for (size_t i = 0; i < chain->count && each != NULL; i++) {
        const struct modifiers one = {chain->modifier + i, 1};
        unsigned char *next = modify_apply(&one, each, &size);
        free(each);
        each = next;
    }
    fuzz_must(
        (all == NULL) == (each == NULL) &&
            (all == NULL || (all_size == size && memcmp(all, each, size) == 0)),
        "a chain does what its modifiers do");
    free(all);
    free(each);
}

static void
check_address(const char *text)
{
    static const unsigned char zero[12];
    static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};
    struct network_address address;
    unsigned char byte[16];
    char printed[INET6_ADDRSTRLEN];
    unsigned char spelled[NETWORK_ADDRESS_BYTES];
    int family = strchr(text, ':') == NULL ? AF_INET : AF_INET6;
    unsigned char *copy = modify_copy(text, strlen(text));
    bool is_address = network_read(&address, copy, strlen(text));

    free(copy);
    fuzz_must(is_address == (inet_pton(family, text, byte) == 1),
              "the addresses that inet_pton() reads");
    if (!is_address)
        return;
    /* ::ffff:1.2.3.4 is the address of version 4. */
    if (family == AF_INET6 && memcmp(byte, mapped, sizeof mapped) == 0) {
        family = AF_INET;
        memmove(byte, byte + sizeof mapped, 4);
    }
    fuzz_must(address.bytes == (family == AF_INET ? 4 : 16),
              "the version of the address");
    fuzz_must(memcmp(address.byte, byte, address.bytes) == 0,
              "the address that inet_pton() reads");
    size_t size = network_write(&address, spelled);
    fuzz_must(size <= sizeof spelled, "room for an address");
    /* inet_ntop() has its own spelling of ::1.2.3.4, which RFC 5952 has not. */
    if (family == AF_INET6 && memcmp(byte, zero, sizeof zero) == 0)
        return;
    fuzz_must(inet_ntop(family, byte, printed, sizeof printed) != NULL &&
                  strlen(printed) == size &&
                  memcmp(printed, spelled, size) == 0,
              "the spelling of inet_ntop()");
}

/* Whether the modifier NAME makes WANTED of TEXT. */
static bool
makes(const char *name, const char *text, const char *wanted)
{
    struct modifiers chain;
    struct modifiers_fault fault;
    size_t size = strlen(text);

    fuzz_must(modifiers_parse(&chain, name, strlen(name), &fault) ==
                  MODIFIERS_OK,
              "a modifier");
    unsigned char *made = modify_apply(&chain, text, &size);
    bool is_wanted = made != NULL && size == strlen(wanted) &&
                     memcmp(made, wanted, size) == 0;
    free(made);
    modifiers_close(&chain);
    return is_wanted;
}

static void
check_path(const char *text)
{
    if (strchr(text, '?') != NULL || strstr(text, "://") != NULL)
        return;
    char *first = strdup(text);
    char *second = strdup(text);
    if (first == NULL || second == NULL)
        abort();
    /* Slashes alone may be kept. */
    if (text[strspn(text, "/")] != '\0') {
        const char *directory = dirname(first);
        fuzz_must(
            makes("dir", text, strcmp(directory, "//") == 0 ? "/" : directory),
            "the directory that dirname() finds");
        fuzz_must(makes("base", text, basename(second)),
                  "the name that basename() finds");
    }
    free(first);
    free(second);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = {data, size};
    char *text = fuzz_take_text(&fuzz);
    struct modifiers chain;
    struct modifiers_fault fault = {.word = text};

    if (modifiers_parse(&chain, text, strlen(text), &fault) == MODIFIERS_OK) {
        if (modifiers_parts(&chain) == chain.count)
            check_chain(&chain, fuzz.data, fuzz.size);
    } else {
        fuzz_must(fault.word >= text &&
                      fault.word + fault.length <= text + strlen(text),
                  "a fault within the text");
    }
    modifiers_close(&chain);
    free(text);

    text = fuzz_take_text(&fuzz);
    check_address(text);
    check_path(text);
    free(text);
    return 0;
}
