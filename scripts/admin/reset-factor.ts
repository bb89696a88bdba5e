import { commandLine } from '#api/platform/command-line.ts'
import { lockMember } from '#api/people/members/member.queries.ts'
import { hasAnyFactor } from '#api/people/sessions/factors.ts'
import { removeFactorsByCommand } from '#api/people/sessions/lost-factors/end-lost-factor.ts'
import type { Environment } from '#api/platform/config/setting-reader.ts'
import { transaction, type Database } from '#api/platform/db/database.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import { confirm } from '../confirm.ts'
import { readWords } from './read-words.ts'
import { findAccount } from './find-account.ts'
import { openContext } from './open-context.ts'

export const resetFactorUsage = 'reset-factor EMAIL [--yes]'

/**
 * Removes all second factors of an account and ends its sessions, when no two colleagues can approve a recovery request.
 * Returns the sentence to print.
 */
export async function resetFactor(
  db: Database,
  args: readonly string[],
  environment: Environment = process.env,
): Promise<string> {
  const { words, isConfirmed } = readWords(args)
  const [email, ...rest] = words
  if (!email || rest.length > 0) throw new StartRefused(`Usage: ${commandLine('admin', resetFactorUsage)}.`)
  const { id } = await findAccount(db, email)
  const context = await openContext(db, environment)
  await confirm(
    `Remove all passkeys, the authenticator app, and the recovery codes of ${email}, and sign the account out everywhere? From then on, the password alone signs in. Make sure that the request comes from the owner of the account.`,
    isConfirmed,
  )
  await transaction(db, async (db) => {
    await lockMember(db, id)
    if (!(await hasAnyFactor(db, id))) throw new StartRefused('The account has no second factor.')
    await removeFactorsByCommand(db, context, id)
  })
  return `The second factors of ${email} were removed, the account was signed out everywhere, and its owner was notified by email.`
}
