/** The number of rows in each table. */
export type Sizes = {
  members: number
  cases: number
  orders: number
  mails: number
  entries: number
  posts: number
  subscribers: number
}

/** Fractions of the full installation, which show what grows with the number of rows. */
export const scales = { '1x': 0.001, '10x': 0.01, '100x': 0.1, full: 1 } as const
type ScaleName = keyof typeof scales

/** `full` has a million members. Very small sizes keep at least the rows that the requests refer to. */
export function sizesAt(scale: number): Sizes {
  const scaled = (count: number, least: number) => Math.max(least, Math.round(count * scale))
  const members = scaled(1_000_000, 1000)
  return {
    members,
    cases: Math.floor(members / 3),
    orders: scaled(200_000, 200),
    mails: scaled(500_000, 500),
    entries: scaled(2_000_000, 2000),
    posts: scaled(10_000, 200),
    subscribers: scaled(200_000, 200),
  }
}

const isName = (text: string): text is ScaleName => Object.hasOwn(scales, text)

/** Parses the name of a scale, or a fraction of the full one. */
export function readScale(text: string): number {
  const scale = isName(text) ? scales[text] : Number(text)
  if (scale > 0 && scale <= 1) return scale
  throw new Error(`SCALE is one of ${Object.keys(scales).join(', ')}, or a part of full, such as 0.1`)
}
