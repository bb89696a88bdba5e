import * as z from 'zod/mini'
import { endpoint, staff } from '../platform/endpoint.ts'
import { decimalPattern, id, line, page, requiredLine, time, requiredReason } from '../platform/fields.ts'
import { currencyLengthMax, orderReasonLengthMax } from './orders.ts'

/** Fields that a column of a statement can be mapped to. All other columns are ignored. */
export const statementFields = [
  'date',
  'amount',
  'currency',
  'reference',
  'txId',
  'sender',
  'address',
  'direction',
  'status',
  'complete',
] as const
export type StatementField = (typeof statementFields)[number]

/** `plain`: `1200.5`. `point`: `1,200.50`. `comma`: `1.200,50`. */
export const numberFormats = ['plain', 'point', 'comma'] as const
/** `iso`: `2036-05-31`. `dmy`: `31.05.2036`. `mdy`: `05/31/2036`. */
export const dateFormats = ['iso', 'dmy', 'mdy'] as const

const column = z.optional(z.number().check(z.int(), z.minimum(0), z.maximum(99)))
export const statementMapping = z.strictObject({
  /** The column index of each field, from 0. */
  columns: z.strictObject({
    date: column,
    amount: column,
    currency: column,
    reference: column,
    txId: column,
    sender: column,
    address: column,
    direction: column,
    status: column,
    complete: column,
  }),
  /** The currency of all amounts, required for files without a column for it. */
  currency: z.optional(line(currencyLengthMax)),
  numbers: z.enum(numberFormats, 'one_of'),
  dates: z.enum(dateFormats, 'one_of'),
})
export type StatementMapping = z.infer<typeof statementMapping>

/** `numbers` is null if the amounts in the file fit both formats, so that a person must choose one. */
export const suggestedMapping = z.strictObject({
  ...statementMapping.shape,
  numbers: z.nullable(statementMapping.shape.numbers),
})
export type SuggestedMapping = z.infer<typeof suggestedMapping>

export const statementFormats = ['csv', 'camt053'] as const
/**
 * Text encodings that are detected. Chinese banks export GB18030 or its subset GBK; older Western programs
 * export Windows-1252.
 */
export const statementEncodings = ['utf-8', 'utf-16', 'gb18030', 'windows-1252'] as const
export type StatementEncoding = (typeof statementEncodings)[number]

export const statementLineStates = ['open', 'applied', 'assigned', 'dismissed'] as const

export const statementLine = z.object({
  id,
  state: z.enum(statementLineStates),
  /** Line number in the file, from 1. */
  line: z.number(),
  /** Why it was not recorded automatically. */
  problem: z.string(),
  orderId: z.nullable(id),
  orderReference: z.string(),
  reference: z.string(),
  txId: z.string(),
  amount: z.string(),
  currency: z.string(),
  receivedAt: z.nullable(time),
  sender: z.string(),
  address: z.string(),
  importedAt: time,
  /**
   * Names of the finance members whose input determined this line: who first imported it and, if different, who last
   * mapped its columns.
   */
  importedBy: z.array(z.string()),
  resolvedAt: z.nullable(time),
  reason: z.string(),
})
export type StatementLine = z.infer<typeof statementLine>

/** Problems of lines that don't state the amount of one payment that stayed with us. */
const unassignable = ['cells', 'quotes', 'several_payments', 'reversal', 'returned', 'outgoing']

/**
 * Whether an open line can be assigned to an order, which requires that it states the amount of one payment that wasn't
 * returned. Zero is no payment. For all others, finance records each payment on the order page.
 */
export const isAssignable = ({ problem, amount }: Pick<StatementLine, 'problem' | 'amount'>): boolean =>
  decimalPattern.test(amount) && /[1-9]/.test(amount) && !unassignable.includes(problem)

export const listStatementLines = endpoint('GET', 'admin/statement-lines', {
  about:
    'List lines of imported statements by status. Open lines are oldest first, and others newest first. Without a status, the open lines are listed.',
  access: staff('finance', 1),
  auditsAccess: 'order',
  query: z.strictObject({ state: z.optional(z.enum(statementLineStates, 'one_of')), ...page.shape }),
  output: z.array(statementLine),
})

const resolving = {
  access: staff('finance', 2),
  params: z.strictObject({ id }),
  output: statementLine,
} as const

/**
 * A line is resolved only once: the second attempt returns `conflict`. Staff cannot resolve a line about their own
 * order.
 */
export const assignStatementLine = endpoint('POST', 'admin/statement-lines/:id/assign', {
  about:
    'Record an open statement line as the payment for another member’s order, identified by its full reference. A line that names orders can be assigned only to one of their members. If the payment may be a duplicate, the request is rejected with `looks_imported`; send it again with `confirmsDuplicate` only if a person compared the payments. This does not complete the order.',
  ...resolving,
  body: z.strictObject({
    reference: requiredLine(40),
    reason: requiredReason(orderReasonLengthMax),
    confirmsDuplicate: z.optional(z.boolean()),
  }),
  errors: ['not_found', 'conflict', 'step_up_required', 'cap_reached'],
})

export const dismissStatementLine = endpoint('POST', 'admin/statement-lines/:id/dismiss', {
  about:
    'Dismiss an open statement line that pays no order. The reason is added to the history of each order that the line concerns. Staff cannot dismiss a line about their own order.',
  ...resolving,
  body: z.strictObject({ reason: requiredReason(orderReasonLengthMax) }),
  errors: ['not_found', 'conflict', 'step_up_required'],
})

export const reopenStatementLine = endpoint('POST', 'admin/statement-lines/:id/reopen', {
  about:
    'Reopen a dismissed statement line. The reason is added to the history of each order that the line concerns. Nothing that dismissing the line ended is restored. Staff cannot reopen a line about their own order.',
  ...resolving,
  body: z.strictObject({ reason: requiredReason(orderReasonLengthMax) }),
  errors: ['not_found', 'conflict', 'step_up_required'],
})
