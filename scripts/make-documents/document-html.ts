import { readFileSync } from 'node:fs'
import colours from '#content/colours.json' with { type: 'json' }
import { coverArt, GROUND_COLOURS, mark, plate } from './cover-art.ts'
import type { DocumentSource } from './document-source.ts'
import { editionLine, fill, HTML_LANGUAGE, type DocumentWords } from './document-words.ts'
import { escapeHtml } from './drawings/escape-html.ts'
import { fontFaces } from './fonts.ts'
import { PAGE_BREAK, renderMarkdown, type Heading } from './render-markdown.ts'

/** Page numbers by heading id, known after a first print. */
type PageNumbers = ReadonlyMap<string, number>

/** In the order of the cascade. */
const STYLE_FILES = ['pages', 'text', 'contents', 'figures', 'covers', 'chinese']
const STYLES = STYLE_FILES.map((name) =>
  readFileSync(new URL(`styles/${name}.css`, import.meta.url), 'utf8'),
).join('\n')

function cover(source: DocumentSource, words: DocumentWords, manualCount: number): string {
  const series =
    source.number === null
      ? ''
      : `<p class="series">${fill(words.manual, { number: source.number, count: manualCount })}</p>`
  const { ground, svg } = coverArt(source)
  return `<header class="cover ${ground}">
${svg}
<p class="brand">${mark()}${escapeHtml(words.brand)}</p>
<div class="titles">${series}<h1>${escapeHtml(source.title)}</h1>
<p class="subtitle">${escapeHtml(source.subtitle)}</p></div>
<p class="edition"><span>${editionLine(source, words)}</span><span>${escapeHtml(words.site)}</span></p>
</header>`
}

function contentsList(headings: Heading[], words: DocumentWords, pages: PageNumbers): string {
  const entries = headings
    .filter(({ level }) => level === 2)
    .map(
      ({ id, text }) =>
        `<li><a href="#${id}"><span>${escapeHtml(text)}</span><span class="page">${pages.get(id) ?? '0'}</span></a></li>`,
    )
  return `<nav class="contents"><p class="label">${escapeHtml(words.contents)}</p><ol>${entries.join('')}</ol></nav>`
}

/** A brochure has one page per section, and an engraved plate fills the space below the text. */
function brochurePages(html: string): string {
  const pages = html.split(PAGE_BREAK)
  return pages.map((page, at) => `<section class="sheet"><div>${page}</div>${plate(at)}</section>`).join('')
}

/** Margin boxes hold text, not elements, so headers and footers are strings in the style sheet. */
function runningLines(source: DocumentSource, words: DocumentWords): string {
  const text = (value: string) => JSON.stringify(value)
  return `@page{@top-left{content:${text(words.brand)}}@top-right{content:${text(source.title)}}@bottom-left{content:${text(editionLine(source, words))}}}`
}

const { ground, groundRaised, text, textQuiet, line, copper, verdigris, documents } = colours

/** Named as in the style sheets: paper is light, covers are dark. */
const PALETTE = {
  ink: ground.dark,
  paper: ground.light,
  raised: groundRaised.light,
  text: text.light,
  quiet: textQuiet.light,
  line: line.light,
  copper: copper.light,
  'copper-bright': copper.dark,
  verdigris: verdigris.light,
  'verdigris-bright': verdigris.dark,
  'on-cover': text.dark,
  'on-cover-quiet': textQuiet.dark,
  'cover-subtitle': documents.coverSubtitle,
  note: documents.note,
  warning: documents.warning,
}
const PALETTE_STYLES = `:root{${Object.entries(PALETTE)
  .map(([name, colour]) => `--${name}:${colour};`)
  .join('')}}`

/** The page of the cover also has the cover's background, because the page is slightly taller than 297 mm. */
function groundStyles(source: DocumentSource): string {
  const classes = Object.entries(GROUND_COLOURS).map(([name, colour]) => `.${name}{background:${colour}}`)
  return `${classes.join('')}@page cover{background:${GROUND_COLOURS[coverArt(source).ground]}}`
}

/** The whole document as one HTML page, ready to print. */
export function documentHtml(
  source: DocumentSource,
  words: DocumentWords,
  manualCount: number,
  pages: PageNumbers,
): string {
  const { html, headings } = renderMarkdown(source.markdown, words)
  const contents = contentsList(headings, words, pages)
  // Floats follow the source order: the legal line comes below a short list in the margin, but next to a long one.
  const contentsFirst = source.kind === 'brochure' || source.kind === 'manual'
  return `<!doctype html>
<html lang="${HTML_LANGUAGE[source.language]}" class="${source.kind}">
<head><meta charset="utf-8"><title>${escapeHtml(`${source.title} | ${words.brand}`)}</title>
<style>${fontFaces(source.language)}\n${runningLines(source, words)}\n${PALETTE_STYLES}\n${STYLES}\n${groundStyles(source)}</style></head>
<body>
${cover(source, words, manualCount)}
${contentsFirst ? contents : ''}<p class="closing">${escapeHtml(words.closing)}</p>${contentsFirst ? '' : contents}
<main>${source.kind === 'brochure' ? brochurePages(html) : html}</main>
</body></html>`
}
