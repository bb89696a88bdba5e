import { DAY, HOUR } from '#contract/platform/durations.ts'
import { siteLanguages } from '#contract/platform/languages.ts'
import { type NewsChoice, newsletterWording, type NewsRhythm } from '#contract/publishing/newsletter.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import { hashSecret, type Keys, randomSecret } from '../../platform/keys.ts'
import { mailboxOf } from '../../platform/mail/email-quota.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { consume, countOne, refund } from '../../platform/rate-limits/rate-limit.ts'
import type { Services } from '../../platform/services.ts'
import type { SiteContent } from '../../platform/site-content/site-content.ts'
import { confirmNewsLink, manageNewsLink } from '../../platform/site-links.ts'
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

const perAddressMax = 3
/** Of one client to one address. */
const perClientMax = 2
const reserveMax = 1

/**
 * Whether one more email may be sent to the mailbox because someone typed its address, with any tag. Three a
 * day are allowed, plus one for a client that triggered none that day, so that one stranger can't block its
 * reader. If no email is sent the permit is refunded.
 */
async function consumeNewsletterQuota(
  db: Tx,
  keys: Keys,
  { email, client }: { email: string; client: string },
): Promise<{ giveBack: () => Promise<void> } | undefined> {
  const mailbox = mailboxOf(email)
  const ofClient = { key: `newsletter ${mailbox} ${client}`, max: perClientMax, window: HOUR }
  const ofClientToday = { key: `newsletter today ${mailbox} ${client}`, max: perAddressMax, window: DAY }
  const ofAddress = { key: `newsletter ${mailbox}`, max: perAddressMax, window: DAY }
  const reserve = { key: `newsletter reserve ${mailbox}`, max: reserveMax, window: DAY }
  const { wait } = await countOne(db, keys, ofClient)
  const { count } = await countOne(db, keys, ofClientToday)
  const counted = [ofClient, ofClientToday]
  if (wait === undefined)
    for (const limit of count === 1 ? [ofAddress, reserve] : [ofAddress]) {
      if ((await consume(db, keys, [limit])) === undefined)
        return { giveBack: () => refund(db, keys, [...counted, limit]) }
      await refund(db, keys, [limit])
    }
  await refund(db, keys, counted)
  return undefined
}

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

const categoryKeys: Readonly<Record<string, string>> = {
  'Technical Updates': 'news.category.technicalUpdates',
  News: 'news.category.news',
  Events: 'news.category.events',
  Partnerships: 'news.category.partnerships',
}

const rhythmKeys: Readonly<Record<NewsRhythm, string>> = {
  each: 'newsletter.rhythm.each',
  weekly: 'newsletter.rhythm.weekly',
}

/** What a confirmation link confirms, in words: categories, frequency, and language, one line each. */
function describeChoice(
  content: Pick<SiteContent, 'allWords'>,
  { language, categories, rhythm }: NewsChoice,
): string {
  const words = content.allWords(language)
  const named = categories.map((name) => words[categoryKeys[name] ?? ''] ?? name)
  const listed = named.join(siteLanguages[language].tag.startsWith('zh') ? '、' : ', ')
  return [listed, words[rhythmKeys[rhythm]] ?? rhythm, siteLanguages[language].name].join('\n')
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
