/* The box: every millisecond sample, judge the contacts, report and light; between them take and send bytes. */
#include <avr/wdt.h>

#include "board.h"
#include "contacts.h"
#include "link.h"

#define SHOW_MS 8 /* how often the LEDs are set: no eye sees it, and the divisions cost time */

static struct contacts contacts;
static struct frame_reader reader;
static struct link box_link;

static void take_bytes(uint32_t now)
{
    uint8_t byte, length;
    while (board_receive(&byte))
        switch (frame_push(&reader, byte, &length)) {
        case FRAME_BODY:
            link_receive(&box_link, reader.bytes, length, now);
            break;
        case FRAME_BAD:
            link_bad_frame(&box_link);
            break;
        case FRAME_NONE:
            break;
        }
}

static void show(uint32_t now)
{
    for (uint8_t n = 0; n < STATIONS; n++)
        board_led(n, led_colours(link_led(&box_link, n), now));
    if (!(box_link.settings.options & OPTION_BUZZER))
        board_light(box_link.host_present);
}

/* The buzzer sounds once when an LED begins to ask for something. */
static void sound(uint32_t now)
{
    static uint32_t since;
    static bool on;
    if (!(box_link.settings.options & OPTION_BUZZER))
        return;
    if (box_link.decision_due) {
        on = true;
        since = now;
    }
    on = on && now - since < BUZZ_MS;
    board_light(on);
    box_link.decision_due = false;
}

static void keep_settings(void)
{
    if (!box_link.settings_new)
        return;
    box_link.settings_new = false;
    board_options(box_link.settings.options);
    board_keep_settings(&box_link.settings);
}

static void scan(uint32_t now)
{
    uint16_t flickered, raw = board_inputs(&flickered);
    contacts_sample(&contacts, raw, flickered, (uint16_t)now, box_link.settings.lockout_button,
                    box_link.settings.lockout_shield);
    link_levels(&box_link, contacts.settled, now);
}

int main(void)
{
    uint32_t now = 0;
    uint32_t box = board_box_id(), boot = board_boot_id();
    uint16_t flickered;
    struct settings settings;
    bool kept = board_settings(&settings);
    board_start(kept ? settings.options : 0);
    contacts_start(&contacts, board_inputs(&flickered));
    link_start(&box_link, box, boot, contacts.settled, now);
    link_describe(&box_link, board_kind(), board_start_cause(), kept ? &settings : &box_link.settings);
    wdt_enable(WDTO_250MS);

    for (;;) {
        uint8_t passed = board_ticks();
        if (passed) { /* a dead timer starves the watchdog */
            wdt_reset();
            now += passed;
            scan(now);
            sound(now);
            keep_settings();
            if ((uint8_t)now % SHOW_MS < passed)
                show(now);
        }
        take_bytes(now);
        uint8_t *frame = board_transmit_buffer();
        if (frame) {
            uint8_t length = link_send(&box_link, frame, now);
            if (length)
                board_transmit(length);
        }
        board_idle();
    }
}
