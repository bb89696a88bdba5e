import { COPPER } from '../drawing/ink.ts'
import { drawLine, fillDisc } from '../drawing/line.ts'
import { between, progress } from '../drawing/motion.ts'
import { drawPerson } from '../props/person.ts'

const AMBASSADOR = { x: 640, y: 430, size: 118 }
const HEAD = { x: 640, y: 262 }
const OTHERS = [
  { x: 130, y: 220 },
  { x: 250, y: 390 },
  { x: 130, y: 560 },
  { x: 1150, y: 220 },
  { x: 1030, y: 390 },
  { x: 1150, y: 560 },
]

/** One person gets a woven ring; the people around send questions there, and answers come back. */
export function somebodyToAsk(pen: CanvasRenderingContext2D, time: number): void {
  OTHERS.forEach((other, index) => {
    const chest = { x: other.x + (other.x < 640 ? 66 : -66), y: other.y - 50 }
    const asked = progress(time, 1.6 + index * 0.25, 2.3 + index * 0.25)
    const rim = between(HEAD, chest, 150 / Math.hypot(chest.x - HEAD.x, chest.y - HEAD.y))
    drawLine(pen, [chest, rim], asked, { ink: COPPER, strength: 0.6, weight: 1.8 })
    const answered = progress(time, 2.3 + index * 0.25, 3.1 + index * 0.25)
    if (answered > 0 && answered < 1) fillDisc(pen, between(rim, chest, answered), 6, { ink: COPPER })
    drawPerson(pen, { ...other, size: 56, strength: answered >= 1 ? 1 : 0.6 })
  })
  drawPerson(pen, { ...AMBASSADOR, ring: progress(time, 0.4, 2), ringTurn: time * 2 })
}
