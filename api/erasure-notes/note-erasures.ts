import { MINUTE } from '#contract/durations.ts'
import type { FileStore } from '../files/file-store.ts'
import type { StartWorker } from '../module.ts'
import type { Services } from '../services.ts'
import { erasureKinds, noteNext, type Erasure, type ErasureKind } from './erasure-note.queries.ts'

const folder = (kind: ErasureKind): string => `erased/${kind}`

/** One small file for each erasure: any number of instances write, and none ever has to be changed. */
const writeNote = (files: FileStore, { kind, id, at }: Erasure): Promise<void> =>
  files.put(`${folder(kind)}/${id}`, Buffer.from(at.toISOString()))

/** The ids of everything that was ever noted. */
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
  // A file that was cut short says at least that it happened.
  return { kind, id, at: Number.isNaN(at.getTime()) ? new Date() : at }
}

/** What a crash or an outage of the store leaves is noted in the next round. */
export async function noteErasures({ db, files, lifecycle }: Services): Promise<void> {
  while (!lifecycle.isStopping && (await noteNext(db, (erasure) => writeNote(files, erasure)))) continue
}

/** As soon as they are committed, and each minute where that failed. */
export const startNoting: StartWorker = (services) => {
  let round: Promise<void> | undefined
  let isWoken = false
  const wake = (): void => {
    isWoken = true
    round ??= (async () => {
      while (isWoken) {
        isWoken = false
        await noteErasures(services)
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
