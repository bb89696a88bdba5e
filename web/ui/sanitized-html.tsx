import { useMemo } from 'react'
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

/** HTML that the server has sanitised, such as the content of a post. Never for anything a visitor typed. */
export function SanitizedHtml({
  html,
  className,
  lang,
}: {
  html: string
  className?: string
  lang?: string
}) {
  // React writes the content again whenever it gets another object, so the object lives as long as its HTML.
  const trusted = useMemo(() => announcementPolicy().createHTML(html) as string, [html])
  // oxlint-disable-next-line react/no-danger -- the one place for it: sanitised by the server, judged by the policy
  return <div className={className} lang={lang} dangerouslySetInnerHTML={{ __html: trusted }} />
}
