import * as z from 'zod/mini'
import { endpoint, staff } from '../platform/endpoint.ts'
import { id, MIB, time } from '../platform/fields.ts'
import { statementEncodings, statementFormats, statementMapping, suggestedMapping } from './statements.ts'

export const importBytesMax = MIB
export const importLinesMax = 1000
/** Further problems are only counted. */
export const importProblemsMax = 200
/** Problems with a line of an import, or with the whole file. */
export const importProblems = [
  'empty',
  'encoding',
  'separator',
  'too_many_lines',
  'xml',
  'column_missing',
  'required',
  'cells',
  'quotes',
  'several_payments',
  'reversal',
  'returned',
  'outgoing',
  'looks_imported',
  'unknown_order',
  'ambiguous',
  'shared_address',
  'reported_only',
  'other_amount',
  'older_than_order',
  'no_date',
  'differs_from_chain',
  'amount_currency',
  'currency',
  'other_payment',
  'order_twice',
  'own_order',
  'mapped_by_owner',
  'tx_id',
  'tx_used',
  'tx_twice',
  'other_tx',
  'number',
  'amount_differs',
  'date',
  'yes_no',
  'direction',
  'status',
  'closed',
  'unsettled',
  'withdrawn',
  'refused',
  'more',
] as const
export type ImportProblem = (typeof importProblems)[number]

/** The effect of a line. `nothing`: the order already has these values. */
const importEffects = ['nothing', 'records', 'completes', 'proposes'] as const
export type ImportEffect = (typeof importEffects)[number]

/**
 * Why only a person who looks at a paid order may complete it. `left_by_finance`: finance declined its completion,
 * removed its payment, or dismissed a line that shows that its payment was returned. `identity_not_approved`: the
 * member's KYC approval was withdrawn or expired. `paid_late`: more than a day after the deadline. `new_price`: placed
 * within a day of a large change of the rate.
 */
const personCauses = [
  'left_by_finance',
  'account_closed',
  'identity_not_approved',
  'price_withdrawn',
  'paid_late',
  'new_price',
] as const
export type PersonCause = (typeof personCauses)[number]

/**
 * Why a line doesn't complete an order that the file marks as complete. `changed_by_staff`: staff entered the order, or
 * set what it delivers, its amount due, or its payment method. `transaction_by_staff`: only a transaction that staff
 * entered links the line to the order. `proposed`: someone proposed to complete the order. Staff complete such orders on
 * their pages, which show every change.
 */
const importHolds = ['changed_by_staff', 'transaction_by_staff', 'proposed', ...personCauses] as const
export type ImportHold = (typeof importHolds)[number]

const importPlan = z.object({
  /**
   * `mapping`: the columns must be mapped first. `refused`: the file cannot be read. `checked`: a preview; nothing was
   * written. `changed`: nothing was written, because the import would do something else than the preview showed: orders,
   * the mapping, or the file have changed. `applied`: payments were recorded, and the remaining lines are listed as open
   * lines.
   */
  state: z.enum(['mapping', 'checked', 'refused', 'changed', 'applied']),
  /** Identifies the file, the mapping in use, and who stored it; sent back with `seen`. Empty without a mapping. */
  preview: z.string(),
  format: z.nullable(z.enum(statementFormats)),
  /** The detected text encoding. */
  encoding: z.nullable(z.enum(statementEncodings)),
  /** The columns of the file with sample values. */
  columns: z.array(z.object({ name: z.string(), samples: z.array(z.string()) })),
  /** The mapping in use, or a suggestion if none was sent. */
  mapping: z.nullable(suggestedMapping),
  /** Who stored the mapping in use, and when. Null if the mapping was sent or is the one for our own format. */
  mappedBy: z.nullable(z.object({ name: z.string(), at: time })),
  /** Debits and lines without an incoming amount, or with an incoming amount of zero. */
  ignored: z.number(),
  /** Entries that the bank hasn't booked yet. They are ignored, because a later statement shows them as booked. */
  pending: z.number(),
  /**
   * Ignored debits that the import keeps: refunds that finance recorded, because each explains only one debit, and
   * debits whose transaction an order may name later.
   */
  kept: z.number(),
  /** Lines that an earlier import recorded or that were resolved. */
  duplicates: z.number(),
  /** Lines that are, or will be, listed as open lines. */
  open: z.number(),
  problems: z.array(
    z.object({
      /** Line number in the file, from 1; 0 for the file as a whole. */
      line: z.number(),
      column: z.string(),
      problem: z.enum(importProblems),
      /** The value, shortened. */
      value: z.string(),
    }),
  ),
  lines: z.array(
    z.object({
      line: z.number(),
      id,
      reference: z.string(),
      effect: z.enum(importEffects),
      held: z.nullable(z.enum(importHolds)),
      /** The tokens that the order delivers. */
      fabQty: z.nullable(z.string()),
      /** Where the order delivers: its token address, then other addresses. */
      addresses: z.array(z.string()),
      txId: z.string(),
      /** The current transaction of the order. */
      txIdBefore: z.string(),
      currency: z.string(),
      due: z.nullable(z.string()),
      amount: z.string(),
      paidBefore: z.nullable(z.string()),
      difference: z.nullable(z.string()),
      /** When the order was last updated; sent back in `seen`. */
      updatedAt: time,
      /**
       * If the state is `changed`: this order, or the effect of the line, has changed since the preview. A line that
       * would stay open now has the effect `nothing`, and `problems` says why. False for all lines if the file or the
       * mapping has changed.
       */
      isChanged: z.boolean(),
    }),
  ),
})
export type ImportPlan = z.infer<typeof importPlan>

export const importOrderPayments = endpoint('POST', 'admin/orders/payments', {
  about:
    'Import payments from a bank or exchange statement: a CSV file with mapped columns, or CAMT.053. Without `seen`, the response is a preview. To apply the import, send the values from the preview as `seen` and `preview`; this requires step-up authentication. The import does what its preview showed, or nothing. It records the lines that match an order and keeps the others as open lines. A line is recorded only once, no matter how often it is imported.',
  access: staff('finance', 2),
  bodyBytesMax: 2 * MIB,
  body: z.strictObject({
    /** The bytes of the file in base64. The server detects the text encoding. */
    file: z
      .string()
      .check(
        z.minLength(1, 'required'),
        z.maxLength(Math.ceil((importBytesMax * 4) / 3) + 4, 'too_long'),
        z.regex(/^[A-Za-z0-9+/]*={0,2}$/, 'invalid'),
      ),
    /**
     * Stored for statements with the same header once the import is applied. Requires `columns.currency` or `currency`.
     */
    mapping: z.optional(statementMapping),
    /** The lines of the preview. Without their effect, only changes of the orders are detected. */
    seen: z.optional(
      z
        .array(z.strictObject({ id, updatedAt: time, effect: z.optional(z.enum(importEffects, 'one_of')) }))
        .check(z.maxLength(importLinesMax, 'too_many')),
    ),
    /**
     * The value from the preview. Nothing is written if it differs. Required to apply a mapping that someone stored,
     * because a colleague may store another one in the meantime.
     */
    preview: z.optional(z.string().check(z.maxLength(64, 'too_long'))),
  }),
  output: importPlan,
  errors: ['step_up_required'],
})
