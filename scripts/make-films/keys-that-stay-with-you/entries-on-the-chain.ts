import { COPPER, LINE, PAPER, QUIET } from '../drawing/ink.ts'
import { drawCard, drawLine, fillDisc } from '../drawing/line.ts'
import { alongBow, mix, type Point, progress } from '../drawing/motion.ts'
import { drawCoin } from '../props/coin.ts'
import { drawSeal } from '../props/seal.ts'
import { drawKey, drawPhone } from '../props/wallet.ts'
import { PHONE } from './wallet-holds-keys.ts'

const ROWS = [3, 5, 2, 4, 1, 3]
const OURS = 1
const THEIRS = 4
const LEDGER = { left: 560, right: 1180, top: 96, pitch: 88 }

function coinPlace(row: number, index: number): Point {
  return { x: LEDGER.left + 170 + index * 66, y: LEDGER.top + row * LEDGER.pitch }
}

/** The coins are rows of a public list; the key reaches its own row, and one coin moves to another. */
export function entriesOnTheChain(pen: CanvasRenderingContext2D, time: number): void {
  const aside = progress(time, 0.6, 1.4)
  const phone = { ...PHONE, x: mix(PHONE.x, 250, aside) }
  const sent = progress(time, 3, 4.1)
  ROWS.forEach((coins, row) =>
    drawRow(pen, { row, coins, shown: progress(time, 0.9 + row * 0.12, 1.6 + row * 0.12), sent }),
  )
  const reach = progress(time, 2, 2.9)
  const key = { x: phone.x, y: phone.y - 90 }
  const own = { x: LEDGER.left - 8, y: LEDGER.top + OURS * LEDGER.pitch }
  drawLine(
    pen,
    [{ x: phone.x + 135, y: own.y + 30 }, { x: 450, y: own.y + 30 }, { x: 500, y: own.y }, own],
    reach,
    { ink: COPPER, weight: 2 },
  )
  drawPhone(pen, phone)
  drawKey(pen, { ...key, length: 250, turn: 90 })
  if (sent > 0)
    drawCoin(pen, { ...alongBow(coinPlace(OURS, 4), coinPlace(THEIRS, 1), sent, -110), radius: 24 })
}

function drawRow(
  pen: CanvasRenderingContext2D,
  { row, coins, shown, sent }: { row: number; coins: number; shown: number; sent: number },
): void {
  if (shown <= 0) return
  const isOurs = row === OURS
  const y = LEDGER.top + row * LEDGER.pitch
  const size = { width: (LEDGER.right - LEDGER.left) * shown, height: 72, radius: 6 }
  const centre = { x: LEDGER.left + size.width / 2, y }
  drawCard(pen, centre, size, { ink: isOurs ? COPPER : LINE, weight: isOurs ? 2 : 1.4 })
  drawSeal(pen, {
    x: LEDGER.left + 48,
    y,
    name: `account ${row}`,
    radius: 25,
    ink: isOurs ? COPPER : QUIET,
    part: shown,
    strength: isOurs ? 1 : 0.8,
  })
  if (shown < 0.9) return
  const stays = isOurs && sent > 0 ? coins - 1 : coins
  for (let index = 0; index < stays; index++) {
    const place = coinPlace(row, index)
    if (isOurs) drawCoin(pen, { ...place, radius: 24 })
    else drawCoin(pen, { ...place, radius: 24, ink: QUIET, strength: 0.55 })
  }
  fillDisc(pen, { x: LEDGER.left + 104, y }, 3, { ink: PAPER, strength: 0.6 })
}
