import type { Origin } from '../ambassadors/results/abuse-signals.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { RequestFacts } from '../../platform/http/handler.ts'
import { isDeviceOfAny } from '../sessions/known-device.queries.ts'
import { isPlaceOfAny } from '../sessions/session.queries.ts'

/** The origin of a request, as far as sessions and known browsers tell. Nothing is stored for it. */
export const originOf = (
  db: Tx,
  { deviceToken, client }: Pick<RequestFacts, 'deviceToken' | 'client'>,
): Origin => ({
  isBrowserOf: (memberIds) => isDeviceOfAny(db, deviceToken, memberIds),
  isNetworkOf: (memberIds) => isPlaceOfAny(db, client, memberIds),
})
