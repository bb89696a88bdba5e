import { readReference, shownReference } from '../../platform/text/order-reference.ts'
import type { api } from '#contract/api.ts'
import {
  auditLog,
  programNames,
  type RecordEntry,
  type RecordFilters,
} from '#contract/console/console-audit-log.ts'
import { levelOf } from '#contract/people/level-of.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Page, PageOf } from '../../platform/db/read-page.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { CsvColumns } from '../../platform/http/csv-download.ts'
import type { Handler, MemberContext } from '../../platform/http/handler.ts'
import { isRecord } from '../../platform/is-record.ts'
import { sendFile, serveResource } from '../../platform/resource/serve-resource.ts'
import { findIdOfEmail, findIdOfReference, listEntries, type EntryRow, type Named } from './record.queries.ts'

const noRows: PageOf<EntryRow> = { rows: [], next: undefined }

async function readEntries({ db, caller }: MemberContext, filters: RecordFilters, page: Page) {
  const named = await readNames(db, caller, filters)
  return named ? listEntries(db, { readerId: caller.memberId, ...named }, filters, page) : noRows
}

export const { list: listRecord } = serveResource(auditLog, {
  read: readEntries,
  present: ({ caller }, rows) => rows.map((row) => presentEntry(row, caller)),
})

/** Undefined if the filters name someone or something that doesn't exist, or exclude one another. */
async function readNames(
  db: Tx,
  caller: Caller,
  { actor, subject, action, what }: RecordFilters,
): Promise<Named | undefined> {
  // Otherwise the query would scan all entries for a combination that can't exist.
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
 * Presents an entry. Every administrator can see who did what to which record. The outcome of orders and cases, and the
 * settings of the sale, are only for roles that can open these.
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
    seq: row.seq === null ? null : Number(row.seq),
    hash: row.hash?.toString('hex') ?? '',
  }
}

/** The API token is part of the actor's identity. */
const byWhich = ({ token, tokenEnd }: Record<string, unknown>) => (token ? { token, tokenEnd } : {})

/** Orders have the same name as on every other screen. */
const nameOf = ({ subject_kind, subject_name }: EntryRow): string =>
  subject_kind === 'order' && subject_name ? shownReference(subject_name) : (subject_name ?? '')

const columns: CsvColumns<RecordEntry> = [
  ['seq', ({ seq }) => String(seq ?? '')],
  ['at', ({ at }) => at],
  ['actor', ({ actor }) => actor?.id ?? ''],
  ['actorName', ({ actor }) => actor?.name ?? ''],
  ['action', ({ action }) => action],
  ['subjectKind', ({ subject }) => subject.kind],
  ['subject', ({ subject }) => subject.id ?? ''],
  ['subjectName', ({ subject }) => subject.name],
  ['detail', ({ detail }) => JSON.stringify(detail)],
  [
    'changes',
    ({ changes }) => changes.map(({ path, from, to }) => `${path}: ${from ?? ''} > ${to ?? ''}`).join('; '),
  ],
  ['hash', ({ hash }) => hash],
]

/**
 * Exports the log. It contains names of people in bulk, so it needs step-up authentication, and the log records the
 * filters.
 */
export const exportRecord: Handler<typeof api.exportRecord> = async ({ query }, context) => {
  const { db, caller, lifecycle } = context
  caller.requireStepUp()
  const lines = (_: MemberContext, rows: readonly EntryRow[]) => {
    if (lifecycle.isStopping) throw new Error('stopping')
    return rows.map((row) => presentEntry(row, caller))
  }
  const file = await sendFile(context, { name: 'record', columns, lines, limit: { perHour: 20 } }, (page) =>
    readEntries(context, query, page),
  )
  const { action, kind, what, from, to } = query
  const chosen = Object.entries({ action, kind, what, from, to }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  const record = (detail: Record<string, string | number>) =>
    recordAudit(db, {
      actorId: caller.memberId,
      action: 'record-exported',
      subjectKind: 'record',
      subjectId: null,
      detail,
    })
  const filters = Object.fromEntries(chosen)
  await record(filters)
  file.rows!.onEnd = (count) => record({ ...filters, count })
  return { ...file, fileName: 'audit-log.csv' }
}
