/* The box's end of the protocol: what to make of a body, and which frame to send next. Pure: time is passed in. */
#ifndef BOX_LINK_H
#define BOX_LINK_H

#include "constants.h"
#include "framing.h"
#include "reports.h"

/* How the box is built and how patient it is with its contacts; kept in EEPROM. */
struct settings {
    uint8_t lockout_button, lockout_shield; /* in steps of LOCKOUT_STEP_MS */
    uint8_t options;
};

struct link {
    uint32_t box, boot;
    uint8_t board, cause;
    struct settings settings;
    struct reports reports;
    uint16_t levels;  /* as the reports told them */
    uint16_t settled; /* as the debouncer has them; differs from `levels` only while the ring is full */
    uint16_t dropped, bad_frames, resent;
    uint32_t heard_ms; /* when the host last spoke */
    uint32_t sent_ms;  /* when the reports in flight last made progress */
    uint32_t alive_ms, hello_ms;
    bool host_present, hello_due, alive_due;
    bool settings_new;   /* for the caller to keep and to clear */
    bool decision_due;   /* an LED began to ask for something; for the caller to sound and to clear */
    uint8_t refused[3];  /* version, type and reason of the frame to be refused; reason 0: none */
    uint8_t token, led_order;
    uint8_t leds[STATIONS];
};

void link_start(struct link *l, uint32_t box, uint32_t boot, uint16_t levels, uint32_t now);

/* What HELLO says besides; to be called after link_start, which sets BOARD_UNKNOWN and the default settings. */
void link_describe(struct link *l, uint8_t board, uint8_t cause, const struct settings *settings);

/* The debounced levels at `now`: every change becomes a report. To be called at each scan. */
void link_levels(struct link *l, uint16_t settled, uint32_t now);

/* A body that came from the host. */
void link_receive(struct link *l, const uint8_t *body, uint8_t length, uint32_t now);

/* A frame that came damaged. */
void link_bad_frame(struct link *l);

/* Write the frame to be sent now to `frame` (MAX_FRAME bytes); gives its length, 0 for none. */
uint8_t link_send(struct link *l, uint8_t *frame, uint32_t now);

/* The state that a station's LED must show at `now`. */
uint8_t link_led(const struct link *l, uint8_t station);

/* Bit 0: green, bit 1: red, of a LED in `state` at `now`. */
uint8_t led_colours(uint8_t state, uint32_t now);

#endif
