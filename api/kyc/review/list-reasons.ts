import type { api } from '#contract/api.ts'
import type { KycReason } from '#contract/kyc-review.ts'
import type { Handler } from '../../http/handler.ts'

export const listKycReasons: Handler<typeof api.listKycReasons> = async (_, { content }) =>
  // Content rules have already validated it.
  content.facts('facts/review-reasons.json') as KycReason[]
