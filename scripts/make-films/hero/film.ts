import { drawRosettes, SECONDS } from './draw-rosettes.ts'
import type { Film } from '../drawing/film.ts'

export const film: Film = {
  width: 1920,
  height: 1080,
  seconds: SECONDS,
  framesPerSecond: 30,
  fineness: 2,
  posterAt: 0,
  scenes: [
    { from: 0, to: SECONDS, draw: (pen, time) => drawRosettes(pen, time, { x: 1500, y: 540, scale: 1 }) },
  ],
}
