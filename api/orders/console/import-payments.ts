import type { api } from '#contract/api.ts'
import { importProblemsMax, type ImportPlan } from '#contract/console-orders.ts'
import { HOUR } from '#contract/durations.ts'
import { recordAudit } from '../../audit/audit.queries.ts'
import { transaction, type Tx } from '../../db/database.ts'
import type { Handler, MemberContext } from '../../http/handler.ts'
import { requireWithinLimits } from '../../rate-limits/rate-limit.ts'
import { Refused } from '../../refused.ts'
import { untilTransactionIsDecided } from '../claim-transaction.ts'
import { changeOrder } from '../update-order.ts'
import { allowLongCommit } from './import.queries.ts'
import { planImport, presentLine, type PlannedLine } from './plan-import.ts'
import { readImport, type ImportLine } from './read-import.ts'

const perHourMax = 120

/** Ends the transaction, so that of several lines none is done if one cannot be. */
class LineRefused extends Error {
  readonly problem: ImportPlan['problems'][number]

  constructor({ given }: PlannedLine, refused: Refused) {
    super(refused.code)
    const [field] = refused.fields
    this.problem = {
      line: given.line,
      column: field?.path ?? '',
      problem: 'refused',
      value: field?.code ?? refused.code,
    }
  }
}

/**
 * Shows what the file does, and does it once it was shown: all lines in one transaction, each in the way in which a person
 * changes an order. Sent again it finds everything done and changes nothing.
 */
export const importOrderPayments: Handler<typeof api.importOrderPayments> = async ({ body }, context) => {
  const { keys, caller } = context
  caller.requireStepUp()
  await requireWithinLimits(context.db, keys, [
    { key: `import payments ${caller.memberId}`, max: perHourMax, window: HOUR },
  ])
  const { lines, problems } = readImport(Buffer.from(body.file, 'base64'))
  if (lines.length === 0) return { state: 'refused', problems: firstOf(problems), lines: [] }
  const { seen } = body
  if (seen === undefined || problems.length > 0) {
    const plan = await planImport(context.db, lines, false, context)
    const all = [...problems, ...plan.problems].toSorted((a, b) => a.line - b.line)
    return {
      state: all.length > 0 ? 'refused' : 'checked',
      problems: firstOf(all),
      lines: plan.planned.map((line) => presentLine(line, false)),
    }
  }
  try {
    return await untilTransactionIsDecided(() =>
      transaction(context.db, (db) =>
        apply(db, lines, new Map(seen.map((s) => [s.id, s.updatedAt])), context),
      ),
    )
  } catch (error) {
    if (error instanceof LineRefused) return { state: 'refused', problems: [error.problem], lines: [] }
    throw error
  }
}

/** So many are enough to see what is wrong with a file; how many more there are is said. */
const firstOf = (problems: ImportPlan['problems']): ImportPlan['problems'] =>
  problems.length <= importProblemsMax
    ? problems
    : [
        ...problems.slice(0, importProblemsMax),
        { line: 0, column: '', problem: 'more', value: String(problems.length - importProblemsMax) },
      ]

async function apply(
  db: Tx,
  lines: readonly ImportLine[],
  seen: ReadonlyMap<string, string>,
  context: MemberContext,
): Promise<ImportPlan> {
  await allowLongCommit(db)
  const { planned, problems } = await planImport(db, lines, true, context)
  const isChanged = ({ order, effect }: PlannedLine) =>
    effect !== 'nothing' && seen.get(order.id) !== order.updated_at.toISOString()
  const answer = (state: ImportPlan['state']): ImportPlan => ({
    state,
    problems: firstOf(problems),
    lines: planned.map((line) => presentLine(line, state === 'changed' && isChanged(line))),
  })
  if (problems.length > 0) return answer('refused')
  if (planned.some(isChanged)) return answer('changed')
  const todo = planned.filter(({ effect }) => effect !== 'nothing')
  for (const line of todo) await applyLine(db, line, context)
  if (todo.length > 0)
    await recordAudit(db, {
      actorId: context.caller.memberId,
      action: 'order-payments-imported',
      subjectKind: 'order',
      subjectId: null,
      detail: { count: todo.length },
    })
  return answer('applied')
}

async function applyLine(db: Tx, line: PlannedLine, context: MemberContext): Promise<void> {
  const { given, order, effect } = line
  try {
    await changeOrder(
      db,
      order,
      {
        txId: given.txId,
        paidAmount: given.amount,
        ...(given.date && { paidAt: given.date.toISOString() }),
        ...(effect !== 'records' && { status: 'completed' as const }),
      },
      { ...context, hasEvidence: true },
    )
  } catch (error) {
    throw error instanceof Refused ? new LineRefused(line, error) : error
  }
}
