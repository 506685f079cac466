/* The box's firmware in simavr: its UART on a pty, its pins moved and its LEDs read by commands on stdin.
 *
 *   run US BYTES     take bytes from the pty until BYTES have come in all, then run for US simulated microseconds
 *   contact US N 0|1 input N opens or closes US microseconds from now
 *   host 0|1         without a host what the box sends is thrown away
 *   power-cut        everything but the EEPROM is gone; of that, a byte being written
 *   peek A, poke A V data memory at address A
 * Each command is answered with one line; `run` with: time in us, bytes sent in all, PORTB DDRB PORTC DDRC PORTD DDRD.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <simavr/avr_eeprom.h>
#include <simavr/avr_extint.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>

#define INPUTS 9
#define EEPROM_SIZE 1024
#define EECR 0x3f /* EEPROM control and address in data memory */
#define EEPE 0x02
#define EEAR 0x41
#define MAX_EVENTS 4096
#define MAX_BYTES 65536

static const struct { char port; int bit; } wiring[INPUTS] = {
    {'D', 2}, {'D', 3}, {'D', 4}, {'D', 5}, {'C', 0}, {'C', 1}, {'C', 2}, {'C', 3}, {'D', 6}};

static elf_firmware_t firmware;
static avr_t *avr;
static int closed[INPUTS];
static int master, host = 1;
static uint64_t lived_us; /* before the last power cut */
static unsigned long sent, received;
static uint8_t to_host[MAX_BYTES], to_box[MAX_BYTES];
static unsigned to_host_count, to_box_in, to_box_out;
static int box_takes = 1, was_reset;
static struct event { uint64_t at_us; int input, level; } events[MAX_EVENTS];
static int event_count;

static void fail(const char *what)
{
    fprintf(stderr, "box_harness: %s\n", what);
    exit(1);
}

static uint64_t now_us(void)
{
    return lived_us + avr->cycle / (avr->frequency / 1000000);
}

static void feed(void)
{
    while (box_takes && to_box_in != to_box_out) {
        uint8_t byte = to_box[to_box_out++ % MAX_BYTES];
        avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT), byte);
    }
}

static void on_byte(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    if (!host)
        return;
    if (to_host_count == MAX_BYTES)
        fail("the box sent more than fits");
    to_host[to_host_count++] = (uint8_t)value;
}

static void on_xon(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)value, (void)param;
    box_takes = 1;
    feed();
}

static void on_xoff(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)value, (void)param;
    box_takes = 0;
}

static void no_sleep(avr_t *a, avr_cycle_count_t cycles)
{
    (void)a, (void)cycles; /* as fast as this machine can */
}

static void put_contact(int input)
{
    int level = !closed[input];
    avr_ioport_external_t external = {.name = wiring[input].port, .mask = 0, .value = 0};
    for (int n = 0; n < INPUTS; n++)
        if (wiring[n].port == wiring[input].port) {
            external.mask |= 1u << wiring[n].bit;
            external.value |= (unsigned)!closed[n] << wiring[n].bit;
        }
    /* a bare level on the pin would be lost when the firmware writes the port later */
    avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(wiring[input].port), &external);
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(wiring[input].port), wiring[input].bit), level);
}

static void on_reset(avr_t *a)
{
    (void)a;
    was_reset = 1;
}

/* simavr forgets at a reset what stands at the pins from outside. */
static void put_all_contacts(void)
{
    was_reset = 0;
    for (int n = 0; n < INPUTS; n++) {
        closed[n] = !closed[n];
        put_contact(n); /* the level that stood last is filtered out */
        closed[n] = !closed[n];
        put_contact(n);
    }
}

static void start(const uint8_t *eeprom)
{
    avr = avr_make_mcu_by_name("atmega328p");
    if (!avr)
        fail("this simavr has no atmega328p");
    avr_init(avr);
    avr->log = LOG_ERROR;
    avr_load_firmware(avr, &firmware);
    avr->frequency = 16000000;
    avr->sleep = no_sleep;
    if (eeprom) {
        avr_eeprom_desc_t all = {.ee = (uint8_t *)eeprom, .offset = 0, .size = EEPROM_SIZE};
        avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &all);
    }
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_byte, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XON), on_xon, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XOFF), on_xoff, NULL);
    for (uint8_t n = 0; n < 2; n++) /* else simavr polls a low INT0 or INT1 at every cycle of a sleep */
        avr_extint_set_strict_lvl_trig(avr, n, 0);
    avr->reset = on_reset;
    box_takes = 1;
    put_all_contacts();
}

