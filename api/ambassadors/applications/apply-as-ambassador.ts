import type { api } from '#contract/api.ts'
import { MINUTE } from '#contract/durations.ts'
import { transaction } from '../../db/database.ts'
import { formatDay } from '../../format-time.ts'
import type { Handler } from '../../http/handler.ts'
import { hashSecret, randomSecret } from '../../keys.ts'
import { consumeEmailQuota } from '../../mail/email-quota.ts'
import { sendMail } from '../../mail/send-mail.ts'
import { requireWithinLimits } from '../../rate-limits/rate-limit.ts'
import { ambassadorStatusLink } from '../../site-links.ts'
import { insertOrReplacePending } from './application.queries.ts'
import { statusLinkLife } from './application.rules.ts'
import { countryKeyOf } from './country-key.ts'
import { insertStatusLink, renewStatusLinks } from './status-link.queries.ts'

const perClientMax = 30
const codeBytes = 24

export const applyAsAmbassador: Handler<typeof api.applyAsAmbassador> = async (
  { body },
  { db, keys, config, request },
) => {
  await requireWithinLimits(db, keys, [
    { key: `ambassador ${request.client}`, max: perClientMax, window: 15 * MINUTE },
  ])
  const { email } = body
  const { language } = request
  const isMailed = await consumeEmailQuota(db, keys, {
    email,
    client: request.client,
    sort: 'ambassador',
    of: 'ambassador',
  })
  await transaction(db, async (db) => {
    const id = await insertOrReplacePending(db, {
      email,
      fullName: body.fullName,
      city: body.city,
      country: body.country,
      countryKey: countryKeyOf(body.country),
      socialMedia: (body.socialMedia ?? []).filter(Boolean),
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
