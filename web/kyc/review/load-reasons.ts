import { listKycReasons, type KycReason } from '#contract/kyc-review.ts'
import { call } from '../../call/call.ts'
import { knownFacts } from '../../content/known-content.ts'

const file = 'facts/review-reasons.json'

/** Asked for once: a form that offers them opens with each photo. */
export async function loadReasons(): Promise<readonly KycReason[]> {
  const known = knownFacts.get(file) as readonly KycReason[] | undefined
  if (known) return known
  const reasons = await call(listKycReasons, {})
  knownFacts.set(file, reasons)
  return reasons
}
