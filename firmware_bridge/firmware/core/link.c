/* Retransmission, heartbeat, LEDs and settings of the box; PROTOCOL.md says what each message means. */
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
    l->board = BOARD_UNKNOWN;
    l->cause = START_UNKNOWN;
    l->settings = (struct settings){LOCKOUT_BUTTON_MS / LOCKOUT_STEP_MS, LOCKOUT_SHIELD_MS / LOCKOUT_STEP_MS, 0};
    l->settings_new = l->decision_due = false;
    l->refused[2] = 0;
    for (uint8_t n = 0; n < STATIONS; n++)
        l->leds[n] = LED_OFF;
}

void link_describe(struct link *l, uint8_t board, uint8_t cause, const struct settings *settings)
{
    l->board = board;
    l->cause = cause;
    l->settings = *settings;
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

static bool asks(uint8_t state)
{
    return state == LED_PLACE_NOW || state == LED_YOUR_TURN;
}

/* False when a state is unknown: then nothing is taken. */
static bool take_leds(struct link *l, const uint8_t *fields)
{
    const uint8_t *states = fields + 5;
    for (uint8_t n = 0; n < STATIONS; n++)
        if (states[n] >= LED_STATES)
            return false;
    if (get_u32(fields) != l->boot)
        return true;
    for (uint8_t n = 0; n < STATIONS; n++) {
        l->decision_due |= asks(states[n]) && !asks(l->leds[n]);
        l->leds[n] = states[n];
    }
    l->led_order = fields[4];
    l->alive_due = true;
    return true;
}

static void take_settings(struct link *l, const uint8_t *fields)
{
    if (get_u32(fields) != l->boot)
        return;
    l->settings = (struct settings){fields[4], fields[5], fields[6] & (OPTION_LED_ANODE | OPTION_BUZZER)};
    l->settings_new = l->hello_due = true;
}

/* Only what comes from a host is refused: a box that hears its own words would never come to an end. */
static void refuse(struct link *l, const uint8_t *body, uint8_t reason)
{
    link_bad_frame(l);
    if (!(body[1] & HOST_BIT))
        return;
    l->refused[0] = body[0];
    l->refused[1] = body[1];
    l->refused[2] = reason;
}

/* Size of a host's message, 0 for an unknown one. */
static uint8_t host_size(uint8_t version, uint8_t type)
{
    if (version == 2)
        return type == TYPE_SETTINGS ? SIZE_SETTINGS : 0;
    switch (type) {
    case TYPE_QUERY:
        return SIZE_QUERY;
    case TYPE_ACK:
        return SIZE_ACK;
    case TYPE_PING:
        return SIZE_PING;
    case TYPE_LEDS:
        return SIZE_LEDS;
    default:
        return 0;
    }
}

void link_receive(struct link *l, const uint8_t *body, uint8_t length, uint32_t now)
{
    const uint8_t *fields = body + 2;
    if (body[0] < 1 || body[0] > PROTOCOL_VERSION) {
        refuse(l, body, REFUSAL_VERSION);
        return;
    }
    uint8_t size = host_size(body[0], body[1]);
    if (length != size) {
        refuse(l, body, size ? REFUSAL_SIZE : REFUSAL_TYPE);
        return;
    }
    l->heard_ms = now;
    l->host_present = true;
    switch (body[1]) {
    case TYPE_QUERY:
        l->hello_due = true;
        break;
    case TYPE_ACK:
        take_ack(l, fields, now);
        break;
    case TYPE_PING:
        l->token = fields[0];
        l->alive_due = true;
        break;
    case TYPE_LEDS:
        if (!take_leds(l, fields))
            refuse(l, body, REFUSAL_VALUE);
        break;
    case TYPE_SETTINGS:
        take_settings(l, fields);
        break;
    }
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

static uint8_t *begin(uint8_t *frame, uint8_t version, uint8_t type)
{
    return put_u8(put_u8(frame + 2, version), type);
}

static uint8_t send_hello(struct link *l, uint8_t *frame, uint32_t now)
{
    uint8_t *at = begin(frame, VERSION_HELLO, TYPE_HELLO);
    at = put_u32(at, l->box);
    at = put_u32(at, l->boot);
    at = put_u16(at, FIRMWARE_VERSION);
    at = put_u16(at, l->settled);
    at = put_u32(at, l->reports.oldest);
    at = put_u32(at, l->reports.oldest + l->reports.count);
    at = put_u32(at, now);
    at = put_u16(at, l->dropped);
    at = put_u8(at, l->board);
    at = put_u8(at, (uint8_t)(l->cause | l->settings.options << OPTION_SHIFT));
    at = put_u8(at, l->settings.lockout_button);
    put_u8(at, l->settings.lockout_shield);
    l->hello_due = false;
    l->hello_ms = now;
    return frame_close(frame, SIZE_HELLO);
}

static uint8_t send_report(struct link *l, uint8_t *frame, uint32_t now)
{
    const struct report *report = reports_at(&l->reports, l->reports.sent);
    uint8_t *at = begin(frame, VERSION_REPORT, TYPE_REPORT);
    at = put_u32(at, l->boot);
    at = put_u32(at, l->reports.oldest + l->reports.sent);
    at = put_u8(at, report->input);
    put_u32(at, report->ms);
    if (l->reports.sent++ == 0)
        l->sent_ms = now;
    if (l->reports.told < l->reports.sent)
        l->reports.told = l->reports.sent;
    return frame_close(frame, SIZE_REPORT);
}

static uint8_t send_refused(struct link *l, uint8_t *frame)
{
    uint8_t *at = begin(frame, VERSION_REFUSED, TYPE_REFUSED);
    at = put_u32(at, l->boot);
    for (uint8_t n = 0; n < sizeof l->refused; n++)
        at = put_u8(at, l->refused[n]);
    l->refused[2] = 0;
    return frame_close(frame, SIZE_REFUSED);
}

static uint8_t send_alive(struct link *l, uint8_t *frame, uint32_t now)
{
    uint8_t *at = begin(frame, VERSION_ALIVE, TYPE_ALIVE);
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
    if (l->refused[2])
        return send_refused(l, frame);
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
