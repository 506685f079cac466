/* Second stage: the boot ROM copies these 256 bytes to memory, compares their CRC and runs them (2.8.1.3). */
    .syntax unified
    .cpu cortex-m0plus
    .thumb
    .section .boot2, "ax"
    .thumb_func
second_stage:
    movs r3, #0x14
    ldrh r0, [r3]           /* the ROM's table of functions */
    ldrh r2, [r3, #4]       /* and what looks one up in it */
    ldr r1, =0x5843         /* "CX": read flash by the plain command 03h, which every chip knows */
    blx r2
    blx r0
    ldr r0, =0x10000100     /* the vectors behind this stage */
    ldr r1, =0xe000ed08     /* where the processor looks for them */
    str r0, [r1]
    ldmia r0, {r0, r1}
    msr msp, r0
    bx r1
    .ltorg

    .section .vectors, "a"
    .word stack_top
    .word start
    .rept 46
    .word stop
    .endr

    .text
    .thumb_func
    .global stop
stop:
    b stop                  /* an unexpected interrupt or a fault: the watchdog ends it */
