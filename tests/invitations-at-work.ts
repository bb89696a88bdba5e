import { api } from '#contract/api.ts'
import { recordIdentityApproved } from '#api/ambassadors/results/record-invitation.ts'
import { ambassadorsAtWork } from './ambassadors-at-work.ts'
import { anAmbassador } from './ambassadors.ts'
import { anEmail, aSignedInMember, goodPassword } from './builders.ts'
import type { TestApi } from './setup/start-api.ts'

let places = 0
/** Returns an IP address from which no ambassador is signed in. */
export const elsewhere = () => `198.51.100.${(places += 1) % 250}`

type Options = { ip?: string; cookies?: Record<string, string> }

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
