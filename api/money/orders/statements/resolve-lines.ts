import { shownReference } from '../../../platform/text/order-reference.ts'
import type { api } from '#contract/api.ts'
import { isAssignable, type StatementLine } from '#contract/money/statements.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import { transaction, type Tx } from '../../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../../platform/http/handler.ts'
import { Refused, refusedField } from '../../../platform/refused.ts'
import { recordingRefusedClaims } from '../claim-transaction.ts'
import { lockOtherMembersOrder, OwnOrder, recordingRefusedDecision } from '../require-other-members-order.ts'
import { currencyOfOrder } from '../present-order.ts'
import { insertOrderStep, type OrderStep } from '../order-history.queries.ts'
import { lockOrders, updateOrderRow, type OrderRow } from '../order.queries.ts'
import { hasRecordedAmount } from '../order.rules.ts'
import { transactionKey } from '../payment.rules.ts'
import { changeOrder } from '../update-order.ts'
import { findPaidElsewhere } from './known-payments.ts'
import { aboutOf, referencesIn, cameBefore } from './match-orders.ts'
import {
  findAboutOrderOf,
  findLine,
  findOrderByReference,
  getLine,
  listLines,
  markLookalike,
  lockImports,
  listOrdersAbout,
  lockLine,
  reopenLine,
  resolveLine,
  type OrderAbout,
  type StatementLineRow,
} from './statement-line.queries.ts'

export const listStatementLines: Handler<typeof api.listStatementLines> = async (
  { query },
  { db, answer },
) => {
  const { state = 'open', ...page } = query
  const { rows, next } = await listLines(db, state, page)
  answer.setNext(next)
  return rows.map(present)
}

/** Records a line as the payment of an order, with the same rules as an officer's entry. */
export const assignStatementLine: Handler<typeof api.assignStatementLine> = async (
  { params, body },
  context,
) => {
  const [reference, ...others] = referencesIn(body.reference)
  if (reference === undefined || others.length > 0) throw refusedField('reference', 'invalid')
  const found = await findOrderByReference(context.db, reference)
  if (!found) throw refusedField('reference', 'unknown')
  const { confirmsDuplicate = false, reason } = body
  const assigned = { id: params.id, orderId: found.id, reason, confirmsDuplicate }
  const done = await recordingRefusedDecision(context, found.id, () =>
    recordingRefusedClaims(context, found.id, () =>
      transaction(context.db, (db) => assignLine(db, assigned, context)),
    ),
  )
  // The mark stays, so that the person who was warned can confirm.
  if (!done) throw refusedField('reference', 'looks_imported')
  return done
}

type Assignment = { id: string; orderId: string; reason: string; confirmsDuplicate: boolean }

/** Records the line for the order. Returns null if it may be a duplicate, and the request doesn't confirm it. */
async function assignLine(
  db: Tx,
  { id, orderId, reason, confirmsDuplicate }: Assignment,
  context: MemberContext,
): Promise<StatementLine | null> {
  const { caller } = context
  // The same lock order as everywhere else: imports, then orders, then lines.
  await lockImports(db)
  const { tx_id: txId } = await getLine(db, id)
  const concerned = await lockOrdersAbout(db, id, [orderId])
  const order = await lockOtherMembersOrder(db, orderId, caller, { txId })
  const line = await lockIn(db, id, 'open')
  await requireFitting(db, context, order, { line, concerned })
  const isMarked = line.problem === 'looks_imported'
  // The mark doesn't show who was warned: it may have been a colleague, or the first press of a double-click.
  if (isMarked && !confirmsDuplicate) return null
  const paidElsewhere = isMarked ? undefined : await findPaidElsewhere(db, line, { orderId, concerned })
  if (paidElsewhere !== undefined) {
    // The mark is written although the request is refused, so someone with a stolen session must not leave it.
    caller.requireStepUp()
    await markLookalike(db, line.id, paidElsewhere)
    return null
  }
  // Step-up authentication comes after everything that can reject the request.
  await changeOrder(
    db,
    order,
    {
      ...(transactionKey(line.tx_id) !== '' && { txId: line.tx_id }),
      paidAmount: line.amount,
      ...(line.received_at && { paidAt: notInFuture(line.received_at).toISOString() }),
      reason,
    },
    context,
  )
  // Whoever confirms that the line is no duplicate vouches for the payment, so a colleague has to complete the order.
  if (isMarked) await insertOrderStep(db, order.id, { ...confirmation(line), by: caller.memberId, reason })
  await resolveLine(db, line.id, { by: caller.memberId, reason, to: { orderId: order.id } })
  await audit(db, caller.memberId, 'order-statement-line-assigned', { line: line.id, orderId: order.id })
  const others = listNamed({ line, concerned }).filter((each) => each.id !== order.id)
  await note(db, others, { ...dismissal(line), by: caller.memberId, reason })
  return present(await getLine(db, line.id))
}

