/* Debouncing by time, so that a late or slow scan changes no verdict but only its moment. */
#include "debounce.h"

void debounce_start(struct debouncer *d, uint16_t raw)
{
    d->settled = raw;
    d->moving = 0;
}

uint16_t debounce_sample(struct debouncer *d, uint16_t raw, uint16_t now)
{
    uint16_t differs = raw ^ d->settled, changed = 0;
    for (uint8_t n = 0; n < INPUTS && differs; n++) {
        uint16_t bit = (uint16_t)1 << n;
        if (!(differs & bit))
            continue;
        if (!(d->moving & bit))
            d->since[n] = now;
        else if ((uint16_t)(now - d->since[n]) >= DEBOUNCE_MS)
            changed |= bit;
    }
    d->moving = differs & (uint16_t)~changed;
    d->settled ^= changed;
    return changed;
}
