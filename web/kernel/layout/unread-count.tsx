import { unreadMax } from '#contract/platform/notifications.ts'
import { useMessages } from '../i18n/messages.tsx'
import { useUnread, useUnreadRefresh } from '../notifications/unread.ts'
import { CountBadge } from './count-badge.tsx'
import styles from './unread-count.module.css'

/** The number of unread notifications in the navigation of member pages. */
export function UnreadCount() {
  const { t } = useMessages()
  useUnreadRefresh()
  return (
    <span className={styles.place}>
      <CountBadge
        count={useUnread()}
        max={unreadMax - 1}
        label={(shown) => t('layout.account.unread', { count: shown })}
      />
    </span>
  )
}
