import { MIB } from '#contract/fields.ts'
import { cleanPicture } from './clean-picture.ts'

/*
 * Decodes untrusted pictures in a separate process, so that a hostile file can harm only this one. It exits when its memory has
 * grown, and the next picture gets a new process.
 */

const memoryMax = 700 * MIB

process.on('message', (bytes: Uint8Array) => {
  void cleanPicture(Buffer.from(bytes)).then(
    (picture) => answer({ picture }),
    () => answer({ picture: null }),
  )
})
process.on('disconnect', () => process.exit(0))

function answer(message: { picture: Buffer | null }): void {
  const isFull = process.memoryUsage.rss() > memoryMax
  process.send!({ ...message, isLast: isFull }, () => isFull && process.exit(0))
}
