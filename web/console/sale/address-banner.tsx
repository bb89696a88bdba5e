import { useEffect } from 'react'
import { MINUTE } from '#contract/platform/durations.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { staffName } from '../../kernel/i18n/staff-name.ts'
import { Hidden } from '../../kernel/layout/hidden.tsx'
import { useSession } from '../../kernel/session/session.ts'
import { useStore } from '../../kernel/state/create-store.ts'
import { mayOpen } from '../can-access.ts'
import { addressChanges, loadAddressChanges } from './address-changes.ts'
import styles from './address-banner.module.css'

/** Shown on every console page for a day after receiving addresses have changed. It cannot be dismissed. */
export function AddressBanner() {
  const { t, language, formatDateTime } = useMessages()
  const { member } = useSession()
  const changes = useStore(addressChanges)
  const isStaff = member !== null && mayOpen(member, {}) && !member.needsSecondFactor
  useEffect(() => {
    if (!isStaff) return undefined
    void loadAddressChanges()
    const timer = setInterval(() => void loadAddressChanges(), 5 * MINUTE)
    return () => clearInterval(timer)
  }, [isStaff])
  if (!isStaff || changes.length === 0) return null
  return (
    <section className={styles.banner} aria-label={t('console.addresses.heading')}>
      <p className={styles.heading}>{t('console.addresses.heading')}</p>
      <ul>
        {changes.map(({ id, code, field, from, to, at, by, confirmedBy }) => (
          <li key={id}>
            <span className={styles.line}>
              <strong>{field === 'rate' ? t('console.addresses.rate', { code }) : code}</strong>{' '}
              {from ? <code>{from}</code> : <span>{t('console.addresses.none')}</span>}{' '}
              <span aria-hidden="true">→</span>
              <Hidden> {t('console.addresses.to')} </Hidden> <code>{to}</code>
            </span>{' '}
            <span className={styles.who}>
              {t('console.addresses.who', {
                name: [by, confirmedBy]
                  .flatMap((person) => (person ? staffName(person.name, language) : []))
                  .join(' + '),
                time: formatDateTime(at),
              })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
