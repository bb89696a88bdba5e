import { createHash } from 'node:crypto'
import colours from '#content/colours.json' with { type: 'json' }
import type { Picture } from '#contract/publishing/announcements.ts'

/** Increase it when the drawing changes: browsers keep a drawing for ever. */
const drawingVersion = 1

const hashOf = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length)

/** Differs for each version of the drawing and each palette. */
const look = hashOf(`${drawingVersion} ${JSON.stringify(colours)}`, 6)

const seedLength = 16
const file = new RegExp(`^([0-9a-f]{${seedLength}})-${look}\\.svg$`)

/** The picture that is drawn for a post without one. Its address says nothing about the post. */
export const drawnPictureOf = (slug: string): Picture => ({
  src: `/assets/media/news-drawings/${hashOf(slug, seedLength)}-${look}.svg`,
  srcset: '',
  width: 960,
  height: 540,
})

/** Returns what a drawing is made from, by the last part of its address. */
export const seedOfDrawing = (name: string): string | undefined => file.exec(name)?.[1]
