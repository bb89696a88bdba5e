import type { ReactNode } from 'react'
import { useMessages } from '../i18n/messages.tsx'
import { Hidden } from './hidden.tsx'
import styles from './new-tab-link.module.css'

/** A link in a form to a page of this site. It opens in a new tab, and says so, to keep the input. */
export function NewTabLink({ href, children }: { href: string; children: ReactNode }) {
  const { t } = useMessages()
  return (
    <a href={href} target="_blank" rel="noopener" title={t('layout.newTab')}>
      {children}
      <Hidden> {t('layout.newTab')}</Hidden>
      <svg className={styles.mark} width="0.6em" height="0.6em" viewBox="0 0 10 10" aria-hidden="true">
        <path d="M2 8 8 2M3.2 2H8v4.8" fill="none" stroke="currentColor" strokeWidth="1.2" />
      </svg>
    </a>
  )
}
