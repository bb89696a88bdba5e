import { MIB } from '#contract/fields.ts'
import { cleanPicture } from './clean-picture.ts'
import type { Answer } from './decode-apart.ts'

/*
 * Decodes untrusted pictures in a separate process, so that a hostile file can harm only this one. It exits when its memory has
 * grown, and the next picture gets a new process.
 */

const memoryMax = 700 * MIB

process.on('message', (bytes: Uint8Array) => {
  void cleanPicture(Buffer.from(bytes)).then(
    ({ data: bytes, info: { width, height } }) => answer({ bytes, width, height }),
    () => answer(null),
  )
})
process.on('disconnect', () => process.exit(0))

function answer(picture: Answer['picture']): void {
  const isFull = process.memoryUsage.rss() > memoryMax
  process.send!({ picture, isLast: isFull } satisfies Answer, () => isFull && process.exit(0))
}
