import { constants, inflateRawSync } from 'node:zlib'
import { MIB } from '#contract/fields.ts'

/** The maximum size of one decompressed stream, and of all together, in bytes. */
const inflatedMax = 64 * MIB
const allInflatedMax = 512 * MIB

/**
 * Decompresses all streams, by offset. PDF readers find objects by offset, even in comments or strings, so
 * every possible stream is checked. False if one can't be decompressed.
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
      // PDF readers continue if the checksum is wrong or missing.
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
