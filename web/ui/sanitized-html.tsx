import { memo, useMemo } from 'react'
import { trustedHtml } from './trusted-html.ts'

/**
 * HTML that the server has sanitised, such as the content of a post. Never for anything a visitor typed. Written once
 * for the same HTML, so that what was put into it, such as a player, stays.
 */
export const SanitizedHtml = memo(function SanitizedHtml({
  html,
  className,
  lang,
}: {
  html: string
  className?: string
  lang?: string
}) {
  // React rewrites the content for every new object, so the object is kept as long as its HTML is the same.
  const trusted = useMemo(() => trustedHtml(html), [html])
  // oxlint-disable-next-line react/no-danger -- the one place for it: sanitised by the server, validated by the Trusted Types policy
  return <div className={className} lang={lang} dangerouslySetInnerHTML={{ __html: trusted }} />
})
