import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import colours from '#content/colours.json' with { type: 'json' }
import { guilloche } from '../../web/kernel/brand/guilloche.ts'
import { type Ring, shareFigures } from './share-figures.ts'

const { ground, text, textQuiet, copper, verdigris } = colours

export type Language = 'en' | 'cn'
type ShareWords = { name: string; language: Language; brand: string; tagline: string; title: string }

export const SHARE_SIZE = { width: 1200, height: 630 }

const { resolve } = createRequire(import.meta.url)
// In Chinese text, dashes and quotation marks come from the Chinese face, so the Latin faces contain only letters.
const LETTERS = 'unicode-range:U+0020-007E,U+00C0-00FF;'
const FACES = [
  ['Display', '@fontsource-variable/newsreader/files/newsreader-latin-opsz-normal.woff2', LETTERS],
  ['Text', '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2', LETTERS],
  ['Song', '@fontsource/noto-serif-sc/files/noto-serif-sc-chinese-simplified-600-normal.woff2', ''],
  ['Hei', '@fontsource/noto-sans-sc/files/noto-sans-sc-chinese-simplified-400-normal.woff2', ''],
] as const

const faces = FACES.map(
  ([family, file, range]) =>
    `@font-face{font-family:${family};font-weight:1 1000;${range}src:url(${pathToFileURL(resolve(file)).href})}`,
).join('')

const STYLE = `${faces}
body { margin: 0; width: 1200px; height: 630px; overflow: hidden; position: relative; background: ${ground.dark}; color: ${text.dark}; font-family: Text, Hei }
svg.rosette { position: absolute; left: 480px; top: -285px; fill: none;
  mask-image: conic-gradient(from 305deg, #000 0deg, #0008 75deg, #000a 130deg, #000c 180deg, #0008 250deg, #000 360deg) }
.copper { stroke: ${copper.dark} } .verdigris { stroke: ${verdigris.dark} } .paper { stroke: ${text.dark} }
.shade { position: absolute; inset: 0; background: linear-gradient(to right, ${ground.dark} 44%, ${ground.dark}00 66%) }
header, main, footer { position: absolute; left: 72px }
header { top: 60px; display: flex; align-items: center; gap: 16px; font: 400 36px Display, Song; letter-spacing: -.005em }
header svg { fill: ${copper.dark}; fill-rule: evenodd }
main { bottom: 132px; width: 640px; font: 340 76px/1.06 Display, Song; font-variation-settings: 'opsz' 72; letter-spacing: -.018em; text-wrap: balance }
footer { bottom: 60px; font-size: 27px; color: ${textQuiet.dark} }
footer::before { content: ''; display: block; width: 64px; border-top: 2px solid ${copper.dark}; margin-bottom: 20px }
:lang(zh) main { font-size: 68px; line-height: 1.32; letter-spacing: 0; word-break: keep-all; width: 620px }`

function drawRing({ ink, figure, strength, at }: Ring): string {
  const place = at ? ` transform="translate(${at.x} ${at.y}) scale(${at.scale})"` : ''
  const path = guilloche({ precision: 16, ...figure })
  return `<path class="${ink}" opacity="${strength}"${place} vector-effect="non-scaling-stroke" d="${path}"/>`
}

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** The link-preview picture of a page, as HTML for a browser screenshot. */
export function sharePage({ name, language, brand, tagline, title }: ShareWords, markPath: string): string {
  const rings = (shareFigures[name] ?? shareFigures['site']!).map(drawRing).join('')
  return `<!doctype html><html lang="${language === 'cn' ? 'zh-Hans' : 'en'}"><meta charset="utf-8"><style>${STYLE}</style>
<svg class="rosette" width="1200" height="1200" viewBox="-600 -600 1200 1200" stroke-width="1">${rings}</svg>
<div class="shade"></div>
<header><svg width="44" height="44" viewBox="-100 -100 200 200"><path d="${markPath}"/></svg>${escape(brand)}</header>
<main>${escape(title)}</main><footer>${escape(tagline)}</footer></html>`
}
