import { api } from '#contract/api.ts'
import type { CallOf } from '#contract/endpoint.ts'
import { anAmbassador, aWrittenProfile } from './ambassadors.ts'
import { aSignedInMember, type TestMember } from './builders.ts'
import type { TestApi } from './setup/start-api.ts'

type Saving = Partial<CallOf<typeof api.saveAmbassadorProfile>['body']>

/** Ambassadors and their reviewers, through the API. */
export async function ambassadorsAtWork(started: TestApi) {
  const { call } = started
  const board = await aSignedInMember(started, { manage_employee: 2 })
  const asBoard = { token: board.token }
  const own = async ({ token }: TestMember) => (await call(api.getOwnAmbassador, {}, { token })).body
  const join = ({ token }: TestMember) => call(api.joinAsAmbassador, { body: null }, { token })

  async function save(member: TestMember, fields: Saving = {}) {
    const { ambassador } = await own(member)
    const known = ambassador?.inWork ?? ambassador?.approved
    return call(
      api.saveAmbassadorProfile,
      { body: { ...aWrittenProfile, basedOn: known?.updatedAt ?? null, submit: false, ...fields } },
      { token: member.token },
    )
  }

  const seen = async (id: string) => (await call(api.getConsoleAmbassador, { params: { id } }, asBoard)).body
  async function approve(id: string, words: Partial<typeof aWrittenProfile> = {}) {
    const { submitted, standing } = await seen(id)
    const from = standing === 'hidden' ? 'hidden' : 'active'
    const { en, cn } = { ...submitted!, ...words }
    return call(
      api.approveAmbassadorProfile,
      { params: { id }, body: { basedOn: submitted!.updatedAt, en, cn, from } },
      asBoard,
    )
  }

  async function joined() {
    const member = await aSignedInMember(started)
    const { id } = await anAmbassador(started, { email: member.email })
    await join(member)
    return { member, id }
  }

  /** Returns a member with a published profile. */
  async function published(fields: Saving = {}) {
    const { member, id } = await joined()
    await save(member, { submit: true, ...fields })
    const { body } = await approve(id)
    return { member, id, slug: body.slug! }
  }

  const pageOf = (slug: string) => call(api.getAmbassador, { params: { slug } })
  const publicNames = async () => (await call(api.listAmbassadors, {})).body.map(({ slug }) => slug)
  return { asBoard, own, join, save, seen, approve, joined, published, pageOf, publicNames }
}
