/* The button box from PROTOCOL.md: frames, contacts, reports, what the host says and what the box says. */
#include "box.h"

/* Types, and bits of them (Messages). */
enum { HELLO = 0x01, REPORT = 0x02, ALIVE = 0x03, REFUSED = 0x04 };
enum { QUERY = 0x81, ACK = 0x82, PING = 0x83, LEDS = 0x84, SETTINGS = 0x85, FROM_HOST = 0x80 };
enum { BAD_VERSION = 1, BAD_TYPE = 2, BAD_SIZE = 3, BAD_VALUE = 4 };
enum { CLOSED = 0x80, FIRST_SHIELD = 4, REFEREE = 8 };
enum { PLACE_NOW = 1, YOUR_TURN = 3, HOST_LOST = 5, STATES = 6 };
/* Times in ms (Behaviour). */
enum { PRESS_REST = 5, REST = 40, RETRY = 50, ALIVE_EVERY = 100, HELLO_EVERY = 250, HOST_GONE = 1000, STEP = 125 };
enum { WINDOW = 8, LONGEST_BODY = 32, LONGEST_ENCODED = 37, TRAILER = 4, FIRMWARE = 2 };

static const uint16_t patterns[STATES][2] = {{0x0000, 0x0000}, {0x0F0F, 0x0000}, {0xFFFF, 0x0000},
                                             {0x0505, 0x0505}, {0x0000, 0x5555}, {0x0000, 0x0001}};

/* ---- frames */

static uint16_t crc(const uint8_t *bytes, size_t count)
{
    uint16_t value = 0xFFFF;
    for (size_t at = 0; at < count; at++)
        for (int bit = 7; bit >= 0; bit--) {
            bool carry = (value >> 15 ^ bytes[at] >> bit) & 1;
            value = (uint16_t)(value << 1);
            if (carry)
                value ^= 0x1021;
        }
    return value;
}

static uint16_t fletcher(const uint8_t *bytes, size_t count)
{
    unsigned low = 0, high = 0;
    for (size_t at = 0; at < count; at++) {
        low = (low + bytes[at]) % 255;
        high = (high + low) % 255;
    }
    return (uint16_t)(high << 8 | low);
}

static void write_u16(uint8_t **at, uint16_t value)
{
    *(*at)++ = (uint8_t)value;
    *(*at)++ = (uint8_t)(value >> 8);
}

static void write_u32(uint8_t **at, uint32_t value)
{
    write_u16(at, (uint16_t)value);
    write_u16(at, (uint16_t)(value >> 16));
}

