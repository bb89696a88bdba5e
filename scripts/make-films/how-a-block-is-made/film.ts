import { story } from '../drawing/story.ts'
import type { Guilloche } from '../../../web/kernel/brand/guilloche.ts'
import { engrave } from '../drawing/engrave.ts'
import { VERDIGRIS, GROUND, PAPER, QUIET, COPPER } from '../drawing/ink.ts'
import { progress, mix, between, placed, type Point, onCircle } from '../drawing/motion.ts'
import { drawSlip } from '../props/slip.ts'
import { drawKey } from '../props/wallet.ts'
import { drawCircle, drawLine, fillDisc, drawCard } from '../drawing/line.ts'
import { nodeFace } from '../props/figures.ts'
import { drawSeal } from '../props/seal.ts'
import { drawTick, drawLens } from '../props/signs.ts'
import { drawBlock, drawTie } from '../props/block.ts'
import { drawCoin } from '../props/coin.ts'

export const film = story(
  [
    signedMessage,
    nodesCheck,
    waitingTogether,
    theSearch,
    workAndCheck,
    aboutAMinute,
    joinsTheChain,
    checkpoint,
    anyoneCanCheck,
  ],
  { secondsEach: 5, posterAt: 34.4, backdrop, joined: [nodesCheck, theSearch] },
)

const field: Guilloche = {
  inner: 300,
  outer: 520,
  lobes: 192,
  turns: 17,
  wave: 24,
  outerDepth: 40,
  innerDepth: 24,
}

/** A faint rosette that stands still behind every scene. */
function backdrop(pen: CanvasRenderingContext2D): void {
  engrave(pen, field, { x: 1330, y: 10, ink: VERDIGRIS, strength: 0.12, weight: 1 })
}

const PAYMENT = 'payment 4'

/** A payment is written, then a key comes and cuts its signature. */
function signedMessage(pen: CanvasRenderingContext2D, time: number): void {
  const written = progress(time, 0.3, 1.7)
  const signed = progress(time, 2.1, 4)
  drawSlip(pen, { x: 610, y: 310, width: 560, name: PAYMENT, written, signed })
  const arrived = progress(time, 1.4, 2.2) - progress(time, 4, 4.8)
  const key = { x: mix(1400, 1070, arrived), y: mix(600, 432, arrived), length: 260, turn: 205 }
  drawKey(pen, { ...key, strength: Math.min(1, arrived * 1.5) })
}

const NODES = [90, 198, 312, 426, 534].map((y) => ({ x: 960 - Math.abs(y - 312) * 0.62, y }))
const HEART = { x: 340, y: 310 }

/** The payment travels to five nodes; each cuts the signature again and, where it matches, ticks it. */
function nodesCheck(pen: CanvasRenderingContext2D, time: number): void {
  const moved = progress(time, 0.5, 1.4)
  const slip = { x: mix(610, HEART.x, moved), y: HEART.y, width: mix(560, 340, moved) }
  NODES.forEach((node, index) => {
    const late = index * 0.16
    const line = progress(time, 1.1 + late, 1.8 + late)
    drawLine(pen, [{ x: HEART.x + 170, y: HEART.y }, node], line, { ink: QUIET, strength: 0.4, weight: 1.2 })
    const pulse = progress(time, 1.5 + late, 2.1 + late)
    if (pulse > 0 && pulse < 1)
      fillDisc(pen, between({ x: HEART.x + 170, y: HEART.y }, node, pulse), 4, { ink: PAPER })
  })
  NODES.forEach((node, index) => {
    const late = index * 0.16
    const shown = progress(time, 0.6 + late / 2, 1.3 + late / 2)
    if (shown <= 0) return
    fillDisc(pen, node, 48 * shown, { ink: GROUND })
    drawCircle(pen, node, 48, { ink: QUIET, strength: 0.8 * shown, part: shown })
    const checked = progress(time, 1.9 + late, 3.1 + late)
    engrave(pen, nodeFace, { ...node, scale: 0.42, ink: VERDIGRIS, strength: 0.25 * shown, weight: 0.9 })
    drawSeal(pen, { ...node, name: PAYMENT, radius: 36, part: checked })
    drawTick(pen, { x: node.x + 72, y: node.y - 22, radius: 20, part: progress(time, 3 + late, 3.6 + late) })
  })
  drawSlip(pen, { ...slip, name: PAYMENT })
}

