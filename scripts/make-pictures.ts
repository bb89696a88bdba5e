import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import sharp from 'sharp'
import colours from '#content/colours.json' with { type: 'json' }
import { markPath } from '../web/kernel/brand/mark-path.ts'
import { shareFigures } from './make-pictures/share-figures.ts'
import { type Language, SHARE_SIZE, sharePage } from './make-pictures/share-page.ts'
import { openBrowser } from './open-browser.ts'

/* Makes the pictures shown in link previews, content/media/share/<route>-<language>.png, with the titles from
   content/messages, and the icons in content/media/icons. */

const CONTENT = new URL('../content/', import.meta.url).pathname
const SHARE = join(CONTENT, 'media/share')
const ICONS = join(CONTENT, 'media/icons')
const LANGUAGES: Language[] = ['en', 'cn']

async function readJson<Value>(path: string): Promise<Value> {
  return JSON.parse(await readFile(join(CONTENT, path), 'utf8')) as Value
}

const brand = await readJson<{ name: string; ticker: string; tagline: Record<Language, string> }>(
  'brand.json',
)

/** A page's title without the brand's name after it, which the picture shows anyway. */
function titleOf(words: Record<string, string>, route: string): string {
  const title = words[`meta.${route}.title`] ?? words['meta.home.title']!
  return title
    .replace(/ · \{brand\}$/, '')
    .replaceAll('{brand}', brand.name)
    .replaceAll('{ticker}', brand.ticker)
}

await mkdir(SHARE, { recursive: true })
await mkdir(ICONS, { recursive: true })

const { ground, copper, icon } = colours

function markSvg(path: string, ink: string, room: number, ground?: string): string {
  const edge = 100 * room
  const tile = ground
    ? `<path fill="${ground}" d="M${-edge} ${-edge}h${2 * edge}v${2 * edge}h${-2 * edge}z"/>`
    : ''
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-edge} ${-edge} ${2 * edge} ${2 * edge}">${tile}<path fill="${ink}" fill-rule="evenodd" d="${path}"/></svg>`
}

const rgbOf = (hex: string) => [...Buffer.from(hex.slice(1), 'hex')]

const GROUND = rgbOf(colours.ground.dark)
const INKS = [colours.copper, colours.verdigris, colours.text].map(({ dark }) => rgbOf(dark))
const TINTS = [0.12, 0.28, 0.5, 0.74, 1]

/** The background and five tints of each ink: as many colors as four bits per pixel allow. */
const palette = [
  GROUND,
  ...INKS.flatMap((ink) => TINTS.map((tint) => ink.map((value, axis) => mixed(GROUND[axis]!, value, tint)))),
]

function mixed(from: number, to: number, part: number): number {
  return Math.round(from + (to - from) * part)
}

function nearest(red: number, green: number, blue: number): number[] {
  const distance = ([r, g, b]: number[]) => (r! - red) ** 2 + (g! - green) ** 2 + (b! - blue) ** 2
  return palette.reduce((best, colour) => (distance(colour) < distance(best) ? colour : best))
}

/**
 * Converts to a PNG with the brand's own sixteen colors. It is half the size of one with 256 colors, and the mark keeps
 * its exact copper, which a palette based on pixel counts would lose among so many fine lines.
 */
async function inSixteenColours(png: Buffer): Promise<Buffer> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const known = new Map<number, number[]>()
  for (let at = 0; at < data.length; at += 3) {
    const key = data.readUIntBE(at, 3)
    const colour = known.get(key) ?? nearest(data[at]!, data[at + 1]!, data[at + 2]!)
    known.set(key, colour)
    data.set(colour, at)
  }
  const raw = { width: info.width, height: info.height, channels: 3 as const }
  return sharp(data, { raw })
    .png({ palette: true, colours: palette.length, dither: 0, effort: 10 })
    .toBuffer()
}

function png(svg: string, size: number): Promise<Buffer> {
  // Rendered large and scaled down, so that the small sizes are smooth.
  return sharp(Buffer.from(svg), { density: 288 })
    .resize(size, size, { kernel: 'lanczos3' })
    .png({ palette: size > 64 })
    .toBuffer()
}

/** An .ico file that contains PNG pictures (supported since Windows Vista, and by every browser). */
function ico(pictures: { size: number; data: Buffer }[]): Buffer {
  const header = Buffer.alloc(6 + 16 * pictures.length)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(pictures.length, 4)
  let offset = header.length
  pictures.forEach(({ size, data }, index) => {
    const entry = 6 + 16 * index
    header.writeUInt8(size, entry)
    header.writeUInt8(size, entry + 1)
    header.writeUInt16LE(1, entry + 4)
    header.writeUInt16LE(32, entry + 6)
    header.writeUInt32LE(data.length, entry + 8)
    header.writeUInt32LE(offset, entry + 12)
    offset += data.length
  })
  return Buffer.concat([header, ...pictures.map(({ data }) => data)])
}

/** Writes the mark in every format that browsers and home screens request. */
async function writeIcons(markPath: string, folder: string): Promise<void> {
  // Legible on light and dark browser bars.
  const bare = markSvg(markPath, icon, 1.02)
  // Home screens crop corners. A maskable icon keeps its drawing within the central 80% (W3C Web App Manifest).
  const tile = markSvg(markPath, copper.dark, 1.32, ground.dark)
  const maskable = markSvg(markPath, copper.dark, 1.62, ground.dark)
  const small = await Promise.all([16, 32].map(async (size) => ({ size, data: await png(bare, size) })))
  await writeFile(join(folder, 'favicon.svg'), bare)
  await writeFile(join(folder, 'favicon.ico'), ico(small))
  await writeFile(join(folder, 'apple-touch-icon.png'), await png(tile, 180))
  await writeFile(join(folder, 'icon-192.png'), await png(tile, 192))
  await writeFile(join(folder, 'icon-512.png'), await png(tile, 512))
  await writeFile(join(folder, 'icon-maskable-512.png'), await png(maskable, 512))
  // Emails show it at a third of its size.
  await writeFile(join(folder, 'mail-logo.png'), await png(bare, 96))
}

await writeIcons(markPath, ICONS)

const folder = await mkdtemp(join(tmpdir(), 'pictures-'))
const browser = await openBrowser()
const page = await browser.newPage({ viewport: SHARE_SIZE })
for (const language of LANGUAGES) {
  const words = await readJson<Record<string, string>>(`messages/${language}/meta.json`)
  for (const name of Object.keys(shareFigures)) {
    const title = name === 'site' ? brand.tagline[language] : titleOf(words, name)
    const tagline = name === 'site' ? titleOf(words, 'home') : brand.tagline[language]
    const file = join(folder, 'page.html')
    await writeFile(file, sharePage({ name, language, brand: brand.name, tagline, title }, markPath))
    await page.goto(pathToFileURL(file).href)
    await page.evaluate('document.fonts.ready')
    const picture = join(SHARE, `${name}-${language}.png`)
    await writeFile(picture, await inSixteenColours(await page.screenshot()))
    console.log(picture.slice(CONTENT.length), (await stat(picture)).size)
  }
}
await browser.close()
await rm(folder, { recursive: true })
