import type { api } from '#contract/api.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import type { InputOf } from '#contract/platform/endpoint.ts'
import { transaction, retryUntilDone, type Database, type Tx } from '../../platform/db/database.ts'
import type { Handler, RequestFacts } from '../../platform/http/handler.ts'
import { isImported } from '../../platform/imported-hash.ts'
import { hashSecret } from '../../platform/keys.ts'
import {
  lockMember,
  recordSignInWhereActivated,
  updateMemberRow,
  type MemberRow,
} from '../members/member.queries.ts'
import { saltToKeep } from '../members/pending-password.queries.ts'
import { requestOfMember } from './passkeys/challenge.ts'
import { acceptPasskey, verifyPasskey, type VerifiedPasskey } from './passkeys/verify-passkey.ts'
import { Refused } from '../../platform/refused.ts'
import { refund, requireWithinLimits, type Limit } from '../../platform/rate-limits/rate-limit.ts'
import type { Services } from '../../platform/services.ts'
import { hasAnyFactor, kindsOfFactor } from './factors.ts'
import { checkCode } from './factor-tries.ts'
import { isValidCode } from './second-factor.ts'
import { findLostFactorState } from './lost-factors/ask-lost-factor.ts'
import { endLostFactorIfDue } from './lost-factors/end-lost-factor.ts'
import { verifyCredentials } from './verify-credentials.ts'
import type { Started } from './start-session.ts'
import { welcome, completeSignInAtOnce } from './complete-sign-in.ts'
import type { MailContext } from './notify-member.ts'

type Given = InputOf<typeof api.signIn>['body']

export const signIn: Handler<typeof api.signIn> = async (input, context) => {
  try {
    return await signInOnce(input, context)
  } catch (error) {
    if (!(error instanceof HashedAnew)) throw error
    return signInOnce(input, context)
  }
}

/** Another sign-in of the same member replaced the imported hash that the password was compared with. */
class HashedAnew extends Error {}

const signInOnce: Handler<typeof api.signIn> = async ({ body }, context) => {
  const { db, keys, config, request, answer } = context
  const { member, limits, hasFactor, isTokenKnown } = await verifyCredentials(context, body)
  const isOfEarlierSite = isImported(member.password_hash)
  const isPlain =
    !isOfEarlierSite && !hasFactor && !body.secondFactor && !body.passkey && !request.activationProof
  const welcomed = isPlain ? await tryAtOnce(context, member, limits, isTokenKnown) : undefined
  if (welcomed) {
    welcomed.setCookies(answer)
    return welcomed.signedIn
  }
  // The correct password without a factor is a step of signing in, not a failure.
  if (!body.secondFactor && !body.passkey) await refund(db, keys, limits)
  const verified =
    body.passkey &&
    (await verifyPasskey(db, config, body.passkey, { purpose: 'second_factor', memberId: member.id }))
  const ownHash = isOfEarlierSite ? await hashAnew(context, member.id, body.password) : undefined
  const start = async (db: Tx) => {
    const current = await lockMember(db, member.id)
    if (ownHash && current?.active && !isImported(current.password_hash)) throw new HashedAnew()
    // The password or the account may have changed while the hash was computed.
    if (!current?.active || current.password_hash !== member.password_hash)
      throw new Refused('credentials_invalid')
    await endLostFactorIfDue(db, context, member.id)
    const needsFactor = await hasAnyFactor(db, member.id)
    if (needsFactor && !(await isFactorProved(db, context, member.id, { verified, code: body.secondFactor })))
      return undefined
    if (request.activationProof)
      await recordSignInWhereActivated(db, member.id, hashSecret(request.activationProof))
    if (ownHash) await updateMemberRow(db, member.id, { password_hash: ownHash })
    return welcome(db, context, member.id, needsFactor)
  }
  const started = await checkCode(context, member.id, body.secondFactor, () => transaction(db, start))
  if (!started) {
    // The attempt with the correct password is refunded, and each answer stores a challenge.
    const halfWay = { key: `half-way ${limits[0]!.key}`, max: 300, window: 15 * MINUTE }
    await requireWithinLimits(db, keys, [halfWay])
    throw await factorRequired(context, member.id)
  }
  // After the transaction, which would lock the counters that all clients at this address share.
  if (body.secondFactor || body.passkey) await refund(db, keys, limits)
  started.setCookies(answer)
  return started.signedIn
}

/** With the salt of waiting sign-ups, so that signing in costs the same for every address. */
const hashAnew = async (
  { db, passwords, request }: Services & { request: RequestFacts },
  memberId: string,
  password: string,
): Promise<string> => passwords.hash(password, 'change', await saltToKeep(db, memberId), request.client)

/** Tries the usual case: a correct password without a second factor. */
const tryAtOnce = (
  context: MailContext & { db: Database; request: RequestFacts },
  { id, password_hash }: MemberRow,
  limits: readonly Limit[],
  isTokenKnown: boolean,
): Promise<Started | undefined> =>
  retryUntilDone(() =>
    completeSignInAtOnce(context.db, context, { id, passwordHash: password_hash!, isTokenKnown }, limits),
  )

function isFactorProved(
  db: Tx,
  mailContext: MailContext,
  memberId: string,
  { verified, code }: { verified: VerifiedPasskey | undefined; code: Given['secondFactor'] },
): Promise<boolean> {
  if (verified) return acceptPasskey(db, verified)
  if (code) return isValidCode(db, mailContext, memberId, code)
  return Promise.resolve(false)
}

/** Answers with the account's factors and a passkey challenge, only after the correct password. */
async function factorRequired({ db, config }: { db: Database } & MailContext, memberId: string) {
  const passkey = await requestOfMember(db, config, 'second_factor', memberId)
  const kinds = await kindsOfFactor(db, memberId)
  const lostFactor = await findLostFactorState(db, memberId)
  return new Refused('second_factor_required', {
    secondFactor: { kinds, ...(passkey && { passkey }), ...(lostFactor && { lostFactor }) },
  })
}
