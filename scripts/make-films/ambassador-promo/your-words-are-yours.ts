import type { Guilloche } from '../../../web/brand/guilloche.ts'
import { engrave } from '../drawing/engrave.ts'
import { COPPER, QUIET, VERDIGRIS } from '../drawing/ink.ts'
import { drawCard } from '../drawing/line.ts'
import { placed, progress } from '../drawing/motion.ts'
import { drawPerson } from '../props/person.ts'
import { drawSheet } from '../props/wallet.ts'
import { keyBow } from '../props/figures.ts'

const SHEET = { x: 330, y: 316, width: 232 }
const screen: Guilloche = {
  inner: 212,
  outer: 268,
  lobes: 108,
  turns: 7,
  wave: 36,
  outerDepth: 12,
  innerDepth: 12,
}

/** The sheet of words is turned over; a woven ring closes round its owner, and the ambassador stays outside it. */
export function yourWordsAreYours(pen: CanvasRenderingContext2D, time: number): void {
  engrave(pen, screen, {
    x: SHEET.x,
    y: 316,
    ink: VERDIGRIS,
    part: progress(time, 1.9, 3.8),
    turn: time,
    weight: 1.2,
  })
  const turned = progress(time, 0.7, 1.7)
  const width = Math.abs(Math.cos(turned * Math.PI))
  pen.save()
  pen.translate(SHEET.x, SHEET.y)
  pen.scale(Math.max(0.02, width), 1)
  pen.translate(-SHEET.x, -SHEET.y)
  if (turned < 0.5) drawSheet(pen, SHEET)
  else drawBack(pen)
  pen.restore()
  const near = progress(time, 0.2, 1)
  placed(pen, { x: 0, y: 0, strength: near }, () => {
    drawPerson(pen, { x: 940, y: 500, size: 118, ring: 1, ringTurn: time * 2 })
  })
}

function drawBack(pen: CanvasRenderingContext2D): void {
  const size = { width: SHEET.width, height: SHEET.width * 1.3, radius: 4 }
  drawCard(pen, SHEET, size, { ink: QUIET, strength: 0.9, weight: 2 })
  engrave(pen, keyBow, { x: SHEET.x, y: SHEET.y, scale: 0.72, ink: COPPER, weight: 1.2 })
}
