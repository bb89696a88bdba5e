import { KIB } from '#contract/fields.ts'
import { Refused } from '../refused.ts'

/** Gets one data URL in pieces, as it stands in the JSON after the comma. A piece is read before the promise is given back. */
export type FileSink = { write(piece: Buffer): Promise<void>; end(): Promise<void> }

type Extracted = {
  /** The JSON with a short name in place of each file. */
  rest: Buffer
  /** The bytes of the whole body. */
  received: number
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const restMax = 256 * KIB
const headMax = 100
/** A piece is worked on at once, so this bounds how long it holds everybody. */
const pieceMax = 64 * KIB

/**
 * Reads a body of JSON as it comes and takes the files out of it, so that it is never in memory as a whole: the bytes of
 * every string that is a data URL in base64 go to a sink, and `begin` says by which name the string ends instead. The rest
 * is JSON like any other and judged by who parses it.
 */
export async function extractFiles(
  body: AsyncIterable<Buffer>,
  bytesMax: number,
  begin: () => { name: string; sink: FileSink },
  /** Told of bytes before they are read. */
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
    // A copy: the piece would keep all of the chunk that it is cut from.
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

/** Where the string ends whose inside is at `from`, or -1, and whether the first byte of the next piece is escaped. */
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
