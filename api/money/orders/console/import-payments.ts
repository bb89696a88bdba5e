import { createHash } from 'node:crypto'
import type { api } from '#contract/api.ts'
import {
  importLinesMax,
  importProblemsMax,
  type ImportEffect,
  type ImportPlan,
} from '#contract/money/import-payments.ts'
import { HOUR } from '#contract/platform/durations.ts'
import type { StatementMapping } from '#contract/money/statements.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import { transaction, type Tx } from '../../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../../platform/http/handler.ts'
import { requireWithinLimits } from '../../../platform/rate-limits/rate-limit.ts'
import { Refused, refusedField } from '../../../platform/refused.ts'
import { retryUntilTransactionDecided } from '../claim-transaction.ts'
import { isRefusedByTransaction } from '../order-transaction.queries.ts'
import { camtMapping, readStatement, type Statement } from '../statements/read-statement.ts'
import { findReturned, isReturn } from '../statements/find-returned.ts'
import { findLookalikes } from '../statements/known-payments.ts'
import { withoutReread } from '../statements/match-orders.ts'
import { readLines, type BadLine, type ImportLine, type ReadLines } from '../statements/read-lines.ts'
import {
  listIdsByReference,
  findLayout,
  listKnown,
  lockImports,
  saveLayout,
  saveLine,
  withSavepoint,
  type Outcome,
} from '../statements/statement-line.queries.ts'
import { isOwnFormat, ownMapping, suggestMapping } from '../statements/suggest-mapping.ts'
import { changeOrder } from '../update-order.ts'
import { allowLongCommit } from './import.queries.ts'
import { planImport, presentLine, type OpenLine, type PlannedLine } from './plan-import.ts'

const perHourMax = 120

type Mapped = Pick<ImportPlan, 'mappedBy'> & { mapping: StatementMapping; mapperId: string | null }
type Read = ReadLines & Mapped & { statement: Statement; preview: string }
type Problem = ImportPlan['problems'][number]

/**
 * Previews what a statement would record, and records it after the preview. Each line follows the same rules as an
 * officer's change. Lines that match no order or can't be recorded are kept for someone to resolve. A second import of
 * the same file changes nothing.
 */
export const importOrderPayments: Handler<typeof api.importOrderPayments> = async ({ body }, context) => {
  const { db, keys, caller } = context
  await requireWithinLimits(db, keys, [
    { key: `import payments ${caller.memberId}`, max: perHourMax, window: HOUR },
  ])
  const statement = readStatement(Buffer.from(body.file, 'base64'), importLinesMax)
  if ('refused' in statement)
    return refusedPlan([{ line: 0, column: '', problem: statement.refused, value: '' }])
  const known = await findMapping(db, statement, body.mapping)
  if (!known || !isComplete(known.mapping, statement)) {
    if (body.mapping) throw refusedField('mapping', 'required')
    const mapping = known?.mapping ?? suggestMapping(statement.heading, statement.rows)
    return { ...emptyPlan, ...described(statement), state: 'mapping', mapping }
  }
  const read = {
    ...readLines(statement, known.mapping),
    ...known,
    statement,
    preview: previewOf(statement, known),
  }
  const { seen, preview } = body
  if (seen === undefined) return showPlan(db, read, context)
  // Otherwise, a colleague could store another mapping after the preview and thereby determine what this officer
  // records.
  if (preview === undefined && known.mapperId !== null) throw refusedField('preview', 'required')
  caller.requireStepUp()
  const shown = { lines: new Map(seen.map((line) => [line.id, line])), preview }
  return retryUntilTransactionDecided(() => transaction(db, (db) => apply(db, read, shown, context)))
}

/** What the officer saw in the preview. */
type Shown = {
  lines: ReadonlyMap<string, { updatedAt: string; effect?: ImportEffect | undefined }>
  preview: string | undefined
}

