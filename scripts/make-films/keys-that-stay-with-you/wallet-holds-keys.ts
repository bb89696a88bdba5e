import { progress } from '../drawing/motion.ts'
import { drawCoin } from '../props/coin.ts'
import { drawKey, drawPhone } from '../props/wallet.ts'

export const PHONE = { x: 640, y: 312, height: 500 }

/** What looked like a coin in the phone unravels, and a key is cut in its place. */
export function walletHoldsKeys(pen: CanvasRenderingContext2D, time: number): void {
  drawPhone(pen, PHONE)
  const coin = time < 0.9 ? 1 : 1 - progress(time, 0.9, 2.2)
  drawCoin(pen, { x: PHONE.x, y: PHONE.y, radius: 86, part: coin })
  drawKey(pen, { x: PHONE.x, y: PHONE.y - 90, length: 250, turn: 90, part: progress(time, 1.6, 3.7) })
}
