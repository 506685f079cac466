/* The box: every millisecond sample, debounce, report and light; between them take and send bytes. */
#include <avr/wdt.h>

#include "board.h"
#include "debounce.h"
#include "link.h"

#define SHOW_MS 8 /* how often the LEDs are set: no eye sees it, and the divisions cost time */

static struct debouncer debouncer;
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
    board_host_light(box_link.host_present);
}

int main(void)
{
    uint32_t now = 0;
    uint32_t box = board_box_id(), boot = board_boot_id();
    board_start();
    debounce_start(&debouncer, board_inputs());
    link_start(&box_link, box, boot, debouncer.settled, now);
    wdt_enable(WDTO_250MS);

    for (;;) {
        uint8_t passed = board_ticks();
        if (passed) { /* a dead timer starves the watchdog */
            wdt_reset();
            now += passed;
            debounce_sample(&debouncer, board_inputs(), (uint16_t)now);
            link_levels(&box_link, debouncer.settled, now);
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
