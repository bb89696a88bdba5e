import { isIPv4 } from 'node:net'

/**
 * Whether a URL's host name is `localhost`, a name under it, or an address of this machine (RFC 6761, 6.3; RFC 1122).
 */
export function isLoopbackName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '[::1]' ||
    (isIPv4(name) && name.startsWith('127.'))
  )
}
