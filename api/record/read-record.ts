import { Readable } from 'node:stream'
import type { api } from '#contract/api.ts'
import { programNames, type RecordEntry, type RecordFilters } from '#contract/console-record.ts'
import { HOUR } from '#contract/durations.ts'
import { csvLine, csvStart } from '#contract/csv.ts'
import { levelOf } from '#contract/level-of.ts'
import { recordAudit } from '../audit/audit.queries.ts'
import type { Tx } from '../db/database.ts'
import { eachPage } from '../db/each-page.ts'
import type { PageOf } from '../db/read-page.ts'
import type { Caller } from '../http/caller.ts'
import type { Download, Handler } from '../http/handler.ts'
import { isRecord } from '../is-record.ts'
import { readReference, shownReference } from '../orders/present-order.ts'
import { requireWithinLimits } from '../rate-limits/rate-limit.ts'
import { findIdOfEmail, findIdOfReference, listEntries, type EntryRow, type Named } from './record.queries.ts'

const noRows: PageOf<EntryRow> = { rows: [], next: undefined }
const rowsAtOnce = 1000

export const listRecord: Handler<typeof api.listRecord> = async ({ query }, { db, caller, answer }) => {
  const { limit, after, ...filters } = query
  const named = await readNames(db, caller, filters)
  const { rows, next } = named
    ? await listEntries(db, caller.memberId, filters, named, { limit, after })
    : noRows
  answer.setNext(next)
  return rows.map((row) => presentEntry(row, caller))
}

/** Undefined where the filters name somebody or something that is not there, or exclude one another. */
async function readNames(
  db: Tx,
  caller: Caller,
  { actor, subject, action, what }: RecordFilters,
): Promise<Named | undefined> {
  // All entries would be looked through for what cannot be there.
  if (action && what && /-(listed|viewed)$/.test(action) !== (what === 'readings')) return undefined
  const actorId = actor === undefined ? undefined : await readActor(db, actor)
  const subjectId = subject === undefined ? undefined : await readSubject(db, caller, subject)
  const isFound = (asked: string | undefined, found: unknown) => !asked || found !== undefined
  return isFound(actor, actorId) && isFound(subject, subjectId)
    ? { ...(actor && { actorId }), ...(subject && { subjectId }) }
    : undefined
}

async function readActor(db: Tx, actor: string): Promise<string | null | undefined> {
  if (programNames.includes(actor.toLowerCase())) return null
  return actor.includes('@') ? (await findIdOfEmail(db, actor.toLowerCase()))?.id : actor
}

async function readSubject(db: Tx, caller: Caller, subject: string): Promise<string | undefined> {
  if (subject.includes('@')) return (await findIdOfEmail(db, subject.toLowerCase()))?.id
  const reference = readReference(subject)
  if (reference) return opens(caller, 'finance') ? (await findIdOfReference(db, reference))?.id : undefined
  return subject
}

const opens = ({ rights }: Caller, level: 'finance' | 'coins'): boolean => levelOf(rights, level) >= 1

/**
 * Who did what to which record is for every administrator. What became of an order or a case, and what settings of the sale were,
 * is for whose levels open these.
 */
function presentEntry(row: EntryRow, caller: Caller): RecordEntry {
  const isAboutMoney = ['order', 'kyc'].includes(row.subject_kind) && row.subject_id !== null
  const isOpen = !isAboutMoney || opens(caller, 'finance')
  return {
    id: row.id,
    at: row.at.toISOString(),
    actor: row.actor_id === null ? null : { id: row.actor_id, name: row.actor_name ?? '' },
    action: row.action,
    subject: { kind: row.subject_kind, id: row.subject_id, name: isOpen ? nameOf(row) : '' },
    detail: isRecord(row.detail) ? (isOpen ? row.detail : byWhich(row.detail)) : {},
    changes: opens(caller, 'coins') ? (row.changes ?? []) : [],
    seq: Number(row.seq),
    hash: row.hash?.toString('hex') ?? '',
  }
}

/** Which machine it was is part of who it was. */
const byWhich = ({ token, tokenEnd }: Record<string, unknown>) => (token ? { token, tokenEnd } : {})

/** An order is called as on every other screen. */
const nameOf = ({ subject_kind, subject_name }: EntryRow): string =>
  subject_kind === 'order' && subject_name ? shownReference(subject_name) : (subject_name ?? '')

const columns = [
  'seq',
  'at',
  'actor',
  'actorName',
  'action',
  'subjectKind',
  'subject',
  'subjectName',
  'detail',
  'changes',
  'hash',
]

/** Names of people in bulk: asked for with a fresh proof, and written down with what was chosen. */
export const exportRecord: Handler<typeof api.exportRecord> = async (
  { query },
  { db, keys, caller, lifecycle },
) => {
  caller.requireStepUp()
  await requireWithinLimits(db, keys, [{ key: `record-export ${caller.memberId}`, max: 20, window: HOUR }])
  const named = await readNames(db, caller, query)
  const { action, kind, what, from, to } = query
  const chosen = Object.entries({ action, kind, what, from, to }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  await recordAudit(db, {
    actorId: caller.memberId,
    action: 'record-exported',
    subjectKind: 'record',
    subjectId: null,
    detail: Object.fromEntries(chosen),
  })
  async function* lines() {
    yield csvStart + csvLine(columns)
    if (!named) return
    const entries = eachPage((after) =>
      listEntries(db, caller.memberId, query, named, { limit: rowsAtOnce, after }),
    )
    for await (const row of entries) {
      if (lifecycle.isStopping) throw new Error('stopping')
      const { at, actor, action, subject, detail, changes, seq, hash } = presentEntry(row, caller)
      yield csvLine([
        String(seq),
        at,
        actor?.id ?? '',
        actor?.name ?? '',
        action,
        subject.kind,
        subject.id ?? '',
        subject.name,
        JSON.stringify(detail),
        changes.map(({ path, from, to }) => `${path}: ${from ?? ''} > ${to ?? ''}`).join('; '),
        hash,
      ])
    }
  }
  const stream = Readable.from(lines())
  return { contentType: 'text/csv; charset=utf-8', fileName: 'audit-log.csv', stream } satisfies Download
}