async function findMapping(
  db: Tx,
  { format, heading, layout }: Statement,
  given: StatementMapping | undefined,
): Promise<Mapped | undefined> {
  // The CAMT.053 standard defines its fields, so no mapping is needed.
  if (format === 'camt053') return mappedByNobody(camtMapping)
  if (given) return mappedByNobody(given)
  return isOwnFormat(heading) ? mappedByNobody(ownMapping(heading)) : findLayout(db, layout)
}

/** Identifies everything that determines the result of the import, except the orders. */
const previewOf = ({ file }: Statement, { mapping, mapperId }: Mapped): string =>
  createHash('sha256')
    .update(JSON.stringify([file, mapping, mapperId]))
    .digest('hex')

/** A mapping that no colleague stored. */
const mappedByNobody = (mapping: StatementMapping): Mapped => ({ mapping, mappedBy: null, mapperId: null })

/**
 * Whether the mapping has all required columns. Only our own format, which finance writes for its orders, may omit the
 * currency.
 */
function isComplete({ columns, currency }: StatementMapping, { heading }: Statement): boolean {
  const { amount, reference, txId, address } = columns
  const hasCurrency = columns.currency !== undefined || (currency ?? '') !== '' || isOwnFormat(heading)
  return amount !== undefined && hasCurrency && [reference, txId, address].some((each) => each !== undefined)
}

const emptyPlan: ImportPlan = {
  state: 'refused',
  preview: '',
  format: null,
  encoding: null,
  columns: [],
  mapping: null,
  mappedBy: null,
  ignored: 0,
  pending: 0,
  kept: 0,
  duplicates: 0,
  open: 0,
  problems: [],
  lines: [],
}
const refusedPlan = (problems: Problem[]): ImportPlan => ({ ...emptyPlan, problems })

const samplesMax = 3
const described = ({
  format,
  encoding,
  heading,
  rows,
  pending,
}: Statement): Pick<ImportPlan, 'format' | 'encoding' | 'columns' | 'pending'> => ({
  format,
  encoding,
  pending,
  columns: heading.map((name, index) => ({
    name: name.slice(0, 60),
    samples: rows.slice(0, samplesMax).map(({ cells }) => (cells[index] ?? '').slice(0, 60)),
  })),
})

async function showPlan(db: Tx, read: Read, context: MemberContext): Promise<ImportPlan> {
  const { plan, bad, outgoing, ...counts } = await planAll(db, read, false, context)
  return {
    ...emptyPlan,
    ...described(read.statement),
    state: 'checked',
    preview: read.preview,
    mapping: read.mapping,
    mappedBy: read.mappedBy,
    ...counts,
    kept: outgoing.length,
    open: plan.open.length + bad.length,
    problems: problemsOf(bad, plan.problems),
    lines: plan.planned.map((line) => presentLine(line, false)),
  }
}

/** Plans what the lines would do, and lists the lines that someone has to resolve regardless of the orders' state. */
async function planAll(db: Tx, given: Read, isLocking: boolean, context: MemberContext) {
  const { read, reread } = await withoutReread(db, await findLookalikes(db, given, given.statement.file))
  const found = await findReturned(db, read)
  const bad = await listUnresolved(db, found.bad)
  const plan = await planImport(db, read.lines, isLocking, {
    ...context,
    mapperId: given.mapperId,
    returned: bad
      .filter(isReturn)
      .flatMap(({ orderId, otherOrderIds = [] }) => [orderId ?? [], otherOrderIds].flat()),
  })
  return {
    plan,
    bad,
    outgoing: [
      ...(await listUnresolved(
        db,
        found.kept.map((line) => ({ line, problem: 'outgoing', orderId: null })),
      )),
      ...found.refunds.map((each) => ({ ...each, problem: 'refund' })),
    ],
    ignored: read.ignored - (found.bad.length - read.bad.length),
    duplicates: plan.duplicates + found.bad.length - bad.length + reread,
  }
}

