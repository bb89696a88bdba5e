import type { Config } from '../config.ts'
import { networksOf } from '../http/trusted-networks.ts'

/** The widest network that a provider of proxies has, with room: what is wider holds visitors. */
const shortestPrefix = { ipv4: 8, ipv6: 16 } as const

/** Whether TRUST_PROXY also names visitors, who could then choose the address under which they are known. */
export const isTooWide = (trustProxy: Config['trustProxy']): boolean =>
  networksOf(trustProxy).some(
    ({ prefix, family, address }) => prefix < shortestPrefix[family] && !isPrivate(address),
  )

/** `fc00::/7` and `fe80::/10` are of one's own network. */
const isPrivate = (address: string): boolean => /^f[cde]/i.test(address)
