import type { StatementEncoding } from '#contract/statements.ts'
import { decodeText } from '../../read-cells.ts'

type Decoded = { text: string; encoding: StatementEncoding }

/**
 * Reads the text of a statement as UTF-8, as UTF-16 with a byte order mark, as GB18030 if it reads as Chinese, or as
 * Windows-1252. Undefined if it is not text.
 */
export function decodeStatement(bytes: Buffer): Decoded | undefined {
  const text = decodeText(bytes)
  if (text !== undefined) return { text, encoding: isUtf16(bytes) ? 'utf-16' : 'utf-8' }
  // Text contains no control characters except tabs, line ends, and the end mark of DOS programs.
  if (bytes.some((byte) => byte < 0x20 && ![0x09, 0x0a, 0x0d, 0x1a].includes(byte))) return undefined
  const chinese = decodeChinese(bytes)
  if (chinese !== undefined) return { text: chinese, encoding: 'gb18030' }
  return bytes.some((byte) => unassigned.has(byte))
    ? undefined
    : { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' }
}

/** Bytes that are unassigned in Windows-1252. */
const unassigned = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])

const isUtf16 = ([first, second]: Buffer): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

/**
 * GB18030 accepts most Western text too ("Müller" contains the bytes of a rare character), so most of the characters
 * must be in the part of the code that everyday Chinese uses.
 */
function decodeChinese(bytes: Buffer): string | undefined {
  let text: string
  try {
    text = new TextDecoder('gb18030', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
  const { common, other } = countCharacters(bytes)
  return common > other * 2 ? text : undefined
}

/** Counts punctuation and the 3,755 most frequent characters (GB 2312, level 1) on one side, all others on the other. */
function countCharacters(bytes: Buffer): { common: number; other: number } {
  const count = { common: 0, other: 0 }
  for (let at = 0; at < bytes.length; at += 1) {
    const [lead = 0, trail = 0] = [bytes[at], bytes[at + 1]]
    if (lead < 0x81) continue
    const isCommon = trail >= 0xa1 && ((lead >= 0xb0 && lead <= 0xd7) || (lead >= 0xa1 && lead <= 0xa3))
    count[isCommon ? 'common' : 'other'] += 1
    // Four-byte characters have a digit as their second byte.
    at += trail >= 0x30 && trail <= 0x39 ? 3 : 1
  }
  return count
}
