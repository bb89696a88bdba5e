import { KIB } from '#contract/fields.ts'
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
  const rest: Buffer[] = []
  let restBytes = 0
  let received = 0
  let where: 'between' | 'head' | 'text' | 'file' = 'between'
  let head = ''
  let isEscaped = false
  let sink: FileSink | undefined

  function keep(bytes: Buffer): void {
    restBytes += bytes.length
    if (restBytes > restMax) throw new Refused('payload_too_large')
    // A copy, because a slice would keep its whole chunk in memory.
    rest.push(Buffer.from(bytes))
  }

  async function take(piece: Buffer): Promise<void> {
    let at = 0
    while (at < piece.length) {
      if (where === 'between') {
        const found = piece.indexOf(quote, at)
        const end = found < 0 ? piece.length : found + 1
        keep(piece.subarray(at, end))
        at = end
        if (found >= 0) where = 'head'
      } else if (where === 'head') {
        const byte = piece[at]!
        at += 1
        head += String.fromCodePoint(byte)
        const isQuote = byte === quote && !isEscaped
        isEscaped = byte === backslash && !isEscaped
        if (!isQuote && byte !== comma && head.length < headMax) continue
        keep(Buffer.from(head, 'latin1'))
        where = isQuote ? 'between' : 'text'
        if (byte === comma && isFileHead(head)) {
          const file = begin()
          keep(Buffer.from(file.name))
          sink = file.sink
          where = 'file'
        }
        head = ''
      } else {
        const found = findEnd(piece, at, isEscaped)
        const end = found.end < 0 ? piece.length : found.end
        isEscaped = found.isEscaped
        if (where === 'text') keep(piece.subarray(at, end))
        else await sink!.write(piece.subarray(at, end))
        at = end
        if (found.end < 0) continue
        if (where === 'file') await sink!.end()
        keep(piece.subarray(at, at + 1))
        at += 1
        where = 'between'
      }
    }
  }

  for await (const chunk of body) {
    received += chunk.length
    if (received > bytesMax) throw new Refused('payload_too_large')
    onReceived(chunk.length)
    for (let at = 0; at < chunk.length; at += pieceMax) await take(chunk.subarray(at, at + pieceMax))
  }
  if (head !== '') keep(Buffer.from(head, 'latin1'))
  return { rest: Buffer.concat(rest), received }
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
