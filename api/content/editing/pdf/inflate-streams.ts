import { constants, inflateRawSync } from 'node:zlib'
import { MIB } from '#contract/fields.ts'

/** What one stream may become, and all of them together. */
const inflatedMax = 64 * MIB
const allInflatedMax = 512 * MIB

/**
 * The contents of all compressed streams, by where they begin. A reader's program finds objects by their places in the file,
 * be it within a comment or a string: so every stream is looked at that could be one. False where one cannot be.
 */
export function inflateStreams(
  bytes: Buffer,
  text: string,
  look: (start: number, content: string) => void,
): boolean {
  let inflated = 0
  for (const { index, 0: begin } of text.matchAll(/(?<!end)stream(\r\n|\n|\r)/g)) {
    const start = index + begin.length
    const isCompressed =
      (bytes[start] ?? 0) % 16 === 8 && bytes.readUInt16BE(Math.min(start, bytes.length - 2)) % 31 === 0
    if (!isCompressed) continue
    try {
      // Programs read on where the check at the end is wrong or the end is missing.
      const content = inflateRawSync(bytes.subarray(start + 2), {
        finishFlush: constants.Z_SYNC_FLUSH,
        maxOutputLength: inflatedMax,
        chunkSize: MIB / 4,
      })
      inflated += content.length
      if (inflated > allInflatedMax) return false
      look(start, content.toString('latin1'))
    } catch {
      return false
    }
  }
  return true
}
