import { type Ink, translucent } from './ink.ts'

export type Sheen = {
  /** The direction of the light, in degrees clockwise from the right. The far side has a weaker glint. */
  light: number
  /** How sharply the glint falls off: 1 is broad as on brushed metal, 6 narrow as on polished metal. */
  polish: number
  /** Strength in shade and in full light, from 0 to 1. */
  shade: number
  full: number
}

const STOPS = 48

/**
 * Reflection on metal: an engraved ring shines where its grooves face the light. The light does not move on the
 * screen while the ring turns, so the ring's rotation (degrees) is subtracted from the gradient.
 */
export function sheenOf(pen: CanvasRenderingContext2D, ink: Ink, sheen: Sheen, turn: number): CanvasGradient {
  const gradient = pen.createConicGradient((-turn * Math.PI) / 180, 0, 0)
  for (let stop = 0; stop <= STOPS; stop++) {
    const away = (stop / STOPS - sheen.light / 360) * 2 * Math.PI
    const glint = Math.abs(Math.cos(away / 2)) ** (2 * sheen.polish)
    const echo = Math.abs(Math.sin(away / 2)) ** (2 * sheen.polish)
    const strength = sheen.shade + (sheen.full - sheen.shade) * Math.min(1, glint + 0.55 * echo)
    gradient.addColorStop(stop / STOPS, translucent(ink, strength))
  }
  return gradient
}
