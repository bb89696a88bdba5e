import { COPPER, PAPER, QUIET, VERDIGRIS } from '../drawing/ink.ts'
import { drawCircle, drawLine } from '../drawing/line.ts'
import { between, onCircle, progress } from '../drawing/motion.ts'
import { drawCoin } from '../props/coin.ts'
import { drawPerson } from '../props/person.ts'
import { drawTick } from '../props/signs.ts'

const CENTRE = { x: 470, y: 316 }
const MEMBERS = 9
const AGREEING = new Set([0, 1, 3, 4, 6, 8])
const PAYEE = { x: 1080, y: 380 }

/** Nine members vote; two thirds agree, and the contract pays. */
export function aDao(pen: CanvasRenderingContext2D, time: number): void {
  const paid = progress(time, 3.5, 4.5)
  drawPerson(pen, { ...PAYEE, size: 84, strength: 0.6 + 0.4 * paid })
  for (let index = 0; index < MEMBERS; index++) drawMember(pen, index, time)
  const counted = progress(time, 1.2, 3.2) * (AGREEING.size / MEMBERS)
  drawCircle(pen, CENTRE, 104, { ink: QUIET, strength: 0.35, weight: 8 })
  drawCircle(pen, CENTRE, 104, { ink: VERDIGRIS, weight: 8, part: counted })
  drawLine(pen, [onCircle(CENTRE, 92, 180), onCircle(CENTRE, 118, 180)], 1, { ink: PAPER, weight: 3 })
  drawCoin(pen, { ...CENTRE, radius: 76, strength: 1 - 0.5 * paid })
  if (paid > 0) drawCoin(pen, { ...between(CENTRE, { x: PAYEE.x, y: PAYEE.y - 30 }, paid), radius: 40 })
}

function drawMember(pen: CanvasRenderingContext2D, index: number, time: number): void {
  const place = onCircle(CENTRE, 222, index * (360 / MEMBERS))
  const shown = progress(time, 0.3 + index * 0.06, 0.9 + index * 0.06)
  const agrees = AGREEING.has(index)
  const voted = progress(time, 1.2 + index * 0.2, 1.6 + index * 0.2)
  const inner = onCircle(CENTRE, 122, index * (360 / MEMBERS))
  if (agrees) drawLine(pen, [place, inner], voted, { ink: COPPER, strength: 0.9, weight: 2 })
  drawPerson(pen, {
    x: place.x,
    y: place.y + 36,
    size: 36,
    strength: shown * (agrees || voted === 0 ? 1 : 1 - 0.55 * voted),
  })
  if (agrees) drawTick(pen, { x: place.x + 38, y: place.y + 16, radius: 16, part: voted })
}
