import { createHash } from 'node:crypto'
import colours from '#content/colours.json' with { type: 'json' }
import type { Picture } from '#contract/publishing/announcements.ts'

/** Increase this when the drawing changes, because browsers keep drawings indefinitely. */
const drawingVersion = 1

const hashOf = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length)

/** Changes with the version of the drawing and with the palette. */
const look = hashOf(`${drawingVersion} ${JSON.stringify(colours)}`, 6)

const seedLength = 16
const file = new RegExp(`^([0-9a-f]{${seedLength}})-${look}\\.svg$`)

/** The drawing for a post without a picture. Its address reveals nothing about the post. */
export const drawnPictureOf = (slug: string): Picture => ({
  src: `/assets/media/news-drawings/${hashOf(slug, seedLength)}-${look}.svg`,
  srcset: '',
  width: 960,
  height: 540,
})

/** Returns the seed of a drawing, from the last part of its address. */
export const seedOfDrawing = (name: string): string | undefined => file.exec(name)?.[1]
