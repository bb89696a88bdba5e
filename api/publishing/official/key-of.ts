import { channelValueLengthMax, type EntryInput } from '#contract/publishing/console-official.ts'
import { refusedField } from '../../platform/refused.ts'
import { canonicalCoin, readCoin } from './classify/classify-coin.ts'
import { readEmail } from './classify/classify-email.ts'
import { keyOfHandle } from './classify/classify-handle.ts'
import { queryOf, routeIn, written } from './classify/link-query.ts'
import { handleIn, networkOf, plainHost } from './classify/networks.ts'
import { domainOf, readLink } from './classify/read-link.ts'
import { readPhone } from './classify/classify-phone.ts'

/**
 * Returns a value in canonical form, and the key that finds it under any spelling. Rejects a value that is not of its
 * kind.
 */
export function readGiven({ kind, value }: Pick<EntryInput, 'kind' | 'value'>): {
  value: string
  key: string
} {
  const found = readers[kind](value.normalize('NFKC'))
  if (found === undefined || found.key.length > channelValueLengthMax)
    throw refusedField('value', 'not_of_kind')
  return found
}

type Found = { value: string; key: string } | undefined

const readers: Record<EntryInput['kind'], (value: string) => Found> = {
  domain(given) {
    const link = readLink(given)
    // Names below a public suffix or a network belong to many people.
    if (!link || link.path !== '' || !domainOf(link.host) || networkOf(link.host)) return undefined
    return isPlain(link) ? { value: link.spelled, key: `domain:${link.host}` } : undefined
  },
  link(given) {
    const link = readLink(given)
    if (!link?.host.includes('.') || !isPlain(link)) return undefined
    const handle = handleIn(link)
    if (handle && !handle.isBelow)
      return { value: `https://${link.spelled}${link.path}`, key: keyOfHandle(handle) }
    const place = link.path + written(queryOf(link), routeIn(link))
    // A whole network can't belong to one project.
    if (place === '' && networkOf(link.host) !== undefined) return undefined
    return { value: `https://${link.spelled}${place}`, key: `link:${plainHost(link.host)}${place}` }
  },
  handle(given) {
    const link = readLink(given)
    const handle = link && handleIn(link)
    if (!handle || handle.isBelow) return undefined
    return { value: `https://${link.spelled}${link.path}`, key: keyOfHandle(handle) }
  },
  email(given) {
    const email = readEmail(given)
    if (!email || email.display !== '') return undefined
    const address = `${email.local}@${email.host}`
    return { value: `${email.local}@${email.spelled}`, key: `email:${address}` }
  },
  phone(given) {
    const phone = readPhone(given)
    return phone?.isInternational ? { value: `+${phone.digits}`, key: `phone:${phone.digits}` } : undefined
  },
  coin(given) {
    const coin = readCoin(given)
    const address = coin?.address ?? given
    if (coin?.problem || !/^[\w:-]{14,128}$/.test(address)) return undefined
    return { value: address, key: `coin:${canonicalCoin(address)}` }
  },
}

const isPlain = ({ signs }: { signs: readonly { sign: string }[] }): boolean =>
  signs.every(({ sign }) => sign === 'punycode' || sign === 'mixed_scripts' || sign === 'ip_address')
