import { COPPER, PAPER, QUIET } from '../drawing/ink.ts'
import { drawCard, drawLine, fillDisc } from '../drawing/line.ts'
import { between, mix, progress } from '../drawing/motion.ts'
import { drawCoin } from '../props/coin.ts'
import { drawSeal } from '../props/seal.ts'

const SLIP = { x: 320, y: 312, width: 460, height: 330 }
const COINS = 24

/** One slip with three lines (name, ticker, and number), followed by a limited number of coins. */
export function aToken(pen: CanvasRenderingContext2D, time: number): void {
  drawCard(pen, SLIP, { ...SLIP, radius: 12 }, { ink: QUIET, strength: 0.8, weight: 1.8 })
  const left = SLIP.x - 190
  drawField(pen, left, 212, progress(time, 0.4, 0.9))
  drawLine(
    pen,
    [
      { x: left + 30, y: 212 },
      { x: left + 210, y: 212 },
    ],
    progress(time, 0.6, 1.3),
    { ink: PAPER, weight: 5 },
  )
  drawField(pen, left, 312, progress(time, 1, 1.5))
  for (let index = 0; index < 3; index++) {
    const shown = progress(time, 1.2 + index * 0.15, 1.5 + index * 0.15)
    if (shown > 0)
      drawCard(
        pen,
        { x: left + 46 + index * 42, y: 312 },
        { width: 30, height: 30 * shown, radius: 4 },
        { ink: PAPER, weight: 2.4 },
      )
  }
  drawField(pen, left, 412, progress(time, 1.6, 2.1))
  for (let index = 0; index < 8; index++) {
    const shown = progress(time, 1.8 + index * 0.07, 2.1 + index * 0.07)
    fillDisc(pen, { x: left + 38 + index * 22, y: 412 }, 6 * shown, { ink: PAPER })
  }
  drawSeal(pen, { x: SLIP.x + 140, y: 312, name: 'token', radius: 74, part: progress(time, 1, 2.4) })
  for (let index = 0; index < COINS; index++) {
    const part = progress(time, 2.4 + index * 0.05, 3.1 + index * 0.05)
    if (part <= 0) continue
    const place = { x: 740 + (index % 6) * 84, y: 186 + Math.floor(index / 6) * 84 }
    drawCoin(pen, { ...between({ x: SLIP.x + 140, y: 312 }, place, part), radius: mix(10, 34, part) })
  }
}

function drawField(pen: CanvasRenderingContext2D, x: number, y: number, shown: number): void {
  drawLine(
    pen,
    [
      { x, y: y - 14 },
      { x, y: y + 14 },
    ],
    shown,
    { ink: COPPER, weight: 4 },
  )
}
