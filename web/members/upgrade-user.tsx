import { lazy, Suspense, useState } from 'react'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { Loading } from '../kernel/ui/loading.tsx'
import styles from './upgrade-user.module.css'

const UpgradeForm = lazy(() => import('./upgrade-form.tsx').then((part) => ({ default: part.UpgradeForm })))

/**
 * Makes another member an administrator. The server checks the right again. It is collapsed, because few members ever
 * use it, and the form is loaded when it is opened.
 */
export function UpgradeUser({ isAdministrator }: { isAdministrator: boolean }) {
  const { t } = useMessages()
  const [wasOpened, setWasOpened] = useState(false)
  return (
    <details className={styles.disclosure} onToggle={() => setWasOpened(true)}>
      <summary>
        <h2 id="upgrade-user">{t('orders.upgrade.heading')}</h2>
      </summary>
      {wasOpened && (
        <Suspense fallback={<Loading label={t('forms.loading')} />}>
          <UpgradeForm isAdministrator={isAdministrator} />
        </Suspense>
      )}
    </details>
  )
}
