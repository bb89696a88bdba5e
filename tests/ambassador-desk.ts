import { api } from '#contract/api.ts'
import type { ApplicationDetail } from '#contract/people/console-ambassadors.ts'
import { anEmail, type TestMember } from './builders.ts'
import type { TestApi } from './setup/start-api.ts'
import { as } from './step-up.ts'

let clients = 0

/** Creates ambassador applications, and performs the actions of a staff member on them. */
export function ambassadorDesk(started: TestApi, clerk: TestMember) {
  const { call, services } = started

  async function anApplication(language = 'en', email = anEmail(), fields: object = {}): Promise<string> {
    clients += 1
    await call(
      api.applyAsAmbassador,
      { body: { email, fullName: `Applicant ${clients}`, city: 'Oslo', country: 'Norway', ...fields } },
      { ip: `198.19.${clients >> 8}.${clients & 255}`, headers: { 'accept-language': language } },
    )
    const { id } = await services.db
      .selectFrom('ambassador_application')
      .select('id')
      .where('email', '=', email)
      .where('status', '=', 'received')
      .executeTakeFirstOrThrow()
    return id
  }
  const read = async (id: string, by = clerk): Promise<ApplicationDetail> =>
    (await call(api.getAmbassadorApplication, { params: { id } }, as(by))).body
  const review = (id: string, lastUpdated: string, by = clerk) =>
    call(api.reviewAmbassadorApplication, { params: { id }, body: { lastUpdated } }, as(by))
  const accept = (id: string, lastUpdated: string, by = clerk) =>
    call(api.acceptAmbassadorApplication, { params: { id }, body: { lastUpdated } }, as(by))
  const decline = (id: string, lastUpdated: string, isReasonTold = true, by = clerk) =>
    call(
      api.declineAmbassadorApplication,
      { params: { id }, body: { reason: 'Enough of us there.', isReasonTold, lastUpdated } },
      as(by),
    )
  async function inReview(language?: string): Promise<ApplicationDetail> {
    const id = await anApplication(language)
    return (await review(id, (await read(id)).lastUpdated)).body
  }
  return { anApplication, read, review, accept, decline, inReview }
}
