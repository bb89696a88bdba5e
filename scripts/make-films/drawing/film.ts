/** A scene of a film. `draw` gets the seconds since the scene began and its duration in seconds. */
export type Scene = {
  from: number
  to: number
  /** Static, so it is drawn once and cached. */
  isStill?: boolean
  draw: (pen: CanvasRenderingContext2D, time: number, seconds: number) => void
}

/** A film as the browser draws it: scenes that overlap in time are drawn over one another. */
export type Film = {
  width: number
  height: number
  seconds: number
  framesPerSecond: number
  /** Drawn this many times as large and scaled down, for lines too fine to be drawn well at once. Default 1. */
  fineness?: 2
  /** The time, in seconds, of the frame used as the poster. */
  posterAt: number
  scenes: Scene[]
}
