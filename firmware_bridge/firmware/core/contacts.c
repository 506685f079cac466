/* Contacts by time, so that a late or slow scan changes no verdict but only its moment. */
#include "contacts.h"

#define SHIELDS ((uint16_t)(1 << INPUT_SHIELD_1 | 1 << INPUT_SHIELD_2 | 1 << INPUT_SHIELD_3 | 1 << INPUT_SHIELD_4))

void contacts_start(struct contacts *c, uint16_t raw)
{
    c->settled = raw;
    c->moving = c->locked = 0;
}

uint16_t contacts_sample(struct contacts *c, uint16_t raw, uint16_t flickered, uint16_t now, uint8_t lockout_button,
                         uint8_t lockout_shield)
{
    uint16_t differs = raw ^ c->settled, changed = 0, busy = differs | c->locked;
    for (uint8_t n = 0; n < INPUTS && busy; n++) {
        uint16_t bit = (uint16_t)1 << n;
        bool shield = bit & SHIELDS, pressed = (raw & bit) && !shield;
        if (c->locked & bit) {
            uint16_t lockout_ms = (uint16_t)((shield ? lockout_shield : lockout_button) * LOCKOUT_STEP_MS);
            if ((uint16_t)(now - c->told[n]) >= lockout_ms)
                c->locked &= (uint16_t)~bit;
        }
        if (!(differs & bit))
            continue;
        if ((flickered & bit) || !(c->moving & bit)) {
            c->since[n] = now;
        } else if (!(c->locked & bit) && (uint16_t)(now - c->since[n]) >= (pressed ? DEBOUNCE_MS : REST_MS)) {
            changed |= bit;
            if (pressed || shield) {
                c->locked |= bit;
                c->told[n] = now;
            }
        }
    }
    c->moving = differs & (uint16_t)~changed;
    c->settled ^= changed;
    return changed;
}
