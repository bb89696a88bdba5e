import PdfDocument from 'pdfkit'
import brandColours from '#content/colours.json' with { type: 'json' }
import { strongFont, textFonts } from '../../../fonts/font-files.ts'

const margin = 56
const footRoom = 40
/** The width of the box drawn for a missing character, in em. */
const boxWidth = 0.7
const colours = {
  text: brandColours.text.light,
  quiet: brandColours.textQuiet.light,
  line: brandColours.line.light,
  accent: brandColours.copper.light,
}

export type Style = { size?: number; colour?: keyof typeof colours; isStrong?: boolean }
/** `font` is undefined if none of our fonts has the character. */
type Glyph = { font: string | undefined; text: string }
type Run = Glyph & { width: number }
type Line = { runs: Run[]; width: number }

/** A Chinese character with the punctuation that must not begin a line, a run of white space, or a word. */
const pieces =
  /[\p{Script=Han}\u3000-\u30ff\uff00-\uffef][、。，．：；？！）」』】》〉]*|\s+|[^\s\p{Script=Han}\u3000-\u30ff\uff00-\uffef]+/gu

/** pdfkit opens fonts with fontkit, which its types do not declare. */
type Opened = { _font: { font: { hasGlyphForCodePoint(point: number): boolean } } }

/**
 * Writes text and pictures from top to bottom, page after page. Each character uses the first of our fonts that has it;
 * a character that no font has becomes a box.
 */
export class PdfWriter {
  readonly doc: PDFKit.PDFDocument
  readonly width: number
  private y = margin
  private readonly glyphs = new Map<string, Glyph>()

  constructor(about: { title: string; author: string; language: string }) {
    this.doc = new PdfDocument({
      size: 'A4',
      // With margins pdfkit would add page breaks of its own in the middle of positioned drawing.
      margin: 0,
      bufferPages: true,
      lang: about.language,
      displayTitle: true,
      info: { Title: about.title, Author: about.author },
    })
    this.width = this.doc.page.width - 2 * margin
  }

  heading(text: string): void {
    this.space(18)
    this.demand(60)
    this.rule()
    this.space(10)
    this.paragraph(text, { size: 13, isStrong: true })
    this.space(4)
  }

  paragraph(text: string, style: Style = {}): void {
    this.columns([{ text, width: this.width, style }])
  }

  /** Writes a muted label with its value beside it. */
  fact(label: string, value: string): void {
    const first = 150
    this.columns([
      { text: label, width: first - 12, style: { colour: 'quiet', size: 9 } },
      { text: value, width: this.width - first, left: first, style: {} },
    ])
    this.space(3)
  }

  /** Writes columns of text, line by line, over as many pages as needed. */
  columns(cells: readonly { text: string; width: number; left?: number; style: Style }[]): void {
    const set = cells.map((cell) => ({ ...cell, lines: this.linesOf(cell.text, cell.width, cell.style) }))
    const height = Math.max(...set.map(({ style }) => lineHeight(style)))
    const count = Math.max(...set.map(({ lines }) => lines.length))
    for (let n = 0; n < count; n += 1) {
      this.demand(height)
      for (const { lines, left = 0, style } of set) {
        const line = lines[n]
        if (line) this.write(line, margin + left, this.y + height * 0.75, style)
      }
      this.y += height
    }
  }

  /** Adds a picture on its own page, as large as possible. */
  picture(jpeg: Buffer, caption: string): void {
    this.turnPage()
    this.paragraph(caption, { isStrong: true })
    this.space(8)
    const height = this.bottom - this.y
    this.doc.image(jpeg, margin, this.y, { fit: [this.width, height] })
    this.y = this.bottom
  }

  space(points: number): void {
    this.y += points
  }

  /** Called last: adds the footer with page number and page count to every page. */
  end(footer: (page: string) => string): void {
    const { count } = this.doc.bufferedPageRange()
    for (let n = 0; n < count; n += 1) {
      this.doc.switchToPage(n)
      this.y = this.doc.page.height - footRoom - 6
      const [line] = this.linesOf(footer(`${n + 1} / ${count}`), this.width, { size: 8 })
      if (line) this.write(line, margin, this.doc.page.height - footRoom + 6, { size: 8, colour: 'quiet' })
    }
    this.doc.end()
  }

