import { commandLine } from '#api/platform/command-line.ts'
import { lockMember, type MemberRow } from '#api/people/members/member.queries.ts'
import { grantRightsByCommand, type GrantedRights } from '#api/people/accounts/grant-rights-by-command.ts'
import { profileColumns } from '#api/people/members/profile-columns.ts'
import type { Environment } from '#api/platform/config/setting-reader.ts'
import { transaction, type Database } from '#api/platform/db/database.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import { confirm } from '../confirm.ts'
import { readWords } from './read-words.ts'
import { findAccount } from './find-account.ts'
import { openContext } from './open-context.ts'

export const grantUsage =
  'grant EMAIL administrator [--yes], or grant EMAIL news|employee|finance|coins 1|2 [--yes]'

const fieldOf = {
  news: 'manageNews',
  employee: 'manageEmployee',
  finance: 'manageFinance',
  coins: 'manageCoins',
} as const

function readRights(area: string, level: string | undefined): GrantedRights | undefined {
  if (area === 'administrator' && level === undefined) return { isWriteAccessAdmin: true }
  if (!Object.hasOwn(fieldOf, area) || (level !== '1' && level !== '2')) return undefined
  return { [fieldOf[area as keyof typeof fieldOf]]: Number(level) }
}

/** Grants a permission to an account, when no administrator can sign in to do it. Returns the sentence to print. */
export async function grantRights(
  db: Database,
  args: readonly string[],
  environment: Environment = process.env,
): Promise<string> {
  const { words, isConfirmed } = readWords(args)
  const [email, area = '', level, ...rest] = words
  const rights = readRights(area, level)
  if (!email || !rights || rest.length > 0)
    throw new StartRefused(`Usage: ${commandLine('admin', grantUsage)}.`)
  const { id } = await findAccount(db, email)
  const context = await openContext(db, environment)
  const granted = area === 'administrator' ? 'administrator' : `${area} ${level}`
  await confirm(await describe(db, { email, granted }), isConfirmed)
  await transaction(db, async (db) => {
    const member = await lockMember(db, id)
    if (!member?.active) throw new StartRefused('The account isn’t active.')
    requireMore(member, rights)
    await grantRightsByCommand(db, context, member, rights)
  })
  return `${email} now has the permission ${granted}, was signed out everywhere, and was notified by email. The permission takes effect once the account has a password of at least 12 characters and, if the settings require it, a second factor.`
}

async function describe(
  db: Database,
  { email, granted }: { email: string; granted: string },
): Promise<string> {
  const { address_proved_at: provedAt } = await findAccount(db, email)
  const warning = provedAt ? '' : ' The address was never verified, so the account may be someone else’s.'
  return `Grant the permission ${granted} to ${email}?${warning} Administrators are notified by email.`
}

/** The command only adds permissions. */
function requireMore(member: MemberRow, rights: GrantedRights): void {
  const isMore = (Object.entries(rights) as [keyof GrantedRights, number | boolean][]).some(
    ([field, value]) => member[profileColumns[field]] < value,
  )
  if (!isMore) throw new StartRefused('The account already has this permission. Nothing was changed.')
}
