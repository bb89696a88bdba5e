/** A file in web/kernel/fonts: a subset of a font. */
export type Face = {
  file: string
  family: string
  source: string
  characters: string
  /** CSS unicode-range of a face that is fetched only when a page needs it. */
  range?: string
  /** Installed fonts that are used instead of ours, by full or PostScript name. */
  instead?: string[]
  axes: Record<string, number | { min: number; max: number }>
  weights: string
}

/** An installed font used as a fallback while ours loads, scaled to its widths. Names of metric-compatible fonts. */
export type Fallback = { family: string; for: string; names: string[]; weight: number; weights: string }

function span(first: number, last: number): string {
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)).join('')
}

const ASCII = span(0x20, 0x7e)
const PUNCTUATION = '–—‘’‚“”„•…‹›€™−×÷←↑→↓'

export const faces: Face[] = [
  {
    file: 'newsreader.woff2',
    family: 'Newsreader',
    source: '@fontsource-variable/newsreader/files/newsreader-latin-opsz-normal.woff2',
    // Symbols such as § and ½ come from the text face, because the display face is only for headings and large figures.
    characters: ASCII + span(0xc0, 0xff) + '\u00a0«»·¿¡' + PUNCTUATION,
    // The display cut (72 point) with its fine hairlines at every size, because it is used only for headings and larger
    // text.
    axes: { opsz: 72, wght: 400 },
    weights: '400',
  },
  {
    file: 'source-sans-3.woff2',
    family: 'Source Sans 3',
    source: '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2',
    characters: ASCII + span(0xa0, 0xff) + PUNCTUATION,
    axes: { wght: { min: 400, max: 700 } },
    weights: '400 700',
  },
  {
    file: 'source-sans-3-extended.woff2',
    family: 'Source Sans 3',
    source: '@fontsource-variable/source-sans-3/files/source-sans-3-latin-ext-wght-normal.woff2',
    // Central European, Baltic and Turkish letters, as in people's names.
    characters: span(0x100, 0x17f),
    range: 'U+0100-017F',
    axes: { wght: { min: 400, max: 700 } },
    weights: '400 700',
  },
]

const SERIF = ['Times New Roman', 'Liberation Serif', 'Tinos']
const SANS = ['Arial', 'Liberation Sans', 'Arimo', 'Helvetica Neue', 'Roboto']
const SANS_BOLD = ['Arial Bold', 'Liberation Sans Bold', 'Arimo Bold', 'HelveticaNeue-Bold', 'Roboto Bold']

export const fallbacks: Fallback[] = [
  { family: 'Newsreader Fallback', for: 'Newsreader', names: SERIF, weight: 400, weights: '400' },
  { family: 'Source Sans 3 Fallback', for: 'Source Sans 3', names: SANS, weight: 400, weights: '400 500' },
  {
    family: 'Source Sans 3 Fallback',
    for: 'Source Sans 3',
    names: SANS_BOLD,
    weight: 600,
    weights: '600 700',
  },
]
