import { api } from '#contract/api.ts'
import { recordIdentityApproved } from '#api/people/ambassadors/results/record-invitation.ts'
import type { CallOf } from '#contract/platform/endpoint.ts'
import { anAmbassador, aWrittenProfile } from './ambassadors.ts'
import { anEmail, aSignedInMember, goodPassword, type TestMember } from './builders.ts'
import type { TestApi } from './setup/start-api.ts'

let places = 0
/** Returns an IP address from which no ambassador is signed in. */
export const elsewhere = () => `198.51.100.${(places += 1) % 250}`

type Options = { ip?: string; cookies?: Record<string, string> }

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

/** Ambassadors who invite, and people who accept. */
export async function invitationsAtWork(started: TestApi) {
  const { call, services } = started
  const { db, config } = services
  const work = await ambassadorsAtWork(started)
  /** A signed-in ambassador with an account. */
  async function anInviter() {
    const member = await aSignedInMember(started)
    return { member, ...(await anAmbassador(started, { memberId: member.id })) }
  }

  const ask = (email: string, code: string, options: Options = {}) =>
    call(
      api.createMember,
      { body: { email, password: goodPassword, invitationCode: code } },
      { ip: elsewhere(), ...options },
    )
  const codesTo = async (email: string) =>
    (await started.mailsTo(email))
      .filter(({ kind }) => kind === 'activation')
      .map(({ text }) => new URL(/https?:\S+\/login\/activate\?\S+/.exec(text)![0]).searchParams.get('code')!)
  const activate = (email: string, code: string, options: Options = {}) =>
    call(api.activateMember, { params: { email, code } }, { ip: elsewhere(), ...options })

  /** A person who signed up with the code and activated the account. */
  async function invited(code: string, email = anEmail(), options: Options = {}) {
    await ask(email, code, options)
    await activate(email, (await codesTo(email)).at(-1)!, options)
    const { id } = await db
      .selectFrom('member')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    return { id, email }
  }

  const totals = async (id: string) => {
    const { totals: all, points } = (await work.seen(id)).results!
    return [all.signUps, all.activations, all.identities, points]
  }
  const flagsOf = async (id: string) => (await work.seen(id)).results!.flags.map(({ flag }) => flag)
  const approveIdentity = (memberId: string) => recordIdentityApproved(db, { config }, memberId)
  return { ...work, anInviter, ask, codesTo, activate, invited, totals, flagsOf, approveIdentity }
}