const WAITING = 12
const GATE = { x: 370, y: 310 }
const gate: Guilloche = { inner: 118, outer: 164, lobes: 72, turns: 7, wave: 12, outerDepth: 12 }

/** Where a waiting payment lies: four columns of three. */
function waitingPlace(index: number): Point {
  return { x: 690 + (index % 4) * 156, y: 190 + Math.floor(index / 4) * 120 }
}

/** Payments pass the check one after another and wait in rows. A broken one is turned away. */
function waitingTogether(pen: CanvasRenderingContext2D, time: number): void {
  engrave(pen, gate, { ...GATE, ink: VERDIGRIS, strength: 0.8, turn: time * 2, weight: 1 })
  for (let index = 0; index < WAITING; index++) {
    const leaves = 0.1 + index * 0.27
    const start = { x: -90, y: 180 + ((index * 97) % 260) }
    const arriving = progress(time, leaves, leaves + 0.9)
    const leaving = progress(time, leaves + 1.0, leaves + 1.6)
    const at = leaving > 0 ? between(GATE, waitingPlace(index), leaving) : between(start, GATE, arriving)
    if (arriving > 0) drawSlip(pen, { ...at, width: 136, name: `payment ${index}` })
    const ticked = progress(time, leaves + 0.8, leaves + 1.1) - progress(time, leaves + 1.2, leaves + 1.4)
    if (ticked > 0)
      placed(pen, { x: 0, y: 0, strength: ticked }, () => drawTick(pen, { x: GATE.x, y: 108, radius: 22 }))
  }
  drawTurnedAway(pen, time)
}

function drawTurnedAway(pen: CanvasRenderingContext2D, time: number): void {
  const arriving = progress(time, 1.2, 2.3)
  const falling = progress(time, 2.6, 3.6)
  const at = between(between({ x: -90, y: 500 }, { x: 250, y: 500 }, arriving), { x: 190, y: 590 }, falling)
  if (arriving > 0)
    drawSlip(pen, {
      ...at,
      width: 136,
      name: 'payment x',
      isBroken: true,
      strength: 1 - falling,
      turn: -14 * falling,
    })
}

const BLOCK = { x: 350, y: 312, side: 420 }
const DIAL = { x: 890, y: 250 }
const TUMBLERS = 6

/** The waiting payments become a block; beside it one number after another is tried, and none fits yet. */
function theSearch(pen: CanvasRenderingContext2D, time: number): void {
  const size = { width: BLOCK.side, height: BLOCK.side, radius: 10 }
  const framed = progress(time, 0.4, 1.4)
  drawCard(pen, BLOCK, size, { ink: PAPER, strength: 0.9 * framed, weight: 2 })
  for (let index = 0; index < WAITING; index++) {
    const moved = progress(time, 0.6 + index * 0.05, 1.5 + index * 0.05)
    const at = between(waitingPlace(index), placeInBlock(index), moved)
    drawSlip(pen, { ...at, width: mix(136, 120, moved), name: `payment ${index}` })
  }
  const shown = progress(time, 1.2, 1.8)
  drawCircle(pen, DIAL, 182, { ink: QUIET, strength: 0.5 * shown })
  const tried = Math.max(0, (time - 1.8) / 0.55)
  const trial = Math.floor(tried)
  const part = 0.3 + 0.45 * (((trial * 37) % 10) / 10)
  const cut = Math.min(part, (tried - trial) * 1.6 * part)
  if (time > 1.8)
    drawSeal(pen, {
      ...DIAL,
      name: `try ${trial}`,
      radius: 168,
      part: cut,
      ink: COPPER,
      strength: 0.75,
      weight: 1.2,
    })
  for (let index = 0; index < TUMBLERS; index++) drawTumbler(pen, index, trial, shown)
}

