import { staffPasswordLengthMin } from '#contract/platform/fields.ts'
import { useMessages } from '../i18n/messages.tsx'
import { pathTo } from '../routes/routes.ts'
import { useSession } from '../session/session.ts'
import { Message } from '../ui/form-status.tsx'
import styles from './pending-rights.module.css'

/** Shown on every member page: what a member with granted staff rights must do before the rights take effect. */
export function PendingRights() {
  const { t } = useMessages()
  const { member } = useSession()
  const needs = member?.waitingRights?.needs
  if (!needs) return null
  const steps = {
    password: {
      part: '#change-password',
      words: t('layout.waitingRights.password', { min: staffPasswordLengthMin }),
    },
    second_factor: { part: '', words: t('layout.waitingRights.second_factor') },
  }
  return (
    <div className={styles.waiting}>
      <Message kind="note">
        <p>{t('layout.waitingRights.lead')}</p>
        <ul>
          {needs.map((need) => (
            <li key={need}>
              <a href={pathTo('account.security') + steps[need].part}>{steps[need].words}</a>
            </li>
          ))}
        </ul>
      </Message>
    </div>
  )
}
