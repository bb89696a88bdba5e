import { api } from '#contract/api.ts'
import type { TestMember } from '#tests/builders.ts'
import type { TestApi } from './start-api.ts'

/** What an officer does before an approval: accepts every photo and reads the screening. */
export async function readCase(started: TestApi, officer: TestMember, id: string): Promise<void> {
  const token = { token: officer.token }
  const { body } = await started.call(api.getKycCase, { params: { id } }, token)
  for (const { n, isReplaced } of body.photos) {
    if (isReplaced) continue
    const verdict = { params: { id, n }, body: { verdict: 'accepted' as const } }
    const answer = await started.call(api.reviewKycPhoto, verdict, token)
    if (answer.status !== 200) throw new Error(`a verdict was answered with ${answer.status}`)
  }
  await readScreening(started, officer, id)
}

export async function readScreening({ call }: TestApi, officer: TestMember, id: string): Promise<void> {
  const token = { token: officer.token }
  const { body } = await call(api.getKycCase, { params: { id } }, token)
  await call(api.readKycScreening, { params: { id }, body: { hash: body.screening.hash } }, token)
}
