/* The registers of the ATmega328P behind plain functions: pins, LEDs, serial line, tick, EEPROM. */
#ifndef BOX_BOARD_H
#define BOX_BOARD_H

#include <stdbool.h>
#include <stdint.h>

void board_start(void);

/* Level of every input, bit = input index, 1 = closed to ground. */
uint16_t board_inputs(void);

/* Colours of a station's LED: bit 0 green, bit 1 red. */
void board_led(uint8_t station, uint8_t colours);

/* The small LED on the board itself: lit while a host speaks. */
void board_host_light(bool lit);

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

#endif
