import { type Ink, tint } from './ink.ts'
import { between, type Point } from './motion.ts'

type Stroke = { ink: Ink; strength?: number; weight?: number; dash?: number[] }

/** Strokes the pen's current path. */
export function strokeWith(
  pen: CanvasRenderingContext2D,
  { ink, strength = 1, weight = 1.5, dash = [] }: Stroke,
): void {
  pen.strokeStyle = tint(ink, strength)
  pen.lineWidth = weight
  pen.lineCap = 'round'
  pen.lineJoin = 'round'
  pen.setLineDash(dash)
  pen.stroke()
  pen.setLineDash([])
}

/** The first `part` of a line through all points. */
export function drawLine(pen: CanvasRenderingContext2D, points: Point[], part: number, stroke: Stroke): void {
  if (part <= 0) return
  const reach = part * (points.length - 1)
  pen.beginPath()
  points.forEach((point, index) => {
    if (index === 0) pen.moveTo(point.x, point.y)
    else if (index <= reach) pen.lineTo(point.x, point.y)
    else if (index - reach < 1) {
      const tip = between(points[index - 1]!, point, reach - index + 1)
      pen.lineTo(tip.x, tip.y)
    }
  })
  strokeWith(pen, stroke)
}

export function drawCircle(
  pen: CanvasRenderingContext2D,
  centre: Point,
  radius: number,
  { part = 1, ...stroke }: Stroke & { part?: number },
): void {
  if (part <= 0 || radius <= 0) return
  pen.beginPath()
  pen.arc(centre.x, centre.y, radius, -Math.PI / 2, -Math.PI / 2 + part * 2 * Math.PI)
  strokeWith(pen, stroke)
}

export function fillDisc(
  pen: CanvasRenderingContext2D,
  centre: Point,
  radius: number,
  { ink, strength = 1 }: Pick<Stroke, 'ink' | 'strength'>,
): void {
  if (radius <= 0) return
  pen.beginPath()
  pen.arc(centre.x, centre.y, radius, 0, 2 * Math.PI)
  pen.fillStyle = tint(ink, strength)
  pen.fill()
}

/** A rounded rectangle round its centre. Unless hollow, the background colour covers what lies behind. */
export function drawCard(
  pen: CanvasRenderingContext2D,
  centre: Point,
  size: { width: number; height: number; radius?: number; isHollow?: boolean },
  stroke: Stroke,
): void {
  const { width, height, radius = 8, isHollow = false } = size
  pen.beginPath()
  pen.roundRect(centre.x - width / 2, centre.y - height / 2, width, height, radius)
  if (!isHollow) {
    pen.fillStyle = tint(stroke.ink, 0)
    pen.fill()
  }
  strokeWith(pen, stroke)
}
