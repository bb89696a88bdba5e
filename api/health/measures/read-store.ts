import { statfs } from 'node:fs/promises'
import { MINUTE, SECOND } from '#contract/platform/durations.ts'
import { tryStore } from '../check-storage.ts'
import type { Services } from '../../platform/services.ts'

export type StoreMeasures = {
  /** Whether a probe file could be written, read, listed, and removed. */
  isUp: boolean
  /** The disk of the data directory, in bytes; undefined if the directory is unavailable. */
  disk: { free: number; size: number } | undefined
}

/** Each probe makes several requests to a bucket, so its result is reused for a while. */
const probeEvery = MINUTE
/** A store that answers later is useless. */
const probeTimeMax = 10 * SECOND
/** Prometheus waits no longer than for the database. */
const answerTimeMax = 2 * SECOND

/** The metrics of the file store, probed at most once a minute. Undefined until the first probe has ended. */
export function makeStoreReader({
  files,
  config,
}: Pick<Services, 'files' | 'config'>): () => Promise<StoreMeasures | undefined> {
  let last: StoreMeasures | undefined
  let probedAt = -Infinity
  let probing: Promise<void> | undefined

  const probe = async () => {
    const [isUp, disk] = await Promise.all([
      within(probeTimeMax, tryStore(files)).then(
        (fault) => fault === undefined,
        () => false,
      ),
      within(probeTimeMax, statfs(config.dataDir)).then(
        ({ bavail, blocks, bsize }) => ({ free: bavail * bsize, size: blocks * bsize }),
        () => undefined,
      ),
    ])
    last = { isUp, disk }
  }
  return async () => {
    if (!probing && performance.now() - probedAt >= probeEvery) {
      probedAt = performance.now()
      probing = probe().finally(() => (probing = undefined))
    }
    if (probing) await within(answerTimeMax, probing).catch(() => {})
    return last
  }
}

async function within<T>(time: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('late')), time)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
