import type { api } from '#contract/api.ts'
import type { Handler } from '../http/handler.ts'

export const readKycRequirements: Handler<typeof api.readKycRequirements> = async (_, { config }) => ({
  ageMin: config.kycAgeMin,
})