function placeInBlock(index: number): Point {
  return { x: BLOCK.x - 134 + (index % 3) * 134, y: BLOCK.y - 144 + Math.floor(index / 3) * 96 }
}

/**
 * One wheel of the number that is being tried. The last wheel turns at each try, the others when the one after them has
 * made a full turn.
 */
function drawTumbler(pen: CanvasRenderingContext2D, index: number, trial: number, shown: number): void {
  const centre = { x: DIAL.x - 175 + index * 70, y: 510 }
  const turns = (trial * 7) / 2 ** (TUMBLERS - 1 - index) + index * 3
  drawCircle(pen, centre, 27, { ink: QUIET, strength: 0.8 * shown })
  const hand = onCircle(centre, 20, (Math.floor(turns) % 10) * 36)
  if (shown > 0) drawLine(pen, [centre, hand], 1, { ink: PAPER, strength: shown, weight: 2.4 })
}

const COLUMNS = 10
const ROWS = 7
const LAST = COLUMNS * ROWS - 1
const FOUND = 'block 7'

function placeOf(index: number): Point {
  return { x: 110 + (index % COLUMNS) * 68, y: 106 + Math.floor(index / COLUMNS) * 69 }
}

/** Seventy tries, of which the last one closes; then a single tick, at once. */
function workAndCheck(pen: CanvasRenderingContext2D, time: number): void {
  const reached = progress(time, 0.1, 3) * LAST
  for (let index = 0; index <= reached && index < LAST; index++) {
    const part = 0.25 + 0.4 * (((index * 53) % 17) / 17)
    const fresh = Math.max(0, 1 - (reached - index) / 6)
    drawSeal(pen, {
      ...placeOf(index),
      name: `try ${index}`,
      radius: 27,
      part,
      ink: QUIET,
      strength: 0.38 + 0.5 * fresh,
      weight: 0.9,
    })
  }
  const found = progress(time, 2.8, 3.4)
  const carried = progress(time, 3.3, 3.9)
  const last = placeOf(LAST)
  if (found <= 0) return
  drawSeal(pen, { ...last, name: FOUND, radius: 29, part: found })
  const at = { x: mix(last.x, 1010, carried), y: mix(last.y, 312, carried), radius: mix(29, 165, carried) }
  if (carried > 0) drawSeal(pen, { ...at, name: FOUND, ink: COPPER, weight: 1.2 })
  drawLine(
    pen,
    [
      { x: 790, y: 90 },
      { x: 790, y: 536 },
    ],
    found,
    { ink: PAPER, strength: 0.2, weight: 1.2 },
  )
  drawTick(pen, { x: 1170, y: 160, radius: 34, part: progress(time, 3.95, 4.25) })
}

const CLOCK_CENTRE = { x: 640, y: 316 }
const TICKS = 60

/** A hand goes round a dial of sixty strokes once, and as it returns to the top the seal closes. */
function aboutAMinute(pen: CanvasRenderingContext2D, time: number): void {
  const sweep = Math.min(1, Math.max(0, (time - 0.4) / 3.4))
  for (let index = 0; index < TICKS; index++) {
    const isPassed = index / TICKS < sweep
    const length = index % 5 === 0 ? 30 : 18
    const stroke = [onCircle(CLOCK_CENTRE, 258, index * 6), onCircle(CLOCK_CENTRE, 258 - length, index * 6)]
    drawLine(pen, stroke, 1, {
      ink: isPassed ? COPPER : QUIET,
      strength: isPassed ? 1 : 0.35,
      weight: index % 5 ? 1.6 : 2.4,
    })
  }
  const tip = onCircle(CLOCK_CENTRE, 216, sweep * 360)
  drawLine(pen, [onCircle(CLOCK_CENTRE, 176, sweep * 360), tip], 1, { ink: PAPER, weight: 2.4 })
  fillDisc(pen, tip, 4, { ink: PAPER })
  drawSeal(pen, { ...CLOCK_CENTRE, name: FOUND, radius: 162, part: sweep, weight: 1.2 })
  const ripple = progress(time, 3.8, 4.8)
  if (ripple > 0)
    drawCircle(pen, CLOCK_CENTRE, 262 + 40 * ripple, { ink: COPPER, strength: 0.8 * (1 - ripple), weight: 2 })
}

