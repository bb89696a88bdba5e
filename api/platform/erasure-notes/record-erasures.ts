import { MINUTE } from '#contract/platform/durations.ts'
import type { FileStore } from '../files/file-store.ts'
import type { StartWorker } from '../module.ts'
import type { Services } from '../services.ts'
import { erasureKinds, recordNextErasure, type Erasure, type ErasureKind } from './erasure-note.queries.ts'

const folder = (kind: ErasureKind): string => `erased/${kind}`

/** Writes one small file per erasure, so that any number of instances can write and no file ever changes. */
const writeErasureRecord = (files: FileStore, { kind, id, at }: Erasure): Promise<void> =>
  files.put(`${folder(kind)}/${id}`, Buffer.from(at.toISOString()))

/** Lists the IDs of everything that was ever recorded as erased. */
export async function listNotes(files: FileStore): Promise<Record<ErasureKind, string[]>> {
  const lists = await Promise.all(
    erasureKinds.map(async (kind) => {
      const keys = await files.list(folder(kind))
      return [kind, keys.map((key) => key.slice(folder(kind).length + 1))] as const
    }),
  )
  return Object.fromEntries(lists) as Record<ErasureKind, string[]>
}

export async function readNote(files: FileStore, kind: ErasureKind, id: string): Promise<Erasure> {
  const text = await files.get(`${folder(kind)}/${id}`)
  const at = new Date(String(text))
  // A truncated file still proves the erasure.
  return { kind, id, at: Number.isNaN(at.getTime()) ? new Date() : at }
}

/** Records pending erasures. After a crash or an outage of the store, the next round records the rest. */
export async function recordErasures({ db, files, lifecycle, maintenance }: Services): Promise<void> {
  while (
    !lifecycle.isStopping &&
    !(await maintenance.check()) &&
    (await recordNextErasure(db, (erasure) => writeErasureRecord(files, erasure)))
  )
    continue
}

/** Starts the worker that records erasures as soon as they are committed, and retries each minute. */
export const startRecordingErasures: StartWorker = (services) => {
  let round: Promise<void> | undefined
  let isWoken = false
  const wake = (): void => {
    isWoken = true
    round ??= (async () => {
      while (isWoken) {
        isWoken = false
        await recordErasures(services)
      }
    })()
      .catch((error: unknown) =>
        services.log.warn({ code: (error as { code?: string }).code }, 'erasures are not recorded yet'),
      )
      .finally(() => (round = undefined))
  }
  const timer = setInterval(wake, MINUTE)
  wake()
  return {
    topic: 'erasures',
    wake,
    async stop() {
      clearInterval(timer)
      await round
    },
  }
}
