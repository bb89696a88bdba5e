import type { api } from '#contract/api.ts'
import type { KycReason } from '#contract/kyc-review.ts'
import type { Handler } from '../../http/handler.ts'

export const listKycReasons: Handler<typeof api.listKycReasons> = async (_, { content }) =>
  // It has passed the rules of the content.
  content.facts('facts/review-reasons.json') as KycReason[]
