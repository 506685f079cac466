/* Records of one page each, written one after the other; a record cut short fails its check and the one before holds. */
#include "keep.h"

#include "rp2040.h"

#define KEPT_AT (2u * 1024 * 1024 - SECTOR)
#define RECORDS (SECTOR / PAGE)

typedef struct {
    kept values, inverted; /* the same bits the other way round: a page half written does not have both */
    uint8_t rest[PAGE - 2 * sizeof(kept)];
} record;

static const record *records(void)
{
    return (const record *)(FLASH + KEPT_AT);
}

static _Bool whole(const record *r)
{
    return r->values.id == ~r->inverted.id && r->values.boot == ~r->inverted.boot &&
           r->values.settings == ~r->inverted.settings;
}

_Bool keep_read(kept *k)
{
    for (unsigned n = RECORDS; n-- > 0;)
        if (whole(records() + n)) {
            *k = records()[n].values;
            return 1;
        }
    return 0;
}

static void *rom(uint32_t code)
{
    typedef void *lookup(const uint16_t *, uint32_t);
    /* The ROM's pointers stand at fixed places of its first bytes, which the compiler takes for a null pointer. */
    uint32_t base;
    __asm__ volatile("movs %0, #0x14" : "=l"(base));
    const uint16_t *at = (const uint16_t *)base;
    return ((lookup *)(uintptr_t)at[2])((const uint16_t *)(uintptr_t)at[0], code);
}

typedef void act(void);
typedef void erase(uint32_t, uint32_t, uint32_t, uint8_t);
typedef void program(uint32_t, const uint8_t *, uint32_t);

/* Runs in memory: there is no flash to run from meanwhile. */
__attribute__((noinline, section(".ram"))) static void write_flash(act *connect, act *exit_xip, erase *wipe,
                                                                    program *put, act *flush, act *enter,
                                                                    const record *r, uint32_t at, _Bool clean)
{
    connect();
    exit_xip();
    if (clean)
        wipe(KEPT_AT, SECTOR, 1u << 16, 0xd8);
    put(at, (const uint8_t *)r, PAGE);
    flush();
    enter();
}

void keep_write(const kept *k)
{
    static record r;
    unsigned n = 0;
    while (n < RECORDS && (whole(records() + n) || records()[n].values.id != 0xffffffffu))
        n++;
    r.values = *k;
    r.inverted = (kept){~k->id, ~k->boot, ~k->settings};
    write_flash(rom(ROM_CODE('I', 'F')), rom(ROM_CODE('E', 'X')), rom(ROM_CODE('R', 'E')), rom(ROM_CODE('R', 'P')),
                rom(ROM_CODE('F', 'C')), rom(ROM_CODE('C', 'X')), &r, KEPT_AT + PAGE * (n % RECORDS), n == RECORDS);
}
