import type { Film, Scene } from './film.ts'
import { GROUND, tint } from './ink.ts'
import { progress } from './motion.ts'

/** The duration of the transition between two scenes, in seconds. */
export const CROSSING = 0.7

const moving = document.createElement('canvas')
const still = new Map<Scene, HTMLCanvasElement>()

/**
 * Draws the frame at a time (in seconds) on the whole canvas. Each scene is a layer, and the lighter color wins. The
 * new scene is at full strength before the old one fades, so that what both show does not flicker.
 */
export function drawMoment(film: Film, pen: CanvasRenderingContext2D, moment: number): void {
  const { width, height } = pen.canvas
  pen.reset()
  pen.fillStyle = tint(GROUND, 1)
  pen.fillRect(0, 0, width, height)
  for (const scene of film.scenes) {
    if (moment < scene.from || moment >= scene.to) continue
    pen.globalCompositeOperation = 'lighten'
    pen.globalAlpha = strengthOf(film, scene, moment)
    pen.drawImage(layerOf(film, scene, moment, { width, height }), 0, 0)
  }
}

function layerOf(
  film: Film,
  scene: Scene,
  moment: number,
  size: { width: number; height: number },
): HTMLCanvasElement {
  const kept = still.get(scene)
  if (kept?.width === size.width) return kept
  const layer = scene.isStill ? document.createElement('canvas') : moving
  if (layer.width !== size.width || layer.height !== size.height) Object.assign(layer, size)
  const pen = layer.getContext('2d', { willReadFrequently: true })!
  pen.reset()
  pen.fillStyle = tint(GROUND, 1)
  pen.fillRect(0, 0, size.width, size.height)
  pen.scale(size.width / film.width, size.height / film.height)
  scene.draw(pen, moment - scene.from, scene.to - scene.from)
  if (scene.isStill) still.set(scene, layer)
  return layer
}

function strengthOf(film: Film, scene: Scene, moment: number): number {
  const coming = scene.from === 0 ? 1 : progress(moment, scene.from, scene.from + CROSSING * 0.6)
  const going = scene.to >= film.seconds ? 1 : 1 - progress(moment, scene.to - CROSSING * 0.6, scene.to)
  return Math.min(coming, going)
}
