/* What counts as a press: contacts at rest, and lock-outs; PROTOCOL.md has the rule. Pure; any scan rate. */
#ifndef BOX_CONTACTS_H
#define BOX_CONTACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "constants.h"

struct contacts {
    uint16_t settled;       /* level of each input, 1 = closed */
    uint16_t moving;        /* inputs whose contact stands elsewhere than settled */
    uint16_t locked;        /* inputs of which nothing is told for now */
    uint16_t since[INPUTS]; /* of the moving: when the contact was last seen at its settled level, ms */
    uint16_t told[INPUTS];  /* of the locked: when they were locked, ms */
};

/* Begin with the contacts as they are: what is closed at the start was not pressed. */
void contacts_start(struct contacts *c, uint16_t raw);

/* Take a sample at `now` (ms, wraps; at least every 30 s); `flickered` are the inputs that moved since the last one,
 * the lock-outs are in steps of LOCKOUT_STEP_MS. Gives the inputs whose settled level changed. */
uint16_t contacts_sample(struct contacts *c, uint16_t raw, uint16_t flickered, uint16_t now, uint8_t lockout_button,
                         uint8_t lockout_shield);

#endif
