/* Retransmission, heartbeat and LEDs of the box; PROTOCOL.md says what each message means. */
#include "link.h"

static const uint16_t led_patterns[LED_STATES][2] = LED_PATTERNS;

void link_start(struct link *l, uint32_t box, uint32_t boot, uint16_t levels, uint32_t now)
{
    l->box = box;
    l->boot = boot;
    reports_start(&l->reports);
    l->levels = l->settled = levels;
    l->dropped = l->bad_frames = l->resent = 0;
    l->heard_ms = l->sent_ms = l->alive_ms = l->hello_ms = now;
    l->host_present = l->alive_due = false;
    l->hello_due = true;
    l->token = l->led_order = 0;
    for (uint8_t n = 0; n < STATIONS; n++)
        l->leds[n] = LED_OFF;
}

void link_levels(struct link *l, uint16_t settled, uint32_t now)
{
    uint16_t edges = settled ^ l->settled, untold = settled ^ l->levels;
    l->settled = settled;
    for (uint8_t n = 0; n < INPUTS && (edges | untold); n++) {
        uint16_t bit = (uint16_t)1 << n;
        bool kept = true;
        if (untold & bit) {
            kept = reports_add(&l->reports, n | (settled & bit ? PRESSED_BIT : 0), now);
            if (kept)
                l->levels ^= bit;
        } else if (edges & bit) {
            kept = false; /* back where the reports have it: the edge before was not kept, so this one says nothing */
        }
        if (!kept && edges & bit)
            l->dropped++;
    }
}

static uint32_t get_u32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void take_ack(struct link *l, const uint8_t *fields, uint32_t now)
{
    uint8_t before = l->reports.count;
    if (get_u32(fields) == l->boot && reports_acknowledge(&l->reports, get_u32(fields + 4)) &&
        l->reports.count != before)
        l->sent_ms = now;
}

static void take_leds(struct link *l, const uint8_t *fields)
{
    const uint8_t *states = fields + 5;
    if (get_u32(fields) != l->boot)
        return;
    for (uint8_t n = 0; n < STATIONS; n++)
        if (states[n] >= LED_STATES)
            return;
    for (uint8_t n = 0; n < STATIONS; n++)
        l->leds[n] = states[n];
    l->led_order = fields[4];
    l->alive_due = true;
}

void link_receive(struct link *l, const uint8_t *body, uint8_t length, uint32_t now)
{
    const uint8_t *fields = body + 2;
    if (body[0] != PROTOCOL_VERSION) {
        link_bad_frame(l);
        return;
    }
    if (body[1] == TYPE_QUERY && length == SIZE_QUERY) {
        l->hello_due = true;
    } else if (body[1] == TYPE_ACK && length == SIZE_ACK) {
        take_ack(l, fields, now);
    } else if (body[1] == TYPE_PING && length == SIZE_PING) {
        l->token = fields[0];
        l->alive_due = true;
    } else if (body[1] == TYPE_LEDS && length == SIZE_LEDS) {
        take_leds(l, fields);
    } else {
        link_bad_frame(l);
        return;
    }
    l->heard_ms = now;
    l->host_present = true;
}

void link_bad_frame(struct link *l)
{
    l->bad_frames++;
}

static uint8_t *put_u8(uint8_t *at, uint8_t value)
{
    *at = value;
    return at + 1;
}

static uint8_t *put_u16(uint8_t *at, uint16_t value)
{
    return put_u8(put_u8(at, (uint8_t)value), (uint8_t)(value >> 8));
}

static uint8_t *put_u32(uint8_t *at, uint32_t value)
{
    return put_u16(put_u16(at, (uint16_t)value), (uint16_t)(value >> 16));
}

static uint8_t *begin(uint8_t *frame, uint8_t type)
{
    return put_u8(put_u8(frame + 2, PROTOCOL_VERSION), type);
}

static uint8_t send_hello(struct link *l, uint8_t *frame, uint32_t now)
{
    uint8_t *at = begin(frame, TYPE_HELLO);
    at = put_u32(at, l->box);
    at = put_u32(at, l->boot);
    at = put_u16(at, FIRMWARE_VERSION);
    at = put_u16(at, l->settled);
    at = put_u32(at, l->reports.oldest);
    at = put_u32(at, l->reports.oldest + l->reports.count);
    at = put_u32(at, now);
    put_u16(at, l->dropped);
    l->hello_due = false;
    l->hello_ms = now;
    return frame_close(frame, SIZE_HELLO);
}

static uint8_t send_report(struct link *l, uint8_t *frame, uint32_t now)
{
    const struct report *report = reports_at(&l->reports, l->reports.sent);
    uint8_t *at = begin(frame, TYPE_REPORT);
    at = put_u32(at, l->boot);
    at = put_u32(at, l->reports.oldest + l->reports.sent);
    at = put_u8(at, report->input);
    put_u32(at, report->ms);
    if (l->reports.sent++ == 0)
        l->sent_ms = now;
    return frame_close(frame, SIZE_REPORT);
}

static uint8_t send_alive(struct link *l, uint8_t *frame, uint32_t now)
{
    uint8_t *at = begin(frame, TYPE_ALIVE);
    at = put_u32(at, l->boot);
    at = put_u32(at, now);
    at = put_u8(at, l->token);
    at = put_u8(at, l->led_order);
    at = put_u16(at, l->settled);
    at = put_u32(at, l->reports.oldest + l->reports.count);
    at = put_u16(at, l->dropped);
    at = put_u16(at, l->bad_frames);
    put_u16(at, l->resent);
    l->alive_due = false;
    l->alive_ms = now;
    return frame_close(frame, SIZE_ALIVE);
}

uint8_t link_send(struct link *l, uint8_t *frame, uint32_t now)
{
    struct reports *r = &l->reports;
    if (l->host_present && now - l->heard_ms >= HOST_LOST_MS) {
        l->host_present = false;
        r->sent = 0;
    }
    if (l->hello_due || (!l->host_present && now - l->hello_ms >= BEACON_MS))
        return send_hello(l, frame, now);
    if (!l->host_present)
        return 0;
    if (r->sent > 0 && now - l->sent_ms >= RETRY_MS) {
        l->resent += r->sent;
        r->sent = 0;
    }
    if (r->sent < r->count && r->sent < WINDOW)
        return send_report(l, frame, now); /* a press does not wait for a heartbeat */
    if (l->alive_due || now - l->alive_ms >= ALIVE_MS)
        return send_alive(l, frame, now);
    return 0;
}

uint8_t link_led(const struct link *l, uint8_t station)
{
    return l->host_present ? l->leds[station] : LED_HOST_LOST;
}

uint8_t led_colours(uint8_t state, uint32_t now)
{
    uint8_t step = (uint8_t)(now / LED_STEP_MS) & 15;
    const uint16_t *pattern = led_patterns[state];
    return (uint8_t)((pattern[0] >> step & 1) | (pattern[1] >> step & 1) << 1);
}
