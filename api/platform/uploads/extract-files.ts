import { KIB } from '#contract/platform/fields.ts'
import { Refused } from '../refused.ts'

/**
 * Receives one data URL in pieces, as it appears in the JSON after the comma. A piece is read before the promise is
 * returned.
 */
export type FileSink = { write(piece: Buffer): Promise<void>; end(): Promise<void> }

type Extracted = {
  /** The JSON with a short name in place of each file. */
  rest: Buffer
  /** Total bytes of the body. */
  received: number
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const restMax = 256 * KIB
const headMax = 100
/** Maximum size of a piece, in bytes. Pieces are processed synchronously, so this limits how long one blocks others. */
const pieceMax = 64 * KIB

/**
 * Reads a JSON body as a stream and extracts its files, so that it is never completely in memory: the bytes of every
 * string that is a base64 data URL go to a sink, and `begin` returns the name that replaces the string. The rest stays
 * ordinary JSON, which its parser validates.
 */
export async function extractFiles(
  body: AsyncIterable<Buffer>,
  bytesMax: number,
  begin: () => { name: string; sink: FileSink },
  /** Called before bytes are read. */
  onReceived: (bytes: number) => void = () => {},
): Promise<Extracted> {
  const extractor = new Extractor(begin)
  let received = 0
  for await (const chunk of body) {
    received += chunk.length
    if (received > bytesMax) throw new Refused('payload_too_large')
    onReceived(chunk.length)
    for (let at = 0; at < chunk.length; at += pieceMax)
      await extractor.take(chunk.subarray(at, at + pieceMax))
  }
  return { rest: extractor.end(), received }
}

/** Position in the JSON: `head` is the beginning of a string, which decides whether it is a file. */
type Where = 'between' | 'head' | 'text' | 'file'

class Extractor {
  private readonly rest: Buffer[] = []
  private restBytes = 0
  private where: Where = 'between'
  private head = ''
  private isEscaped = false
  private sink: FileSink | undefined
  private readonly begin: () => { name: string; sink: FileSink }

  constructor(begin: () => { name: string; sink: FileSink }) {
    this.begin = begin
  }

  async take(piece: Buffer): Promise<void> {
    let at = 0
    while (at < piece.length) {
      if (this.where === 'between') at = this.takeBetween(piece, at)
      else if (this.where === 'head') at = this.takeHead(piece, at)
      else at = await this.takeString(piece, at)
    }
  }

  end(): Buffer {
    if (this.head !== '') this.keep(Buffer.from(this.head, 'latin1'))
    return Buffer.concat(this.rest)
  }

  private keep(bytes: Buffer): void {
    this.restBytes += bytes.length
    if (this.restBytes > restMax) throw new Refused('payload_too_large')
    // A copy, because a slice would keep its whole chunk in memory.
    this.rest.push(Buffer.from(bytes))
  }

  // Each of these takes what it can from `at` on, and returns where the next one continues.

  private takeBetween(piece: Buffer, at: number): number {
    const found = piece.indexOf(quote, at)
    const end = found < 0 ? piece.length : found + 1
    this.keep(piece.subarray(at, end))
    if (found >= 0) this.where = 'head'
    return end
  }

  private takeHead(piece: Buffer, at: number): number {
    const byte = piece[at]!
    this.head += String.fromCodePoint(byte)
    const isQuote = byte === quote && !this.isEscaped
    this.isEscaped = byte === backslash && !this.isEscaped
    if (!isQuote && byte !== comma && this.head.length < headMax) return at + 1
    this.keep(Buffer.from(this.head, 'latin1'))
    this.where = isQuote ? 'between' : 'text'
    if (byte === comma && isFileHead(this.head)) {
      const file = this.begin()
      this.keep(Buffer.from(file.name))
      this.sink = file.sink
      this.where = 'file'
    }
    this.head = ''
    return at + 1
  }

  private async takeString(piece: Buffer, at: number): Promise<number> {
    const found = findEnd(piece, at, this.isEscaped)
    const end = found.end < 0 ? piece.length : found.end
    this.isEscaped = found.isEscaped
    if (this.where === 'text') this.keep(piece.subarray(at, end))
    else await this.sink!.write(piece.subarray(at, end))
    if (found.end < 0) return end
    if (this.where === 'file') await this.sink!.end()
    this.keep(piece.subarray(end, end + 1))
    this.where = 'between'
    return end + 1
  }
}

const isFileHead = (head: string): boolean => /^data:[^,"]*;base64,$/i.test(head.replaceAll('\\/', '/'))

/**
 * Finds the end of the string whose content starts at `from`, or -1, and whether the first byte of the next piece is
 * escaped.
 */
function findEnd(piece: Buffer, from: number, isEscaped: boolean): { end: number; isEscaped: boolean } {
  let at = isEscaped ? from + 1 : from
  let end = piece.indexOf(quote, at)
  let escape = piece.indexOf(backslash, at)
  while (escape >= 0 && (end < 0 || escape < end)) {
    at = escape + 2
    if (end >= 0 && end < at) end = piece.indexOf(quote, at)
    escape = piece.indexOf(backslash, at)
  }
  return { end, isEscaped: end < 0 && at > piece.length }
}
