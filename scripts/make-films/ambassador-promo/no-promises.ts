import { COPPER, PAPER, QUIET } from '../drawing/ink.ts'
import { drawCard, drawLine } from '../drawing/line.ts'
import { mix, placed, progress } from '../drawing/motion.ts'
import { drawCoin } from '../props/coin.ts'
import { drawStrike } from '../props/signs.ts'

const CHART = { x: 370, y: 316 }
const BOX = { x: 910, y: 316 }

/** A line that only rises and a box that takes deposits: both are struck out. */
export function noPromises(pen: CanvasRenderingContext2D, time: number): void {
  const first = progress(time, 1.9, 2.4)
  const second = progress(time, 3.2, 3.7)
  placed(pen, { x: 0, y: 0, strength: 1 - 0.55 * first }, () => drawChart(pen, progress(time, 0.3, 1.6)))
  placed(pen, { x: 0, y: 0, strength: 1 - 0.55 * second }, () => drawBox(pen, time))
  drawStrike(pen, { ...CHART, radius: 170, part: first })
  drawStrike(pen, { ...BOX, radius: 170, part: second })
}

function drawChart(pen: CanvasRenderingContext2D, part: number): void {
  const { x, y } = CHART
  drawLine(
    pen,
    [
      { x: x - 160, y: y - 150 },
      { x: x - 160, y: y + 130 },
      { x: x + 170, y: y + 130 },
    ],
    1,
    { ink: PAPER, weight: 2.4 },
  )
  const curve = Array.from({ length: 30 }, (_, index) => {
    const step = index / 29
    return { x: x - 150 + 290 * step, y: y + 112 - 230 * step ** 2.4 - 8 * Math.sin(step * 16) * step }
  })
  drawLine(pen, curve, part, { ink: COPPER, weight: 4 })
  if (part < 1) return
  drawLine(
    pen,
    [
      { x: x + 108, y: y - 104 },
      { x: x + 146, y: y - 124 },
      { x: x + 150, y: y - 80 },
    ],
    1,
    { ink: COPPER, weight: 4 },
  )
}

function drawBox(pen: CanvasRenderingContext2D, time: number): void {
  for (let index = 0; index < 3; index++) {
    const fallen = progress(time, 1.1 + index * 0.45, 1.9 + index * 0.45)
    if (fallen > 0 && fallen < 1) drawCoin(pen, { x: BOX.x, y: mix(90, BOX.y + 60, fallen), radius: 36 })
  }
  drawCard(
    pen,
    { x: BOX.x, y: BOX.y + 60 },
    { width: 260, height: 170, radius: 10 },
    { ink: PAPER, weight: 2.4 },
  )
  drawCard(
    pen,
    { x: BOX.x, y: BOX.y - 32 },
    { width: 290, height: 30, radius: 8 },
    { ink: PAPER, weight: 2.4 },
  )
  drawLine(
    pen,
    [
      { x: BOX.x - 46, y: BOX.y - 32 },
      { x: BOX.x + 46, y: BOX.y - 32 },
    ],
    1,
    { ink: QUIET, weight: 4 },
  )
}
