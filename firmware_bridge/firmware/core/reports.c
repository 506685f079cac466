/* The ring of unacknowledged reports; acknowledgement is cumulative. */
#include "reports.h"

#define FIRST_NUMBER 1

void reports_start(struct reports *r)
{
    r->oldest = FIRST_NUMBER;
    r->head = r->count = r->sent = r->told = 0;
}

const struct report *reports_at(const struct reports *r, uint8_t index)
{
    return &r->items[(uint8_t)(r->head + index) % QUEUE_REPORTS];
}

bool reports_add(struct reports *r, uint8_t input, uint32_t ms)
{
    if (r->count == QUEUE_REPORTS)
        return false;
    struct report *free_one = &r->items[(uint8_t)(r->head + r->count) % QUEUE_REPORTS];
    free_one->input = input;
    free_one->ms = ms;
    r->count++;
    return true;
}

bool reports_acknowledge(struct reports *r, uint32_t next)
{
    uint32_t done = next - r->oldest; /* a number of the past becomes huge */
    if (done > r->told)
        return false;
    r->oldest = next;
    r->head = (uint8_t)(r->head + done) % QUEUE_REPORTS;
    r->count -= (uint8_t)done;
    r->told -= (uint8_t)done;
    r->sent = r->sent > done ? (uint8_t)(r->sent - done) : 0;
    return true;
}
