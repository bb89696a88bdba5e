import type { Film, Scene } from './film.ts'
import { CROSSING } from './stage.ts'

type Draw = Scene['draw']

type MailContext = {
  secondsEach: number
  posterAt: number
  backdrop: (pen: CanvasRenderingContext2D) => void
  /**
   * Scenes that begin as the previous one ends. They cross-fade; all others start when the previous one has faded out.
   */
  joined: Draw[]
}

/** A silent film of scenes of equal length, each explained by one caption. */
export function story(scenes: Draw[], { secondsEach, posterAt, backdrop, joined }: MailContext): Film {
  const seconds = scenes.length * secondsEach
  return {
    width: 1280,
    height: 720,
    seconds,
    framesPerSecond: 30,
    posterAt,
    scenes: [
      { from: 0, to: seconds, draw: backdrop, isStill: true },
      ...scenes.map((draw, index) => {
        const next = scenes[index + 1]
        const to = (index + 1) * secondsEach + (next && joined.includes(next) ? CROSSING : 0)
        return { from: index * secondsEach, to, draw }
      }),
    ],
  }
}
