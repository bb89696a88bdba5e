import { COPPER, GROUND, PAPER, QUIET, tint } from '../drawing/ink.ts'
import { drawCard, drawLine, strokeWith } from '../drawing/line.ts'
import { alongBow, progress } from '../drawing/motion.ts'
import { drawCoin } from '../props/coin.ts'
import { drawPerson } from '../props/person.ts'
import { drawTick } from '../props/signs.ts'
import { drawPhone } from '../props/wallet.ts'

const SHOP = { left: 130, right: 650, top: 120, floor: 550 }
const TILL = { x: 480, y: 418 }
const PHONE = { x: 1090, y: 345, height: 300 }

/** A shop with an awning; a coin goes from a phone to the till, and the till shows a tick. */
export function firstPayment(pen: CanvasRenderingContext2D, time: number): void {
  drawShop(pen)
  drawPerson(pen, { x: 285, y: 470, size: 66 })
  drawPerson(pen, { x: 840, y: 550, size: 84, ring: progress(time, 0.3, 1.5), ringTurn: time * 2 })
  drawCounter(pen)
  drawPhone(pen, PHONE)
  const paid = progress(time, 1.8, 3)
  if (paid < 1) drawCoin(pen, { ...alongBow(PHONE, TILL, paid, 230), radius: 40, turn: -paid * 180 })
  drawTick(pen, { ...TILL, radius: 34, part: progress(time, 3, 3.5) })
}

function drawShop(pen: CanvasRenderingContext2D): void {
  const { left, right, top, floor } = SHOP
  const walls = [
    { x: left + 20, y: top + 60 },
    { x: left + 20, y: floor },
    { x: right - 20, y: floor },
    { x: right - 20, y: top + 60 },
  ]
  drawLine(pen, walls, 1, { ink: PAPER, weight: 2.2 })
  drawLine(
    pen,
    [
      { x: left - 40, y: floor },
      { x: 1240, y: floor },
    ],
    1,
    { ink: QUIET, strength: 0.4 },
  )
  const stripes = 8
  const width = (right - left) / stripes
  for (let index = 0; index < stripes; index++) {
    const x = left + index * width
    pen.beginPath()
    pen.moveTo(x, top)
    pen.lineTo(x, top + 74)
    pen.arc(x + width / 2, top + 74, width / 2, Math.PI, 0, true)
    pen.lineTo(x + width, top)
    pen.closePath()
    pen.fillStyle = tint(GROUND, 1)
    pen.fill()
    strokeWith(pen, { ink: index % 2 ? PAPER : COPPER, strength: 0.9, weight: 1.8 })
    if (index % 2) continue
    for (let line = 1; line < 8; line++) {
      const at = x + (line * width) / 8
      drawLine(
        pen,
        [
          { x: at, y: top + 4 },
          { x: at, y: top + 74 + 24 * Math.sin((line / 8) * Math.PI) },
        ],
        1,
        { ink: COPPER, strength: 0.45, weight: 1 },
      )
    }
  }
}

function drawCounter(pen: CanvasRenderingContext2D): void {
  drawCard(pen, { x: 390, y: 512 }, { width: 420, height: 76, radius: 4 }, { ink: PAPER, weight: 2.2 })
  drawCard(pen, TILL, { width: 130, height: 106, radius: 10 }, { ink: PAPER, weight: 2.2 })
  drawLine(
    pen,
    [
      { x: TILL.x - 50, y: TILL.y + 64 },
      { x: TILL.x + 50, y: TILL.y + 64 },
    ],
    1,
    { ink: QUIET, weight: 2 },
  )
}
