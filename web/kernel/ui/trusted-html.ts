import { isCleanHtml } from './clean-html.ts'

type Policy = { createHTML: (html: string) => unknown }
type TrustedTypes = {
  createPolicy: (name: string, rules: { createHTML: (html: string) => string }) => Policy
}

let policy: Policy | undefined

/**
 * The only policy that the Content-Security-Policy allows, created on first use. Without Trusted Types the same check
 * applies.
 */
function announcementPolicy(): Policy {
  const rules = { createHTML: cleanOrAsText }
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  policy ??= trustedTypes ? trustedTypes.createPolicy('announcement', rules) : rules
  return policy
}

/** HTML that fails the check is shown as text, so that nothing runs and nothing disappears silently. */
const cleanOrAsText = (html: string) =>
  isCleanHtml(html) ? html : html.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Returns HTML that the server has sanitized as a value that browsers with Trusted Types accept. */
export const trustedHtml = (html: string): string => announcementPolicy().createHTML(html) as string
