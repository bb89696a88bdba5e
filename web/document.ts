import { name } from '#content/brand.json'
import type { Language } from '#contract/fields.ts'
import { htmlLanguage } from './i18n/language.ts'
import type { Ground } from './layout/ground.ts'
import type { Preload } from './layout/page.ts'

/** Where the build has put the files that a page begins with. */
export type BuiltFiles = {
  languageCheck: string
  entry: string
  styles: readonly string[]
  /** Scripts that the entry will ask for; they are fetched beside it. */
  modules: readonly string[]
  /** Asked for at once, so that text is painted in its own face and nothing moves. */
  fonts: readonly string[]
  icon: string
}

export type DocumentParts = {
  language: Language
  title: string
  description: string
  /** Absolute addresses. */
  address: string
  alternates: Readonly<Record<Language, string>> | null
  picture: string | null
  ground: Ground
  files: BuiltFiles
  preloads: readonly Preload[]
  body: string
  data: unknown
}

const locales: Record<Language, string> = { en: 'en_US', cn: 'zh_CN' }
const inks = { light: '#f6f2e8', dark: '#0c1414' }

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** JSON inside a script element: a `<` could end the element or open a comment. */
const embed = (data: unknown): string => JSON.stringify(data).replaceAll('<', '\\u003c')

/**
 * The document around the rendered page. The order of the head is measured: what is seen first is asked for first,
 * scripts come with low priority, and nothing is inline but data.
 */
export function documentHtml(parts: DocumentParts): string {
  const { language, files, alternates, picture } = parts
  const title = escape(parts.title)
  const description = escape(parts.description)
  const address = escape(parts.address)
  return [
    `<!doctype html><html lang="${htmlLanguage[language]}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    ...parts.preloads.map(preloadLink),
    ...files.fonts.map((href) => preloadLink({ href, as: 'font', type: 'font/woff2' })),
    `<script src="${files.languageCheck}"></script>`,
    ...files.styles.map((href) => `<link rel="stylesheet" href="${href}">`),
    `<title>${title}</title><meta name="description" content="${description}">`,
    ...(alternates
      ? [`<link rel="canonical" href="${address}">`, ...alternateLinks(alternates)]
      : ['<meta name="robots" content="noindex">']),
    `<meta property="og:type" content="website"><meta property="og:site_name" content="${escape(name)}">`,
    `<meta property="og:title" content="${title}"><meta property="og:description" content="${description}">`,
    `<meta property="og:url" content="${address}"><meta property="og:locale" content="${locales[language]}">`,
    picture
      ? `<meta property="og:image" content="${escape(picture)}"><meta name="twitter:card" content="summary_large_image">`
      : '',
    themeColour(parts.ground),
    `<link rel="icon" href="${files.icon}" type="image/svg+xml">`,
    `<script type="module" src="${files.entry}" fetchpriority="low"></script>`,
    ...files.modules.map((href) => `<link rel="modulepreload" href="${href}" fetchpriority="low">`),
    `</head><body><div id="page">${parts.body}</div>`,
    `<script type="application/json" id="page-data">${embed(parts.data)}</script></body></html>`,
  ].join('')
}

function preloadLink({ href, as, type, media }: Preload): string {
  const kind = type ? ` type="${type}"` : ''
  const where = media ? ` media="${media}"` : ''
  const origin = as === 'font' ? ' crossorigin' : ' fetchpriority="high"'
  return `<link rel="preload" as="${as}" href="${escape(href)}"${kind}${where}${origin}>`
}

const alternateLinks = (alternates: Readonly<Record<Language, string>>): string[] => [
  `<link rel="alternate" hreflang="en" href="${escape(alternates.en)}">`,
  `<link rel="alternate" hreflang="zh-Hans" href="${escape(alternates.cn)}">`,
  `<link rel="alternate" hreflang="x-default" href="${escape(alternates.en)}">`,
]

const themeColour = (ground: Ground): string =>
  ground === 'auto'
    ? `<meta name="theme-color" content="${inks.light}" media="(prefers-color-scheme:light)">` +
      `<meta name="theme-color" content="${inks.dark}" media="(prefers-color-scheme:dark)">`
    : `<meta name="theme-color" content="${inks[ground]}">`
