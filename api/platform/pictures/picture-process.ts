import { MIB } from '#contract/platform/fields.ts'
import { cleanPicture } from './clean-picture.ts'
import type { Answer, Asked } from './decode-apart.ts'

/*
 * Decodes untrusted pictures in a separate process, so that a hostile file can harm only this one. It exits when its memory has
 * grown, and the next picture gets a new process.
 */

const memoryMax = 700 * MIB

let pieces: Uint8Array[] = []

process.on('message', ({ piece }: Asked) => {
  if (piece) {
    pieces.push(piece)
    return
  }
  const bytes = Buffer.concat(pieces)
  pieces = []
  void cleanPicture(bytes).then(
    ({ data, info: { width, height } }) => answer({ bytes: data, width, height }),
    () => answer(null),
  )
})
process.on('disconnect', () => process.exit(0))

function answer(picture: Answer['picture']): void {
  const isFull = process.memoryUsage.rss() > memoryMax
  process.send!({ picture, isLast: isFull } satisfies Answer, () => isFull && process.exit(0))
}
