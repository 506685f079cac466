/* The registers of the RP2040 that the box uses; addresses from the RP2040 data sheet, chapters 2 and 4. */
#ifndef PICO_RP2040_H
#define PICO_RP2040_H

#include <stdint.h>

#define REG(address) (*(volatile uint32_t *)(address))
#define CLEAR(address) REG((address) + 0x3000u) /* writing ones clears these bits (2.1.2) */

#define RESETS 0x4000c000u /* 2.14 */
#define RESETS_DONE (RESETS + 8u)
#define RESET_IO_BANK0 (1u << 5)
#define RESET_PADS_BANK0 (1u << 8)
#define RESET_TIMER (1u << 21)
#define RESET_UART0 (1u << 22)

#define XOSC_CTRL 0x40024000u /* 2.16 */
#define XOSC_STATUS 0x40024004u
#define XOSC_STARTUP 0x4002400cu
#define CLK_REF_CTRL 0x40008030u /* 2.15 */
#define CLK_REF_SELECTED 0x40008038u
#define CLK_PERI_CTRL 0x40008048u
#define WATCHDOG_CTRL 0x40058000u /* 4.7 */
#define WATCHDOG_LOAD 0x40058004u
#define WATCHDOG_REASON 0x40058008u
#define WATCHDOG_TICK 0x4005802cu
#define CHIP_RESET 0x40064008u /* 2.10 */
#define TIMER_RAW_LOW 0x40054028u
#define ROSC_RANDOMBIT 0x4006001cu

#define UART_DR 0x40034000u /* 4.2 */
#define UART_FR 0x40034018u
#define UART_IBRD 0x40034024u
#define UART_FBRD 0x40034028u
#define UART_LCR_H 0x4003402cu
#define UART_CR 0x40034030u
#define UART_SENDS_NOTHING_MORE (1u << 5)
#define UART_HAS_NOTHING (1u << 4)

#define GPIO_CTRL(pin) (0x40014004u + 8u * (pin)) /* 2.19 */
#define PAD(pin) (0x4001c004u + 4u * (pin))
#define FUNCTION_UART 2u
#define FUNCTION_SIO 5u
#define PAD_PULLED_UP 0x5au /* input on, Schmitt trigger, pull-up, 4 mA */
#define SIO_IN 0xd0000004u /* 2.3.1.7 */
#define SIO_OUT_SET 0xd0000014u
#define SIO_OUT_CLEAR 0xd0000018u
#define SIO_OUT_ENABLE_SET 0xd0000024u

#define FLASH 0x10000000u
#define SECTOR 4096u
#define PAGE 256u

/* A function of the boot ROM by its two letters (2.8.3). */
#define ROM_CODE(a, b) ((uint32_t)(a) | (uint32_t)(b) << 8)

#endif
