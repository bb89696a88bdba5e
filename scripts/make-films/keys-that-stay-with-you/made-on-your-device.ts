import { randomNumbersFrom } from '../../../web/brand/guilloche.ts'
import { COPPER, PAPER, QUIET } from '../drawing/ink.ts'
import { drawCircle, drawLine, fillDisc } from '../drawing/line.ts'
import { between, onCircle, progress } from '../drawing/motion.ts'
import { drawKey, drawPhone } from '../props/wallet.ts'

const PHONE = { x: 640, y: 312, height: 500 }
const pick = randomNumbersFrom('chance')
const GRAINS = Array.from({ length: 110 }, () => ({
  x: PHONE.x - 105 + pick(210),
  y: PHONE.y - 190 + pick(390),
  to: pick(360),
}))

/** Grains of chance inside the phone gather into a key; lines from outside stop at its edge. */
export function madeOnYourDevice(pen: CanvasRenderingContext2D, time: number): void {
  for (const [index, degrees] of [70, 110, 250, 290].entries()) {
    const far = onCircle(PHONE, 560, degrees)
    const near = onCircle(PHONE, 205, degrees)
    const came = progress(time, 2.2 + index * 0.25, 3 + index * 0.25)
    drawLine(pen, [far, near], came, { ink: QUIET, strength: 0.6, weight: 1.6, dash: [8, 8] })
    const stopped = progress(time, 2.9 + index * 0.25, 3.6 + index * 0.25)
    if (stopped > 0) drawCircle(pen, near, 6 + 16 * stopped, { ink: QUIET, strength: 1 - stopped, weight: 2 })
    if (came >= 1)
      drawLine(pen, [onCircle(near, 16, degrees + 90), onCircle(near, 16, degrees - 90)], 1, {
        ink: PAPER,
        weight: 2.6,
      })
  }
  drawPhone(pen, PHONE)
  const bow = { x: PHONE.x, y: PHONE.y - 90 }
  for (const [index, grain] of GRAINS.entries()) {
    const gathered = progress(time, 0.5 + (index % 10) * 0.08, 1.7 + (index % 10) * 0.08)
    if (gathered >= 1) continue
    const drift = {
      x: grain.x + 6 * Math.sin(time * 1.3 + index),
      y: grain.y + 6 * Math.cos(time * 1.7 + index),
    }
    fillDisc(pen, between(drift, onCircle(bow, 78, grain.to), gathered), 2.6, { ink: COPPER, strength: 0.9 })
  }
  drawKey(pen, { ...bow, length: 250, turn: 90, part: progress(time, 1.4, 3.2) })
}
