/* The button box for any 32-bit board, written from PROTOCOL.md alone. Pure: levels, bytes and time are passed in. */
#ifndef PICO_BOX_H
#define PICO_BOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BOX_INPUTS = 9, BOX_STATIONS = 4, BOX_RING = 48, BOX_FRAME = 39 };

typedef struct {
    bool told, level, locked;
    uint32_t edge_ms, locked_ms;
} box_input;

typedef struct {
    uint8_t input;
    uint32_t ms;
} box_report;

/* What a loss of power must not take: the caller keeps it when `keep` is set, and clears that. */
typedef struct {
    uint8_t lockout_button, lockout_shield, options;
    bool keep;
} box_settings;

typedef struct {
    uint32_t id, boot;
    uint8_t board, cause;
    box_settings settings;
    box_input inputs[BOX_INPUTS];

    box_report ring[BOX_RING];
    uint32_t oldest; /* number of the first report that waits */
    uint8_t first, waiting, in_flight, ever_sent;
    bool reported[BOX_INPUTS]; /* the levels as the reports tell them */

    uint8_t incoming[37], incoming_length;
    bool incoming_too_long;

    bool host, hello_due, alive_due;
    uint32_t host_ms, hello_ms, alive_ms, window_ms;
    uint8_t token, order, states[BOX_STATIONS];
    uint8_t refused_version, refused_type, refused_reason; /* reason 0: nothing to refuse */
    uint16_t dropped, bad, resent;
    bool sound; /* a decision became due: for a buzzer, to be cleared by the caller */
} box;

enum { BOX_OPTION_ANODE = 1, BOX_OPTION_BUZZER = 2 };

/* `levels`: bit n is 1 when input n is closed at the start. The default settings stand in b->settings afterwards. */
void box_begin(box *b, uint32_t id, uint32_t boot, uint8_t board, uint8_t cause, uint16_t levels);

/* The contacts now, and which of them moved since the last call; at least every millisecond. */
void box_contacts(box *b, uint16_t levels, uint16_t moved, uint32_t now_ms);

/* One byte from the host. */
void box_byte(box *b, uint8_t byte, uint32_t now_ms);

/* The frame to be sent now, at most BOX_FRAME bytes; 0 for none. */
size_t box_frame(box *b, uint8_t *frame, uint32_t now_ms);

/* Bit 0: green, bit 1: red, of a station's LED. */
uint8_t box_led(const box *b, uint8_t station, uint32_t now_ms);

#endif
