import { progress, mix } from '../drawing/motion.ts'
import { drawSlip } from '../props/slip.ts'
import { drawKey } from '../props/wallet.ts'

export const PAYMENT = 'payment 4'

/** A payment is written, then a key comes and cuts its signature. */
export function signedMessage(pen: CanvasRenderingContext2D, time: number): void {
  const written = progress(time, 0.3, 1.7)
  const signed = progress(time, 2.1, 4)
  drawSlip(pen, { x: 610, y: 310, width: 560, name: PAYMENT, written, signed })
  const arrived = progress(time, 1.4, 2.2) - progress(time, 4, 4.8)
  const key = { x: mix(1400, 1070, arrived), y: mix(600, 432, arrived), length: 260, turn: 205 }
  drawKey(pen, { ...key, strength: Math.min(1, arrived * 1.5) })
}
