import type { BulkEndpoint, BulkOutcome, BulkRow } from '#contract/platform/bulk.ts'
import { HOUR } from '#contract/platform/durations.ts'
import type { Endpoint, InputOf } from '#contract/platform/endpoint.ts'
import { rehearse } from '../db/database.ts'
import { problemOf, refusedBy } from '../http/failures.ts'
import type { Handler, MemberContext } from '../http/handler.ts'
import { readInput } from '../http/read.ts'
import { onceInSteps } from '../idempotency/idempotent.ts'
import { requireWithinLimits } from '../rate-limits/rate-limit.ts'
import { Refused } from '../refused.ts'

/** The maximum number of rows that one person can change or preview in an hour. */
const changedPerHourMax = 2000
const previewedPerHourMax = 10_000

type Input = { params?: unknown; body?: unknown }

type Serving<B extends BulkEndpoint, S extends Endpoint> = {
  handle: Handler<S>
  /** Converts a row and the shared input to the input of the single endpoint, which parses it as if it were sent. */
  input: (row: BulkRow, given: InputOf<B>['body'], context: MemberContext) => Input | Promise<Input>
  /** Reads what the effect on a row depends on besides its version. */
  basis?: (context: MemberContext, id: string) => Promise<string>
}

/**
 * Creates the handler of an action on several rows. It calls the handler of the single endpoint for one row after the
 * other, so that every check, proposal, email, and audit log entry is that of the single action.
 */
export const serveBulk =
  <B extends BulkEndpoint, S extends Endpoint>(endpoint: B, single: S, serving: Serving<B, S>) =>
  async ({ body }: Pick<InputOf<B>, 'body'>, context: MemberContext): Promise<{ rows: BulkOutcome[] }> => {
    const { isPreview, rows } = body as unknown as InputOf<BulkEndpoint<{}>>['body']
    // Checked before the first row, so that it can't expire after some rows were changed.
    if (!isPreview && endpoint.errors.includes('step_up_required')) context.caller.requireStepUp()
    const act = rowAction(single, serving, body, isPreview)
    const work = async () => ({ rows: await actOnEach(rows, (row) => act(row, context), context) })
    if (isPreview) return work()
    const { caller, request, db } = context
    const named = { memberId: caller.memberId, key: request.idempotencyKey, call: endpoint.path, body }
    return onceInSteps(db, named, work)
  }

const rowAction =
  <B extends BulkEndpoint, S extends Endpoint>(
    single: S,
    { handle, input, basis }: Serving<B, S>,
    body: InputOf<B>['body'],
    isPreview: boolean,
  ) =>
  async (row: BulkRow, context: MemberContext): Promise<string | null> => {
    const { db, keys, caller } = context
    await requireWithinLimits(db, keys, [
      isPreview
        ? { key: `bulk previews ${caller.memberId}`, max: previewedPerHourMax, window: HOUR }
        : { key: `bulk changes ${caller.memberId}`, max: changedPerHourMax, window: HOUR },
    ])
    const found = (await basis?.(context, row.id)) ?? null
    if (!isPreview && basis && row.basis !== found) throw new Refused('conflict')
    const raw = { params: undefined, query: undefined, body: undefined, ...(await input(row, body, context)) }
    const read = readInput(single, raw) as InputOf<S>
    if (isPreview)
      await rehearse(db, (db) =>
        // Nothing is changed, so the identity need not be proved yet.
        handle(read, { ...context, db, caller: { ...caller, requireStepUp: caller.requirePerson } } as never),
      )
    else await handle(read, context as never)
    return found
  }

/** Acts on the rows one after the other. After an outage, the remaining rows are not tried. */
async function actOnEach(
  rows: readonly BulkRow[],
  act: (row: BulkRow) => Promise<string | null>,
  { content, request, log }: MemberContext,
): Promise<BulkOutcome[]> {
  const words = content.words(request.language, 'errors') ?? {}
  const outcomes: BulkOutcome[] = []
  let outage: Refused | undefined
  for (const row of rows) {
    const { id } = row
    try {
      if (outage) throw outage
      outcomes.push({ id, isDone: true, code: null, reason: '', field: null, basis: await act(row) })
    } catch (error) {
      const refused = error instanceof Refused ? error : refusedBy(error, log, log)
      if (refused.code === 'unavailable') outage = refused
      const { code, message, errors } = problemOf(refused, words)
      const [problem] = errors ?? []
      const why = { code, reason: problem?.message ?? message, field: problem?.path ?? null }
      outcomes.push({ id, isDone: false, ...why, basis: null })
    }
  }
  return outcomes
}
