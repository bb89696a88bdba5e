import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { DocumentLanguage } from './document-source.ts'

type Face = {
  family: string
  package: string
  subset: string
  weight: number
  style?: 'normal' | 'italic'
  range?: string
}

/**
 * Typefaces by their PostScript names as listed in the PDF. Any other name means that a glyph fell back to another
 * font.
 */
export const EMBEDDED_FONT_NAMES = /^(Newsreader|SourceSans3|JetBrainsMono|NotoSansSC|NotoSerifSC)/

// In Chinese text, quotation marks, dashes, and the middle dot come from the Chinese face, so the Latin faces contain
// only letters.
const LETTERS = 'U+0020-007E, U+00A1-00B6, U+00B8-00FF, U+2212'

const LATIN: Face[] = [
  { family: 'Display', package: 'newsreader', subset: 'latin', weight: 300 },
  { family: 'Display', package: 'newsreader', subset: 'latin', weight: 400 },
  { family: 'Display', package: 'newsreader', subset: 'latin', weight: 400, style: 'italic' },
  { family: 'Text', package: 'source-sans-3', subset: 'latin', weight: 400 },
  { family: 'Text', package: 'source-sans-3', subset: 'latin', weight: 400, style: 'italic' },
  { family: 'Text', package: 'source-sans-3', subset: 'latin', weight: 600 },
  { family: 'Code', package: 'jetbrains-mono', subset: 'latin', weight: 400 },
  { family: 'Code', package: 'jetbrains-mono', subset: 'latin', weight: 600 },
]

// Static single-file subsets, because variable fonts would be embedded as Type 3. Installed fonts must have no effect.
const CHINESE: Face[] = [
  { family: 'Song', package: 'noto-serif-sc', subset: 'chinese-simplified', weight: 400 },
  { family: 'Hei', package: 'noto-sans-sc', subset: 'chinese-simplified', weight: 400 },
  { family: 'Hei', package: 'noto-sans-sc', subset: 'chinese-simplified', weight: 600 },
]

const { resolve } = createRequire(import.meta.url)

function fontFace({ family, package: name, subset, weight, style = 'normal', range }: Face): string {
  const file = resolve(`@fontsource/${name}/files/${name}-${subset}-${weight}-${style}.woff2`)
  const unicodeRange = range ? `unicode-range:${range};` : ''
  return `@font-face{font-family:${family};font-weight:${weight};font-style:${style};${unicodeRange}src:url(${pathToFileURL(file).href}) format("woff2")}`
}

export function fontFaces(language: DocumentLanguage): string {
  const faces =
    language === 'cn' ? [...LATIN.map((face) => ({ ...face, range: LETTERS })), ...CHINESE] : LATIN
  return faces.map(fontFace).join('\n')
}
