/** A scene of a film. `draw` receives the seconds since the scene began and its duration in seconds. */
export type Scene = {
  from: number
  to: number
  /** Static, so it is drawn once and cached. */
  isStill?: boolean
  draw: (pen: CanvasRenderingContext2D, time: number, seconds: number) => void
}

/** A film as the browser draws it. Scenes that overlap in time are drawn over one another. */
export type Film = {
  width: number
  height: number
  seconds: number
  framesPerSecond: number
  /** Draws at this multiple of the size and scales down, for lines too fine to be drawn well directly. Default 1. */
  fineness?: 2
  /** The time, in seconds, of the frame used as the poster. */
  posterAt: number
  scenes: Scene[]
}
