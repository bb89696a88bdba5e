import { name } from '#content/brand.json'
import { languages, type Language } from '#contract/platform/languages.ts'
import { htmlLanguage, locale } from './kernel/i18n/language.ts'
import type { ColorScheme } from './kernel/layout/color-scheme.ts'
import { themeColors } from './machine-readable/theme-colors.ts'
import type { Preload } from './kernel/routes/page.ts'
import { openSearchPath } from './machine-readable/open-search.ts'
import { manifestPath } from './machine-readable/web-manifest.ts'

/** Paths of the built files that a page starts with. */
export type BuiltFiles = {
  languageCheck: string
  entry: string
  /** The script of the page itself. */
  page: string
  styles: readonly string[]
  /** Scripts that the entry imports, preloaded in parallel with it. */
  modules: readonly string[]
  /** Preloaded, so that text is painted in its own font and nothing shifts. */
  fonts: readonly string[]
}

/** Shown in link previews. */
export type SharedPicture = { address: string; width: number; height: number; alt: string }

export type DocumentParts = {
  language: Language
  title: string
  description: string
  /** Absolute addresses. */
  address: string
  /** The page in each of its languages. Null if it is not indexed. */
  alternates: Readonly<Partial<Record<Language, string>>> | null
  /** The news as Atom and as JSON. */
  feeds: { title: string; atom: string; json: string }
  isArticle: boolean
  picture: SharedPicture | null
  /** JSON-LD for search engines. */
  linkedData: object | null
  ground: ColorScheme
  files: BuiltFiles
  preloads: readonly Preload[]
  body: string
  data: unknown
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Serializes JSON for a script element, where a `<` could end the element or open a comment. */
const embed = (data: unknown): string => JSON.stringify(data).replaceAll('<', '\\u003c')

/**
 * The document around the rendered page. The order of the head is based on measurements: what is seen first is
 * requested first, scripts have low priority, and only data is inline.
 */
export function documentHtml(parts: DocumentParts): string {
  const { language, files, alternates } = parts
  const title = escape(parts.title)
  const description = escape(parts.description)
  const address = escape(parts.address)
  return [
    `<!doctype html><html lang="${htmlLanguage[language]}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    ...parts.preloads.map(preloadLink),
    `<script src="${files.languageCheck}"></script>`,
    ...files.styles.map((href) => `<link rel="stylesheet" href="${href}">`),
    ...files.fonts.map((href) => preloadLink({ href, as: 'font', type: 'font/woff2' })),
    `<title>${title}</title><meta name="description" content="${description}">`,
    ...(alternates
      ? [`<link rel="canonical" href="${address}">`, ...alternateLinks(alternates)]
      : ['<meta name="robots" content="noindex">']),
    `<link rel="alternate" type="application/atom+xml" title="${escape(parts.feeds.title)}" href="${escape(parts.feeds.atom)}">`,
    `<link rel="alternate" type="application/feed+json" title="${escape(parts.feeds.title)}" href="${escape(parts.feeds.json)}">`,
    `<meta property="og:type" content="${parts.isArticle ? 'article' : 'website'}"><meta property="og:site_name" content="${escape(name)}">`,
    `<meta property="og:title" content="${title}"><meta property="og:description" content="${description}">`,
    `<meta property="og:url" content="${address}"><meta property="og:locale" content="${locale[language].replace('-', '_')}">`,
    parts.picture ? sharedPicture(parts.picture) : '',
    themeColor(parts.ground),
    icons,
    `<link rel="manifest" href="${manifestPath[language]}">`,
    `<link rel="search" type="application/opensearchdescription+xml" title="${escape(name)}" href="${openSearchPath[language]}">`,
    `<script type="module" src="${files.entry}" fetchpriority="low"></script>`,
    ...files.modules.map((href) => `<link rel="modulepreload" href="${href}" fetchpriority="low">`),
    `</head><body><div id="page">${parts.body}</div>`,
    `<script type="application/json" id="page-data">${embed(parts.data)}</script>`,
    parts.linkedData ? `<script type="application/ld+json">${embed(parts.linkedData)}</script>` : '',
    '</body></html>',
  ].join('')
}

/** The first icon is for old browsers, the second for browsers with SVG icons, the third for home screens. */
const icons =
  '<link rel="icon" href="/favicon.ico" sizes="32x32"><link rel="icon" href="/favicon.svg" type="image/svg+xml">' +
  '<link rel="apple-touch-icon" href="/apple-touch-icon.png">'

function sharedPicture(picture: SharedPicture): string {
  const address = escape(picture.address)
  const alt = escape(picture.alt)
  return [
    `<meta property="og:image" content="${address}"><meta property="og:image:alt" content="${alt}">`,
    `<meta property="og:image:width" content="${picture.width}"><meta property="og:image:height" content="${picture.height}">`,
    `<meta name="twitter:card" content="summary_large_image">`,
    `<meta name="twitter:image" content="${address}"><meta name="twitter:image:alt" content="${alt}">`,
  ].join('')
}

function preloadLink({ href, as, type, media }: Preload): string {
  const kind = type ? ` type="${type}"` : ''
  const where = media ? ` media="${media}"` : ''
  const origin = as === 'font' ? ' crossorigin' : ' fetchpriority="high"'
  return `<link rel="preload" as="${as}" href="${escape(href)}"${kind}${where}${origin}>`
}

function alternateLinks(alternates: Readonly<Partial<Record<Language, string>>>): string[] {
  const spoken = languages.flatMap((language) => {
    const address = alternates[language]
    return address === undefined ? [] : [{ tag: htmlLanguage[language], address }]
  })
  // Readers of all other languages get English, if available.
  return [...spoken, ...spoken.slice(0, 1).map(({ address }) => ({ tag: 'x-default', address }))].map(
    ({ tag, address }) => `<link rel="alternate" hreflang="${tag}" href="${escape(address)}">`,
  )
}

const themeColor = (ground: ColorScheme): string =>
  ground === 'auto'
    ? `<meta name="theme-color" content="${themeColors.light}" media="(prefers-color-scheme:light)">` +
      `<meta name="theme-color" content="${themeColors.dark}" media="(prefers-color-scheme:dark)">`
    : `<meta name="theme-color" content="${themeColors[ground]}">`
