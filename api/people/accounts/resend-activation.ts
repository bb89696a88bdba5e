import type { api } from '#contract/api.ts'
import type { Consent } from '#contract/people/consents.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Context, Handler } from '../../platform/http/handler.ts'
import { hashSecret, randomSecret } from '../../platform/keys.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { isProved, type MemberRow } from '../members/member.queries.ts'
import { lockOrInsertMember } from '../members/lock-or-insert-member.queries.ts'
import { requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import { newActivationCode, normalizeCode } from '../../platform/text/readable-codes.ts'
import { activationLink, choosePasswordLink } from '../../platform/site-links.ts'
import { activationLife } from './create-member.ts'
import { mailThatAccountExists } from './mail-that-account-exists.ts'
import { newResetCode } from './emailed-codes.ts'
import {
  insertSignUp,
  insertSignUpAndRollBack,
  listUnusedSignUps,
  type NewSignUp,
} from './sign-up.queries.ts'
import { consumeAnonymousQuota } from './consume-anonymous-quota.ts'
import { rollBackIfUnknown, writeOrRollBack } from '../../platform/db/roll-back-if-unknown.ts'

/**
 * Emails another code of the sign-up; earlier codes stay valid. If several people signed up with the address,
 * nobody can tell which sign-up is meant, so a link to choose the password is emailed. An existing account's
 * owner is told about the account.
 */
export const resendActivation: Handler<typeof api.resendActivation> = async ({ body }, context) => {
  const { db, keys, request } = context
  const { client, language } = request
  await requireWithinLimits(db, keys, [{ key: `re-send ${client}`, max: 20, window: 15 * MINUTE }])
  const permit = await consumeAnonymousQuota(db, keys, { email: body.email, client, sort: 're-send' })
  if (permit.isServed)
    await rollBackIfUnknown(db, async (db) => {
      const { member } = await lockOrInsertMember(db, body.email, language)
      // Read before it is known whether they are needed, so that the answer takes equally long for every
      // address.
      const signUps = await listUnusedSignUps(db, member.id)
      if (isProved(member)) {
        await copyUnderDeadCode(db, member.id, onlySignUp(signUps))
        await writeOrRollBack(db, permit.isMailed, () => mailThatAccountExists(db, context, member, language))
      } else {
        const isKnown = member.id === permit.ownerId
        await writeOrRollBack(db, true, () =>
          isKnown
            ? mailActivation(db, context, { ...member, language }, signUps)
            : mailAnotherCode(db, context, { ...member, language }, onlySignUp(signUps)),
        )
      }
      // The permit was for emails to that owner, or to nobody.
      return { isForNobody: member.id !== permit.ownerId }
    })
  return { sent: true }
}

type SignUp = Awaited<ReturnType<typeof listUnusedSignUps>>[number]

type Sender = Pick<Context, 'keys' | 'config'>

/** For a member who was never activated, with their unused sign-ups, in the language of `member`. */
export async function mailActivation(
  db: Tx,
  context: Sender,
  member: MemberRow,
  signUps: readonly SignUp[],
): Promise<void> {
  const signUp = onlySignUp(signUps)
  await (signUp ? mailAnotherCode(db, context, member, signUp) : mailChoiceOfPassword(db, context, member))
}

/**
 * The sign-up that is meant, if all of them chose the same password; with the invitation that one of them
 * named.
 */
function onlySignUp(signUps: readonly SignUp[]): SignUp | undefined {
  if (new Set(signUps.map((each) => each.password_hash)).size !== 1) return undefined
  const named = signUps.find(({ invitation_code }) => invitation_code !== '')
  return { ...signUps[0]!, invitation_code: named?.invitation_code ?? '' }
}

/**
 * For an account, under a code that is never sent, exactly what an address without one gets; otherwise the time
 * for which a chosen password waits would reveal whether the address has an account. Missing rows are written
 * and rolled back.
 */
async function copyUnderDeadCode(db: Tx, memberId: string, signUp: SignUp | undefined): Promise<void> {
  const copy = copyOf(memberId, signUp, hashSecret(randomSecret(32)))
  await (signUp ? insertSignUp : insertSignUpAndRollBack)(db, copy, activationLife)
}

const mailChoiceOfPassword = async (db: Tx, { keys, config }: Sender, member: MemberRow) =>
  sendMail(db, keys, member, 'choose-password', {
    link: choosePasswordLink(config, member.id, await newResetCode(db, member.id)),
  })

async function mailAnotherCode(
  db: Tx,
  { keys, config }: Sender,
  { id, email, language }: MemberRow,
  signUp: SignUp | undefined,
): Promise<void> {
  const code = newActivationCode()
  await insertSignUp(db, copyOf(id, signUp, hashSecret(normalizeCode(code))), activationLife)
  await sendMail(db, keys, { email, language }, 'activation', {
    link: activationLink(config, email, code),
    code,
  })
}

const copyOf = (memberId: string, signUp: SignUp | undefined, codeHash: string): NewSignUp => ({
  memberId,
  codeHash,
  ...(signUp ? fieldsOf(signUp) : dummyFields()),
})

type SignUpFields = Omit<NewSignUp, 'memberId' | 'codeHash'>

const fieldsOf = (signUp: SignUp): SignUpFields => ({
  passwordHash: signUp.password_hash,
  passwordLengthOkForStaff: signUp.password_length_ok_for_staff,
  firstName: signUp.first_name,
  lastName: signUp.last_name,
  invitationCode: signUp.invitation_code,
  consents: signUp.consents as Consent[],
  consentedAt: signUp.consented_at,
  consentedFrom: signUp.consented_from,
})

const dummyFields = (): SignUpFields => ({
  passwordHash: randomSecret(72),
  passwordLengthOkForStaff: false,
  firstName: '',
  lastName: '',
  invitationCode: '',
  consents: [],
  consentedFrom: '',
})