/** Lists lines, except those that someone resolved after an earlier import. */
async function listUnresolved<T extends Pick<BadLine, 'line'>>(db: Tx, bad: readonly T[]): Promise<T[]> {
  const known = await listKnown(
    db,
    bad.map(({ line }) => line.fingerprint),
  )
  const resolved = new Set(
    known.filter(({ state }) => state !== 'open').map(({ fingerprint }) => fingerprint),
  )
  return bad.filter(({ line }) => !resolved.has(line.fingerprint))
}

/** Returns the first problems, which are enough to see what is wrong with a file; the response also has the total. */
function problemsOf(bad: ReadLines['bad'], found: readonly Problem[]): Problem[] {
  const problems = [...bad.map(({ problem }) => problem), ...found].toSorted((a, b) => a.line - b.line)
  if (problems.length <= importProblemsMax) return problems
  const rest = String(problems.length - importProblemsMax)
  return [...problems.slice(0, importProblemsMax), { line: 0, column: '', problem: 'more', value: rest }]
}

/**
 * Compares the import with its preview: whether it reads different data, and which lines would have a different effect.
 */
function compare({ preview }: Read, shown: Shown) {
  const isOther = shown.preview !== undefined && shown.preview !== preview
  const isChanged = ({ order, effect }: PlannedLine): boolean => {
    if (isOther || effect === 'nothing') return false
    const line = shown.lines.get(order.id)
    return line?.updatedAt !== order.updated_at.toISOString() || (line.effect ?? effect) !== effect
  }
  return { isOther, isChanged }
}

/**
 * Lists the lines that the preview would have recorded, but that now stay open because their orders have changed: the
 * import would do something else than its preview showed.
 */
function listStopped(
  { planned, open, orders }: Awaited<ReturnType<typeof planImport>>,
  { lines }: Shown,
): PlannedLine[] {
  const recorded = new Set(planned.map(({ order }) => order.id))
  const stopped = new Map<string, PlannedLine>()
  for (const { line, orderId } of open) {
    const order = orders.get(orderId ?? '')
    const shown = order && lines.get(order.id)
    if (!shown || recorded.has(order.id) || stopped.has(order.id)) continue
    const isUnchanged = shown.updatedAt === order.updated_at.toISOString()
    if (shown.effect === undefined ? isUnchanged : shown.effect === 'nothing') continue
    stopped.set(order.id, { given: line, order, effect: 'nothing', held: null, wasRecorded: false })
  }
  return [...stopped.values()]
}

async function apply(db: Tx, read: Read, shown: Shown, context: MemberContext): Promise<ImportPlan> {
  await allowLongCommit(db)
  await lockImports(db)
  const { plan, bad, outgoing, ...counts } = await planAll(db, read, true, context)
  const { isOther, isChanged } = compare(read, shown)
  const stopped = isOther ? [] : listStopped(plan, shown)
  const answer = (state: ImportPlan['state'], failed: readonly OpenLine[] = []): ImportPlan => ({
    ...emptyPlan,
    ...described(read.statement),
    state,
    preview: read.preview,
    mapping: read.mapping,
    mappedBy: read.mappedBy,
    ...counts,
    kept: outgoing.length,
    open: plan.open.length + bad.length + failed.length,
    problems: problemsOf(bad, [...plan.problems, ...failed.map(({ problem }) => problem)]),
    lines: [
      ...plan.planned
        .filter(({ given }) => !failed.some(({ line }) => line === given))
        .map((line) => presentLine(line, state === 'changed' && isChanged(line))),
      ...stopped.map((line) => presentLine(line, true)),
    ],
  })
  if (isOther || stopped.length > 0 || plan.planned.some(isChanged)) return answer('changed')
  const by = context.caller.memberId
  const saved = { by, mappedBy: read.mapperId ?? by, file: read.statement.file }
  const failed = await applyLines(db, plan.planned, saved, context)
  const unread = bad.map((each): OpenLine => ({ orderId: null, ...each }))
  const recorded = new Set(plan.planned.filter((each) => each.wasRecorded).map(({ given }) => given))
  const open = [...plan.open, ...failed, ...unread].filter(({ line }) => !recorded.has(line))
  await saveOpen(db, open, outgoing, saved)
  const isMapped = await saveMapping(db, read, by)
  const count = plan.planned.filter(({ effect }) => effect !== 'nothing').length - failed.length
  if (count > 0 || open.length > 0 || outgoing.length > 0 || isMapped)
    await recordAudit(db, {
      actorId: by,
      action: 'order-payments-imported',
      subjectKind: 'order',
      subjectId: null,
      detail: { count, ...(open.length > 0 && { open: open.length }), ...(isMapped && { isMapped }) },
    })
  return answer('applied', failed)
}

