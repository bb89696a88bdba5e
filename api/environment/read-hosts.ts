import { isIP } from 'node:net'

/** Host names and addresses as in URLs, IPv6 without brackets. */
export function readHosts(
  name: string,
  given: (name: string) => string | undefined,
  refuse: (name: string, demand: string) => never,
): ReadonlySet<string> {
  const named = (given(name) ?? '')
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter(Boolean)
  return named.every(isHost)
    ? new Set(named)
    : refuse(name, 'must be host names or addresses, without ports, separated by commas')
}

const label = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/
const isHost = (text: string): boolean =>
  isIP(text) > 0 || (!/^[\d.]+$/.test(text) && text.split('.').every((each) => label.test(each)))
