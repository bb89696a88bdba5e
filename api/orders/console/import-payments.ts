import type { api } from '#contract/api.ts'
import { importLinesMax, importProblemsMax, type ImportPlan } from '#contract/import-payments.ts'
import { HOUR } from '#contract/durations.ts'
import type { StatementMapping } from '#contract/statements.ts'
import { recordAudit } from '../../audit/audit.queries.ts'
import { transaction, type Tx } from '../../db/database.ts'
import type { Handler, MemberContext } from '../../http/handler.ts'
import { requireWithinLimits } from '../../rate-limits/rate-limit.ts'
import { Refused, refusedField } from '../../refused.ts'
import { untilTransactionIsDecided } from '../claim-transaction.ts'
import { isRefusedByTransaction } from '../order.queries.ts'
import { camtMapping, readStatement, type Statement } from '../statements/read-statement.ts'
import { readLines, type ReadLines } from '../statements/read-lines.ts'
import {
  findLayout,
  lockImports,
  saveLayout,
  saveLine,
  withSavepoint,
} from '../statements/statement-line.queries.ts'
import { isOwnFormat, suggestMapping } from '../statements/suggest-mapping.ts'
import { changeOrder } from '../update-order.ts'
import { allowLongCommit } from './import.queries.ts'
import { planImport, presentLine, type OpenLine, type PlannedLine } from './plan-import.ts'

const perHourMax = 120

type Read = ReadLines & { statement: Statement; mapping: StatementMapping }
type Problem = ImportPlan['problems'][number]

/**
 * Shows what a statement would record, and records it once it was shown: each line in the way in which a person changes an order. What matches no
 * order, or cannot be recorded, is kept for somebody to resolve. Sent again it finds everything recorded and changes nothing.
 */
export const importOrderPayments: Handler<typeof api.importOrderPayments> = async ({ body }, context) => {
  const { db, keys, caller } = context
  await requireWithinLimits(db, keys, [
    { key: `import payments ${caller.memberId}`, max: perHourMax, window: HOUR },
  ])
  const statement = readStatement(Buffer.from(body.file, 'base64'), importLinesMax)
  if ('refused' in statement)
    return refusedPlan([{ line: 0, column: '', problem: statement.refused, value: '' }])
  const known = body.mapping ?? (await mappingOf(db, statement))
  const { amount, reference, txId, address } = known?.columns ?? {}
  const isComplete = amount !== undefined && [reference, txId, address].some((each) => each !== undefined)
  if (body.mapping && !isComplete) throw refusedField('mapping', 'required')
  if (!known || !isComplete)
    return {
      ...emptyPlan,
      ...described(statement),
      state: 'mapping',
      mapping: known ?? suggestMapping(statement.heading, statement.rows),
    }
  const read = { ...readLines(statement, known), statement, mapping: known }
  const { seen } = body
  if (seen === undefined) return showPlan(db, read, context)
  caller.requireStepUp()
  return untilTransactionIsDecided(() =>
    transaction(db, (db) => apply(db, read, new Map(seen.map((s) => [s.id, s.updatedAt])), context)),
  )
}

const mappingOf = async (db: Tx, { format, heading, rows, layout }: Statement) => {
  if (format === 'camt053') return camtMapping
  return isOwnFormat(heading) ? suggestMapping(heading, rows) : findLayout(db, layout)
}

const emptyPlan: ImportPlan = {
  state: 'refused',
  format: null,
  columns: [],
  mapping: null,
  ignored: 0,
  duplicates: 0,
  open: 0,
  problems: [],
  lines: [],
}
const refusedPlan = (problems: Problem[]): ImportPlan => ({ ...emptyPlan, problems })

const samplesMax = 3
const described = ({ format, heading, rows }: Statement): Pick<ImportPlan, 'format' | 'columns'> => ({
  format,
  columns: heading.map((name, index) => ({
    name: name.slice(0, 60),
    samples: rows.slice(0, samplesMax).map(({ cells }) => (cells[index] ?? '').slice(0, 60)),
  })),
})

async function showPlan(db: Tx, read: Read, context: MemberContext): Promise<ImportPlan> {
  const plan = await planImport(db, read.lines, false, context)
  return {
    ...emptyPlan,
    ...described(read.statement),
    state: 'checked',
    mapping: read.mapping,
    ignored: read.ignored,
    duplicates: plan.duplicates,
    open: plan.open.length + read.bad.length,
    problems: problemsOf(read, plan.problems),
    lines: plan.planned.map((line) => presentLine(line, false)),
  }
}

/** So many are enough to see what is wrong with a file; how many more there are is said. */
function problemsOf({ bad }: Read, found: readonly Problem[]): Problem[] {
  const problems = [...bad.map(({ problem }) => problem), ...found].toSorted((a, b) => a.line - b.line)
  if (problems.length <= importProblemsMax) return problems
  const rest = String(problems.length - importProblemsMax)
  return [...problems.slice(0, importProblemsMax), { line: 0, column: '', problem: 'more', value: rest }]
}

async function apply(
  db: Tx,
  read: Read,
  seen: ReadonlyMap<string, string>,
  context: MemberContext,
): Promise<ImportPlan> {
  await allowLongCommit(db)
  await lockImports(db)
  const plan = await planImport(db, read.lines, true, context)
  const isChanged = ({ order, effect }: PlannedLine) =>
    effect !== 'nothing' && seen.get(order.id) !== order.updated_at.toISOString()
  const answer = (state: ImportPlan['state'], failed: readonly OpenLine[] = []): ImportPlan => ({
    ...emptyPlan,
    ...described(read.statement),
    state,
    mapping: read.mapping,
    ignored: read.ignored,
    duplicates: plan.duplicates,
    open: plan.open.length + read.bad.length + failed.length,
    problems: problemsOf(read, [...plan.problems, ...failed.map(({ problem }) => problem)]),
    lines: plan.planned
      .filter(({ given }) => !failed.some(({ line }) => line === given))
      .map((line) => presentLine(line, state === 'changed' && isChanged(line))),
  })
  if (plan.planned.some(isChanged)) return answer('changed')
  const failed: OpenLine[] = []
  const by = context.caller.memberId
  for (const line of plan.planned) {
    const refused = line.effect === 'nothing' ? undefined : await applyLine(db, line, context)
    if (refused) failed.push({ line: line.given, problem: refused, orderId: line.order.id })
    else await saveLine(db, line.given, { state: 'applied', problem: '', orderId: line.order.id, by })
  }
  const bad = read.bad.map((each): OpenLine => ({ ...each, orderId: null }))
  for (const { line, problem, orderId } of [...plan.open, ...failed, ...bad])
    await saveLine(db, line, { state: 'open', problem: problem.problem, orderId, by })
  if (read.statement.format === 'csv' && !isOwnFormat(read.statement.heading))
    await saveLayout(db, read.statement.layout, read.mapping, by)
  const count = plan.planned.filter(({ effect }) => effect !== 'nothing').length - failed.length
  if (count > 0)
    await recordAudit(db, {
      actorId: by,
      action: 'order-payments-imported',
      subjectKind: 'order',
      subjectId: null,
      detail: { count },
    })
  return answer('applied', failed)
}

/** Why the order does not take the line, if it does not. */
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
