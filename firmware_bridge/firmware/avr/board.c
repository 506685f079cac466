/* Register code for the ATmega328P and ATmega168 at 16 MHz; HARDWARE.md has the pin table. */
#include "board.h"

#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <util/atomic.h>
#include <util/delay.h>

#include "framing.h"
#include "identity.h"

#define UBRR_VALUE ((F_CPU + BAUD * 4L) / (BAUD * 8L) - 1) /* double speed: clock / 8, rounded */
#define SAMPLES_A_MS 5                                     /* 0.2 ms: shorter than the 0.5 ms of a quick bounce */
#define TICK_COMPARE (F_CPU / 64 / 1000 / SAMPLES_A_MS - 1) /* clock / 64 */
#define PULL_UP_US 50                                      /* 40 kOhm against some 100 pF of wire, tenfold */

#define CONFIRM_PINS 0x3c /* PD2 to PD5 */
#define REFEREE_PIN 0x40  /* PD6 */
#define SHIELD_PINS 0x0f  /* PC0 to PC3 */
#define HOST_LIGHT 0x20   /* PB5 */

struct pin {
    volatile uint8_t *port;
    uint8_t mask;
};

static const struct pin green_pins[STATIONS] = {
    {&PORTB, 1 << 0}, {&PORTB, 1 << 1}, {&PORTB, 1 << 2}, {&PORTB, 1 << 3}};
static const struct pin red_pins[STATIONS] = {
    {&PORTB, 1 << 4}, {&PORTD, 1 << 7}, {&PORTC, 1 << 4}, {&PORTC, 1 << 5}};

#define RECEIVE_RING 32 /* a power of two; 5.6 ms of bytes, emptied at least once a millisecond */
static volatile uint8_t receive_ring[RECEIVE_RING];
static volatile uint8_t receive_in, receive_out;

static uint8_t transmit_buffer[MAX_FRAME];
static volatile uint8_t transmit_at, transmit_length;

static volatile uint8_t ticks;
static volatile uint8_t any_d, all_d, any_c, all_c; /* pins seen high at least once, and always, since the last call */
static uint8_t dark = 0;                            /* level that leaves an LED dark */

/* Survives a reset, and is anything at all after the power was gone. */
static uint32_t alive_mark __attribute__((section(".noinit")));
static uint8_t reset_flags __attribute__((section(".noinit")));
#define ALIVE_MARK 0xb0c5a11eUL

/* The order is part of the box: firmware that comes later must find what was kept before. New cells go to the end. */
static struct {
    uint8_t box[CELL_SIZE];
    uint8_t boots[BOOT_CELLS][CELL_SIZE];
    uint8_t settings[CELL_SIZE];
} kept EEMEM;

ISR(TIMER0_COMPA_vect)
{
    static uint8_t samples;
    uint8_t d = PIND, c = PINC;
    any_d |= d;
    all_d &= d;
    any_c |= c;
    all_c &= c;
    if (++samples == SAMPLES_A_MS) {
        samples = 0;
        ticks++;
    }
}

ISR(USART_RX_vect)
{
    uint8_t byte = UDR0;
    uint8_t next = (receive_in + 1) % RECEIVE_RING;
    if (next != receive_out) { /* a full ring loses the byte: its frame fails the check and is sent again */
        receive_ring[receive_in] = byte;
        receive_in = next;
    }
}

ISR(USART_UDRE_vect)
{
    if (transmit_at < transmit_length)
        UDR0 = transmit_buffer[transmit_at++];
    if (transmit_at == transmit_length)
        UCSR0B &= (uint8_t)~(1 << UDRIE0);
}

/* After a watchdog reset the watchdog runs on with its shortest time: stop it before anything else. */
void stop_watchdog(void) __attribute__((naked, used, section(".init3")));
void stop_watchdog(void)
{
    reset_flags = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

void board_options(uint8_t options)
{
    dark = options & OPTION_LED_ANODE ? 1 : 0;
}

void board_start(uint8_t options)
{
    board_options(options);
    PORTD |= CONFIRM_PINS | REFEREE_PIN; /* pull-ups: a contact closes to ground */
    PORTC |= SHIELD_PINS;
    for (uint8_t n = 0; n < STATIONS; n++) {
        board_led(n, 0); /* before the pin drives: no flash at the start */
        *(green_pins[n].port - 1) |= green_pins[n].mask; /* the direction register lies before the port */
        *(red_pins[n].port - 1) |= red_pins[n].mask;
    }
    DDRB |= HOST_LIGHT;
    _delay_us(PULL_UP_US);

    OCR0A = TICK_COMPARE;
    TCCR0A = 1 << WGM01;
    TCCR0B = 1 << CS01 | 1 << CS00;
    TIMSK0 = 1 << OCIE0A;

    UCSR0A = 1 << U2X0; /* before the divider: simavr looks at it only then */
    UBRR0 = UBRR_VALUE;
    UCSR0C = 1 << UCSZ01 | 1 << UCSZ00; /* 8 data bits, no parity, 1 stop bit */
    UCSR0B = 1 << RXEN0 | 1 << TXEN0 | 1 << RXCIE0;

    set_sleep_mode(SLEEP_MODE_IDLE);
    sei();
}

static uint16_t closed_inputs(uint8_t d, uint8_t c)
{
    return (uint16_t)((d & CONFIRM_PINS) >> 2 << INPUT_CONFIRM_1 | (c & SHIELD_PINS) << INPUT_SHIELD_1 |
                      (d & REFEREE_PIN ? 1 << INPUT_REFEREE : 0));
}

uint16_t board_inputs(uint16_t *flickered)
{
    uint8_t d, c, moved_d, moved_c;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        d = PIND;
        c = PINC;
        moved_d = (uint8_t)(any_d | d) & (uint8_t)~(all_d & d);
        moved_c = (uint8_t)(any_c | c) & (uint8_t)~(all_c & c);
        any_d = all_d = d;
        any_c = all_c = c;
    }
    *flickered = closed_inputs(moved_d, moved_c);
    return closed_inputs((uint8_t)~d, (uint8_t)~c);
}

