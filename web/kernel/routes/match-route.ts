import type { Language } from '#contract/platform/fields.ts'
import { languageOfAddress, withoutPrefix } from '../i18n/language.ts'
import { isPublic, redirects, routes, type Route } from './routes.ts'

/** `prefix` is the language of an address with a language prefix. */
export type RouteMatch = { route: Route; params: Record<string, string>; prefix: Language | null }

/** Returns the page at an address, following redirects, or null if this program has none. */
export function matchRoute(address: string): RouteMatch | null {
  const prefix = languageOfAddress(address)
  const path = trimSlash(withoutPrefix(address))
  const redirect = redirects.find((each) => each.path === path)
  for (const route of routes) {
    if (!route.find || (prefix && !isPublic(route))) continue
    const params = redirect ? (route.name === redirect.redirect ? {} : null) : paramsOf(route.path, path)
    if (params) return { route, params, prefix }
  }
  return null
}

const trimSlash = (path: string): string => (path.length > 1 ? path.replace(/\/$/, '') : path)

function paramsOf(pattern: string, path: string): Record<string, string> | null {
  const expected = pattern.split('/')
  const segments = path.split('/')
  if (expected.length !== segments.length) return null
  const params: Record<string, string> = {}
  for (const [at, part] of expected.entries()) {
    const value = segments[at] ?? ''
    if (part.startsWith(':')) {
      const decoded = decode(value)
      if (!decoded) return null
      params[part.slice(1)] = decoded
    } else if (part !== value) return null
  }
  return params
}

function decode(value: string): string | null {
  try {
    return decodeURIComponent(value)
  } catch {
    return null
  }
}
