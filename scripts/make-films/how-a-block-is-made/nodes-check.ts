import { engrave } from '../drawing/engrave.ts'
import { GROUND, PAPER, QUIET, VERDIGRIS } from '../drawing/ink.ts'
import { drawCircle, drawLine, fillDisc } from '../drawing/line.ts'
import { between, mix, progress } from '../drawing/motion.ts'
import { nodeFace } from '../props/figures.ts'
import { drawSeal } from '../props/seal.ts'
import { drawTick } from '../props/signs.ts'
import { drawSlip } from '../props/slip.ts'
import { PAYMENT } from './a-signed-message.ts'

const NODES = [90, 198, 312, 426, 534].map((y) => ({ x: 960 - Math.abs(y - 312) * 0.62, y }))
const HEART = { x: 340, y: 310 }

/** The payment travels to five nodes; each cuts the signature again and, where it matches, ticks it. */
export function nodesCheck(pen: CanvasRenderingContext2D, time: number): void {
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
