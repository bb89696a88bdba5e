import type { api } from '#contract/api.ts'
import { MINUTE } from '#contract/durations.ts'
import { transaction } from '../db/database.ts'
import type { Handler } from '../http/handler.ts'
import { takeMailPermit } from '../mail/mail-permit.ts'
import { sendMail } from '../mail/send-mail.ts'
import { requireWithinLimits } from '../rate-limits/rate-limit.ts'
import { insertOrReplacePending } from './ambassador.queries.ts'

const perClientMax = 30

export const applyAsAmbassador: Handler<typeof api.applyAsAmbassador> = async (
  { body },
  { db, keys, request },
) => {
  await requireWithinLimits(db, keys, [
    { key: `ambassador ${request.client}`, max: perClientMax, window: 15 * MINUTE },
  ])
  const isMailed = await takeMailPermit(db, keys, {
    email: body.email,
    client: request.client,
    sort: 'ambassador',
  })
  await transaction(db, async (db) => {
    await insertOrReplacePending(db, {
      email: body.email,
      fullName: body.fullName,
      city: body.city,
      country: body.country,
      socialMedia: (body.socialMedia ?? []).filter(Boolean),
      description: body.description ?? '',
    })
    if (isMailed)
      await sendMail(db, keys, { email: body.email, language: request.language }, 'ambassador-received')
  })
  return { received: true }
}