static void power_cut(void)
{
    static uint8_t eeprom[EEPROM_SIZE];
    avr_eeprom_desc_t all = {.ee = eeprom, .offset = 0, .size = EEPROM_SIZE};
    avr_ioctl(avr, AVR_IOCTL_EEPROM_GET, &all);
    if (avr->data[EECR] & EEPE) /* a byte being written is left as anything */
        eeprom[(avr->data[EEAR] | avr->data[EEAR + 1] << 8) % EEPROM_SIZE] ^= (uint8_t)avr->cycle;
    lived_us = now_us();
    to_box_out = to_box_in;
    avr_terminate(avr);
    start(eeprom);
}

static void take_bytes(unsigned long total)
{
    while (received < total) {
        struct pollfd ready = {.fd = master, .events = POLLIN};
        if (poll(&ready, 1, 2000) <= 0)
            fail("the bytes announced do not come");
        uint8_t chunk[4096];
        ssize_t got = read(master, chunk, sizeof chunk);
        if (got <= 0)
            fail("the pty is gone");
        received += (unsigned long)got;
        for (ssize_t n = 0; n < got; n++)
            to_box[to_box_in++ % MAX_BYTES] = chunk[n];
    }
    feed();
}

static avr_cycle_count_t wake(avr_t *a, avr_cycle_count_t when, void *param)
{
    (void)a, (void)when, (void)param;
    return 0; /* only there to end a sleep */
}

static void run_until(uint64_t until_us)
{
    avr_cycle_count_t target = (until_us - lived_us) * (avr->frequency / 1000000);
    if (target > avr->cycle)
        avr_cycle_timer_register(avr, target - avr->cycle, wake, NULL);
    while (avr->cycle < target) {
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed)
            fail("the firmware crashed");
        if (was_reset)
            put_all_contacts();
    }
    avr_cycle_timer_cancel(avr, wake, NULL);
}

static void run(uint64_t us)
{
    uint64_t end_us = now_us() + us;
    for (;;) {
        int first = -1;
        for (int n = 0; n < event_count; n++)
            if (events[n].at_us <= end_us && (first < 0 || events[n].at_us < events[first].at_us))
                first = n;
        if (first < 0)
            break;
        struct event next = events[first];
        memmove(events + first, events + first + 1, (size_t)(--event_count - first) * sizeof *events);
        if (next.at_us > now_us())
            run_until(next.at_us);
        closed[next.input] = next.level;
        put_contact(next.input);
    }
    if (end_us > now_us())
        run_until(end_us);
    for (unsigned n = 0; n < to_host_count;) {
        ssize_t put = write(master, to_host + n, to_host_count - n);
        if (put <= 0)
            fail("nobody reads the pty");
        n += (unsigned)put;
    }
    sent += to_host_count;
    to_host_count = 0;
    printf("%llu %lu", (unsigned long long)now_us(), sent);
    const int registers[] = {0x25, 0x24, 0x28, 0x27, 0x2b, 0x2a};
    for (int n = 0; n < 6; n++)
        printf(" %02x", avr->data[registers[n]]);
    printf("\n");
}

int main(int argc, char **argv)
{
    char name[256], line[256];
    int slave;
    if (argc != 2 || elf_read_firmware(argv[1], &firmware) != 0)
        fail("usage: box_harness FIRMWARE.elf");
    if (openpty(&master, &slave, name, NULL, NULL) != 0)
        fail("no pty");
    struct termios raw;
    tcgetattr(slave, &raw);
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    start(NULL);
    printf("%s\n", name);
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        unsigned long a, b, c;
        if (sscanf(line, "run %lu %lu", &a, &b) == 2) {
            take_bytes(b);
            run(a);
        } else if (sscanf(line, "contact %lu %lu %lu", &a, &b, &c) == 3 && b < INPUTS && event_count < MAX_EVENTS) {
            events[event_count++] = (struct event){now_us() + a, (int)b, (int)c};
            printf("ok\n");
        } else if (sscanf(line, "host %lu", &a) == 1) {
            host = (int)a;
            printf("ok\n");
        } else if (strcmp(line, "power-cut\n") == 0) {
            power_cut();
            printf("ok\n");
        } else if (sscanf(line, "peek %lx", &a) == 1 && a <= avr->ramend) {
            printf("%d\n", avr->data[a]);
        } else if (sscanf(line, "poke %lx %lx", &a, &b) == 2 && a <= avr->ramend) {
            avr->data[a] = (uint8_t)b;
            printf("ok\n");
        } else {
            fail(line);
        }
        fflush(stdout);
    }
    return 0;
}