/** A bank ahead of UTC may date a payment tomorrow, but an officer can't record a payment in the future. */
const notInFuture = (date: Date): Date => new Date(Math.min(date.getTime(), Date.now()))

type StatedLine = NonNullable<Awaited<ReturnType<typeof lockLine>>>
type Assigned = {
  line: StatedLine
  concerned: readonly OrderAbout[]
}

/** Requires that the line can be the payment of the order, and that the officer may say so. */
async function requireFitting(
  db: Tx,
  { caller, config }: Pick<MemberContext, 'caller' | 'config'>,
  order: OrderRow,
  { line, concerned }: Assigned,
): Promise<void> {
  // Officers can't turn a line about their own order, such as a reversal, into someone else's payment.
  await requireAboutOthers(db, caller, line)
  if (line.currency !== '' && line.currency !== currencyOfOrder(order).toUpperCase())
    throw refusedField('reference', 'other_currency')
  if (!isAssignable(line)) throw new Refused('conflict')
  // If the order already has a payment, a person adds up the amounts on its page.
  if (hasRecordedAmount(order) || order.status === 'completed')
    throw refusedField('reference', 'already_paid')
  requireNamed(order, { line, concerned })
  // A member must not vouch for their own order by importing the line.
  if ([line.imported_by, line.mapped_by].includes(order.member_id)) throw new Refused('forbidden')
  if (await cameBefore(db, config, order, line)) throw refusedField('reference', 'older_than_order')
}

/** Rejects resolving a line about an order of the officer. */
async function requireAboutOthers(
  db: Tx,
  { memberId }: MemberContext['caller'],
  line: StatedLine,
): Promise<void> {
  const own = await findAboutOrderOf(db, memberId, aboutOf(line))
  if (own !== undefined) throw new OwnOrder(own)
}

export const dismissStatementLine: Handler<typeof api.dismissStatementLine> = ({ params, body }, context) => {
  const { caller } = context
  return recordingRefusedDecision(context, null, () =>
    transaction(context.db, async (db) => {
      await lockImports(db)
      const concerned = await lockOrdersAbout(db, params.id)
      const line = await lockIn(db, params.id, 'open')
      // Officers can't dismiss lines about their own orders, for example to hide a reversal or a shortfall.
      await requireAboutOthers(db, caller, line)
      caller.requireStepUp()
      const dismissedFrom = concerned.map(({ id }) => id)
      await resolveLine(db, line.id, { by: caller.memberId, reason: body.reason, to: { dismissedFrom } })
      for (const orderId of concerned.length > 0 ? concerned.map(({ id }) => id) : [null])
        await audit(db, caller.memberId, 'order-statement-line-dismissed', { line: line.id, orderId })
      await note(db, concerned, { ...dismissal(line), by: caller.memberId, reason: body.reason })
      return present(await getLine(db, line.id))
    }),
  )
}

/**
 * Reopens a dismissed line. Proposals that ended stay ended, and the officer who dismissed the line still can't refund
 * its orders alone: that officer may have hidden for a while that a payment went back.
 */
