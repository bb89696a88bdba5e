import { useEffect, useRef } from 'react'
import type { RetainedData } from '#contract/people/privacy.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { pathTo } from '../kernel/routes/routes.ts'
import { ButtonLink } from '../kernel/ui/button.tsx'
import { RetainedDataList } from './erasure-lists.tsx'
import styles from './privacy.module.css'

/** The last page that a member sees after erasing the account. */
export function Erased({ retainedData }: { retainedData: RetainedData }) {
  const { t } = useMessages()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [])
  return (
    <div className={styles.erased}>
      <h1 ref={heading} tabIndex={-1}>
        {t('account.erased.heading')}
      </h1>
      <p>{t('account.erased.text')}</p>
      {retainedData.length > 0 && <h2>{t('account.erase.kept')}</h2>}
      <RetainedDataList retainedData={retainedData} />
      <div>
        <ButtonLink href={pathTo('home')}>{t('account.erased.home')}</ButtonLink>
      </div>
    </div>
  )
}