/** A debit that needs no decision but is stored, because later imports and orders must take it into account. */
type Outgoing = Pick<Outcome, 'orderId' | 'problem'> & { line: ImportLine }

async function saveOpen(
  db: Tx,
  open: readonly OpenLine[],
  outgoing: readonly Outgoing[],
  saved: Pick<Outcome, 'by' | 'mappedBy' | 'file'>,
): Promise<void> {
  const mentioned = await listIdsByReference(
    db,
    open.flatMap(({ line }) => line.mentioned),
  )
  for (const { problem, ...each } of open) {
    const named = each.line.mentioned.flatMap((reference) => mentioned.get(reference) ?? [])
    const otherOrderIds = [...new Set([...(each.otherOrderIds ?? []), ...named])].filter(
      (id) => id !== each.orderId,
    )
    await saveLine(db, each.line, {
      ...each,
      otherOrderIds,
      state: 'open',
      problem: problem.problem,
      ...saved,
    })
  }
  for (const { line, ...each } of outgoing)
    await saveLine(db, line, { state: each.problem === 'refund' ? 'applied' : 'open', ...each, ...saved })
}

/** Stores a mapping that the officer sent. Returns whether it is new. */
const saveMapping = async (db: Tx, { statement, mapping, mapperId }: Read, by: string): Promise<boolean> =>
  statement.format === 'csv' &&
  mapperId === null &&
  !isOwnFormat(statement.heading) &&
  (await saveLayout(db, statement.layout, mapping, by))

/** Applies the lines to their orders. Returns those that an order doesn't accept. */
async function applyLines(
  db: Tx,
  planned: readonly PlannedLine[],
  saved: Pick<Outcome, 'by' | 'mappedBy' | 'file'>,
  context: MemberContext,
): Promise<OpenLine[]> {
  const failed: OpenLine[] = []
  for (const line of planned) {
    const refused = line.effect === 'nothing' ? undefined : await applyLine(db, line, context)
    if (refused) failed.push({ line: line.given, problem: refused, orderId: line.order.id })
    else if (!line.wasRecorded)
      await saveLine(db, line.given, { state: 'applied', problem: '', orderId: line.order.id, ...saved })
  }
  return failed
}

/** Applies a line to its order. Returns the problem if the order does not accept it. */
async function applyLine(
  db: Tx,
  { given, order, effect }: PlannedLine,
  context: MemberContext,
): Promise<Problem | undefined> {
  try {
    await withSavepoint(db, () =>
      changeOrder(
        db,
        order,
        {
          ...(given.txId !== '' && { txId: given.txId }),
          paidAmount: given.amount,
          ...(given.date && { paidAt: given.date.toISOString() }),
          ...(effect !== 'records' && { status: 'completed' as const }),
        },
        { ...context, hasEvidence: true },
      ),
    )
    return undefined
  } catch (error) {
    const at = { line: given.line, column: '' }
    if (isRefusedByTransaction(error)) return { ...at, column: 'txId', problem: 'tx_used', value: given.txId }
    if (!(error instanceof Refused)) throw error
    const [field] = error.fields
    return { ...at, column: field?.path ?? '', problem: 'refused', value: field?.code ?? error.code }
  }
}
