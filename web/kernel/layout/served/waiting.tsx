import { useMessages } from '../../i18n/messages.tsx'
import type { PageContents } from '../../routes/route.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { Spinner } from '../../ui/loading.tsx'
import styles from '../waiting/waiting.module.css'

/**
 * Shown in place of a page that is rendered in the browser, while it loads and without JavaScript. The parts of the
 * page that are already known stay visible.
 */
export function Waiting({ begins }: Pick<PageContents, 'begins'>) {
  const { t } = useMessages()
  return (
    <>
      {begins && <PageHead heading={t(begins.heading)} lead={t(begins.lead)} />}
      <div className={begins ? styles.below : styles.waiting}>
        <p role="status">
          <Spinner /> {t('layout.loading')}
        </p>
        <noscript>
          <p>{t('layout.noScript')}</p>
        </noscript>
      </div>
    </>
  )
}
