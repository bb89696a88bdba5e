import { COPPER, QUIET } from '../drawing/ink.ts'
import { drawCircle } from '../drawing/line.ts'
import { placed, progress } from '../drawing/motion.ts'
import { drawCoin } from '../props/coin.ts'
import { drawKey, drawSheet, WORDS } from '../props/wallet.ts'

const SHEET = { x: 290, y: 312, width: 300 }
const VAULT = { x: 1000, y: 312, radius: 170 }

/** The writing fades from the sheet, the key comes undone, and the coins stay where nobody can reach them. */
export function nobodyCanHelp(pen: CanvasRenderingContext2D, time: number): void {
  const erased = progress(time, 0.7, 2.2)
  drawSheet(pen, { ...SHEET, written: WORDS * (1 - erased), strength: 1 - 0.3 * erased })
  drawKey(pen, { x: 560, y: 312, length: 230, part: 1 - progress(time, 1.7, 3.2) })
  const closed = progress(time, 2.8, 4.1)
  placed(pen, { x: 0, y: 0, strength: 1 - 0.5 * closed }, () => {
    for (const [x, y] of [
      [-46, 26],
      [46, 26],
      [0, -52],
    ] as const) {
      drawCoin(pen, { x: VAULT.x + x, y: VAULT.y + y, radius: 42 })
    }
  })
  drawCircle(pen, VAULT, VAULT.radius, { ink: QUIET, weight: 2 })
  drawCircle(pen, VAULT, VAULT.radius + 16, { ink: COPPER, weight: 3, part: closed })
  drawCircle(pen, VAULT, VAULT.radius + 28, { ink: QUIET, strength: 0.6 * closed, weight: 1.2 })
}
