import { memo, useMemo } from 'react'
import { trustedHtml } from './trusted-html.ts'

/**
 * HTML that the server has sanitized, such as the content of a post. Never use it for visitors' input. The HTML is
 * written only when it changes, so that elements inserted into it, such as a player, stay.
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
  // React rewrites the content for every new object, so the object is reused while its HTML is the same.
  const trusted = useMemo(() => trustedHtml(html), [html])
  // oxlint-disable-next-line react/no-danger -- the only use: sanitized by the server, validated by the Trusted Types policy
  return <div className={className} lang={lang} dangerouslySetInnerHTML={{ __html: trusted }} />
})