  private get bottom(): number {
    return this.doc.page.height - footRoom - 20
  }

  private demand(height: number): void {
    if (this.y + height > this.bottom) this.turnPage()
  }

  private turnPage(): void {
    this.doc.addPage()
    this.y = margin
  }

  private rule(): void {
    this.doc
      .moveTo(margin, this.y)
      .lineTo(margin + this.width, this.y)
      .lineWidth(0.5)
      .stroke(colours.line)
  }

  private write({ runs }: Line, x: number, baseline: number, { size = 10, colour = 'text' }: Style): void {
    let left = x
    for (const { font, text, width } of runs) {
      if (!font) this.writeBoxes(text, left, baseline, size)
      else
        this.doc
          .font(font)
          .fontSize(size)
          .fillColor(colours[colour])
          .text(text, left, baseline, { lineBreak: false, baseline: 'alphabetic' })
      left += width
    }
  }

  private writeBoxes(text: string, x: number, baseline: number, size: number): void {
    const step = size * boxWidth
    for (const [n] of [...text].entries())
      this.doc
        .rect(x + n * step + size * 0.06, baseline - size * 0.7, step - size * 0.12, size * 0.76)
        .lineWidth(size * 0.05)
        .stroke(colours.quiet)
  }

  private linesOf(text: string, width: number, style: Style): Line[] {
    return text
      .replaceAll(/\r\n?/g, '\n')
      .split('\n')
      .flatMap((paragraph) => this.breakInto(paragraph.replaceAll(/\p{Cc}/gu, ' '), width, style))
  }

  private breakInto(paragraph: string, width: number, style: Style): Line[] {
    const lines: Line[] = []
    let line: Line = { runs: [], width: 0 }
    const put = (text: string) => {
      for (const run of this.runsOf(text, style)) {
        line.runs.push(run)
        line.width += run.width
      }
    }
    const next = () => {
      lines.push(line)
      line = { runs: [], width: 0 }
    }
    for (const piece of paragraph.match(pieces) ?? []) {
      const wide = this.widthOf(piece, style)
      if (line.width + wide <= width) {
        put(piece)
        continue
      }
      if (line.width > 0) next()
      if (piece.trim() === '') continue
      if (wide <= width) put(piece)
      // A word longer than a line, such as a wallet address.
      else
        for (const character of piece) {
          if (line.width + this.widthOf(character, style) > width) next()
          put(character)
        }
    }
    next()
    return lines
  }

  private widthOf = (text: string, style: Style): number =>
    this.runsOf(text, style).reduce((sum, run) => sum + run.width, 0)

  private runsOf(text: string, { size = 10, isStrong = false }: Style): Run[] {
    const runs: Glyph[] = []
    for (const character of text) {
      const glyph = this.glyphOf(character, isStrong)
      const last = runs.at(-1)
      if (last && last.font === glyph.font) last.text += glyph.text
      else runs.push({ ...glyph })
    }
    return runs.map((run) => ({
      ...run,
      width: run.font
        ? this.doc.font(run.font).fontSize(size).widthOfString(run.text)
        : [...run.text].length * size * boxWidth,
    }))
  }

  private glyphOf(character: string, isStrong: boolean): Glyph {
    const key = `${isStrong} ${character}`
    const known = this.glyphs.get(key)
    if (known) return known
    const fonts = isStrong ? [strongFont, ...textFonts] : textFonts
    const font = fonts.find((file) => this.hasGlyph(file, character))
    const glyph = { font, text: character }
    this.glyphs.set(key, glyph)
    return glyph
  }

  private hasGlyph(file: string, character: string): boolean {
    const { _font } = this.doc.font(file) as unknown as Opened
    return _font.font.hasGlyphForCodePoint(character.codePointAt(0)!)
  }
}

const lineHeight = ({ size = 10 }: Style): number => size * 1.45
