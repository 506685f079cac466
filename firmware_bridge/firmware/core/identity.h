/* Who the box is: its id for life and a boot id that changes at each start, kept in EEPROM. Pure. */
#ifndef BOX_IDENTITY_H
#define BOX_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

/* A number as it lies in EEPROM: little-endian, closed by a CRC-16 so that a write cut short is noticed. */
#define CELL_SIZE 6
#define BOOT_CELLS 2 /* written in turn: the other one survives a power cut during the write */

void cell_write(uint8_t *cell, uint32_t number);
bool cell_read(const uint8_t *cell, uint32_t *number);

/* The boot id of this start, and which of the two cells (0 or 1) must take it. */
uint32_t next_boot(const uint8_t cells[BOOT_CELLS][CELL_SIZE], uint8_t *target);

#endif
