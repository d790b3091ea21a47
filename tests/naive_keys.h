/* SPDX-License-Identifier: MIT */
/*
 * naive_keys.h -- counts of keys, in the plainest way, for comparisons
 *
 * A tree without balance: many keys must come in a random order.
 */

#ifndef GPUHIST_NAIVE_KEYS_H
#define GPUHIST_NAIVE_KEYS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct naive_key {
    struct naive_key *left, *right;
    uint64_t count;
    size_t size;
    unsigned char *key;
};

struct naive_keys {
    struct naive_key *root;
    size_t keys;
};

/* Bytes as unsigned numbers; a key before those that it starts. */
static inline int
naive_compare(const unsigned char *a, size_t a_size, const unsigned char *b,
              size_t b_size)
{
    for (size_t i = 0; i < a_size && i < b_size; i++) {
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    }
    return a_size < b_size ? -1 : a_size > b_size;
}

/* Returns the link to a key, or where it belongs. */
static inline struct naive_key **
naive_find(struct naive_keys *keys, const unsigned char *key, size_t size)
{
    struct naive_key **link = &keys->root;
    int sign;

    while (*link != NULL &&
           (sign = naive_compare(key, size, (*link)->key, (*link)->size)) != 0)
        link = sign < 0 ? &(*link)->left : &(*link)->right;
    return link;
}

static inline void
naive_add(struct naive_keys *keys, const unsigned char *key, size_t size,
          uint64_t count)
{
    struct naive_key **link = naive_find(keys, key, size);

    if (*link == NULL) {
        *link = calloc(1, sizeof **link);
        unsigned char *copy = malloc(size + 1);
        if (*link == NULL || copy == NULL)
            abort();
        (*link)->key = memcpy(copy, key, size);
        (*link)->size = size;
        keys->keys++;
    }
    (*link)->count += count;
}

static inline void
naive_close(struct naive_keys *keys)
{
    struct naive_key *root;

    while ((root = keys->root) != NULL) {
        struct naive_key *left = root->left;
        if (left != NULL) {
            /* Without recursion: the left one becomes the root. */
            root->left = left->right;
            left->right = root;
            keys->root = left;
            continue;
        }
        keys->root = root->right;
        free(root->key);
        free(root);
    }
}

#endif
