import { DAY, HOUR } from '#contract/durations.ts'
import { newsletterWording, type NewsChoice } from '#contract/newsletter.ts'
import { transaction, type Tx } from '../db/database.ts'
import { hashSecret, randomSecret } from '../keys.ts'
import { sendMail } from '../mail/send-mail.ts'
import type { Services } from '../services.ts'
import { confirmNewsLink, manageNewsLink } from '../site-links.ts'
import { describeChoice } from './describe-choice.ts'
import { consumeNewsletterQuota } from './newsletter-quota.ts'
import { newSecret, tokenOf } from './news-token.ts'
import { askSubscriber, lockOrInsertSubscriber, recordMailed } from './subscriber.queries.ts'

const codeBytes = 24
/** Minimum time between two confirmation emails, in milliseconds. */
const mailWait = HOUR
/**
 * Minimum time between notices to an existing subscriber, because anyone can type the address. In milliseconds.
 */
const knownWait = DAY

type Needs = Pick<Services, 'db' | 'keys' | 'config' | 'content'>
type Asked = NewsChoice & { email: string }

/**
 * Asks the owner of the mailbox to confirm, with at most one email waiting. For a subscribed address nothing
 * changes, and its reader is notified. The person who typed it learns neither.
 */
export async function askForNews(
  needs: Needs,
  { client, ...asked }: Asked & { client: string },
): Promise<void> {
  const { db, keys } = needs
  const permit = await consumeNewsletterQuota(db, keys, { email: asked.email, client })
  let isMailed = false
  try {
    isMailed = await transaction(db, (db) => ask({ ...needs, db }, asked, permit !== undefined))
  } finally {
    if (!isMailed) await permit?.giveBack()
  }
}

/** Returns whether an email was written. */
async function ask(
  { db, keys, config, content }: Omit<Needs, 'db'> & { db: Tx },
  { email, ...choice }: Asked,
  mayMail: boolean,
): Promise<boolean> {
  const wording = newsletterWording
  const row = await lockOrInsertSubscriber(db, { email, linkSecret: newSecret(), wording, ...choice })
  const isMailedSince = (ms: number) => row.mailed_ms !== null && Number(row.mailed_ms) < ms
  const reader = { email, language: choice.language }
  if (row.state === 'active') {
    if (!mayMail || isMailedSince(knownWait)) return false
    await recordMailed(db, row.id)
    await sendMail(db, keys, reader, 'newsletter-already', { link: manageNewsLink(config, tokenOf(row)) })
    return true
  }
  // The waiting email confirms the choice it describes, whatever was typed since.
  if (!mayMail || (row.state === 'pending' && row.has_code && isMailedSince(mailWait))) return false
  const code = randomSecret(codeBytes)
  await askSubscriber(db, row.id, {
    ...choice,
    codeHash: hashSecret(code),
    linkSecret: row.state === 'ended' ? newSecret() : row.link_secret,
    wording,
  })
  const values = { link: confirmNewsLink(config, code), choice: describeChoice(content, choice) }
  await sendMail(db, keys, reader, 'newsletter-confirm', values)
  return true
}