static void drive(const struct pin *pin, bool high)
{
    if (high)
        *pin->port |= pin->mask;
    else
        *pin->port &= (uint8_t)~pin->mask;
}

void board_led(uint8_t station, uint8_t colours)
{
    drive(&green_pins[station], (colours & 1) != dark);
    drive(&red_pins[station], (colours >> 1 & 1) != dark);
}

void board_light(bool on)
{
    drive(&(struct pin){&PORTB, HOST_LIGHT}, on);
}

uint8_t board_ticks(void)
{
    uint8_t passed;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        passed = ticks;
        ticks = 0;
    }
    return passed;
}

bool board_receive(uint8_t *byte)
{
    if (receive_in == receive_out)
        return false;
    *byte = receive_ring[receive_out];
    receive_out = (receive_out + 1) % RECEIVE_RING;
    return true;
}

uint8_t *board_transmit_buffer(void)
{
    return transmit_at == transmit_length ? transmit_buffer : 0;
}

void board_transmit(uint8_t length)
{
    transmit_at = 0;
    transmit_length = length;
    UCSR0B |= 1 << UDRIE0;
}

void board_idle(void)
{
    cli();
    if (ticks == 0 && receive_in == receive_out) {
        sleep_enable();
        sei(); /* takes effect after the next instruction: no interrupt fits in between */
        sleep_cpu();
        sleep_disable();
    }
    sei();
}

uint8_t board_kind(void)
{
#if defined(__AVR_ATmega168__) || defined(__AVR_ATmega168P__)
    return BOARD_ATMEGA168;
#else
    return BOARD_ATMEGA328P;
#endif
}

/* A bootloader may have erased the chip's own answer: then the mark tells whether the power was gone. */
uint8_t board_start_cause(void)
{
    bool was_alive = alive_mark == ALIVE_MARK;
    alive_mark = ALIVE_MARK;
    if (reset_flags & 1 << WDRF)
        return START_WATCHDOG;
    if (reset_flags & 1 << PORF || !was_alive)
        return START_POWER_ON;
    return reset_flags & 1 << BORF ? START_BROWN_OUT : START_RESET;
}

/* What no two boxes share at their first start: memory as power-up left it, and the noise of the temperature sensor. */
static uint32_t draw_box_id(void)
{
    extern uint8_t __heap_start;
    uint16_t low = crc16(CRC16_START, &__heap_start, (uint16_t)(SP - (uint16_t)&__heap_start));
    uint16_t high = low;
    ADMUX = 1 << REFS1 | 1 << REFS0 | 1 << MUX3;
    ADCSRA = 1 << ADEN | 1 << ADPS2 | 1 << ADPS1 | 1 << ADPS0;
    for (uint8_t n = 0; n < 64; n++) {
        ADCSRA |= 1 << ADSC;
        while (ADCSRA & 1 << ADSC)
            ;
        uint8_t noise = ADCL;
        (void)ADCH; /* reading the high byte frees the register for the next conversion */
        high = crc16(high, &noise, 1);
    }
    ADCSRA = 0;
    return (uint32_t)high << 16 | low;
}

uint32_t board_box_id(void)
{
    uint8_t cell[CELL_SIZE];
    uint32_t box;
    eeprom_read_block(cell, kept.box, CELL_SIZE);
    if (!cell_read(cell, &box)) {
        box = draw_box_id();
        cell_write(cell, box);
        eeprom_update_block(cell, kept.box, CELL_SIZE);
    }
    return box;
}

uint32_t board_boot_id(void)
{
    uint8_t cells[BOOT_CELLS][CELL_SIZE], target;
    eeprom_read_block(cells, kept.boots, sizeof cells);
    uint32_t boot = next_boot((const uint8_t(*)[CELL_SIZE])cells, &target);
    cell_write(cells[target], boot);
    eeprom_update_block(cells[target], kept.boots[target], CELL_SIZE);
    return boot;
}

bool board_settings(struct settings *settings)
{
    uint8_t cell[CELL_SIZE];
    uint32_t number;
    eeprom_read_block(cell, kept.settings, CELL_SIZE);
    if (!cell_read(cell, &number))
        return false;
    *settings = (struct settings){(uint8_t)number, (uint8_t)(number >> 8), (uint8_t)(number >> 16)};
    return true;
}

void board_keep_settings(const struct settings *settings)
{
    uint8_t cell[CELL_SIZE];
    cell_write(cell, settings->lockout_button | (uint32_t)settings->lockout_shield << 8 |
                         (uint32_t)settings->options << 16);
    eeprom_update_block(cell, kept.settings, CELL_SIZE);
}
