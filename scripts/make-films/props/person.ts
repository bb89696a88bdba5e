import { engrave } from '../drawing/engrave.ts'
import { COPPER, GROUND, type Ink, PAPER, tint } from '../drawing/ink.ts'
import { strokeWith } from '../drawing/line.ts'
import { placed, type Point } from '../drawing/motion.ts'
import { halo, portrait } from './figures.ts'

type Person = Point & {
  /** Half the width of the shoulders. */
  size: number
  ink?: Ink
  strength?: number
  /** The fraction of the woven ring around the head that has been cut. The ring marks the person who answers. */
  ring?: number
  ringTurn?: number
}

/** A head and shoulders. The point is the middle of the chest's lower edge. */
export function drawPerson(pen: CanvasRenderingContext2D, person: Person): void {
  const { size, ink = PAPER, ring = 0, ringTurn = 0, strength = 1 } = person
  placed(pen, { x: person.x, y: person.y }, () => {
    const head = { x: 0, y: -size * 1.42 }
    engrave(pen, halo, {
      ...head,
      scale: size / 100,
      ink: COPPER,
      part: ring,
      turn: ringTurn,
      strength,
      weight: 1,
    })
    pen.fillStyle = tint(GROUND, 1)
    const stroke = { ink, strength, weight: Math.max(1.4, size * 0.035) }
    traceBody(pen, size)
    pen.fill()
    if (size > 40) {
      pen.save()
      pen.clip()
      engrave(pen, portrait, { ...head, scale: size / 100, ink, strength: 0.32 * strength, weight: 0.9 })
      pen.restore()
      traceBody(pen, size)
    }
    strokeWith(pen, stroke)
    pen.beginPath()
    pen.arc(head.x, head.y, size * 0.46, 0, 2 * Math.PI)
    pen.fill()
    strokeWith(pen, stroke)
  })
}

function traceBody(pen: CanvasRenderingContext2D, size: number): void {
  pen.beginPath()
  pen.moveTo(-size, 0)
  pen.bezierCurveTo(-size, -size * 0.62, -size * 0.55, -size * 0.86, 0, -size * 0.86)
  pen.bezierCurveTo(size * 0.55, -size * 0.86, size, -size * 0.62, size, 0)
  pen.closePath()
}