static uint32_t read_u32(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* A body of `count` bytes as a frame. */
static size_t enclose(uint8_t *frame, const uint8_t *body, size_t count)
{
    uint8_t plain[LONGEST_BODY + TRAILER], *at = plain + count;
    __builtin_memcpy(plain, body, count);
    write_u16(&at, crc(body, count));
    write_u16(&at, fletcher(body, count));
    size_t length = 0, run = 1;
    frame[length++] = 0;
    size_t code = length++;
    for (const uint8_t *each = plain; each < at; each++)
        if (*each) {
            frame[length++] = *each;
            run++;
        } else {
            frame[code] = (uint8_t)run;
            code = length++;
            run = 1;
        }
    frame[code] = (uint8_t)run;
    frame[length++] = 0;
    return length;
}

/* What stood between two zeros, as a body; its length, 0 when it is no frame. */
static size_t disclose(const uint8_t *encoded, size_t count, uint8_t *body)
{
    size_t length = 0;
    for (size_t at = 0; at < count;) {
        size_t run = encoded[at++];
        if (at + run - 1 > count)
            return 0;
        for (; run > 1; run--)
            body[length++] = encoded[at++];
        if (at < count)
            body[length++] = 0;
    }
    if (length < 2 + TRAILER)
        return 0;
    length -= TRAILER;
    const uint8_t *trailer = body + length;
    bool right = (trailer[0] | trailer[1] << 8) == crc(body, length) &&
                 (trailer[2] | trailer[3] << 8) == fletcher(body, length);
    return right ? length : 0;
}

/* ---- contacts and reports */

void box_begin(box *b, uint32_t id, uint32_t boot, uint8_t board, uint8_t cause, uint16_t levels)
{
    __builtin_memset(b, 0, sizeof *b);
    b->id = id;
    b->boot = boot;
    b->board = board;
    b->cause = cause;
    b->settings = (box_settings){150, 75, 0, false};
    b->oldest = 1;
    b->hello_due = true;
    for (int n = 0; n < BOX_INPUTS; n++)
        b->reported[n] = b->inputs[n].told = b->inputs[n].level = levels >> n & 1;
}

static void report(box *b, int n, uint32_t now_ms)
{
    box_report *last = &b->ring[(b->first + b->waiting) % BOX_RING];
    *last = (box_report){(uint8_t)(n | (b->inputs[n].told ? CLOSED : 0)), now_ms};
    b->waiting++;
    b->reported[n] = b->inputs[n].told;
}

/* Whether the input settles on another level now. */
static bool settles(box *b, int n, bool level, bool moved, uint32_t now_ms)
{
    box_input *in = &b->inputs[n];
    bool shield = n >= FIRST_SHIELD && n < REFEREE;
    uint32_t lockout = 2u * (shield ? b->settings.lockout_shield : b->settings.lockout_button);
    if (in->locked && now_ms - in->locked_ms >= lockout)
        in->locked = false;
    if (moved || level != in->level) {
        in->level = level;
        in->edge_ms = now_ms;
        return false;
    }
    uint32_t rest = level && !shield ? PRESS_REST : REST;
    if (level == in->told || in->locked || now_ms - in->edge_ms < rest)
        return false;
    in->told = level;
    in->locked = level || shield;
    in->locked_ms = now_ms;
    return true;
}

void box_contacts(box *b, uint16_t levels, uint16_t moved, uint32_t now_ms)
{
    for (int n = 0; n < BOX_INPUTS; n++) {
        bool settled = settles(b, n, levels >> n & 1, moved >> n & 1, now_ms);
        bool untold = b->inputs[n].told != b->reported[n];
        if (untold && b->waiting < BOX_RING)
            report(b, n, now_ms);
        else if (settled)
            b->dropped++;
    }
}

/* ---- what the host says */

static void hear_ack(box *b, const uint8_t *fields, uint32_t now_ms)
{
    uint32_t taken = read_u32(fields + 4) - b->oldest;
    if (read_u32(fields) != b->boot || taken == 0 || taken > b->ever_sent)
        return;
    b->oldest += taken;
    b->first = (uint8_t)((b->first + taken) % BOX_RING);
    b->waiting -= (uint8_t)taken;
    b->ever_sent -= (uint8_t)taken;
    b->in_flight = b->in_flight > taken ? (uint8_t)(b->in_flight - taken) : 0;
    b->window_ms = now_ms;
}

static bool asking(uint8_t state)
{
    return state == PLACE_NOW || state == YOUR_TURN;
}

static bool hear_leds(box *b, const uint8_t *fields)
{
    for (int n = 0; n < BOX_STATIONS; n++)
        if (fields[5 + n] >= STATES)
            return false;
    if (read_u32(fields) != b->boot)
        return true;
    for (int n = 0; n < BOX_STATIONS; n++) {
        if (asking(fields[5 + n]) && !asking(b->states[n]))
            b->sound = true;
        b->states[n] = fields[5 + n];
    }
    b->order = fields[4];
    b->alive_due = true;
    return true;
}

static void hear_settings(box *b, const uint8_t *fields)
{
    if (read_u32(fields) != b->boot)
        return;
    b->settings = (box_settings){fields[4], fields[5], fields[6] & (BOX_OPTION_ANODE | BOX_OPTION_BUZZER), true};
    b->hello_due = true;
}

static void refuse(box *b, const uint8_t *body, uint8_t reason)
{
    b->bad++;
    if (!(body[1] & FROM_HOST))
        return;
    b->refused_version = body[0];
    b->refused_type = body[1];
    b->refused_reason = reason;
}

static uint8_t why_not(const uint8_t *body, size_t count)
{
    static const struct {
        uint8_t version, type, size;
    } known[] = {{1, QUERY, 2}, {1, ACK, 10}, {1, PING, 3}, {1, LEDS, 11}, {2, SETTINGS, 9}};
    if (body[0] != 1 && body[0] != 2)
        return BAD_VERSION;
    for (size_t n = 0; n < sizeof known / sizeof *known; n++)
        if (known[n].version == body[0] && known[n].type == body[1])
            return known[n].size == count ? 0 : BAD_SIZE;
    return BAD_TYPE;
}

static void hear(box *b, const uint8_t *body, size_t count, uint32_t now_ms)
{
    const uint8_t *fields = body + 2;
    uint8_t reason = why_not(body, count);
    if (reason) {
        refuse(b, body, reason);
        return;
    }
    b->host = true;
    b->host_ms = now_ms;
    if (body[1] == QUERY)
        b->hello_due = true;
    else if (body[1] == ACK)
        hear_ack(b, fields, now_ms);
    else if (body[1] == SETTINGS)
        hear_settings(b, fields);
    else if (body[1] == LEDS) {
        if (!hear_leds(b, fields))
            refuse(b, body, BAD_VALUE);
    } else {
        b->token = fields[0];
        b->alive_due = true;
    }
}

void box_byte(box *b, uint8_t byte, uint32_t now_ms)
{
    if (byte) {
        if (b->incoming_length == LONGEST_ENCODED)
            b->incoming_too_long = true;
        else
            b->incoming[b->incoming_length++] = byte;
        return;
    }
    if (b->incoming_length == 0)
        return;
    uint8_t body[LONGEST_ENCODED];
    size_t count = b->incoming_too_long ? 0 : disclose(b->incoming, b->incoming_length, body);
    b->incoming_length = 0;
    b->incoming_too_long = false;
    if (count)
        hear(b, body, count, now_ms);
    else
        b->bad++;
}

/* ---- what the box says */

static uint16_t levels_now(const box *b)
{
    uint16_t levels = 0;
    for (int n = 0; n < BOX_INPUTS; n++)
        levels |= (uint16_t)(b->inputs[n].told << n);
    return levels;
}

static size_t say_hello(box *b, uint8_t *body, uint32_t now_ms)
{
    uint8_t *at = body;
    *at++ = 2;
    *at++ = HELLO;
    write_u32(&at, b->id);
    write_u32(&at, b->boot);
    write_u16(&at, FIRMWARE);
    write_u16(&at, levels_now(b));
    write_u32(&at, b->oldest);
    write_u32(&at, b->oldest + b->waiting);
    write_u32(&at, now_ms);
    write_u16(&at, b->dropped);
    *at++ = b->board;
    *at++ = (uint8_t)(b->cause | b->settings.options << 4);
    *at++ = b->settings.lockout_button;
    *at++ = b->settings.lockout_shield;
    b->hello_due = false;
    b->hello_ms = now_ms;
    return (size_t)(at - body);
}

static size_t say_refused(box *b, uint8_t *body)
{
    uint8_t *at = body;
    *at++ = 2;
    *at++ = REFUSED;
    write_u32(&at, b->boot);
    *at++ = b->refused_version;
    *at++ = b->refused_type;
    *at++ = b->refused_reason;
    b->refused_reason = 0;
    return (size_t)(at - body);
}

static size_t say_report(box *b, uint8_t *body, uint32_t now_ms)
{
    const box_report *next = &b->ring[(b->first + b->in_flight) % BOX_RING];
    uint8_t *at = body;
    *at++ = 1;
    *at++ = REPORT;
    write_u32(&at, b->boot);
    write_u32(&at, b->oldest + b->in_flight);
    *at++ = next->input;
    write_u32(&at, next->ms);
    if (b->in_flight++ == 0)
        b->window_ms = now_ms;
    if (b->ever_sent < b->in_flight)
        b->ever_sent = b->in_flight;
    return (size_t)(at - body);
}

static size_t say_alive(box *b, uint8_t *body, uint32_t now_ms)
{
    uint8_t *at = body;
    *at++ = 1;
    *at++ = ALIVE;
    write_u32(&at, b->boot);
    write_u32(&at, now_ms);
    *at++ = b->token;
    *at++ = b->order;
    write_u16(&at, levels_now(b));
    write_u32(&at, b->oldest + b->waiting);
    write_u16(&at, b->dropped);
    write_u16(&at, b->bad);
    write_u16(&at, b->resent);
    b->alive_due = false;
    b->alive_ms = now_ms;
    return (size_t)(at - body);
}

size_t box_frame(box *b, uint8_t *frame, uint32_t now_ms)
{
    uint8_t body[LONGEST_BODY];
    if (b->host && now_ms - b->host_ms >= HOST_GONE) {
        b->host = false;
        b->in_flight = 0;
    }
    if (b->hello_due || (!b->host && now_ms - b->hello_ms >= HELLO_EVERY))
        return enclose(frame, body, say_hello(b, body, now_ms));
    if (b->refused_reason)
        return enclose(frame, body, say_refused(b, body));
    if (!b->host)
        return 0;
    if (b->in_flight && now_ms - b->window_ms >= RETRY) {
        b->resent += b->in_flight;
        b->in_flight = 0;
    }
    if (b->in_flight < WINDOW && b->in_flight < b->waiting)
        return enclose(frame, body, say_report(b, body, now_ms));
    if (b->alive_due || now_ms - b->alive_ms >= ALIVE_EVERY)
        return enclose(frame, body, say_alive(b, body, now_ms));
    return 0;
}

uint8_t box_led(const box *b, uint8_t station, uint32_t now_ms)
{
    const uint16_t *pattern = patterns[b->host ? b->states[station] : HOST_LOST];
    unsigned step = now_ms / STEP % 16;
    return (uint8_t)((pattern[0] >> step & 1) | (pattern[1] >> step & 1) << 1);
}
