/* What survives a loss of power: id, number of starts, settings, in the last sector of flash. */
#ifndef PICO_KEEP_H
#define PICO_KEEP_H

#include <stdint.h>

typedef struct {
    uint32_t id, boot, settings;
} kept;

/* The last whole record; false when there is none. */
_Bool keep_read(kept *k);

/* Write another record; interrupts are off anyway. A sector takes 16 before it is erased: 100,000 erasures rated. */
void keep_write(const kept *k);

#endif
