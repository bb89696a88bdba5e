import { Secret, TOTP } from 'otpauth'
import type { Tx } from '../../platform/db/database.ts'
import { hashSecret, type Keys } from '../../platform/keys.ts'
import { normalizeCode } from '../../platform/text/readable-codes.ts'
import {
  countRecoveryCodes,
  consumeRecoveryCode,
  findTotp,
  hasConfirmedTotp,
  consumeTotpStep,
} from './second-factor.queries.ts'
import { notifyMember, type MailContext } from './notify-member.ts'

const stepSeconds = 30
const driftSteps = 1

export const totpOf = (secret: string, label = '', issuer = ''): TOTP =>
  new TOTP({
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: 6,
    period: stepSeconds,
    label,
    issuer,
  })

/** Six digits, as shown by an authenticator; anything else can only be a recovery code. */
export const isTotpCode = (code: string): boolean => /^\d{6}$/.test(withoutSpaces(code))

const withoutSpaces = (code: string): string => code.replaceAll(/\s/g, '')

/**
 * Whether the code is correct: TOTP (RFC 6238, one step of drift, no reuse) or a recovery code. If so it is
 * consumed, and the member is notified of a used recovery code.
 */
export async function isValidCode(
  db: Tx,
  mailContext: MailContext,
  memberId: string,
  code: string,
): Promise<boolean> {
  if (isTotpCode(code)) {
    // An unconfirmed secret is not a factor, whatever other factors the account has.
    if (!(await hasConfirmedTotp(db, memberId))) return false
    const step = await findMatchingStep(db, mailContext.keys, memberId, withoutSpaces(code))
    return step !== null && (await consumeTotpStep(db, memberId, step))
  }
  if (!(await consumeRecoveryCode(db, memberId, hashSecret(normalizeCode(code))))) return false
  const left = String(await countRecoveryCodes(db, memberId))
  await notifyMember(db, mailContext, memberId, 'recovery-code-used', { left })
  return true
}

/** The time step that the code belongs to, or null. */
export async function findMatchingStep(
  db: Tx,
  keys: Keys,
  memberId: string,
  digits: string,
): Promise<number | null> {
  const row = await findTotp(db, memberId)
  if (!row) return null
  const now = Date.now()
  const drift = totpOf(keys.open('second factor', memberId, row.sealed_secret)).validate({
    token: digits,
    timestamp: now,
    window: driftSteps,
  })
  return drift === null ? null : Math.floor(now / 1000 / stepSeconds) + drift
}
