import { useMemo } from 'react'
import { trustedHtml } from './trusted-html.ts'

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
  const trusted = useMemo(() => trustedHtml(html), [html])
  // oxlint-disable-next-line react/no-danger -- the one place for it: sanitised by the server, judged by the policy
  return <div className={className} lang={lang} dangerouslySetInnerHTML={{ __html: trusted }} />
}
