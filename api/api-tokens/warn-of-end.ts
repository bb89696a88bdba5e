import { transaction } from '../db/database.ts'
import { formatDay } from '../format-time.ts'
import { sendMail } from '../mail/send-mail.ts'
import type { Services } from '../services.ts'
import { tokensLink } from '../site-links.ts'
import { takeEndingTokens } from './api-token.queries.ts'

const atOnce = 50

/** Tells makers a week before: the mark and the mail are one transaction, so that each is told once. */
export async function warnOfEnd({ db, keys, config }: Services): Promise<void> {
  for (;;) {
    const count = await transaction(db, async (db) => {
      const ending = await takeEndingTokens(db, config, atOnce)
      for (const { email, language, name, expires_at } of ending)
        await sendMail(db, keys, { email, language }, 'token-ends', {
          name,
          date: formatDay(expires_at, language),
          link: tokensLink(config),
        })
      return ending.length
    })
    if (count < atOnce) return
  }
}
