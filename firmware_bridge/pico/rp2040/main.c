/* The button box on a Raspberry Pi Pico: serial line on GP0 and GP1, inputs on GP2 to GP10, LEDs on GP11 to GP14 (green)
 * and GP16 to GP19 (red), the small LED or a buzzer on GP25. */
#include "box.h"
#include "keep.h"
#include "rp2040.h"

enum { BOARD_RP2040 = 3, POWER_ON = 1, RESET = 2, WATCHDOG = 4 };
enum { FIRST_INPUT = 2, FIRST_GREEN = 11, FIRST_RED = 16, LIGHT = 25 };
enum { SHOW_MS = 8, BUZZ_MS = 60, WATCHDOG_MS = 250, START_MS = 2 };

extern uint32_t data_start, data_end, bss_start, bss_end;
extern const uint32_t data_image;

static box the_box;

static uint32_t micros(void)
{
    return REG(TIMER_RAW_LOW);
}

static void start_chip(void)
{
    REG(XOSC_STARTUP) = 47; /* 1 ms at 12 MHz, in steps of 256 */
    REG(XOSC_CTRL) = 0xfabu << 12 | 0xaa0u;
    while (!(REG(XOSC_STATUS) >> 31))
        ;
    REG(CLK_REF_CTRL) = 2; /* the crystal; the processor runs from this clock after a reset */
    while (!(REG(CLK_REF_SELECTED) & 4))
        ;
    REG(CLK_PERI_CTRL) = 1u << 11 | 4u << 5; /* the serial line from the crystal too */
    REG(WATCHDOG_TICK) = 1u << 9 | 12;       /* one tick a microsecond, for the timer as well */
    uint32_t wanted = RESET_IO_BANK0 | RESET_PADS_BANK0 | RESET_TIMER | RESET_UART0;
    CLEAR(RESETS) = wanted;
    while (~REG(RESETS_DONE) & wanted)
        ;
    REG(UART_IBRD) = 13; /* 12 MHz / 16 / 57,600 = 13 + 1/64, to 0.01 % */
    REG(UART_FBRD) = 1;
    REG(UART_LCR_H) = 0x70; /* 8 data bits, queues on */
    REG(UART_CR) = 0x301;
    REG(GPIO_CTRL(0)) = REG(GPIO_CTRL(1)) = FUNCTION_UART;
}

static void light(unsigned pin, bool on)
{
    REG(on ? SIO_OUT_SET : SIO_OUT_CLEAR) = 1u << pin;
}

static void start_pins(bool anode)
{
    for (unsigned pin = FIRST_INPUT; pin < FIRST_INPUT + BOX_INPUTS; pin++) {
        REG(PAD(pin)) = PAD_PULLED_UP;
        REG(GPIO_CTRL(pin)) = FUNCTION_SIO;
    }
    for (unsigned n = 0; n < BOX_STATIONS; n++) {
        light(FIRST_GREEN + n, anode);
        light(FIRST_RED + n, anode);
        REG(GPIO_CTRL(FIRST_GREEN + n)) = REG(GPIO_CTRL(FIRST_RED + n)) = FUNCTION_SIO;
        REG(SIO_OUT_ENABLE_SET) = 1u << (FIRST_GREEN + n) | 1u << (FIRST_RED + n);
    }
    REG(GPIO_CTRL(LIGHT)) = FUNCTION_SIO;
    REG(SIO_OUT_ENABLE_SET) = 1u << LIGHT;
}

static uint16_t levels(void)
{
    return (uint16_t)(~REG(SIO_IN) >> FIRST_INPUT & ((1u << BOX_INPUTS) - 1));
}

static uint8_t cause(void)
{
    if (REG(WATCHDOG_REASON) & 3)
        return WATCHDOG;
    return REG(CHIP_RESET) >> 16 & 1 ? RESET : POWER_ON;
}