export const reopenStatementLine: Handler<typeof api.reopenStatementLine> = ({ params, body }, context) => {
  const { caller } = context
  return recordingRefusedDecision(context, null, () =>
    transaction(context.db, async (db) => {
      await lockImports(db)
      const concerned = await lockOrdersAbout(db, params.id)
      const line = await lockIn(db, params.id, 'dismissed')
      // Officers can't decide about lines of their own orders.
      await requireAboutOthers(db, caller, line)
      caller.requireStepUp()
      await reopenLine(db, line.id, body.reason)
      for (const orderId of concerned.length > 0 ? concerned.map(({ id }) => id) : [null])
        await audit(db, caller.memberId, 'order-statement-line-reopened', { line: line.id, orderId })
      const change = { field: 'statementLine', before: null, after: textOf(line) }
      await note(db, concerned, {
        kind: 'line_reopened',
        changes: [change],
        by: caller.memberId,
        reason: body.reason,
      })
      return present(await getLine(db, line.id))
    }),
  )
}

/**
 * Rejects assigning a payment that names orders to another member's order. Otherwise, one member would unknowingly pay
 * for another's order. Finance records it on the page of the order that it names.
 */
function requireNamed(order: OrderRow, { line, concerned }: Assigned): void {
  const named = listNamed({ line, concerned })
  const isOfMember = named.some(({ member_id: memberId }) => memberId === order.member_id)
  if (named.length > 0 && !isOfMember) throw refusedField('reference', 'names_other_order')
}

/** Lists the orders that the line names, including those that only its other columns mention. */
const listNamed = ({ line, concerned }: Assigned): OrderAbout[] =>
  concerned.filter(({ id, is_named: isNamed }) => isNamed || line.other_order_ids.includes(id))

type LineText = { amount: string; currency: string; reference: string; tx_id: string }

const textOf = (line: LineText): string =>
  [`${line.amount} ${line.currency}`.trim(), line.reference, line.tx_id].filter(Boolean).join(' · ')

/**
 * The line was confirmed as another payment than the one that it looks like. A step with its text counts as a change of
 * the order (`listChangedBy`).
 */
const confirmation = (line: LineText) => ({
  kind: 'payment_recorded' as const,
  changes: [{ field: 'statementLine', before: null, after: textOf(line) }],
})

/** The line was resolved without the order. */
const dismissal = (line: LineText) => ({
  kind: 'line_dismissed' as const,
  changes: [{ field: 'statementLine', before: textOf(line), after: null }],
})

/**
 * Records in the history of each order what happened to its line, so that the next approver knows. Proposals about
 * these orders no longer count, because their authors didn't see it.
 */
async function note(db: Tx, orders: readonly OrderAbout[], step: OrderStep): Promise<void> {
  for (const { id } of orders) {
    await insertOrderStep(db, id, step)
    await updateOrderRow(db, id, {})
  }
}

/** Locks the orders that a line concerns, in one step, and returns them. `lockImports` keeps the line as it is. */
async function lockOrdersAbout(db: Tx, id: string, others: readonly string[] = []): Promise<OrderAbout[]> {
  const line = await findLine(db, id)
  const concerned = line ? await listOrdersAbout(db, aboutOf(line)) : []
  const ids = [...concerned.map((order) => order.id), ...others]
  if (ids.length > 0) await lockOrders(db, ids)
  return concerned
}

/** Locks a line, which must be in this state. */
async function lockIn(db: Tx, id: string, state: 'open' | 'dismissed') {
  const line = await lockLine(db, id)
  if (!line) throw new Refused('not_found')
  if (line.state !== state) throw new Refused('conflict')
  return line
}

const audit = (
  db: Tx,
  actorId: string,
  action: `order-statement-line-${'assigned' | 'dismissed' | 'reopened'}`,
  { line, orderId }: { line: string; orderId: string | null },
) => recordAudit(db, { actorId, action, subjectKind: 'order', subjectId: orderId, detail: { line } })

const present = (row: StatementLineRow): StatementLine => ({
  id: row.id,
  state: row.state,
  line: row.line,
  problem: row.problem,
  orderId: row.order_id,
  orderReference: row.order_reference === null ? '' : shownReference(row.order_reference),
  reference: row.reference,
  txId: row.tx_id,
  amount: row.amount,
  currency: row.currency,
  receivedAt: row.received_at?.toISOString() ?? null,
  sender: row.sender,
  address: row.address,
  importedAt: row.imported_at.toISOString(),
  importedBy: [...new Set([row.imported_by_name, row.mapped_by_name])].filter((name) => name !== null),
  resolvedAt: row.resolved_at?.toISOString() ?? null,
  reason: row.reason,
})
