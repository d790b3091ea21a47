/* SPDX-License-Identifier: MIT */
/* cpio_links.c -- files that have several names in a cpio archive */

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "input/archive/cpio_links.h"

/* Memory of a name, or of a node of the tree, beside its bytes. */
#define BLOCK_COST 48

static int
compare(const void *a, const void *b)
{
    const struct cpio_link *x = a, *y = b;

    if (x->dev != y->dev)
        return x->dev < y->dev ? -1 : 1;
    return (x->ino > y->ino) - (x->ino < y->ino);
}

/* Reserve BYTES.  Returns whether there is memory. */
static bool
reserve(struct cpio_links *links, struct budget *share, uint64_t bytes)
{
    if (!budget_take(share, bytes))
        return false;
    links->reserved += bytes;
    return true;
}

struct cpio_link *
cpio_links_find(struct cpio_links *links, struct budget *share, uint64_t dev,
                uint64_t ino)
{
    const struct cpio_link key = {.dev = dev, .ino = ino};
    struct cpio_link *const *found = tfind(&key, &links->tree, compare);

    if (found != NULL)
        return *found;
    if (!reserve(links, share, sizeof key + 2 * BLOCK_COST))
        return NULL;
    struct cpio_link *link = malloc(sizeof *link);
    if (link == NULL)
        return NULL;
    *link = key;
    if (tsearch(link, &links->tree, compare) == NULL) {
        free(link);
        return NULL;
    }
    if (links->last != NULL)
        links->last->next = link;
    else
        links->first = link;
    links->last = link;
    return link;
}

bool
cpio_links_keep(struct cpio_links *links, struct budget *share,
                struct cpio_link *link, const char *path)
{
    if (!reserve(links, share, strlen(path) + BLOCK_COST))
        return false;
    link->path = strdup(path);
    return link->path != NULL;
}

void
cpio_links_found(struct cpio_link *link)
{
    free(link->path);
    link->path = NULL;
}

char *
cpio_links_take(struct cpio_links *links)
{
    char *path = NULL;

    while (links->first != NULL && path == NULL) {
        struct cpio_link *link = links->first;
        path = link->path;
        links->first = link->next;
        tdelete(link, &links->tree, compare);
        free(link);
    }
    if (links->first == NULL)
        links->last = NULL;
    return path;
}

void
cpio_links_clear(struct cpio_links *links, struct budget *share)
{
    while (links->first != NULL)
        free(cpio_links_take(links));
    if (links->reserved > 0)
        budget_return(share, links->reserved);
    links->reserved = 0;
}
