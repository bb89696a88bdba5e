import { isAssignable } from '#contract/money/statements.ts'
import { shortDecimal } from '#contract/platform/decimal.ts'
import { DAY } from '#contract/platform/durations.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { hasMoney, wasPaymentReduced } from '../order-change.queries.ts'
import type { OrderRow } from '../order.queries.ts'
import { currencyOfOrder } from '../present-order.ts'
import { findWithdrawalOfOrder } from '../withdrawals/withdrawal.queries.ts'
import { isNamedInLineOf } from './returned-payment.queries.ts'
import { charactersOf, hashOf, isOlder, isSame, referencesIn } from './match-orders.ts'
import type { BadLine, ImportLine, ReadLines } from './read-lines.ts'
import {
  listEnteredWithAmounts,
  listKnown,
  findOrderRow,
  wasAmountRemoved,
  listRecordedWithAmounts,
  listUnassignedLinesOf,
  type StatementLineRow,
} from './statement-line.queries.ts'

/**
 * Finds lines that look like a line of another file, or like a payment that was recorded for another order. The same
 * payment may be in two files, also with different columns, or the same person may have paid twice, so a person decides.
 * In files with the same columns, lines with a transaction or a bank reference aren't doubtful: those identify the
 * payment.
 */
export async function findLookalikes(db: Tx, read: ReadLines, file: string): Promise<ReadLines> {
  const all = [...read.lines, ...read.bad.map(({ line }) => line), ...read.debits]
  const stored = new Map(
    (
      await listKnown(
        db,
        all.flatMap(({ fingerprint, content }) => [fingerprint, content]),
      )
    ).map((each) => [each.fingerprint, each]),
  )
  const paid = await listPaidLike(db, all, file)
  const isRepeated = (line: ImportLine): boolean => {
    const same = stored.get(line.fingerprint)
    if (line.key !== '' || line.fingerprint !== line.content) return !same && stored.has(line.content)
    return same !== undefined && same.file_hash !== file
  }
  const likeOf = (line: ImportLine): string | undefined =>
    ['open', undefined].includes(stored.get(line.fingerprint)?.state) ? paid.get(line) : undefined
  const isLookalike = (line: ImportLine): boolean => isRepeated(line) || likeOf(line) !== undefined
  const told = (line: ImportLine): ImportLine =>
    isRepeated(line) ? { ...line, fingerprint: hashOf(line.content, file) } : line
  const doubtful = (line: ImportLine): BadLine => ({
    line: told(line),
    problem: { line: line.line, column: '', problem: 'looks_imported', value: line.amount.slice(0, 60) },
    orderId: stored.get(line.content)?.order_id ?? likeOf(line) ?? null,
  })
  return {
    ...read,
    lines: read.lines.filter((line) => !isLookalike(line)),
    bad: [
      ...read.bad.map((each) => {
        if (!isLookalike(each.line)) return each
        // A doubt must not change whether the line can be assigned.
        const { amount } = each.line
        return isAssignable({ problem: each.problem.problem, amount })
          ? doubtful(each.line)
          : { ...each, line: told(each.line) }
      }),
      ...read.lines.filter(isLookalike).map(doubtful),
    ],
    debits: read.debits.map(told),
  }
}

type Payment = Pick<StatementLineRow, 'file_hash' | 'reference' | 'tx_key' | 'address' | 'currency'> &
  Pick<StatementLineRow, 'received_at' | 'amount'>

/** Returns the other orders that have a payment, or moved one away, that may be the same as one of the lines. */
async function listPaidLike(
  db: Tx,
  lines: readonly ImportLine[],
  file: string,
): Promise<ReadonlyMap<ImportLine, string>> {
  const read = lines.map((line) => ({ line, payment: paymentOf(line, file) }))
  const credits = read.filter(({ payment }) => isAssignable({ problem: '', amount: payment.amount }))
  const amounts = credits.map(({ payment }) => payment.amount)
  const byAmount = Map.groupBy(await listRecordedWithAmounts(db, amounts), ({ amount }) =>
    shortDecimal(amount),
  )
  const entered = await listEnteredWithAmounts(db, amounts)
  const like = new Map<ImportLine, string>()
  for (const { line, payment } of credits) {
    const isOther = (reference: string) => !line.references.includes(reference)
    const found = byAmount
      .get(shortDecimal(payment.amount))
      ?.find((each) => isOther(each.order_reference) && isLike(payment, each))
    const moved = entered.find((order) => isOther(order.reference) && fits(payment, order))
    if (found) like.set(line, found.order_id)
    else if (moved && (await wasAmountRemoved(db, line.references, payment.amount))) like.set(line, moved.id)
  }
  return like
}

