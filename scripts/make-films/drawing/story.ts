import { CROSSING } from './stage.ts'
import type { Film, Scene } from './film.ts'

/** A silent film of scenes that follow one another and overlap a little, each explained by one caption. */
export function story(
  scenes: Scene['draw'][],
  {
    secondsEach,
    posterAt,
    backdrop,
  }: { secondsEach: number; posterAt: number; backdrop: (pen: CanvasRenderingContext2D) => void },
): Film {
  const seconds = scenes.length * secondsEach
  return {
    width: 1280,
    height: 720,
    seconds,
    framesPerSecond: 30,
    posterAt,
    scenes: [
      { from: 0, to: seconds, draw: backdrop, isStill: true },
      ...scenes.map((draw, index) => ({
        from: index * secondsEach,
        to: Math.min(seconds, (index + 1) * secondsEach + CROSSING),
        draw,
      })),
    ],
  }
}
