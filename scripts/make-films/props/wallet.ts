import { engrave } from '../drawing/engrave.ts'
import { COPPER, GROUND, type Ink, LINE, PAPER, QUIET, tint } from '../drawing/ink.ts'
import { drawCard, drawLine, strokeWith } from '../drawing/line.ts'
import { placed, type Point } from '../drawing/motion.ts'
import { randomNumbersFrom } from '../../../web/kernel/brand/guilloche.ts'
import { keyBow } from './figures.ts'

/** A key, lying to the right. `length` is measured from the center of the bow to the tip. */
export function drawKey(
  pen: CanvasRenderingContext2D,
  key: Point & { length: number; part?: number; turn?: number; ink?: Ink; strength?: number },
): void {
  const { length, part = 1, ink = COPPER, strength = 1 } = key
  placed(pen, { x: key.x, y: key.y, turn: key.turn ?? 0 }, () => {
    const bow = length * 0.32
    engrave(pen, keyBow, {
      x: 0,
      y: 0,
      scale: bow / 100,
      ink,
      strength,
      part: Math.min(1, part * 1.3),
      weight: 1.1,
    })
    const stroke = { ink, strength, weight: Math.max(1.8, length * 0.018) }
    const rest = Math.max(0, part * 4.3 - 3.3)
    drawLine(
      pen,
      [
        { x: bow * 1.02, y: 0 },
        { x: length, y: 0 },
      ],
      rest,
      stroke,
    )
    for (const [at, depth] of [
      [0.98, 0.12],
      [0.9, 0.08],
      [0.82, 0.12],
    ] as const) {
      const tooth = [
        { x: length * at, y: 0 },
        { x: length * at, y: length * depth },
      ]
      drawLine(pen, tooth, Math.max(0, rest * 3 - 2), stroke)
    }
  })
}

export function drawPhone(
  pen: CanvasRenderingContext2D,
  phone: Point & { height: number; strength?: number; dash?: number[] },
): void {
  const { height, strength = 1, dash = [] } = phone
  const width = height * 0.5
  drawCard(pen, phone, { width, height, radius: height * 0.07 }, { ink: PAPER, strength, weight: 2, dash })
  const inset = { width: width - height * 0.05, height: height * 0.95, radius: height * 0.05, isHollow: true }
  drawCard(pen, phone, inset, { ink: LINE, strength, weight: 1.2 })
  const top = phone.y - height * 0.44
  const speaker = [
    { x: phone.x - width * 0.1, y: top },
    { x: phone.x + width * 0.1, y: top },
  ]
  drawLine(pen, speaker, 1, { ink: QUIET, strength: strength * 0.7, weight: 2 })
}

export const WORDS = 24

const wordLengths = Array.from(
  { length: WORDS },
  (
    (pick) => () =>
      0.45 + pick(50) / 100
  )(randomNumbersFrom('words')),
)

/** The position of a backup word on a sheet of this size, as a line from left to right. */
export function wordLine(sheet: Point & { width: number }, word: number): [Point, Point] {
  const column = word % 2
  const row = Math.floor(word / 2)
  const x = sheet.x + sheet.width * (column * 0.44 - 0.4)
  const y = sheet.y + sheet.width * 1.3 * (-0.41 + (row * 0.82) / 11)
  return [
    { x, y },
    { x: x + sheet.width * 0.36 * wordLengths[word]!, y },
  ]
}

/** A sheet of paper with the backup words, `written` of 24 so far. */
export function drawSheet(
  pen: CanvasRenderingContext2D,
  sheet: Point & { width: number; written?: number; strength?: number },
): void {
  const { x, y, width, written = WORDS, strength = 1 } = sheet
  const height = width * 1.3
  const fold = width * 0.14
  pen.beginPath()
  pen.moveTo(x - width / 2, y - height / 2)
  pen.lineTo(x + width / 2 - fold, y - height / 2)
  pen.lineTo(x + width / 2, y - height / 2 + fold)
  pen.lineTo(x + width / 2, y + height / 2)
  pen.lineTo(x - width / 2, y + height / 2)
  pen.closePath()
  pen.fillStyle = tint(GROUND, 1)
  pen.fill()
  strokeWith(pen, { ink: QUIET, strength: 0.8 * strength, weight: 1.6 })
  for (let word = 0; word < WORDS; word++) {
    const part = Math.min(1, Math.max(0, written - word))
    drawLine(pen, wordLine(sheet, word), part, { ink: PAPER, strength, weight: Math.max(2, width * 0.014) })
  }
}
