import type { Preload } from '../routes/page.ts'

// Not by `filmFolder`: the home page needs nothing else of films before one is played.
const heroBase = '/assets/films/hero'

export const heroFiles = {
  mp4: `${heroBase}.mp4`,
  av1: `${heroBase}.av1.mp4`,
  wide: { jpeg: `${heroBase}.jpg`, avif: `${heroBase}.avif` },
  narrow: { jpeg: `${heroBase}-narrow.jpg`, avif: `${heroBase}-narrow.avif` },
}

/** The maximum width for the narrow picture; above it the film may play. */
export const narrowHero = '(max-width: 959px)'

/** A browser picks the one whose width fits, and none if it does not support AVIF. */
export const heroPreloads: readonly Preload[] = [
  { href: heroFiles.narrow.avif, as: 'image', type: 'image/avif', media: narrowHero },
  { href: heroFiles.wide.avif, as: 'image', type: 'image/avif', media: '(min-width: 960px)' },
]
