/* The second firmware as a program of this computer, with its line on a pty.
 *
 *   box_program                     in real time; prints the port's name; contacts by lines on stdin
 *   box_program --step              in simulated time; everything by lines on stdin, each answered with one line
 *
 *   contact N 0|1                   input N opens or closes
 *   run MS                          (--step) time passes; answer: TIME:HEX of each frame sent
 *   bytes HEX                       (--step) bytes from the host
 *   leds                            (--step) green and red of each station, as bits 0 and 1
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "box.h"

enum { BOARD_PROGRAM = 127, POWER_ON = 1 };

static box the_box;
static uint16_t levels, moved;
static uint32_t now_ms;

static void fail(const char *what)
{
    fprintf(stderr, "box_program: %s\n", what);
    exit(1);
}

static void contact(unsigned input, unsigned closed)
{
    uint16_t bit = (uint16_t)(1u << input), before = levels;
    levels = (uint16_t)(closed ? levels | bit : levels & ~bit);
    moved |= levels ^ before;
}

static void scan(void)
{
    box_contacts(&the_box, levels, moved, now_ms);
    moved = 0;
}

static void step(const char *line)
{
    uint8_t frame[BOX_FRAME];
    unsigned long a;
    if (sscanf(line, "run %lu", &a) == 1) {
        for (unsigned long end = now_ms + a; now_ms < end;) {
            now_ms++;
            scan();
            for (size_t n; (n = box_frame(&the_box, frame, now_ms));) {
                printf("%u:", now_ms);
                for (size_t k = 0; k < n; k++)
                    printf("%02x", frame[k]);
                printf(" ");
            }
        }
    } else if (strncmp(line, "bytes ", 6) == 0) {
        unsigned byte;
        for (const char *at = line + 6; sscanf(at, "%2x", &byte) == 1; at += 2)
            box_byte(&the_box, (uint8_t)byte, now_ms);
    } else if (strncmp(line, "leds", 4) == 0) {
        for (uint8_t n = 0; n < BOX_STATIONS; n++)
            printf("%u ", box_led(&the_box, n, now_ms));
    } else {
        fail(line);
    }
    printf("\n");
    fflush(stdout);
}

static uint32_t clock_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint32_t)(t.tv_sec * 1000 + t.tv_nsec / 1000000);
}

static void live(void)
{
    int master, slave;
    char name[256];
    struct termios raw;
    if (openpty(&master, &slave, name, NULL, NULL) != 0)
        fail("no pty");
    tcgetattr(slave, &raw);
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    fcntl(master, F_SETFL, O_NONBLOCK);
    printf("%s\n", name);
    fflush(stdout);
    uint32_t start_ms = clock_ms();
    for (;;) {
        struct pollfd ready[2] = {{.fd = master, .events = POLLIN}, {.fd = 0, .events = POLLIN}};
        poll(ready, 2, 1);
        now_ms = clock_ms() - start_ms;
        uint8_t bytes[256], frame[BOX_FRAME];
        ssize_t got = ready[0].revents & POLLIN ? read(master, bytes, sizeof bytes) : 0;
        for (ssize_t n = 0; n < got; n++)
            box_byte(&the_box, bytes[n], now_ms);
        if (ready[1].revents) {
            char line[64];
            unsigned a, b;
            if (!fgets(line, sizeof line, stdin))
                return;
            if (sscanf(line, "contact %u %u", &a, &b) == 2 && a < BOX_INPUTS)
                contact(a, b);
        }
        scan();
        for (size_t n; (n = box_frame(&the_box, frame, now_ms));)
            if (write(master, frame, n) != (ssize_t)n)
                break; /* nobody reads the line: as with a real one, the bytes are gone */
    }
}

int main(int argc, char **argv)
{
    setvbuf(stdin, NULL, _IONBF, 0); /* poll must see every line */
    box_begin(&the_box, 0x70696362, (uint32_t)time(NULL), BOARD_PROGRAM, POWER_ON, 0);
    if (argc < 2 || strcmp(argv[1], "--step") != 0) {
        live();
        return 0;
    }
    char line[4096];
    unsigned a, b;
    while (fgets(line, sizeof line, stdin))
        if (sscanf(line, "contact %u %u", &a, &b) == 2 && a < BOX_INPUTS) {
            contact(a, b);
            printf("\n");
            fflush(stdout);
        } else {
            step(line);
        }
    return 0;
}
