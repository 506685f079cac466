#!/usr/bin/env node
// The shipped image of the Pico in an emulated RP2040 (rp2040js), told by lines on stdin as firmware_bridge/pico/program/main.c
// says for --step. PICO_IMAGE names the .uf2. The boot ROM is no part of the emulator: what the image asks of it (its
// second stage checked and begun, the functions that read and write the flash) is played here after the data sheet.
"use strict";
const { readFileSync } = require("node:fs");
const { createInterface } = require("node:readline");
const { BasePeripheral, GPIOPinState, RP2040 } = require("rp2040js");

const FLASH = 0x10000000,
  MEMORY = 0x20000000,
  STAGE_AT = 0x20041f00, // 2.8.1.3.1: where the ROM puts the second stage
  STAGE_BYTES = 256,
  CLOCK_HZ = 12e6, // the crystal: the image starts no PLL
  BYTE_NANOS = 1e10 / 57600, // ten bits
  FIRST_INPUT = 2,
  INPUTS = 9,
  GREEN = [11, 12, 13, 14],
  RED = [16, 17, 18, 19];

class Constant extends BasePeripheral {
  constructor(chip, name, read) {
    super(chip, name);
    this.read = read;
  }
  readUint32(offset) {
    return this.read(offset);
  }
}

const chip = new RP2040();
chip.logger = { debug() {}, info() {}, warn(where, text) { fail(`${where}: ${text}`); }, error(where, text) { fail(`${where}: ${text}`); } };
function fail(text) {
  process.stderr.write(`pico_emulator: ${text}\n`);
  process.exit(1);
}

// ---- the image
function load(path) {
  const blocks = readFileSync(path);
  for (let at = 0; at < blocks.length; at += 512) {
    if (blocks.readUInt32LE(at) !== 0x0a324655) fail(`${path} is no UF2`);
    const to = blocks.readUInt32LE(at + 12) - FLASH,
      size = blocks.readUInt32LE(at + 16);
    chip.flash.set(blocks.subarray(at + 32, at + 32 + size), to);
  }
}
function crc(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1;
  }
  return value >>> 0;
}

// ---- the boot ROM: each function is a breakpoint and a return, and is played when the breakpoint is met
let connected = true; // whether flash can be read as memory
const { registers } = chip.core;
const FUNCTIONS = {
  IF: () => {},
  EX: () => {
    connected = false;
  },
  FC: () => {},
  CX: () => {
    connected = true;
  },
  RE: () => {
    if (registers[0] % 4096 || registers[1] % 4096) fail("an erase that is not of whole sectors");
    chip.flash.fill(0xff, registers[0], registers[0] + registers[1]);
  },
  RP: () => {
    if (registers[0] % 256 || registers[2] % 256) fail("a write that is not of whole pages");
    for (let n = 0; n < registers[2]; n++) chip.flash[registers[0] + n] &= chip.readUint8(registers[1] + n);
  },
};
const NAMES = Object.keys(FUNCTIONS),
  TABLE = 0x100,
  LOOK_UP = 0x200,
  FIRST = 0x210,
  BKPT = 0xbe00,
  RETURN = 0x4770;
function buildRom() {
  const halves = new Uint16Array(chip.bootrom.buffer);
  halves[0x14 / 2] = TABLE;
  halves[0x18 / 2] = LOOK_UP | 1;
  halves[LOOK_UP / 2] = BKPT | 0xff;
  halves[LOOK_UP / 2 + 1] = RETURN;
  NAMES.forEach((_, n) => {
    halves[(FIRST + 4 * n) / 2] = BKPT | n;
    halves[(FIRST + 4 * n) / 2 + 1] = RETURN;
  });
}
chip.onBreak = (code) => {
  if (code !== 0xff) {
    FUNCTIONS[NAMES[code]]();
    return;
  }
  const name = String.fromCharCode(registers[1] & 0xff, registers[1] >>> 8);
  if (registers[0] !== TABLE || !NAMES.includes(name)) fail(`the ROM was asked for ${name}`);
  registers[0] = (FIRST + 4 * NAMES.indexOf(name)) | 1;
};

