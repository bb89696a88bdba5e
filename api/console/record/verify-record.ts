import { sign } from 'node:crypto'
import type { api } from '#contract/api.ts'
import type { Verification } from '#contract/console/console-audit-log.ts'
import { HOUR, SECOND } from '#contract/platform/durations.ts'
import { getSigningKey } from '../../publishing/announcements/signatures/signing-key.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { sealAudit } from '../../platform/audit/seal-audit.ts'
import { verifyAudit } from '../../platform/audit/verify-audit.ts'
import { transaction } from '../../platform/db/database.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import { Refused } from '../../platform/refused.ts'
import type { Services } from '../../platform/services.ts'
import {
  beginCheck,
  findHead,
  findLastCheck,
  findLastIntact,
  finishCheck,
  touchCheck,
  type CheckRow,
} from './verification.queries.ts'

const reportEvery = SECOND

/** Verifications running in this process; shutdown doesn't wait for them. */
const running = new Set<Promise<void>>()
export const whenVerified = (): Promise<unknown> => Promise.all(running)

/** Starts a verification without waiting for its end: a million entries take longer than a request may. */
export const verifyRecord: Handler<typeof api.verifyRecord> = async (_, context) => {
  const { db, keys, caller } = context
  await requireWithinLimits(db, keys, [{ key: `verify-record ${caller.memberId}`, max: 30, window: HOUR }])
  const id = await transaction(db, async (db) => {
    const id = await beginCheck(db, caller.memberId)
    if (id !== undefined)
      await recordAudit(db, {
        actorId: caller.memberId,
        action: 'record-verified',
        subjectKind: 'record',
        subjectId: null,
      })
    return id
  })
  if (id !== undefined) {
    await sealAudit(db)
    const total = await findHead(db)
    await touchCheck(db, id, { total })
    const work = verify(context, id, total).finally(() => running.delete(work))
    running.add(work)
  }
  return present((await findLastCheck(db))!)
}

class Interrupted extends Error {}

async function verify({ db, log, lifecycle }: Services, id: string, total: number): Promise<void> {
  try {
    const known = (await findLastIntact(db))?.head?.toString('hex') || undefined
    let reported = performance.now()
    const onSlice = async (checked: number) => {
      if (lifecycle.isStopping) throw new Interrupted()
      if (performance.now() - reported < reportEvery) return
      reported = performance.now()
      if (!(await touchCheck(db, id, { checked }))) throw new Interrupted()
    }
    const { entries, head, brokenAt, hasKnown } = await verifyAudit(db, known, { upTo: total, onSlice })
    const broken = brokenAt ?? (hasKnown === false ? { seq: entries, why: 'cut' } : null)
    await finishCheck(db, id, {
      checked: entries,
      head: Buffer.from(head, 'hex'),
      broken_seq: broken?.seq ?? null,
      broken_why: broken?.why ?? null,
    })
    if (broken) log.error({ count: entries }, 'the audit log hash chain is broken')
  } catch (error) {
    log.warn({ name: error instanceof Error ? error.name : 'unknown' }, 'a verification was interrupted')
    await finishCheck(db, id, {}).catch(() => {})
  }
}

export const getVerification: Handler<typeof api.getVerification> = async (_, { db }) => {
  const row = await findLastCheck(db)
  return { last: row ? present(row) : null }
}

function present(row: CheckRow): Verification {
  const isRunning = row.finished_at === null && !row.is_silent
  const { head, broken_seq, broken_why } = row
  const broken =
    broken_seq === null
      ? null
      : { seq: Number(broken_seq), why: broken_why as NonNullable<Verification['broken']>['why'] }
  const ended = broken ? 'broken' : head === null ? 'stopped' : 'intact'
  return {
    state: isRunning ? 'running' : ended,
    startedAt: row.started_at.toISOString(),
    by: row.by_name ?? '',
    finishedAt: row.finished_at?.toISOString() ?? null,
    total: Number(row.total),
    checked: Number(row.checked),
    head: head?.toString('hex') ?? null,
    broken,
  }
}

/** `kind` distinguishes it from other documents signed with the key: no post has such a member. */
export const exportRecordHead: Handler<typeof api.exportRecordHead> = async (
  _,
  { db, keys, config, caller },
) => {
  const last = await findLastIntact(db)
  if (!last?.finished_at) throw new Refused('not_found')
  const document = JSON.stringify({
    kind: 'audit-log-head',
    site: config.publicUrl.origin,
    verifiedAt: last.finished_at.toISOString(),
    entries: Number(last.checked),
    head: last.head!.toString('hex'),
  })
  return transaction(db, async (db) => {
    const key = await getSigningKey(db, keys)
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'record-head-exported',
      subjectKind: 'record',
      subjectId: null,
      detail: { entries: Number(last.checked) },
    })
    const signature = sign(null, Buffer.from(document, 'utf8'), key.privateKey).toString('base64')
    return { document, signature, keyId: key.id }
  })
}
