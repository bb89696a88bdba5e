import { MIB } from '#contract/fields.ts'
import { cleanPicture } from './clean-picture.ts'

/*
 * A process of its own for strangers' pictures: what a hostile file does to a decoder it does here. It leaves when its memory has
 * grown, and the next picture gets a new one.
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
