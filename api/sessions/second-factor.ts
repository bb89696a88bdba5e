import { Secret, TOTP } from 'otpauth'
import type { Tx } from '../db/database.ts'
import { hashSecret, type Keys } from '../keys.ts'
import { normaliseCode } from '../members/codes.ts'
import { Refused } from '../refused.ts'
import { findTotp, spendRecoveryCode, spendTotpStep } from './totp.queries.ts'

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

/** Takes a TOTP code (RFC 6238, one step of drift, none twice) or a recovery code; refuses with `second_factor_required`. */
export async function acceptSecondFactor(
  db: Tx,
  keys: Keys,
  memberId: string,
  code: string | undefined,
): Promise<void> {
  if (!code || !(await isLivingCode(db, keys, memberId, code))) throw new Refused('second_factor_required')
}

/** Whether the code is right; if so it is used up. */
export async function isLivingCode(db: Tx, keys: Keys, memberId: string, code: string): Promise<boolean> {
  const digits = code.replaceAll(/\s/g, '')
  if (/^\d{6}$/.test(digits)) {
    const step = await findMatchingStep(db, keys, memberId, digits)
    return step !== null && (await spendTotpStep(db, memberId, step))
  }
  return spendRecoveryCode(db, memberId, hashSecret(normaliseCode(code)))
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
