import * as z from 'zod/mini'
import { endpoint, staff } from './endpoint.ts'
import { id, MIB, time } from './fields.ts'
import { statementFormats, statementMapping } from './statements.ts'

export const importBytesMax = MIB
export const importLinesMax = 1000
/** More are counted and not named. */
export const importProblemsMax = 200
/** What is wrong with a line of an import, or with the whole file. */
export const importProblems = [
  'empty',
  'encoding',
  'separator',
  'too_many_lines',
  'xml',
  'column_missing',
  'required',
  'unknown_order',
  'ambiguous',
  'currency',
  'other_payment',
  'order_twice',
  'own_order',
  'tx_id',
  'tx_used',
  'tx_twice',
  'other_tx',
  'number',
  'amount_differs',
  'date',
  'yes_no',
  'closed',
  'unsettled',
  'withdrawn',
  'refused',
  'more',
] as const
export type ImportProblem = (typeof importProblems)[number]

/** What a line does. `nothing`: the order is so already. */
export const importEffects = ['nothing', 'records', 'completes', 'proposes', 'confirms'] as const
export type ImportEffect = (typeof importEffects)[number]

export const importPlan = z.object({
  /**
   * `mapping`: the columns have to be mapped first. `refused`: the file cannot be read. `checked`: nothing was done yet. `changed`: nor here, because
   * orders are not as they were shown. `applied`: what could be recorded was, and the rest is on the list of open lines.
   */
  state: z.enum(['mapping', 'checked', 'refused', 'changed', 'applied']),
  format: z.nullable(z.enum(statementFormats)),
  /** The columns of the file, with some of what stands in them. */
  columns: z.array(z.object({ name: z.string(), samples: z.array(z.string()) })),
  /** How the columns are read, or a suggestion where nobody has said so yet. */
  mapping: z.nullable(statementMapping),
  /** Debits and lines without an incoming amount. */
  ignored: z.number(),
  /** Lines that an earlier import recorded, or that were resolved. */
  duplicates: z.number(),
  /** Lines that go, or went, to the list of open lines. */
  open: z.number(),
  problems: z.array(
    z.object({
      /** From 1 on, as an editor counts them. 0: the file as a whole. */
      line: z.number(),
      column: z.string(),
      problem: z.enum(importProblems),
      /** What stands there, shortened. */
      value: z.string(),
    }),
  ),
  lines: z.array(
    z.object({
      line: z.number(),
      id,
      reference: z.string(),
      effect: z.enum(importEffects),
      txId: z.string(),
      /** What the order has now. */
      txIdBefore: z.string(),
      currency: z.string(),
      due: z.nullable(z.string()),
      amount: z.string(),
      paidBefore: z.nullable(z.string()),
      difference: z.nullable(z.string()),
      /** The order as it was read: to be sent back as `seen`. */
      updatedAt: time,
      /** Where the state is `changed`: this is one of those that are not as they were shown. */
      isChanged: z.boolean(),
    }),
  ),
})
export type ImportPlan = z.infer<typeof importPlan>

export const importOrderPayments = endpoint('POST', 'admin/orders/payments', {
  about:
    'Read payments from a bank or exchange statement: CSV with mapped columns, or CAMT.053. Without `seen` it says what would be done; with what it said as `seen`, and a fresh sign-in, it records the lines that match an order and keeps the others as open lines. A line is recorded once, however often it is imported.',
  access: staff('finance', 2),
  bodyBytesMax: 2 * MIB,
  body: z.strictObject({
    /** The bytes of the file in base64: their encoding is looked at by the server. */
    file: z
      .string()
      .check(
        z.minLength(1, 'required'),
        z.maxLength(Math.ceil((importBytesMax * 4) / 3) + 4, 'too_long'),
        z.regex(/^[A-Za-z0-9+/]*={0,2}$/, 'invalid'),
      ),
    /** Remembered for statements with the same heading, once it is carried out. */
    mapping: z.optional(statementMapping),
    seen: z.optional(
      z.array(z.strictObject({ id, updatedAt: time })).check(z.maxLength(importLinesMax, 'too_many')),
    ),
  }),
  output: importPlan,
  errors: ['step_up_required'],
})
