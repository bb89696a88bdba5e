import type { Readable } from 'node:stream'
import { MINUTE } from '#contract/durations.ts'
import { KIB } from '#contract/fields.ts'
import { Refused } from '../refused.ts'

/** At least this many bytes within this many milliseconds of waiting for them. */
type Pace = { bytes: number; within: number }

/** Slower than any phone network, and long enough for a tunnel. */
const paceMin: Pace = { bytes: 128 * KIB, within: MINUTE }

/**
 * Reads a body as long as it arrives at the given pace. Only the time spent waiting for the sender counts, not our own
 * processing. `end` stops waiting.
 */
export function pacedBody(body: Readable, pace = paceMin) {
  const pieces = body.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer, undefined>
  let reason: Error | undefined
  let giveUp: ((reason: Error) => void) | undefined
  let waited = 0
  let bytes = 0

  /** Reads and discards the rest, so that a sender that doesn't listen meanwhile still gets the response. */
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

  // Creates one promise per piece: racing against a single promise for the whole body would keep everything until its
  // end.
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
