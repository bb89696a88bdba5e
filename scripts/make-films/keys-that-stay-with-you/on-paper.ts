import { engrave } from '../drawing/engrave.ts'
import { COPPER, PAPER, QUIET, translucent } from '../drawing/ink.ts'
import { drawCard, drawLine, fillDisc } from '../drawing/line.ts'
import { mix, progress } from '../drawing/motion.ts'
import { keyBow } from '../props/figures.ts'
import { drawSheet, WORDS, wordLine } from '../props/wallet.ts'

const COVER = { x: 640, y: 312, width: 330, height: 450 }

/** The words are written on a sheet, and the sheet slides into a cover like a passport's. */
export function onPaper(pen: CanvasRenderingContext2D, time: number): void {
  const kept = progress(time, 2.4, 3.2)
  const sheet = { x: COVER.x, y: 312, width: mix(340, 290, kept) }
  const written = Math.min(WORDS, Math.max(0, ((time - 0.3) / 2.1) * WORDS))
  const cover = progress(time, 2.5, 3.3)
  if (cover > 0) drawCard(pen, COVER, { ...COVER, radius: 14 }, { ink: COPPER, strength: cover, weight: 2 })
  drawSheet(pen, { ...sheet, written })
  if (written > 0 && written < WORDS) {
    const [from, to] = wordLine(sheet, Math.floor(written))
    const tip = { x: mix(from.x, to.x, written % 1), y: from.y }
    pen.fillStyle = translucent(PAPER, 0.2)
    pen.beginPath()
    pen.arc(tip.x, tip.y, 9, 0, 2 * Math.PI)
    pen.fill()
    fillDisc(pen, tip, 3, { ink: PAPER })
    drawLine(pen, [tip, { x: tip.x + 46, y: tip.y - 64 }], 1, { ink: QUIET, weight: 5 })
  }
  if (kept > 0) drawClosedCover(pen, cover, progress(time, 3.3, 4.2))
}

/** The front of the cover: it comes down over the sheet from the left, where it is sewn. */
function drawClosedCover(pen: CanvasRenderingContext2D, strength: number, closed: number): void {
  if (closed <= 0) return
  const width = COVER.width * closed
  const centre = { x: COVER.x - COVER.width / 2 + width / 2, y: COVER.y }
  pen.save()
  pen.beginPath()
  pen.rect(centre.x - width / 2 - 2, COVER.y - COVER.height / 2 - 2, width + 4, COVER.height + 4)
  pen.clip()
  drawCard(pen, COVER, { ...COVER, radius: 14 }, { ink: COPPER, strength, weight: 2.4 })
  const inset = { width: COVER.width - 26, height: COVER.height - 26, radius: 8, isHollow: true }
  drawCard(pen, COVER, inset, { ink: COPPER, strength: 0.4, weight: 1.2 })
  engrave(pen, keyBow, { x: COVER.x, y: COVER.y - 30, scale: 0.86, ink: COPPER })
  const title = [
    { x: COVER.x - 60, y: COVER.y + 130 },
    { x: COVER.x + 60, y: COVER.y + 130 },
  ]
  drawLine(pen, title, 1, { ink: COPPER, strength: 0.8, weight: 3 })
  pen.restore()
}
