import type { api } from '#contract/api.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import { transaction } from '../../platform/db/database.ts'
import type { Context, Handler } from '../../platform/http/handler.ts'
import { hashSecret } from '../../platform/keys.ts'
import { requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import { Refused } from '../../platform/refused.ts'
import { askForNews } from './ask-for-news.ts'
import { endSubscription } from './unsubscribe.ts'
import { findByToken, tokenOf } from './news-token.ts'
import { presentSubscription } from './own-subscription.ts'
import { confirmByCode, findSubscriber, setChoice } from './subscriber.queries.ts'

const asksMax = 20
const opensMax = 60

const requireSome = ({ db, keys, request }: Context, what: string, max: number) =>
  requireWithinLimits(db, keys, [{ key: `${what} ${request.client}`, max, window: 15 * MINUTE }])

export const subscribeToNews: Handler<typeof api.subscribeToNews> = async ({ body }, context) => {
  await requireSome(context, 'newsletter asked', asksMax)
  await askForNews(context, { ...body, client: context.request.client })
  return { received: true }
}

export const confirmSubscription: Handler<typeof api.confirmSubscription> = async ({ body }, context) => {
  await requireSome(context, 'newsletter opened', opensMax)
  const row = await confirmByCode(context.db, hashSecret(body.code))
  if (!row) throw new Refused('code_invalid')
  return { ...presentSubscription(row, context.config.digestTime), token: tokenOf(row) }
}

const open = async (context: Context, token: string) => {
  await requireSome(context, 'newsletter opened', opensMax)
  const row = await findByToken(context.db, token)
  if (!row) throw new Refused('code_invalid')
  return row
}

export const openSubscription: Handler<typeof api.openSubscription> = async ({ body }, context) =>
  presentSubscription(await open(context, body.token), context.config.digestTime)

export const changeSubscription: Handler<typeof api.changeSubscription> = async (
  { body: { token, ...choice } },
  context,
) => {
  const { id } = await open(context, token)
  const row = await setChoice(context.db, id, choice)
  // Unsubscribed readers must subscribe and confirm again.
  if (!row) throw new Refused('conflict')
  return presentSubscription(row, context.config.digestTime)
}

export const unsubscribeFromNews: Handler<typeof api.unsubscribeFromNews> = async ({ body }, context) => {
  const { id } = await open(context, body.token)
  const row = await transaction(context.db, async (db) => {
    await endSubscription(db, id, 'left')
    return findSubscriber(db, id)
  })
  if (!row) throw new Refused('code_invalid')
  return presentSubscription(row, context.config.digestTime)
}

export const readDigestTime: Handler<typeof api.readDigestTime> = async (_, { config }) => config.digestTime
