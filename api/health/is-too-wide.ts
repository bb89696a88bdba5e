import type { Config } from '../config.ts'
import { networksOf } from '../http/trusted-networks.ts'

/** Shorter than any network of a proxy provider: a wider one contains visitors. */
const shortestPrefix = { ipv4: 8, ipv6: 16 } as const

/** Whether TRUST_PROXY also includes visitors, who could then choose their own address. */
export const isTooWide = (trustProxy: Config['trustProxy']): boolean =>
  networksOf(trustProxy).some(
    ({ prefix, family, address }) => prefix < shortestPrefix[family] && !isPrivate(address),
  )

/** `fc00::/7` and `fe80::/10` are private networks. */
const isPrivate = (address: string): boolean => /^f[cde]/i.test(address)
