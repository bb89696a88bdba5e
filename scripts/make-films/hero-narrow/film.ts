import { drawRosettes, SECONDS } from '../hero/draw-rosettes.ts'
import type { Film } from '../drawing/film.ts'

/**
 * The hero for screens that are too narrow for the film: a square still, which can be cropped at the left and at the
 * bottom.
 */
export const film: Film = {
  width: 900,
  height: 900,
  seconds: SECONDS,
  framesPerSecond: 30,
  fineness: 2,
  posterAt: 0,
  scenes: [
    { from: 0, to: SECONDS, draw: (pen, time) => drawRosettes(pen, time, { x: 692, y: 408, scale: 0.72 }) },
  ],
}
