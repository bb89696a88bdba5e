import { COPPER, PAPER, QUIET } from '../drawing/ink.ts'
import { drawCard, drawLine } from '../drawing/line.ts'
import { placed, type Point } from '../drawing/motion.ts'
import { drawSeal } from './seal.ts'

type Slip = Point & {
  name: string
  width: number
  /** The fractions of its lines that are written and of its signature that is cut, from 0 to 1. */
  written?: number
  signed?: number
  strength?: number
  turn?: number
  isBroken?: boolean
}

/** A payment: a few lines of writing with a seal as its signature. A broken one has a cut that does not close. */
export function drawSlip(pen: CanvasRenderingContext2D, slip: Slip): void {
  const { name, width, written = 1, signed = 1, isBroken = false } = slip
  const height = width * 0.5
  placed(pen, slip, () => {
    const dash = isBroken ? [5, 6] : []
    const frame = { ink: QUIET, strength: 0.75, weight: width > 150 ? 1.6 : 1.2, dash }
    drawCard(pen, { x: 0, y: 0 }, { width, height, radius: width * 0.035 }, frame)
    const rows = width > 150 ? [0.34, 0.26, 0.3] : [0.3, 0.22]
    rows.forEach((length, index) => {
      const y = height * (width > 150 ? 0.24 * (index - 1) : 0.3 * (index - 0.5))
      const row = [
        { x: -width * 0.4, y },
        { x: width * (length - 0.4), y },
      ]
      const part = Math.min(1, Math.max(0, written * rows.length - index))
      drawLine(pen, row, part, { ink: PAPER, strength: 0.85, weight: Math.max(1.6, width * 0.012) })
    })
    const seal = { name, x: width * 0.26, y: 0, radius: height * 0.36, ink: COPPER }
    drawSeal(pen, { ...seal, part: isBroken ? 0.55 : signed, weight: width > 150 ? 1.2 : 0.8 })
  })
}
