import type { Film } from './film.ts'
import { GROUND, tint } from './ink.ts'
import { progress } from './motion.ts'

/** How long one scene gives way to the next, in seconds. */
export const CROSSING = 0.7

const layer = document.createElement('canvas')

/**
 * Draws the film's picture at a moment (seconds) on the whole canvas. Each scene is a layer; layers meet by keeping
 * the lighter of both, the new one strong before the old one goes, so that what both show does not flicker.
 */
export function drawMoment(film: Film, pen: CanvasRenderingContext2D, moment: number): void {
  const { width, height } = pen.canvas
  pen.reset()
  pen.fillStyle = tint(GROUND, 1)
  pen.fillRect(0, 0, width, height)
  if (layer.width !== width || layer.height !== height) Object.assign(layer, { width, height })
  const layerPen = layer.getContext('2d', { willReadFrequently: true })!
  for (const scene of film.scenes) {
    if (moment < scene.from || moment >= scene.to) continue
    layerPen.reset()
    layerPen.fillStyle = tint(GROUND, 1)
    layerPen.fillRect(0, 0, width, height)
    layerPen.scale(width / film.width, height / film.height)
    scene.draw(layerPen, moment - scene.from, scene.to - scene.from)
    pen.globalCompositeOperation = 'lighten'
    pen.globalAlpha = strengthOf(film, scene, moment)
    pen.drawImage(layer, 0, 0)
  }
}

function strengthOf(film: Film, scene: { from: number; to: number }, moment: number): number {
  const coming = scene.from === 0 ? 1 : progress(moment, scene.from, scene.from + CROSSING * 0.6)
  const going = scene.to >= film.seconds ? 1 : 1 - progress(moment, scene.to - CROSSING * 0.6, scene.to)
  return Math.min(coming, going)
}
