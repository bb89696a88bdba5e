import type { api } from '#contract/api.ts'
import { DAY, MINUTE } from '#contract/platform/durations.ts'
import { transaction } from '../../../platform/db/database.ts'
import { formatDay } from '../../../platform/text/format-time.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { hashSecret, randomSecret } from '../../../platform/keys.ts'
import { consumeEmailQuota } from '../../../platform/mail/email-quota.ts'
import { sendMail } from '../../../platform/mail/send-mail.ts'
import { requireWithinLimits } from '../../../platform/rate-limits/rate-limit.ts'
import { Refused } from '../../../platform/refused.ts'
import { ambassadorStatusLink } from '../../../platform/site-links.ts'
import {
  findStatusOfLink,
  insertOrReplacePending,
  insertStatusLink,
  renewStatusLinks,
} from './application.queries.ts'
import { countryKeyOf } from './country-key.ts'

const applicationsMax = 30
const statusReadsMax = 60
const codeBytes = 24
/** How long an emailed link shows the status of an application, in milliseconds. Another application renews it. */
const statusLinkLife = 90 * DAY

export const applyAsAmbassador: Handler<typeof api.applyAsAmbassador> = async (
  { body },
  { db, keys, config, request },
) => {
  const { client, language } = request
  await requireWithinLimits(db, keys, [
    { key: `ambassador ${client}`, max: applicationsMax, window: 15 * MINUTE },
  ])
  const { email } = body
  const isMailed = await consumeEmailQuota(db, keys, { email, client, sort: 'ambassador', of: 'ambassador' })
  await transaction(db, async (db) => {
    const id = await insertOrReplacePending(db, {
      email,
      full_name: body.fullName,
      city: body.city,
      country: body.country,
      country_key: countryKeyOf(body.country),
      social_media: JSON.stringify((body.socialMedia ?? []).filter(Boolean)),
      description: body.description ?? '',
      language,
    })
    await renewStatusLinks(db, id, statusLinkLife)
    if (!isMailed) return
    const code = randomSecret(codeBytes)
    await insertStatusLink(db, id, hashSecret(code), statusLinkLife)
    await sendMail(db, keys, { email, language }, 'ambassador-received', {
      link: ambassadorStatusLink(config, code),
      date: formatDay(new Date(Date.now() + statusLinkLife), language),
    })
  })
  return { received: true }
}

/** Returns the status. Unknown codes, expired codes, and codes of erased applications get the same response. */
export const readAmbassadorStatus: Handler<typeof api.readAmbassadorStatus> = async (
  { body },
  { db, keys, request },
) => {
  await requireWithinLimits(db, keys, [
    { key: `ambassador status ${request.client}`, max: statusReadsMax, window: 15 * MINUTE },
  ])
  const row = await findStatusOfLink(db, hashSecret(body.code))
  if (!row) throw new Refused('code_invalid')
  return { status: row.status, at: row.state_at.toISOString() }
}