static kept begin(void)
{
    kept k = {0, 0, 0};
    if (!keep_read(&k)) {
        for (int bit = 0; bit < 32; bit++)
            k.id = k.id << 1 | (REG(ROSC_RANDOMBIT) & 1);
        k.settings = 150u | 75u << 8;
    }
    k.boot++;
    keep_write(&k);
    start_pins(k.settings >> 16 & BOX_OPTION_ANODE);
    for (uint32_t at = micros(); micros() - at < START_MS * 1000;)
        ; /* the pull-ups have charged the cables */
    box_begin(&the_box, k.id, k.boot, BOARD_RP2040, cause(), levels());
    the_box.settings = (box_settings){(uint8_t)k.settings, (uint8_t)(k.settings >> 8), (uint8_t)(k.settings >> 16), false};
    return k;
}

static void show(uint32_t now_ms, bool sounding)
{
    bool anode = the_box.settings.options & BOX_OPTION_ANODE, buzzer = the_box.settings.options & BOX_OPTION_BUZZER;
    for (uint8_t n = 0; n < BOX_STATIONS; n++) {
        uint8_t colours = box_led(&the_box, n, now_ms);
        light(FIRST_GREEN + n, (colours & 1) != anode);
        light(FIRST_RED + n, (colours >> 1 & 1) != anode);
    }
    light(LIGHT, buzzer ? sounding : the_box.host);
}

static void keep_settings(kept *k)
{
    const box_settings *s = &the_box.settings;
    uint32_t settings = s->lockout_button | (uint32_t)s->lockout_shield << 8 | (uint32_t)s->options << 16;
    the_box.settings.keep = false;
    if (settings == k->settings)
        return;
    k->settings = settings;
    keep_write(k);
}

static void run(kept *k)
{
    uint8_t frame[BOX_FRAME];
    size_t length = 0, at = 0;
    uint32_t last_us = micros(), carried_us = 0, now_ms = 0, shown_ms = 0, sound_ms = 0;
    uint16_t seen = levels(), moved = 0;
    bool sounding = false;
    REG(WATCHDOG_LOAD) = WATCHDOG_MS * 2000u; /* it counts twice a tick (erratum RP2040-E1) */
    REG(WATCHDOG_CTRL) = 1u << 30;
    for (;;) {
        uint32_t us = micros();
        uint16_t level = levels(); /* every turn of the loop: nothing moves unseen */
        moved |= level ^ seen;
        seen = level;
        while (!(REG(UART_FR) & UART_HAS_NOTHING))
            box_byte(&the_box, (uint8_t)REG(UART_DR), now_ms);
        if (at == length) {
            length = box_frame(&the_box, frame, now_ms);
            at = 0;
        }
        while (at < length && !(REG(UART_FR) & UART_SENDS_NOTHING_MORE))
            REG(UART_DR) = frame[at++];
        carried_us += us - last_us;
        last_us = us;
        if (carried_us < 1000)
            continue;
        now_ms += carried_us / 1000;
        carried_us %= 1000;
        REG(WATCHDOG_LOAD) = WATCHDOG_MS * 2000u;
        box_contacts(&the_box, level, moved, now_ms);
        moved = 0;
        if (the_box.sound) {
            the_box.sound = false;
            sounding = true;
            sound_ms = now_ms;
        }
        sounding = sounding && now_ms - sound_ms < BUZZ_MS;
        if (now_ms - shown_ms >= SHOW_MS) {
            shown_ms = now_ms;
            show(now_ms, sounding);
        }
        if (the_box.settings.keep)
            keep_settings(k);
    }
}

void start(void);
void start(void)
{
    const uint32_t *from = &data_image;
    for (uint32_t *to = &data_start; to < &data_end;)
        *to++ = *from++;
    for (uint32_t *to = &bss_start; to < &bss_end;)
        *to++ = 0;
    start_chip();
    kept k = begin();
    run(&k);
}

/* What the compiler calls for assignments and for clearing. */
void *memcpy(void *to, const void *from, size_t count);
void *memcpy(void *to, const void *from, size_t count)
{
    for (size_t n = 0; n < count; n++)
        ((uint8_t *)to)[n] = ((const uint8_t *)from)[n];
    return to;
}

void *memset(void *to, int value, size_t count);
void *memset(void *to, int value, size_t count)
{
    for (size_t n = 0; n < count; n++)
        ((uint8_t *)to)[n] = (uint8_t)value;
    return to;
}
