/* The registers of the ATmega328P and ATmega168 behind plain functions: pins, LEDs, serial line, tick, EEPROM. */
#ifndef BOX_BOARD_H
#define BOX_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "link.h"

/* `options`: how the box is built (OPTION_...). */
void board_start(uint8_t options);

/* Level of every input, bit = input index, 1 = closed to ground; and which of them moved since the last call: they are
 * sampled every 0.2 ms, so that no contact opens and closes unseen. */
uint16_t board_inputs(uint16_t *flickered);

/* Colours of a station's LED: bit 0 green, bit 1 red. */
void board_led(uint8_t station, uint8_t colours);

/* The small LED on the board itself, or the buzzer at its pin. */
void board_light(bool on);

/* Another polarity of the LEDs from now on. */
void board_options(uint8_t options);

/* Milliseconds since the last call (0 to 255). */
uint8_t board_ticks(void);

/* Next byte from the host; false when there is none. */
bool board_receive(uint8_t *byte);

/* The transmitter's buffer (MAX_FRAME bytes) once it is free, else NULL; and: send its first `length` bytes. */
uint8_t *board_transmit_buffer(void);
void board_transmit(uint8_t length);

/* Sleep until an interrupt, unless a tick or a byte is waiting already. */
void board_idle(void);

/* The box's id for life, drawn at the very first start, and the boot id of this start. Both are kept in EEPROM. */
uint32_t board_box_id(void);
uint32_t board_boot_id(void);

/* Which chip this is (BOARD_...) and why it started (START_...). */
uint8_t board_kind(void);
uint8_t board_start_cause(void);

/* The settings kept in EEPROM; false when there are none. Keeping them takes up to 20 ms. */
bool board_settings(struct settings *settings);
void board_keep_settings(const struct settings *settings);

#endif
