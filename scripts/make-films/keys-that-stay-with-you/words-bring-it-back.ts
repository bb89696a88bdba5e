import { COPPER, PAPER } from '../drawing/ink.ts'
import { drawLine } from '../drawing/line.ts'
import { between, onCircle, placed, progress } from '../drawing/motion.ts'
import { drawKey, drawPhone, drawSheet, WORDS, wordLine } from '../props/wallet.ts'

const LOST = { x: 230, y: 312, height: 480 }
const FOUND = { x: 1050, y: 312, height: 480 }
const SHEET = { x: 640, y: 312, width: 310 }

/** A phone is gone; the words fly from the paper into a new one, and the same key is cut there. */
export function wordsBringItBack(pen: CanvasRenderingContext2D, time: number): void {
  const gone = progress(time, 0.8, 2)
  placed(pen, { x: 0, y: 0, strength: 1 - 0.75 * gone }, () => {
    drawPhone(pen, { ...LOST, dash: gone > 0.3 ? [7, 9] : [] })
    drawKey(pen, { x: LOST.x, y: LOST.y - 85, length: 235, turn: 90, part: 1 - progress(time, 0.8, 2.2) })
  })
  drawSheet(pen, SHEET)
  drawPhone(pen, FOUND)
  const bow = { x: FOUND.x, y: FOUND.y - 85 }
  for (let word = 0; word < WORDS; word++) {
    const flown = progress(time, 1.9 + word * 0.05, 2.9 + word * 0.05)
    if (flown <= 0 || flown >= 1) continue
    const [from, to] = wordLine(SHEET, word)
    const goal = onCircle(bow, 60, word * 15)
    const ends = [between(from, goal, flown), between(to, goal, flown ** 1.3)]
    drawLine(pen, ends, 1, { ink: flown > 0.5 ? COPPER : PAPER, weight: 3 })
  }
  drawKey(pen, { ...bow, length: 235, turn: 90, part: progress(time, 2.5, 4.5) })
}
