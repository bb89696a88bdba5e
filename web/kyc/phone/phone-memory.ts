import { readItem, writeItem } from '../../state/browser-storage.ts'
import { linkIn } from '../handoff/phone-address.ts'

/** What this tab proves itself with. It survives a reload and ends with the tab. */
export type PhoneMemory = { link: string; secret: string }

const key = '_phone'

function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

export const forgetPhone = (): void => writeItem('sessionStorage', key, null)

/**
 * The link that the address brought, with a secret that this tab has made for it, or those of before a reload. The address loses its
 * link, so that it stays in no history and no screenshot.
 */
export function takePhone(): PhoneMemory | null {
  const link = linkIn(location.hash)
  const before = readPhone()
  if (!link) return before
  history.replaceState(history.state, '', location.pathname + location.search)
  const memory = before?.link === link ? before : { link, secret: newSecret() }
  writeItem('sessionStorage', key, JSON.stringify(memory))
  return memory
}

function readPhone(): PhoneMemory | null {
  try {
    const { link, secret } = JSON.parse(readItem('sessionStorage', key) ?? 'null') as PhoneMemory
    return link && secret ? { link, secret } : null
  } catch {
    return null
  }
}
