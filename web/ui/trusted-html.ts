import { isCleanHtml } from './clean-html.ts'

type Policy = { createHTML: (html: string) => unknown }
type TrustedTypes = {
  createPolicy: (name: string, rules: { createHTML: (html: string) => string }) => Policy
}

let policy: Policy | undefined

/** The one policy that the Content-Security-Policy allows, made on first use. Without Trusted Types: the same judgement. */
function announcementPolicy(): Policy {
  const rules = { createHTML: cleanOrAsText }
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  policy ??= trustedTypes ? trustedTypes.createPolicy('announcement', rules) : rules
  return policy
}

/** What is not clean is shown as the text it is: nothing runs and nothing disappears in silence. */
const cleanOrAsText = (html: string) =>
  isCleanHtml(html) ? html : html.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** HTML that the server has sanitised, as a browser with Trusted Types takes it. */
export const trustedHtml = (html: string): string => announcementPolicy().createHTML(html) as string
