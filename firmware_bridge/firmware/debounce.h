/* Debouncing: a contact counts once it kept still for DEBOUNCE_MS. Pure; any scan rate. */
#ifndef BOX_DEBOUNCE_H
#define BOX_DEBOUNCE_H

#include <stdint.h>

#include "constants.h"

struct debouncer {
    uint16_t settled;       /* level of each input, 1 = closed */
    uint16_t moving;        /* inputs whose contact stands elsewhere than settled */
    uint16_t since[INPUTS]; /* for the moving ones: when they last left the settled level, ms */
};

/* Begin with the contacts as they are: what is closed at the start was not pressed. */
void debounce_start(struct debouncer *d, uint16_t raw);

/* Take a sample at `now` (ms, wraps); gives the inputs whose settled level changed with it. */
uint16_t debounce_sample(struct debouncer *d, uint16_t raw, uint16_t now);

#endif
