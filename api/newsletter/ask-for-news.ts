import { DAY, HOUR } from '#contract/durations.ts'
import { newsletterWording, type NewsChoice } from '#contract/newsletter.ts'
import { transaction } from '../db/database.ts'
import { hashSecret, randomSecret } from '../keys.ts'
import { sendMail } from '../mail/send-mail.ts'
import { consume } from '../rate-limits/rate-limit.ts'
import type { Services } from '../services.ts'
import { confirmNewsLink, manageNewsLink } from '../site-links.ts'
import { newSecret, tokenOf } from './news-token.ts'
import { askSubscriber, lockOrInsertSubscriber, noteMailed, setChoice } from './subscriber.queries.ts'

const perAddressMax = 3
/** Of one client to one address. */
const perClientMax = 2
const codeBytes = 24
/** A mail that asks is on its way so long before another one may follow. */
const mailWait = HOUR
/** Who gets news already is told so seldom: anybody may type the address. */
const knownWait = DAY

/**
 * Asks whoever reads the mailbox to confirm, with one mail that waits at a time. Of an address that gets news already nothing changes;
 * its reader is told. Whoever typed it learns neither.
 */
export async function askForNews(
  { db, keys, config }: Pick<Services, 'db' | 'keys' | 'config'>,
  { email, client, ...choice }: NewsChoice & { email: string; client: string },
): Promise<void> {
  const wait = await consume(db, keys, [
    { key: `newsletter ${email} ${client}`, max: perClientMax, window: HOUR },
    { key: `newsletter ${email}`, max: perAddressMax, window: DAY },
  ])
  const mayMail = wait === undefined
  const wording = newsletterWording
  await transaction(db, async (db) => {
    const row = await lockOrInsertSubscriber(db, { email, linkSecret: newSecret(), wording, ...choice })
    const isMailedSince = (ms: number) => row.mailed_ms !== null && Number(row.mailed_ms) < ms
    const reader = { email, language: choice.language }
    if (row.state === 'active') {
      if (!mayMail || isMailedSince(knownWait)) return
      await noteMailed(db, row.id)
      await sendMail(db, keys, reader, 'newsletter-already', { link: manageNewsLink(config, tokenOf(row)) })
      return
    }
    if (!mayMail || (row.state === 'pending' && row.has_code && isMailedSince(mailWait))) {
      // The mail that is on its way confirms what was asked for last.
      if (row.state === 'pending') await setChoice(db, row.id, choice)
      return
    }
    const code = randomSecret(codeBytes)
    await askSubscriber(db, row.id, {
      ...choice,
      codeHash: hashSecret(code),
      linkSecret: row.state === 'ended' ? newSecret() : row.link_secret,
      wording,
    })
    await sendMail(db, keys, reader, 'newsletter-confirm', { link: confirmNewsLink(config, code) })
  })
}
