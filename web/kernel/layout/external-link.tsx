import type { ReactNode } from 'react'
import { useMessages } from '../i18n/messages.tsx'
import { Hidden } from './hidden.tsx'

/** A link to another site, marked as such visually and for screen readers. */
export function ExternalLink({
  href,
  className,
  children,
}: {
  href: string
  className?: string | undefined
  children: ReactNode
}) {
  const { t } = useMessages()
  return (
    <a href={href} className={className} rel="noopener">
      {children}
      <Hidden> {t('layout.external')}</Hidden>
      <svg width="0.6em" height="0.6em" viewBox="0 0 10 10" aria-hidden="true" data-outward="">
        <path d="M2 8 8 2M3.2 2H8v4.8" fill="none" stroke="currentColor" strokeWidth="1.2" />
      </svg>
    </a>
  )
}
