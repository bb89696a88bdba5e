import type { Preload } from '../kernel/routes/page.ts'

/**
 * Files of the film behind the heading, by its name in the content. Does not use `filmFiles`, because the home page
 * needs nothing else about films before one is played.
 */
export function heroFiles(film: string) {
  const base = `/assets/films/${film}`
  return {
    mp4: `${base}.mp4`,
    av1: `${base}.av1.mp4`,
    wide: { jpeg: `${base}.jpg`, avif: `${base}.avif` },
    narrow: { jpeg: `${base}-narrow.jpg`, avif: `${base}-narrow.avif` },
  }
}

/** Maximum width of the narrow picture. In wider windows the film can play. */
export const narrowHero = '(max-width: 959px)'

/** The browser uses the one that fits its width, or none if it does not support AVIF. */
export function heroPreloads(film: string): readonly Preload[] {
  const { narrow, wide } = heroFiles(film)
  return [
    { href: narrow.avif, as: 'image', type: 'image/avif', media: narrowHero },
    { href: wide.avif, as: 'image', type: 'image/avif', media: '(min-width: 960px)' },
  ]
}
