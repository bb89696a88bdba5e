import { api } from '#contract/api.ts'
import type { CallOf } from '#contract/platform/endpoint.ts'
import { anApplicant, aPicture, aSignedInMember, type TestMember } from '#tests/builders.ts'
import type { TestApi } from './start-api.ts'

export const finalRefusal = { status: 'rejected' as const, isFinal: true, reason: 'Forged.' }

/** Names by number, none of which sounds like another. */
const syllables = ['ba', 'de', 'fi', 'go', 'lu', 'ma', 'ne', 'pi', 'ro', 'tu']
let shapes = 700

/** Applications that share nothing with others, and the actions of reviewers and applicants. */
export function identityCases(started: TestApi) {
  const { call } = started
  const apply = (by: TestMember, fields: object) =>
    call(api.createKyc, { body: { ...anApplicant(by.email), photoUrls: [], ...fields } }, { token: by.token })
  const aCase = async (fields: object = {}, known?: TestMember) => {
    const member = known ?? (await aSignedInMember(started))
    shapes += 1
    const photo = await aPicture('png', { width: shapes, height: 500 })
    const own = {
      firstName: `Person ${[...String(shapes)].map((digit) => syllables[Number(digit)]).join('')}`,
      ethAddress: `0x${String(shapes).padStart(40, '1')}`,
    }
    const answer = await apply(member, { ...own, photoUrls: [photo], ...fields })
    if (answer.status !== 201) throw new Error(`kyc/create answered ${answer.status}`)
    return { member, id: answer.body._id, photo, own }
  }
  return {
    apply,
    aCase,
    officer: (name: string) => aSignedInMember(started, { manage_finance: 2, display_name: name }),
    decide: (by: TestMember, id: string, body: CallOf<typeof api.decideKycCase>['body']) =>
      call(api.decideKycCase, { params: { id }, body }, { token: by.token }),
    update: (by: TestMember, body: CallOf<typeof api.updateKyc>['body']) =>
      call(api.updateKyc, { body }, { token: by.token }),
    lift: (by: TestMember, id: string, reason = 'The registry confirms it.') =>
      call(api.reverseKycRejection, { params: { id }, body: { reason } }, { token: by.token }),
    remove: (by: TestMember, id: string) => call(api.deleteKyc, { body: { id } }, { token: by.token }),
    erase: (by: TestMember) => call(api.eraseMember, { body: { current: by.password } }, { token: by.token }),
    read: (by: TestMember, id: string) => call(api.getKycCase, { params: { id } }, { token: by.token }),
    queue: async (by: TestMember, query: CallOf<typeof api.listKycCases>['query'] = {}) =>
      (await call(api.listKycCases, { query: { limit: 100, ...query } }, { token: by.token })).body,
    events: async (by: TestMember, id: string) =>
      (await call(api.listKycCaseEvents, { params: { id } }, { token: by.token })).body,
    own: async (by: TestMember) =>
      (await call(api.listKycOfMember, { body: { memberId: by.id } }, { token: by.token })).body,
  }
}