const SIDE = 170
const STEP = 230
const Y = 380
const REWARD = 35

/** The new block is tied to the one before it; the coins of its reward appear above it. */
function joinsTheChain(pen: CanvasRenderingContext2D, time: number): void {
  const moved = progress(time, 0.1, 1.6)
  const home = { x: 860, y: Y }
  const older = Array.from({ length: 5 }, (_, index) => ({
    x: home.x - STEP * (index + 1) + 60 * (1 - moved),
    y: Y,
  }))
  older.forEach((place, index) => {
    if (index + 1 < older.length) drawTie(pen, place, older[index + 1]!, { side: SIDE, part: 1 })
    drawBlock(pen, { ...place, name: `block ${6 - index}`, side: SIDE, strength: 0.75 - index * 0.12 })
  })
  const newest = between({ x: 1420, y: Y }, home, moved)
  drawTie(pen, newest, older[0]!, { side: SIDE, part: progress(time, 1.5, 2.2) })
  drawBlock(pen, { ...newest, name: FOUND, side: SIDE })
  for (let index = 0; index < REWARD; index++) {
    const part = progress(time, 2.2 + index * 0.035, 2.9 + index * 0.035)
    if (part <= 0) continue
    const column = index % 7
    const row = Math.floor(index / 7)
    const place = { x: home.x - 123 + column * 41, y: 64 + row * 41 }
    const at = between(onCircle(home, 40, index * 51), place, part)
    drawCoin(pen, { ...at, radius: mix(5, 16, part) })
  }
}

const CHAIN_BLOCKS = 20
const PITCH = 92
const CHECKPOINT = { x: 1090, y: 440 }
const VALIDATORS = [-4, -3, -2, -1, 0].map((index) => ({ x: CHECKPOINT.x + index * 104, y: 110 }))

/** The chain runs left along an upper row and comes back along a lower one. */
const PLACES: Point[] = Array.from({ length: CHAIN_BLOCKS }, (_, index) =>
  index < 10 ? { x: 948 - index * PITCH, y: 300 } : { x: 120 + (index - 10) * PITCH, y: CHECKPOINT.y },
)

const signet: Guilloche = {
  inner: 46,
  outer: 99,
  lobes: 60,
  turns: 7,
  wave: 12,
  outerDepth: 12,
  innerDepth: 6,
}

