import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import subsetFont from 'subset-font'
import { type Face, type Fallback, faces, fallbacks } from './make-fonts/faces.ts'
import { hanCharacters, hanFaces } from './make-fonts/han-faces.ts'
import { makeServerFonts } from './make-fonts/server-fonts.ts'
import { openBrowser } from './open-browser.ts'

/* Makes web/kernel/fonts: subsets of the brand's fonts and fonts.css. fonts.css also scales a system font as a fallback
   while they load, so that nothing moves when they arrive, and has a Chinese face for machines without Chinese
   fonts. The fonts in api/platform/fonts are made last. Needs Chromium and Arial or the metric-compatible Liberation Sans.
   Run it when the Chinese texts contain new characters. */

const FONTS = new URL('../web/kernel/fonts/', import.meta.url).pathname
const CONTENT = new URL('../content/', import.meta.url).pathname
const SAMPLE = join(CONTENT, 'facts/features.json')
const { resolve } = createRequire(import.meta.url)

async function makeFace(face: Face): Promise<Buffer> {
  const source = resolve(face.source)
  const options = { targetFormat: 'woff2' as const, variationAxes: face.axes }
  const font = await subsetFont(await readFile(source), face.characters, options)
  await writeFile(join(FONTS, face.file), font)
  // The Open Font License requires its text to accompany the font.
  const licence = await readFile(join(dirname(source), '../LICENSE'), 'utf8')
  await writeFile(
    join(FONTS, face.file.replace(/(-extended|-first|-rest)?\.woff2$/, '-licence.txt')),
    licence,
  )
  return font
}

const percent = (value: number) => `${(value * 100).toFixed(2)}%`
const locals = (names: string[]) => names.map((name) => `local('${name}')`)

function faceCss(face: Face): string {
  const range = face.range ? `\n  unicode-range: ${face.range};` : ''
  const sources = [...locals(face.instead ?? []), `url('./${face.file}') format('woff2')`]
  return `@font-face {
  font-family: '${face.family}';
  src: ${sources.join(', ')};
  font-weight: ${face.weights};
  font-display: swap;${range}
}`
}

/**
 * Slightly wider than our own font, because the widths of real sentences differ from the sample by one percent. Text
 * that grows when its font arrives may need another line and would count as a layout shift.
 */
const leeway = 1.02

/** Lengths in units of the font size. */
type Measures = { width: number; ascent: number; descent: number }

/** Renders `text` in the font of `source` (a CSS src) and measures its width and the font's line metrics. */
async function measureFonts(
  requests: { source: string; weight: number; weights: string }[],
  text: string,
): Promise<Measures[]> {
  const browser = await openBrowser()
  const page = await browser.newPage()
  const measures = await page.evaluate(
    async ([wanted, sample]) => {
      const pen = document.createElement('canvas').getContext('2d')!
      const size = 1000
      return Promise.all(
        wanted.map(async ({ source, weight, weights }, index) => {
          const face = await new FontFace(`measured-${index}`, source, { weight: weights }).load()
          document.fonts.add(face)
          pen.font = `${weight} ${size}px measured-${index}`
          const { width, fontBoundingBoxAscent, fontBoundingBoxDescent } = pen.measureText(sample)
          return {
            width: width / size,
            ascent: fontBoundingBoxAscent / size,
            descent: fontBoundingBoxDescent / size,
          }
        }),
      )
    },
    [requests, text] as const,
  )
  await browser.close()
  return measures
}

function fallbackCss(fallback: Fallback, ours: Measures, theirs: Measures): string {
  const scale = (leeway * ours.width) / theirs.width
  return `@font-face {
  font-family: '${fallback.family}';
  src: ${locals(fallback.names).join(', ')};
  font-weight: ${fallback.weights};
  size-adjust: ${percent(scale)};
  ascent-override: ${percent(ours.ascent / scale)};
  descent-override: ${percent(ours.descent / scale)};
  line-gap-override: 0%;
}`
}

const features = JSON.parse(await readFile(SAMPLE, 'utf8')) as { en: { text: string } }[]
const sample = features.map((feature) => feature.en.text).join(' ')

const fonts = new Map<string, Buffer>()
for (const face of faces) {
  const font = await makeFace(face)
  if (!face.range) fonts.set(face.family, font)
  console.log(face.file, font.length)
}

const ours = fallbacks.map((fallback) => ({
  ...fallback,
  source: `url(data:font/woff2;base64,${fonts.get(fallback.for)!.toString('base64')})`,
  weights: '1 1000',
}))
const theirs = fallbacks.map((fallback) => ({ ...fallback, source: locals(fallback.names).join(', ') }))
const measures = await measureFonts([...ours, ...theirs], sample)

const han = await hanFaces(CONTENT)
for (const face of han) console.log(face.file, (await makeFace(face)).length)
await writeFile(join(FONTS, 'han-fallback-characters.txt'), hanCharacters(han))

const rules = [
  ...faces.map(faceCss),
  // Phones and tablets have Chinese fonts that a page cannot refer to by name.
  `@media (pointer: fine) {\n${han.map(faceCss).join('\n\n')}\n}`,
  ...fallbacks.map((fallback, index) =>
    fallbackCss(fallback, measures[index]!, measures[index + fallbacks.length]!),
  ),
]
const sheet = join(FONTS, 'fonts.css')
await writeFile(sheet, `/* Generated by scripts/make-fonts.ts. */\n${rules.join('\n\n')}\n`)
execFileSync(process.execPath, [new URL('../node_modules/.bin/oxfmt', import.meta.url).pathname, sheet])
await makeServerFonts()
