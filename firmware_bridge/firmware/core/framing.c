/* COBS (Cheshire and Baker, 1999) in place, with a CRC-16 and a Fletcher-16 behind the body. */
#include "framing.h"

#define FLETCHER_MODULUS 255

uint16_t crc16(uint16_t crc, const uint8_t *bytes, uint16_t length)
{
    while (length--) {
        crc ^= (uint16_t)((uint16_t)*bytes++ << 8);
        for (uint8_t bit = 0; bit < 8; bit++)
            crc = (uint16_t)(crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1);
    }
    return crc;
}

uint16_t fletcher16(const uint8_t *bytes, uint8_t length)
{
    uint16_t first = 0, second = 0;
    while (length--) {
        first += *bytes++;
        if (first >= FLETCHER_MODULUS)
            first -= FLETCHER_MODULUS;
        second += first;
        if (second >= FLETCHER_MODULUS)
            second -= FLETCHER_MODULUS;
    }
    return (uint16_t)(second << 8 | first);
}

/* Decode reader->bytes in place; gives the length of what was encoded, or 0 when it is not COBS. */
static uint8_t decode(struct frame_reader *reader)
{
    uint8_t in = 0, out = 0;
    while (in < reader->length) {
        uint8_t code = reader->bytes[in++];
        if (code - 1 > reader->length - in)
            return 0;
        for (uint8_t n = 1; n < code; n++)
            reader->bytes[out++] = reader->bytes[in++];
        if (in < reader->length)
            reader->bytes[out++] = 0;
    }
    return out;
}

static uint16_t get_u16(const uint8_t *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

enum frame_result frame_push(struct frame_reader *reader, uint8_t byte, uint8_t *body_length)
{
    if (byte != 0) {
        if (reader->length < MAX_ENCODED)
            reader->bytes[reader->length++] = byte;
        else
            reader->length = MAX_ENCODED + 1;
        return FRAME_NONE;
    }
    if (reader->length == 0)
        return FRAME_NONE; /* delimiters back to back enclose nothing */
    uint8_t length = reader->length <= MAX_ENCODED ? decode(reader) : 0;
    reader->length = 0;
    if (length < 2 + TRAILER_SIZE)
        return FRAME_BAD;
    length -= TRAILER_SIZE;
    const uint8_t *trailer = reader->bytes + length;
    if (get_u16(trailer) != crc16(CRC16_START, reader->bytes, length) ||
        get_u16(trailer + 2) != fletcher16(reader->bytes, length))
        return FRAME_BAD;
    *body_length = length;
    return FRAME_BODY;
}

uint8_t frame_close(uint8_t *frame, uint8_t length)
{
    uint8_t *body = frame + 2;
    uint16_t crc = crc16(CRC16_START, body, length), sum = fletcher16(body, length);
    body[length++] = (uint8_t)crc;
    body[length++] = (uint8_t)(crc >> 8);
    body[length++] = (uint8_t)sum;
    body[length++] = (uint8_t)(sum >> 8);

    uint8_t *code = frame + 1; /* where the distance to the next zero goes */
    uint8_t distance = 1;
    for (uint8_t n = 0; n < length; n++, distance++)
        if (body[n] == 0) {
            *code = distance;
            code = body + n;
            distance = 0;
        }
    *code = distance;
    frame[0] = 0;
    body[length] = 0;
    return (uint8_t)(length + 3);
}
