/* Frames on the wire: COBS between zero bytes, closed by a CRC-16 and a Fletcher-16. Pure. */
#ifndef BOX_FRAMING_H
#define BOX_FRAMING_H

#include <stdint.h>

#include "constants.h"

#define MAX_FRAME (MAX_ENCODED + 2) /* with both delimiters */

/* What has come since the last delimiter; `length` is MAX_ENCODED + 1 once too much came. */
struct frame_reader {
    uint8_t length;
    uint8_t bytes[MAX_ENCODED];
};

enum frame_result { FRAME_NONE, FRAME_BODY, FRAME_BAD };

/* CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xffff. */
uint16_t crc16(uint16_t crc, const uint8_t *bytes, uint16_t length);
#define CRC16_START 0xffff

/* Fletcher's checksum modulo 255, second sum in the high byte. */
uint16_t fletcher16(const uint8_t *bytes, uint8_t length);

/* Take one byte from the wire. FRAME_BODY: reader->bytes holds a body of *body_length bytes, until the next push. */
enum frame_result frame_push(struct frame_reader *reader, uint8_t byte, uint8_t *body_length);

/* Close the body of `length` bytes that stands at frame + 2; gives the length of the whole frame at `frame`. */
uint8_t frame_close(uint8_t *frame, uint8_t length);

#endif
