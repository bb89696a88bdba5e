import { eraseApplication } from './people/ambassadors/applications/erase-applications.ts'
import { recordAudit } from './platform/audit/audit.queries.ts'
import { transaction, type Tx } from './platform/db/database.ts'
import {
  erasureKinds,
  deletePendingErasure,
  isRestored,
  listRevived,
  claimRestored,
  type Erasure,
  type ErasureKind,
} from './platform/erasure-notes/erasure-note.queries.ts'
import { listNotes, readNote } from './platform/erasure-notes/record-erasures.ts'
import { StoreFailed } from './platform/files/store-failed.ts'
import type { Keys } from './platform/keys.ts'
import { destroyForApplicant, destroyRevivedPhotos } from './people/kyc/kyc-erasure.queries.ts'
import { lockKyc } from './people/kyc/kyc.queries.ts'
import { getMemberById, updateMemberRow } from './people/members/member.queries.ts'
import { endSubscription } from './publishing/newsletter/unsubscribe.ts'
import type { Module } from './platform/module.ts'
import type { Services } from './platform/services.ts'
import { StartRefused } from './platform/start-refused.ts'
import { eraseData } from './people/privacy/erase-data.ts'

/**
 * Repeats, after a restore and before any request is served, the erasures since the dump was taken. All or nothing, so
 * that an interrupted start repeats it.
 */
export async function repeatErasures(
  { db, files, keys }: Pick<Services, 'db' | 'files' | 'keys'>,
  modules: readonly Module[],
): Promise<void> {
  if (!(await isRestored(db))) return
  const revived = await listAllRevived(db, files)
  await transaction(db, async (db) => {
    if (!(await claimRestored(db))) return
    for (const erasure of revived) {
      await repeat[erasure.kind](db, keys, erasure, modules)
      // The records exist already, with the times of the first erasures.
      await deletePendingErasure(db, erasure.id)
    }
  })
}

async function listAllRevived(db: Tx, files: Services['files']): Promise<Erasure[]> {
  try {
    const notes = await listNotes(files)
    const revived: Erasure[] = []
    for (const kind of erasureKinds)
      for (const id of await listRevived(db, kind, notes[kind])) revived.push(await readNote(files, kind, id))
    return revived
  } catch (error) {
    if (!(error instanceof StoreFailed)) throw error
    throw new StartRefused(
      'The file storage couldn’t be listed, which is needed after a restore or upgrade to repeat erasures. Fix it (a bucket must allow listing) and start again.',
      { cause: error },
    )
  }
}

type Repeat = (db: Tx, keys: Keys, erasure: Erasure, modules: readonly Module[]) => Promise<unknown>

const repeat: Readonly<Record<ErasureKind, Repeat>> = {
  async member(db, keys, { id, at }, modules) {
    await eraseData(db, modules, await getMemberById(db, id), { keys, isRepeated: true })
    // Retained data is kept for the legal period from the first erasure.
    await updateMemberRow(db, id, { erased_at: at })
    await recordAudit(db, { actorId: null, action: 'member-erased', subjectKind: 'member', subjectId: id })
  },
  async application(db, keys, { id }) {
    const row = await lockKyc(db, id)
    if (row) await destroyForApplicant(db, keys, row)
  },
  // Together with the invitation that was erased at the same time.
  ambassador: (db, _keys, { id }) => eraseApplication(db, id),
  // The recorded ID ends with the time of the end.
  subscription: (db, _keys, { id }) => endSubscription(db, id.replace(/-\d+$/, ''), 'left'),
  photos: (db, _keys, { id, at }) => destroyRevivedPhotos(db, id, at),
}
