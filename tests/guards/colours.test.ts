import { expect, test } from 'vitest'
import colours from '#content/colours.json'
import { paletteCss } from '#web/kernel/layout/palette-css.ts'
import { listPaths, textOf } from './source-files.ts'

/** Files in which colors can be written out, with these colors and why they are not the brand's. */
const exceptions: Record<string, { colours: string[]; reason: string }> = {
  'api/platform/pictures/clean-picture.ts': {
    colours: ['#ffffff'],
    reason: 'what is transparent in a photo becomes white before it is a JPEG',
  },
  'api/platform/pictures/watermark.ts': {
    colours: ['#b01818'],
    reason: 'a stamp across an identity document is red for every brand',
  },
  'scripts/make-pictures/share-page.ts': {
    colours: ['#000', '#0008', '#000a', '#000c'],
    reason: 'a mask: only its opacity is seen',
  },
  'scripts/rebrand/mix-colours.ts': {
    colours: ['#000000', '#ffffff'],
    reason: 'the ends towards which a colour is mixed until it can be read',
  },
  'web/kernel/brand/brand.module.css': {
    colours: ['rgb(0 0 0)'],
    reason: 'a mask: only its opacity is seen',
  },
  'web/kernel/layout/header/header.module.css': { colours: ['rgb(0 0 0)'], reason: 'dims what lies behind' },
  'web/kernel/layout/print.css': { colours: ['#fff', '#000', '#444'], reason: 'black on white saves toner' },
  'web/kernel/layout/tokens.css': { colours: ['rgb(0 0 0)'], reason: 'a shadow on a dark ground is black' },
  'web/orders/detail/order-detail.module.css': { colours: ['#999'], reason: 'a line on printed paper' },
  'web/orders/detail/payment-instructions.module.css': {
    colours: ['#fff'],
    reason: 'scanners need QR codes dark on white',
  },
  'web/site/home/team/team.module.css': { colours: ['#000'], reason: 'a mask: only its opacity is seen' },
  'web/kernel/ui/dialog.module.css': { colours: ['rgb(0 0 0)'], reason: 'dims what lies behind' },
  'web/kernel/ui/qr-code.module.css': {
    colours: ['#fff', '#000'],
    reason: 'scanners need QR codes dark on white',
  },
  'web/kernel/ui/video.module.css': { colours: ['#000'], reason: 'bars beside a film are black' },
}

const isProduct = (path: string) =>
  /^(api|contract|scripts|serve|web)\/.*\.(tsx?|css|mjs|html|svg)$|^[^/]+\.(ts|html)$/.test(path) &&
  !/\.test\.tsx?$/.test(path)

/** Returns colors in any notation, without the opacity of a function. Interpolated values are not literals. */
function coloursIn(text: string): string[] {
  const hexes = text.matchAll(/(?<![\w&$/'"`-]#?)#(?:[\da-f]{8}|[\da-f]{6}|[\da-f]{3,4})(?![\w-])/gi)
  const quoted = text.matchAll(/(?<=['"`])#(?:[\da-f]{8}|[\da-f]{6}|[\da-f]{3,4})(?=['"`])/gi)
  const functions = text.matchAll(/\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\(\s*[\d.][^/)]*/gi)
  return [
    ...[...hexes, ...quoted].map(([colour]) => colour.toLowerCase()),
    ...[...functions].map(([colour]) => `${colour.trim()})`),
  ]
}

const written = new Map(
  listPaths()
    .filter(isProduct)
    .map((path) => [path, [...new Set(coloursIn(textOf(path)))]] as const)
    .filter(([, found]) => found.length > 0),
)

test('the colours of the brand stand in content/colours.json and nowhere else', () => {
  const strays = [...written].flatMap(([path, found]) =>
    found
      .filter((colour) => !exceptions[path]?.colours.includes(colour))
      .map((colour) => `${path}: ${colour}`),
  )
  expect(strays).toEqual([])
})

test('no exception is left that nothing needs', () => {
  const idle = Object.entries(exceptions).flatMap(([path, { colours }]) =>
    colours.filter((colour) => !written.get(path)?.includes(colour)).map((colour) => `${path}: ${colour}`),
  )
  expect(idle).toEqual([])
})

test('every notation of a colour is found, and what only looks like one is not', () => {
  const css =
    'a{color:#FFF;fill:#0c1414;stroke:#0c141480;background:rgb(12 20 20 / 70%)}b{color:oklch(0.5 0.1 20)}'
  expect(coloursIn(css)).toEqual(['#fff', '#0c1414', '#0c141480', 'rgb(12 20 20)', 'oklch(0.5 0.1 20)'])
  expect(coloursIn(`const ink = '#9A4A1C'`)).toEqual(['#9a4a1c'])
  expect(
    coloursIn(`import '#api/x.ts'; href="#faq"; &#123; rgb(from var(--text) r g b) color-mix(in oklab, red)`),
  ).toEqual([])
})

test('the icons have the colours as they stand (else: npm run make:pictures)', () => {
  expect(textOf('content/media/icons/favicon.svg')).toContain(`fill="${colours.icon}"`)
})

test('each pair becomes a custom property of every ground; single colours are for pictures and documents', () => {
  const css = paletteCss(colours)
  expect(css).toMatch(/^:root,\[data-ground\]\{--ground:light-dark\(#[\da-f]{6},#[\da-f]{6}\);/)
  expect(css).toContain('--text-quiet:light-dark(')
  expect(css).not.toMatch(/icon|undefined|object/)
})