/** After twenty blocks the validators sign one seal together. Everything before it is final. */
function checkpoint(pen: CanvasRenderingContext2D, time: number): void {
  const settled = progress(time, 3, 4.3) * (CHAIN_BLOCKS + 2)
  drawLine(pen, [...PLACES, CHECKPOINT], progress(time, 0, 1.6), { ink: QUIET, strength: 0.5, weight: 1.4 })
  VALIDATORS.forEach((validator, index) =>
    drawLine(pen, [validator, CHECKPOINT], progress(time, 1.4 + index * 0.1, 2.1 + index * 0.1), {
      ink: COPPER,
      strength: 0.5,
      weight: 1.2,
    }),
  )
  for (let index = 0; index < CHAIN_BLOCKS; index++) {
    const shown = progress(time, 0.05 + index * 0.06, 0.45 + index * 0.06)
    if (shown <= 0) continue
    const isSettled = CHAIN_BLOCKS - index < settled
    const ink = isSettled ? VERDIGRIS : PAPER
    const side = mix(40, 68, shown)
    drawBlock(pen, {
      ...PLACES[index]!,
      name: `block ${index}`,
      side,
      ink,
      frame: ink,
      strength: isSettled ? 1 : 0.55,
    })
  }
  const signed = progress(time, 1.8, 3)
  VALIDATORS.forEach((validator, index) => {
    const shown = progress(time, 0.9 + index * 0.1, 1.5 + index * 0.1)
    fillDisc(pen, validator, 40 * shown, { ink: GROUND })
    drawCircle(pen, validator, 40, { ink: QUIET, strength: 0.8, part: shown })
    engrave(pen, nodeFace, { ...validator, scale: 0.31, ink: COPPER, part: shown, weight: 0.9 })
    const pulse = progress(time, 1.8 + index * 0.1, 2.5 + index * 0.1)
    if (pulse > 0 && pulse < 1) fillDisc(pen, between(validator, CHECKPOINT, pulse), 4, { ink: PAPER })
  })
  fillDisc(pen, CHECKPOINT, 86 * Math.min(1, signed * 3), { ink: GROUND })
  engrave(pen, signet, { ...CHECKPOINT, scale: 0.86, ink: COPPER, part: signed, weight: 1.1 })
}

const SPIRAL_BLOCKS = 42
const SPIRAL_CENTRE = { x: 640, y: 312 }

/** Returns a point of the chain, which spirals outward. 0 is the first block, 1 the newest. */
function onSpiral(part: number): Point {
  const radius = 74 + 186 * part ** 0.8
  const angle = 2 * Math.PI * 3.1 * part ** 0.72 - 0.6
  return {
    x: SPIRAL_CENTRE.x + radius * 2.05 * Math.cos(angle),
    y: SPIRAL_CENTRE.y + radius * Math.sin(angle),
  }
}

/** From the first block's middle out to where the spiral begins. */
const FIRST_TIE = Array.from({ length: 24 }, (_, index) => {
  const part = index / 24
  const angle = -0.6 - 1.7 * (1 - part)
  return {
    x: SPIRAL_CENTRE.x + 151.7 * part * Math.cos(angle),
    y: SPIRAL_CENTRE.y + 74 * part * Math.sin(angle),
  }
})

/** A lens follows the chain from the newest block back to the first, and every block on the way is valid. */
function anyoneCanCheck(pen: CanvasRenderingContext2D, time: number): void {
  const shown = progress(time, 0, 0.9)
  const reader = 1 - progress(time, 0.7, 4)
  const chain = [...FIRST_TIE, ...Array.from({ length: 400 }, (_, index) => onSpiral(index / 399))]
  drawLine(pen, chain, shown, { ink: QUIET, strength: 0.45, weight: 1.3 })
  for (let index = 1; index <= SPIRAL_BLOCKS; index++) {
    const part = index / SPIRAL_BLOCKS
    if (part > shown) continue
    const isRead = part > reader
    const ink = isRead ? VERDIGRIS : PAPER
    const side = mix(28, 44, part)
    drawBlock(pen, {
      ...onSpiral(part),
      name: `block ${index % 12}`,
      side,
      ink,
      frame: ink,
      strength: isRead ? 1 : 0.45,
    })
  }
  const first = progress(time, 3.6, 4.4)
  drawBlock(pen, { ...SPIRAL_CENTRE, name: FOUND, side: 96, ink: COPPER, strength: mix(0.45, 1, first) })
  if (first > 0)
    drawCircle(pen, SPIRAL_CENTRE, 70 + 30 * first, { ink: COPPER, strength: 1 - first, weight: 2 })
  const at = reader > 0.002 ? onSpiral(reader) : SPIRAL_CENTRE
  const home = progress(time, 3.9, 4.4)
  drawLens(pen, {
    x: mix(at.x, SPIRAL_CENTRE.x, home),
    y: mix(at.y, SPIRAL_CENTRE.y, home),
    radius: mix(46, 78, home),
  })
}
