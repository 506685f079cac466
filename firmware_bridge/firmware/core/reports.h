/* Reports kept until the host has acknowledged them: a ring of edges whose numbers have no gaps. Pure. */
#ifndef BOX_REPORTS_H
#define BOX_REPORTS_H

#include <stdbool.h>
#include <stdint.h>

#include "constants.h"

struct report {
    uint8_t input; /* index with PRESSED_BIT for pressed */
    uint32_t ms;
};

struct reports {
    uint32_t oldest; /* number of the first that is not acknowledged */
    uint8_t head, count;
    uint8_t sent; /* of these, how many are in flight */
    uint8_t told; /* of these, how many have been sent at least once */
    struct report items[QUEUE_REPORTS];
};

void reports_start(struct reports *r);

/* Keep one more edge; false when the ring is full. */
bool reports_add(struct reports *r, uint8_t input, uint32_t ms);

/* The host has everything before `next`; false when that cannot be, since it was never sent. */
bool reports_acknowledge(struct reports *r, uint32_t next);

const struct report *reports_at(const struct reports *r, uint8_t index);

#endif