/**
 * Returns another order that has or had the payment of the line, or one like it. It doesn't matter whether finance
 * entered the payment, another line shows it, the chain shows it, or it was refunded.
 */
export async function findPaidElsewhere(
  db: Tx,
  line: Payment,
  { orderId, concerned }: { orderId: string; concerned: readonly { id: string; is_named: boolean }[] },
): Promise<string | undefined> {
  const others = concerned.filter(({ id }) => id !== orderId)
  for (const { id } of others) if (await wasPaid(db, id)) return id
  const recorded = await listRecordedWithAmounts(db, [line.amount])
  const like = recorded.find((each) => each.order_id !== orderId && isLike(line, each))
  if (like || concerned.some(({ is_named: isNamed }) => isNamed)) return like?.order_id
  const entered = await listEnteredWithAmounts(db, [line.amount])
  return entered.find((order) => order.id !== orderId && fits(line, order))?.id
}

/** Whether the order has or had a payment, however it was recorded. */
async function wasPaid(db: Tx, id: string): Promise<boolean> {
  const order = await findOrderRow(db, id)
  if (!order) return false
  return (
    (await hasMoney(db, order)) ||
    (await wasPaymentReduced(db, id)) ||
    (await findWithdrawalOfOrder(db, id))?.state === 'refunded'
  )
}

const paymentOf = (line: ImportLine, file: string): Payment => ({
  file_hash: file,
  reference: line.reference,
  tx_key: line.key,
  address: line.address,
  currency: line.currency,
  received_at: line.date ?? null,
  amount: line.amount,
})

/**
 * Whether two lines of the same amount may be the same payment in two files. Each bank and format has its own columns,
 * so one text may contain the other, and the days may differ by one. If a text names an order, the other text must be
 * the same, or name that order, too.
 */
function isLike(line: Payment, other: Payment): boolean {
  if (line.file_hash !== null && line.file_hash === other.file_hash) return false
  if (differ(line.tx_key, other.tx_key) || differ(line.currency, other.currency)) return false
  if (differ(line.address.toLowerCase(), other.address.toLowerCase())) return false
  if (areDaysApart(line.received_at, other.received_at)) return false
  const [text, otherText] = [charactersOf(line.reference), charactersOf(other.reference)]
  const named = referencesIn(line.reference)
  if (text === otherText) return true
  if (named.length > 0) return referencesIn(other.reference).some((reference) => named.includes(reference))
  return Math.min(text.length, otherText.length) > 0 && (text.includes(otherText) || otherText.includes(text))
}

/** Whether the line may show the payment that finance entered for the order, apart from what its text says. */
function fits(line: Payment, order: OrderRow): boolean {
  if (order.paid_amount === null || !isSame(line.amount, order.paid_amount)) return false
  if (differ(line.currency, currencyOfOrder(order).toUpperCase()) || differ(line.tx_key, order.tx_key))
    return false
  if (order.paid_at !== null) return !areDaysApart(line.received_at, order.paid_at)
  return line.received_at === null || !isOlder(line.received_at, order)
}

/** Whether two values are known and not the same. */
const differ = (a: string | null, b: string | null): boolean => Boolean(a && b && a !== b)

const areDaysApart = (a: Date | null, b: Date | null): boolean =>
  a !== null && b !== null && Math.abs(dayOf(a) - dayOf(b)) > 1

const dayOf = (date: Date): number => Math.floor(date.getTime() / DAY)

/**
 * Whether the officer imported or mapped a line that shows the payment of the order, whatever happened to the line:
 * finance may have entered the payment because of it. A line shows the payment if it names the order. If no order has the
 * line and it names none, it shows the payments that it fits.
 */
export async function hasImportedPayment(db: Tx, order: OrderRow, officerId: string): Promise<boolean> {
  if (await isNamedInLineOf(db, order.id, officerId)) return true
  if (order.paid_amount === null) return false
  const lines = await listUnassignedLinesOf(db, officerId, order.paid_amount)
  return lines.some((line) => referencesIn(line.reference).length === 0 && fits(line, order))
}
