/** A stretch of a film. `draw` gets seconds since the stretch began and how many seconds it lasts. */
export type Scene = {
  from: number
  to: number
  /** Does not move, so that it is drawn once and kept. */
  isStill?: boolean
  draw: (pen: CanvasRenderingContext2D, time: number, seconds: number) => void
}

/** A film as the browser draws it: scenes lie over one another where their stretches do. */
export type Film = {
  width: number
  height: number
  seconds: number
  framesPerSecond: number
  /** Drawn this many times as large and scaled down, for lines too fine to be drawn well at once. Default 1. */
  fineness?: 2
  /** The moment, in seconds, that the poster shows. */
  posterAt: number
  scenes: Scene[]
}
