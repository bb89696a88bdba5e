import { api } from '#contract/api.ts'
import type { CallOf } from '#contract/platform/endpoint.ts'
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

/** Performs a reviewer's steps before an approval: accepts every photo and reads the screening result. */
export async function readCase(started: TestApi, officer: TestMember, id: string): Promise<void> {
  const token = { token: officer.token }
  const { body } = await started.call(api.getKycCase, { params: { id } }, token)
  for (const { n, isReplaced } of body.photos) {
    if (isReplaced) continue
    const answer = await reviewPhoto(started, officer, id, n, { verdict: 'accepted' })
    if (answer.status !== 200) throw new Error(`a verdict was answered with ${answer.status}`)
  }
  await readScreening(started, officer, id)
}

export async function readScreening({ call }: TestApi, officer: TestMember, id: string): Promise<void> {
  const token = { token: officer.token }
  const { body } = await call(api.getKycCase, { params: { id } }, token)
  await call(api.readKycScreening, { params: { id }, body: { hash: body.screening.hash } }, token)
}
