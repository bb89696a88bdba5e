import * as z from 'zod/mini'
import { endpoint, type Access, type Endpoint } from './endpoint.ts'
import { errorStatuses, type ErrorCode } from './errors.ts'
import { id, line } from './fields.ts'

type Shape = Readonly<Record<string, z.ZodMiniType>>

/** The maximum number of rows in one request. Clients send further rows in further requests. */
export const bulkRowsMax = 100

const bulkRow = z.strictObject({
  id,
  /** The version of the row that the caller has seen, if the action on a single row takes one. */
  version: z.optional(line(40)),
  /** `basis` of the preview. If it is another one by now, nothing is done. */
  basis: z.optional(line(40)),
})
export type BulkRow = z.infer<typeof bulkRow>

const bulkOutcome = z.object({
  id,
  isDone: z.boolean(),
  /** Why nothing was done, as a code and in the reader's language. */
  code: z.nullable(z.enum(Object.keys(errorStatuses) as [ErrorCode, ...ErrorCode[]])),
  reason: z.string(),
  /** The field that the reason is about, as the single endpoint names it. */
  field: z.nullable(z.string()),
  /** What the effect depends on besides the version, such as whether money was received. */
  basis: z.nullable(z.string()),
})
export type BulkOutcome = z.infer<typeof bulkOutcome>

const output = z.object({ rows: z.array(bulkOutcome) })

type Given<I extends Shape> = z.ZodMiniObject<
  { isPreview: z.ZodMiniBoolean<boolean>; rows: z.ZodMiniArray<typeof bulkRow> } & I,
  z.core.$strict
>

/** An action on several rows. */
export type BulkEndpoint<I extends Shape = Shape, A extends Access = Access> = Endpoint<
  undefined,
  undefined,
  Given<I>,
  typeof output,
  A,
  'step_up_required' | 'idempotency_conflict'
>

/**
 * Declares an action on several rows, each of which is changed exactly as the endpoint `single` would change it, with
 * the same permission. `input` is shared by all rows. A preview says what would happen to each row and changes nothing.
 */
export function bulk<S extends Endpoint, const I extends Shape>(
  single: S,
  path: string,
  { about, input }: { about: string; input: I },
): BulkEndpoint<I, S['access']> {
  const asksStepUp = single.errors.includes('step_up_required')
  return endpoint('POST', path, {
    about,
    access: single.access,
    acceptsIdempotencyKey: true,
    body: z.strictObject({
      isPreview: z.boolean(),
      rows: z.array(bulkRow).check(z.minLength(1, 'too_few'), z.maxLength(bulkRowsMax, 'too_many')),
      ...input,
    }),
    output,
    errors: [...(asksStepUp ? (['step_up_required'] as const) : []), 'idempotency_conflict'],
  })
}
