/* Numbers in EEPROM that survive a power cut during their own writing. */
#include "identity.h"

#include "framing.h"

#define NUMBER_SIZE 4

void cell_write(uint8_t *cell, uint32_t number)
{
    for (uint8_t n = 0; n < NUMBER_SIZE; n++)
        cell[n] = (uint8_t)(number >> 8 * n);
    uint16_t crc = crc16(CRC16_START, cell, NUMBER_SIZE);
    cell[4] = (uint8_t)crc;
    cell[5] = (uint8_t)(crc >> 8);
}

bool cell_read(const uint8_t *cell, uint32_t *number)
{
    if (crc16(CRC16_START, cell, NUMBER_SIZE) != (uint16_t)(cell[4] | cell[5] << 8))
        return false;
    *number = 0;
    for (uint8_t n = NUMBER_SIZE; n-- > 0;)
        *number = *number << 8 | cell[n];
    return true;
}

uint32_t next_boot(const uint8_t cells[BOOT_CELLS][CELL_SIZE], uint8_t *target)
{
    uint32_t first = 0, second = 0;
    bool has_first = cell_read(cells[0], &first), has_second = cell_read(cells[1], &second);
    /* The later start has the larger number; the difference is signed so that the count may wrap. */
    bool second_is_later = has_second && (!has_first || (int32_t)(second - first) > 0);
    *target = second_is_later ? 0 : has_first;
    return (second_is_later ? second : has_first ? first : 0) + 1;
}
