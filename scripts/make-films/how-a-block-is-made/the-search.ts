import { COPPER, PAPER, QUIET } from '../drawing/ink.ts'
import { drawCard, drawCircle, drawLine } from '../drawing/line.ts'
import { between, mix, onCircle, type Point, progress } from '../drawing/motion.ts'
import { drawSeal } from '../props/seal.ts'
import { drawSlip } from '../props/slip.ts'
import { WAITING, waitingPlace } from './waiting-together.ts'

const BLOCK = { x: 350, y: 312, side: 420 }
const DIAL = { x: 890, y: 250 }
const TUMBLERS = 6

/** The waiting payments become a block; beside it one number after another is tried, and none fits yet. */
export function theSearch(pen: CanvasRenderingContext2D, time: number): void {
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
