import type { Language } from '#contract/platform/languages.ts'
import type { Tx } from '../../platform/db/database.ts'
import { joinNames } from '../../platform/text/describe-changes.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { getMemberById } from '../members/member.queries.ts'
import { listSaleWatchers } from '../members/sale-watcher.queries.ts'
import type { Services } from '../../platform/services.ts'
import { officialConsoleLink } from '../../platform/site-links.ts'

/** The members who made the change, or the name of the command that did. */
type Author = { memberIds: readonly string[] } | { command: string }

/**
 * Emails administrators and everyone who can change the sale what an entry of the official list said before and says
 * now.
 */
export async function notifyAboutOfficial(
  db: Tx,
  { keys, config }: Pick<Services, 'keys' | 'config'>,
  author: Author,
  valuesIn: (language: Language) => string,
): Promise<void> {
  const names = await namesOf(db, author)
  const link = officialConsoleLink(config)
  for (const watcher of await listSaleWatchers(db))
    await sendMail(db, keys, watcher, 'official-changed', {
      name: joinNames(names, watcher.language),
      values: valuesIn(watcher.language),
      link,
    })
}

/** Returns authors by email address: a display name is freely chosen and could imitate a colleague. */
async function namesOf(db: Tx, author: Author): Promise<string[]> {
  if ('command' in author) return [author.command]
  const emails: string[] = []
  for (const id of author.memberIds) emails.push((await getMemberById(db, id)).email)
  return emails
}
