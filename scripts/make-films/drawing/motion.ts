/** Returns the progress of a movement between two times, from 0 to 1, easing in and out. */
export function progress(time: number, from: number, to: number): number {
  const part = Math.min(1, Math.max(0, (time - from) / (to - from)))
  return part * part * (3 - 2 * part)
}

export function mix(from: number, to: number, part: number): number {
  return from + (to - from) * part
}

export type Point = { x: number; y: number }

export function between(from: Point, to: Point, part: number): Point {
  return { x: mix(from.x, to.x, part), y: mix(from.y, to.y, part) }
}

/**
 * Returns a point on an arc from one point to another. `rise` is the height of its middle above the straight line, in
 * pixels.
 */
export function alongBow(from: Point, to: Point, part: number, rise: number): Point {
  const { x, y } = between(from, to, part)
  return { x, y: y - 4 * rise * part * (1 - part) }
}

/** Returns a point on a circle. Degrees run clockwise from the top. */
export function onCircle(centre: Point, radius: number, degrees: number): Point {
  const angle = ((degrees - 90) * Math.PI) / 180
  return { x: centre.x + radius * Math.cos(angle), y: centre.y + radius * Math.sin(angle) }
}

/** Draws with a transform: translated, scaled, rotated (degrees) and with the given opacity. */
export function placed(
  pen: CanvasRenderingContext2D,
  place: Point & { scale?: number; turn?: number; strength?: number },
  draw: () => void,
): void {
  pen.save()
  pen.translate(place.x, place.y)
  if (place.turn) pen.rotate((place.turn * Math.PI) / 180)
  if (place.scale !== undefined) pen.scale(place.scale, place.scale)
  pen.globalAlpha *= place.strength ?? 1
  draw()
  pen.restore()
}
