import { name as brand } from '#content/brand.json'
import colours from '#content/colours.json'
import type { Language } from '#contract/platform/fields.ts'
import { guilloche } from '../../kernel/brand/guilloche.ts'
import { markPath } from '../../kernel/brand/mark-path.ts'
import { htmlLanguage } from '../../kernel/i18n/language.ts'
import type { Qr } from '../../kernel/ui/qr-code.tsx'
import { qrPath } from '../../kernel/ui/qr-path.ts'

/** Width and height in pixels. Social media show a square in full. */
export const shareSize = 1080

/** The page's font stack and installed fonts, because an SVG image cannot load fonts. */
const serif =
  "Newsreader, Georgia, 'Songti SC', 'Noto Serif SC', 'Noto Serif CJK SC', SimSun, 'Han Fallback', serif"
const sans =
  "'Source Sans 3', 'PingFang SC', 'Noto Sans SC', 'Noto Sans CJK SC', 'Microsoft YaHei', 'Han Fallback', Arial, sans-serif"

const band = guilloche({ inner: 250, outer: 560, lobes: 36, turns: 5, wave: 12, outerDepth: 60, lean: 12 })
const core = guilloche({ inner: 60, outer: 230, lobes: 24, turns: 7, lean: 18 })

type Shared = {
  language: Language
  qr: Qr
  headline: string
  text: string
  code: string
  /** The host of the link, so that people who scan the code can compare it. */
  host: string
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

type Line = { text: string; x: number; y: number; size: number; family: string; fill: string }

/**
 * The coin's rosette, the QR code, and the text. The code is dark on light, because not every scanner reads inverted
 * codes.
 */
type SharePlan = { language: Language; shapes: string; lines: readonly Line[] }

const dark = (of: { dark: string }) => of.dark

export function planShare({ language, qr, headline, text, code, host }: Shared): SharePlan {
  const side = 500
  const bright = dark(colours.text)
  const shapes = [
    `<rect width="${shareSize}" height="${shareSize}" fill="${dark(colours.ground)}"/>`,
    '<g transform="translate(900 330)" fill="none" stroke-width="1.4">',
    `<path d="${band}" stroke="${dark(colours.copper)}" opacity="0.75"/>`,
    `<path d="${core}" stroke="${dark(colours.verdigris)}" opacity="0.8"/></g>`,
    `<path transform="translate(112 112) scale(0.42)" d="${markPath}" fill="${dark(colours.copper)}" fill-rule="evenodd"/>`,
    `<rect x="70" y="510" width="${side}" height="${side}" rx="10" fill="white"/>`,
    `<path transform="translate(70 510) scale(${side / qr.size})" d="${qrPath(qr.data)}" fill="none" stroke="black" shape-rendering="crispEdges"/>`,
  ]
  const wrapped = (long: string, spacing: number, first: Omit<Line, 'text'>): Line[] =>
    linesOf(long, language === 'cn' ? 9 : 18).map((text, at) => ({
      ...first,
      text,
      y: first.y + at * spacing,
    }))
  const lines = [
    { text: brand, x: 176, y: 130, size: 52, family: serif, fill: bright },
    ...wrapped(headline, 96, { x: 70, y: 300, size: 84, family: serif, fill: bright }),
    ...wrapped(text, 50, { x: 620, y: 800, size: 40, family: sans, fill: bright }),
    { text: code, x: 620, y: 950, size: 32, family: sans, fill: dark(colours.textQuiet) },
    { text: host, x: 620, y: 1000, size: 32, family: sans, fill: dark(colours.copper) },
  ]
  return { language, shapes: shapes.join(''), lines }
}

const svgOf = (language: Language, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${shareSize} ${shareSize}" width="${shareSize}" height="${shareSize}" lang="${htmlLanguage[language]}">${content}</svg>`

/** The picture as SVG, with its text as text elements. */
export function drawShare({ language, shapes, lines }: SharePlan): string {
  const words = lines.map(
    ({ text, x, y, size, family, fill }) =>
      `<text x="${x}" y="${y}" font-family="${family}" font-size="${size}" fill="${fill}">${escape(text)}</text>`,
  )
  return svgOf(language, shapes + words.join(''))
}

/** The picture as PNG, with text in the fonts of the page, because installed fonts may lack Chinese characters. */
export async function paintShare({ language, shapes, lines }: SharePlan): Promise<Blob> {
  const image = new Image(shareSize, shareSize)
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgOf(language, shapes))}`
  const fonts = lines.map(({ size, family, text }) => document.fonts.load(`${size}px ${family}`, text))
  await Promise.all([image.decode(), ...fonts])
  const canvas = document.createElement('canvas')
  canvas.width = shareSize
  canvas.height = shareSize
  const context = canvas.getContext('2d')!
  context.drawImage(image, 0, 0, shareSize, shareSize)
  for (const { text, x, y, size, family, fill } of lines) {
    context.font = `${size}px ${family}`
    context.fillStyle = fill
    context.fillText(text, x, y)
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (!blob) throw new Error('the picture could not be painted')
  return blob
}

/** Wraps text between words, and in Chinese between characters, into lines of about the given length. */
export function linesOf(text: string, length: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const piece of text.match(/[\p{Script=Han}，。？！、]|[^\s\p{Script=Han}，。？！、]+|\s+/gu) ?? []) {
    const isTooLong = (line + piece).trim().length > length
    // A line must not begin with punctuation.
    if (isTooLong && line.trim() && !/^[，。？！、]$/.test(piece)) {
      lines.push(line.trim())
      line = ''
    }
    line += piece
  }
  return line.trim() ? [...lines, line.trim()] : lines
}
