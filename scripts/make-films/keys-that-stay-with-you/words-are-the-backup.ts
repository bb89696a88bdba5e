import { COPPER, QUIET } from '../drawing/ink.ts'
import { drawLine } from '../drawing/line.ts'
import { progress } from '../drawing/motion.ts'
import { drawKey, drawSheet, WORDS, wordLine } from '../props/wallet.ts'

const SHEET = { x: 270, y: 312, width: 350 }
const KNOT = { x: 700, y: 312 }
const KEYS = [110, 246, 380, 514]

/** Twenty-four words run together into one knot, and every key of the wallet runs out of it. */
export function wordsAreTheBackup(pen: CanvasRenderingContext2D, time: number): void {
  drawSheet(pen, { ...SHEET, written: progress(time, 0.2, 1.7) * WORDS })
  for (let word = 0; word < WORDS; word++) {
    const [, end] = wordLine(SHEET, word)
    const part = progress(time, 1.3 + word * 0.03, 2.3 + word * 0.03)
    drawLine(pen, curve({ x: end.x + 8, y: end.y }, KNOT), part, { ink: QUIET, strength: 0.42, weight: 1.2 })
  }
  KEYS.forEach((y, index) => {
    const key = { x: 970, y }
    const part = progress(time, 2.6 + index * 0.15, 3.3 + index * 0.15)
    drawLine(pen, curve(KNOT, { x: key.x - 58, y }), part, { ink: COPPER, strength: 0.8, weight: 1.6 })
    drawKey(pen, { ...key, length: 180, part: progress(time, 3 + index * 0.15, 4.1 + index * 0.15) })
  })
  drawKnot(pen, progress(time, 2.1, 2.9))
}

function drawKnot(pen: CanvasRenderingContext2D, part: number): void {
  drawKey(pen, { ...KNOT, length: 90, part: Math.min(part, 0.76) })
}

/** An S-shaped path between two points, level at both ends. */
function curve(from: { x: number; y: number }, to: { x: number; y: number }) {
  return Array.from({ length: 25 }, (_, index) => {
    const part = index / 24
    return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * progress(part, 0, 1) }
  })
}
