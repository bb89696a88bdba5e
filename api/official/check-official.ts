import type { api } from '#contract/api.ts'
import { MINUTE } from '#contract/durations.ts'
import type { Handler } from '../http/handler.ts'
import { requireWithinLimits } from '../rate-limits/rate-limit.ts'
import { answerOf, classifyPasted } from './classify/classify-pasted.ts'
import { findByKeys } from './known-entry.queries.ts'
import { readKnown } from './list-official-channels.ts'

const perClientMax = 60
const window = 10 * MINUTE

/** Checks a pasted text. It is stored nowhere; only the client's requests are counted. */
export const checkOfficial: Handler<typeof api.checkOfficial> = async ({ body }, context) => {
  const { db, keys, request } = context
  await requireWithinLimits(db, keys, [
    { key: `official or not ${request.client}`, max: perClientMax, window },
  ])
  const judged = classifyPasted(body.text, await readKnown(db, context))
  const rows = (await findByKeys(db, judged.keys)).filter(({ standing }) => standing === 'false')
  // The keys are sorted from most to least specific.
  const [known] = rows.toSorted((one, other) => judged.keys.indexOf(one.key) - judged.keys.indexOf(other.key))
  return answerOf(
    judged,
    known ? { value: known.value, note: known.note, since: known.added_at.toISOString() } : null,
  )
}
