import { api } from '#contract/api.ts'
import type { CallOf } from '#contract/endpoint.ts'
import type { TestMember } from '#tests/builders.ts'
import type { TestApi } from './start-api.ts'

type Verdict = Omit<CallOf<typeof api.reviewKycPhoto>['body'], 'round'> & { round?: number }

/** A reviewer views a photo and decides on it, in the case's current submission. */
export async function reviewPhoto(
  { call, services }: TestApi,
  { token }: TestMember,
  id: string,
  n: number,
  { round, ...verdict }: Verdict,
) {
  await call(api.getKycPhoto, { params: { id, n } }, { token })
  const row = await services.db
    .selectFrom('kyc_application')
    .select('round')
    .where('id', '=', id)
    .executeTakeFirst()
  const body = { ...verdict, round: round ?? row?.round ?? 1 }
  return call(api.reviewKycPhoto, { params: { id, n }, body }, { token })
}