// ---- pins, serial line, start
const closed = new Array(INPUTS).fill(false);
const showInput = (n) => chip.gpio[FIRST_INPUT + n].setInputValue(!closed[n]);
let sent = [],
  lineFree = 0;
const coming = []; // {at, byte} in ns
function start() {
  buildRom();
  chip.core.reset();
  const stage = chip.flash.subarray(0, STAGE_BYTES);
  const expected = stage[252] | (stage[253] << 8) | (stage[254] << 16) | (stage[255] << 24);
  if (crc(stage.subarray(0, 252)) !== expected >>> 0) fail("the second stage's CRC is wrong: the ROM would not run it");
  chip.sram.set(stage, STAGE_AT - MEMORY);
  chip.core.SP = 0x20042000;
  chip.core.PC = STAGE_AT;
  for (let n = 0; n < INPUTS; n++) showInput(n);
}
let seed = 1;
chip.peripherals[0x40060] = new Constant(chip, "ROSC", () => (seed = (seed * 48271) % 2147483647) >>> 9);
chip.peripherals[0x40064] = new Constant(chip, "CHIP_RESET", () => 1 << 8); // the power came on
chip.uart[0].onByte = (byte) => {
  lineFree = Math.max(lineFree, chip.clock.nanos) + BYTE_NANOS;
  sent.push([lineFree, byte]);
};
chip.peripherals[0x40058].onWatchdogTrigger = () => fail("the watchdog ended the program");

const CYCLE_NANOS = 1e9 / CLOCK_HZ;
function run(ms) {
  const end = chip.clock.nanos + ms * 1e6;
  while (chip.clock.nanos < end) {
    if (coming.length && coming[0].at <= chip.clock.nanos) chip.uart[0].feedByte(coming.shift().byte);
    const pc = chip.core.PC;
    if (!connected && pc >= FLASH && pc < MEMORY) fail(`code in flash runs while there is none (${pc.toString(16)})`);
    chip.clock.tick(chip.core.executeInstruction() * CYCLE_NANOS);
  }
}

// ---- lines
load(process.env.PICO_IMAGE);
start();
let told = 0; // ms since the start of the program, as the rig counts
run(5); // the pull-ups, the flash page of this start
const begun = chip.clock.nanos;
createInterface({ input: process.stdin }).on("line", (line) => {
  const [word, ...rest] = line.trim().split(/\s+/);
  let answer = "";
  if (word === "run") {
    told += Number(rest[0]);
    run((begun + told * 1e6 - chip.clock.nanos) / 1e6);
    const out = sent.filter(([at]) => at <= chip.clock.nanos);
    sent = sent.slice(out.length);
    const pieces = new Map();
    for (const [at, byte] of out) {
      const when = Math.max(0, Math.ceil((at - begun) / 1e6));
      pieces.set(when, (pieces.get(when) || "") + byte.toString(16).padStart(2, "0"));
    }
    answer = [...pieces].map(([when, hex]) => `${when}:${hex}`).join(" ");
  } else if (word === "bytes") {
    const bytes = Buffer.from(rest[0] || "", "hex");
    let at = Math.max(chip.clock.nanos, coming.length ? coming[coming.length - 1].at : 0);
    for (const byte of bytes) coming.push({ at: (at += BYTE_NANOS), byte });
  } else if (word === "contact") {
    closed[Number(rest[0])] = rest[1] === "1";
    showInput(Number(rest[0]));
  } else if (word === "leds") {
    const lit = (pin) => chip.gpio[pin].value === GPIOPinState.High;
    answer = GREEN.map((pin, n) => Number(lit(pin)) | (Number(lit(RED[n])) << 1)).join(" ");
  } else if (word === "restart") {
    // The power goes and comes back: memory is lost, flash is kept.
    chip.sram.fill(0);
    coming.length = 0;
    connected = true;
    chip.peripherals[0x40058].writeUint32(0, 0);
    start();
  } else fail(`unknown: ${line}`);
  process.stdout.write(`${answer}\n`);
});
