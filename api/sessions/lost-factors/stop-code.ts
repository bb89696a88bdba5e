import { timingSafeEqual } from 'node:crypto'
import type { Config } from '../../config.ts'
import type { Keys } from '../../keys.ts'
import { stopLostFactorLink } from '../../site-links.ts'

/**
 * The same in every email about the request, so it is derived and not stored. It becomes invalid with another
 * address.
 */
const stopCodeOf = (keys: Keys, id: string, email: string): string => keys.blind(`lost factor ${id} ${email}`)

export const stopLinkOf = (keys: Keys, config: Config, id: string, email: string): string =>
  stopLostFactorLink(config, id, stopCodeOf(keys, id, email))

export function isStopCode(keys: Keys, id: string, email: string, given: string): boolean {
  const [right, code] = [Buffer.from(stopCodeOf(keys, id, email)), Buffer.from(given)]
  return right.length === code.length && timingSafeEqual(right, code)
}
