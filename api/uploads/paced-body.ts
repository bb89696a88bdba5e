import type { Readable } from 'node:stream'
import { MINUTE } from '#contract/durations.ts'
import { KIB } from '#contract/fields.ts'
import { Refused } from '../refused.ts'

/** So many bytes in so many milliseconds of waiting for them. */
type Pace = { bytes: number; within: number }

/** Slower than any telephone network, and long enough for a tunnel. */
const paceMin: Pace = { bytes: 128 * KIB, within: MINUTE }

/**
 * The bytes of a body for as long as they come at a pace. Only the time counts that the sender is waited for, not what we need
 * ourselves. `end` gives up waiting.
 */
export function pacedBody(body: Readable, pace = paceMin) {
  const pieces = body.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer, undefined>
  let reason: Error | undefined
  let giveUp: ((reason: Error) => void) | undefined
  let waited = 0
  let bytes = 0

  /** The rest is read and thrown away, so that a sender who does not listen meanwhile still gets the answer. */
  const discard = (): void =>
    void pieces.return?.().then(
      () => body.resume(),
      () => {},
    )
  const end = (why: Error): void => {
    if (reason) return
    reason = why
    giveUp?.(why)
    discard()
  }

  // One promise for each piece: what is raced against a promise of the whole body would be kept until its end.
  const next = () =>
    new Promise<IteratorResult<Buffer, undefined>>((resolve, reject) => {
      if (reason) return reject(reason)
      giveUp = reject
      let since = performance.now()
      let timer = setTimeout(judge, pace.within - waited)
      function judge() {
        if (bytes < pace.bytes) return end(new Refused('too_slow'))
        bytes = 0
        waited = 0
        since = performance.now()
        timer = setTimeout(judge, pace.within)
      }
      const settle = () => {
        clearTimeout(timer)
        waited += performance.now() - since
      }
      pieces.next().then(
        (piece) => {
          settle()
          bytes += piece.value?.length ?? 0
          resolve(piece)
        },
        (error: Error) => {
          settle()
          reject(error)
        },
      )
    })
  async function stop(): Promise<IteratorResult<Buffer, undefined>> {
    discard()
    return { done: true, value: undefined }
  }
  const iterable: AsyncIterable<Buffer> = { [Symbol.asyncIterator]: () => ({ next, return: stop }) }
  return { end, pieces: iterable }
}
