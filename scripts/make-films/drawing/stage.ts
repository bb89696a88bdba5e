import type { Film } from './film.ts'
import { GROUND, tint } from './ink.ts'

/** Draws the film's picture at a moment (seconds) on the whole canvas. */
export function drawMoment(film: Film, pen: CanvasRenderingContext2D, moment: number): void {
  pen.reset()
  pen.scale(pen.canvas.width / film.width, pen.canvas.height / film.height)
  pen.fillStyle = tint(GROUND, 1)
  pen.fillRect(0, 0, film.width, film.height)
  for (const scene of film.scenes) {
    if (moment < scene.from || moment >= scene.to) continue
    pen.save()
    scene.draw(pen, moment - scene.from, scene.to - scene.from)
    pen.restore()
  }
}
