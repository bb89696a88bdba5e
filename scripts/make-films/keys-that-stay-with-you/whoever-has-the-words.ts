import { mix, progress } from '../drawing/motion.ts'
import { drawCoin } from '../props/coin.ts'
import { drawPerson } from '../props/person.ts'
import { drawSheet } from '../props/wallet.ts'

const OWNER = { x: 290, y: 390, size: 120 }
const OTHER = { x: 990, y: 390, size: 120 }
const COINS = 5

/** The sheet goes to someone else, and the coins follow it. */
export function whoeverHasTheWords(pen: CanvasRenderingContext2D, time: number): void {
  const handed = progress(time, 0.8, 2)
  const lost = progress(time, 3.4, 4.2)
  drawPerson(pen, { ...OWNER, strength: 1 - 0.6 * lost })
  drawPerson(pen, { ...OTHER, strength: 0.45 + 0.55 * handed })
  drawSheet(pen, { x: mix(OWNER.x + 230, OTHER.x - 230, handed), y: 270, width: 184 })
  for (let index = 0; index < COINS; index++) {
    const gone = progress(time, 2.2 + index * 0.22, 3.2 + index * 0.22)
    const x = (index - 2) * 76
    drawCoin(pen, { x: mix(OWNER.x + x, OTHER.x + x, gone), y: 500, radius: 33, turn: gone * 360 })
  }
}
