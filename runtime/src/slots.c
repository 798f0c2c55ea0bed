/* slots.c - where a thread writes, per session: pages that ended threads leave to others.
 *
 * SPDX-License-Identifier: MIT
 */
#include "slots.h"

#include <string.h>

#include "engine.h"
#include "pool.h"
#include "stream.h"

#define PAGES_BYTES (SCOPE_PAGES_MAX * sizeof(scope_slot_page *))

static scope_slot_page *spare_pages;   /* of threads that ended; linked through their first word */
static scope_slot_page **spare_tables; /* likewise */

/* Zeroed memory of what an ended thread left, else fresh. */
static void *take_spare(void *list, size_t size_bytes)
{
    void *bytes;
    memcpy(&bytes, list, sizeof(void *));
    if (!bytes)
        return scope_pool_alloc(size_bytes);
    memcpy(list, bytes, sizeof(void *));
    memset(bytes, 0, size_bytes);
    return bytes;
}

static void keep_spare(void *list, void *bytes)
{
    memcpy(bytes, list, sizeof(void *));
    memcpy(list, &bytes, sizeof(void *));
}

static scope_slot_page *make_page(void)
{
    scope_slot_page *page = take_spare(&spare_pages, sizeof *page);
    for (unsigned i = 0; page && i < SCOPE_PAGE_SLOTS; i++) {
        page->slots[i].next = SCOPE_NOWHERE;
        atomic_store_explicit(&page->slots[i].ended, SCOPE_NOWHERE, memory_order_relaxed);
    }
    return page;
}

static scope_slot *make_slot(unsigned index)
{
    scope_thread *self = &scope_this_thread;
    if (self->phase == SCOPE_THREAD_GONE || !scope_enter())
        return NULL;
    scope_engine_lock();
    if (!self->more)
        self->more = take_spare(&spare_tables, PAGES_BYTES);
    if (self->more && !scope_slot_if_any(self, index)) {
        const unsigned page = (index - 1) / SCOPE_PAGE_SLOTS;
        self->more[page] = make_page();
        if (self->page_count <= page)
            self->page_count = page + 1;
    }
    scope_engine_unlock();
    scope_leave();
    return scope_slot_if_any(self, index);
}

scope_slot *scope_slot_of(scope_session *session)
{
    scope_slot *slot = scope_slot_if_any(&scope_this_thread, session->index);
    return slot ? slot : make_slot(session->index);
}

scope_slot *scope_slots_from(scope_thread *thread, unsigned *index)
{
    if (!*index)
        return &thread->slot;
    const unsigned end = thread->more ? thread->page_count * SCOPE_PAGE_SLOTS : 0;
    for (unsigned at = *index; at <= end; at++) {
        const unsigned number = (at - 1) / SCOPE_PAGE_SLOTS;
        scope_slot_page *page = thread->more[number];
        if (!page) {
            at = (number + 1) * SCOPE_PAGE_SLOTS;
            continue;
        }
        scope_slot *slot = &page->slots[(at - 1) % SCOPE_PAGE_SLOTS];
        if (slot->generation || slot->stream || slot->skips) {
            *index = at;
            return slot;
        }
    }
    return NULL;
}

void scope_slots_release(void)
{
    scope_slot_page **pages = scope_this_thread.more;
    scope_this_thread.more = NULL;
    for (unsigned i = 0; pages && i < scope_this_thread.page_count; i++)
        if (pages[i])
            keep_spare(&spare_pages, pages[i]);
    scope_this_thread.page_count = 0;
    if (pages)
        keep_spare(&spare_tables, pages);
}
