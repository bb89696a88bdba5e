import { useEffect, useState } from 'react'
import { pageSizeMax } from '#contract/platform/fields.ts'
import {
  listNotifications,
  markAllNotificationsRead,
  markNotificationsRead,
  type Notification,
  type NotificationArea,
} from '#contract/platform/notifications.ts'
import { LoadFailed } from '../kernel/actions/load-failed.tsx'
import { useAction } from '../kernel/actions/use-action.ts'
import { useLoaded } from '../kernel/actions/use-loaded.ts'
import { call, callPage } from '../kernel/call/call.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { showNotice } from '../kernel/notices/notices.ts'
import { loadUnread, useUnread } from '../kernel/notifications/unread.ts'
import { Button, TextButton } from '../kernel/ui/button.tsx'
import { Empty } from '../kernel/ui/empty.tsx'
import { FormStatus, Message } from '../kernel/ui/form-status.tsx'
import { keepReferences } from '../kernel/ui/keep-references.tsx'
import { Loading } from '../kernel/ui/loading.tsx'
import { Tag } from '../kernel/ui/tag.tsx'
import styles from './notifications.module.css'

type Area = NotificationArea | undefined
type Shown = { rows: Notification[]; next: string | undefined }

const readPage = (area: Area, after?: string): Promise<Shown> =>
  callPage(listNotifications, { query: { ...(area && { area }), ...(after !== undefined && { after }) } })

/** The notifications, newest first. They are marked as read when shown, but look new until the member leaves the page. */
export function NotificationList({ memberId, area }: { memberId: string; area: Area }) {
  const { t, language } = useMessages()
  const loaded = useLoaded(`${memberId} ${language}`, () => readPage(area))
  const isMarked = useReading(loaded.state === 'ready' ? loaded.data.rows : none)
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return <LoadFailed title={t('notifications.failed')} failure={loaded.failure} retry={loaded.retry} />
  const { rows, next } = loaded.data
  if (rows.length === 0)
    return (
      <Empty title={t(area ? 'notifications.none.area' : 'notifications.none')}>
        {!area && <p>{t('notifications.none.help')}</p>}
      </Empty>
    )
  return (
    <>
      {!area && isMarked && next === undefined && <Arrived show={loaded.reload} />}
      <ul className={styles.list} aria-label={t('notifications.list')}>
        {rows.map((row) => (
          <Row key={row.id} notification={row} hasArea={area === undefined} />
        ))}
      </ul>
      {next !== undefined && (
        <Older
          load={async () => {
            const older = await readPage(area, next)
            loaded.setData({ rows: [...rows, ...older.rows], next: older.next })
          }}
          markAll={
            !area && isMarked
              ? async () => {
                  // Shown ones are marked by ID. Others with a time between theirs may have been committed since.
                  await call(markAllNotificationsRead, { body: { until: rows.at(-1)!.at } })
                  loaded.setData({ rows: rows.map((row) => ({ ...row, isUnread: false })), next })
                }
              : undefined
          }
        />
      )}
    </>
  )
}

const none: readonly Notification[] = []

/**
 * Marks the shown notifications as read, but none that arrived since. If this fails, they stay unread. Returns whether
 * all shown notifications are marked.
 */
function useReading(rows: readonly Notification[]): boolean {
  const [marked, setMarked] = useState('')
  const key = rows
    .filter(({ isUnread }) => isUnread)
    .map(({ id }) => id)
    .join(' ')
  useEffect(() => {
    // Notifications on earlier pages were marked when those were loaded.
    const ids = key.split(' ').filter(Boolean).slice(-pageSizeMax)
    if (ids.length === 0) return
    call(markNotificationsRead, { body: { ids } })
      .then(loadUnread)
      .then(() => setMarked(key))
      .catch(() => {})
  }, [key])
  return marked === key
}

function Row({ notification, hasArea }: { notification: Notification; hasArea: boolean }) {
  const { t, formatDateTime } = useMessages()
  const { area, text, path, at, isUnread } = notification
  return (
    <li data-unread={isUnread || undefined}>
      <a href={path}>{keepReferences(text)}</a>
      <p className={styles.facts}>
        {isUnread && <Tag colour="verdigris">{t('notifications.new')}</Tag>}
        {hasArea && <span>{t(`notifications.area.${area}`)}</span>}
        <time dateTime={at}>{formatDateTime(at)}</time>
      </p>
    </li>
  )
}

/** Offers to show notifications that arrived while the list was open. */
function Arrived({ show }: { show: () => void }) {
  const { t } = useMessages()
  const unread = useUnread()
  return (
    <div role="status">
      {unread > 0 && (
        <Message kind="note">
          <p>
            {t('notifications.arrived')}{' '}
            <TextButton onClick={show}>{t('notifications.arrived.show')}</TextButton>
          </p>
        </Message>
      )}
    </div>
  )
}

type OlderProps = { load: () => Promise<void>; markAll: (() => Promise<void>) | undefined }

/** Loads the next page. If older notifications are unread, members can mark them as read without loading them. */
function Older({ load, markAll }: OlderProps) {
  const { t } = useMessages()
  const loading = useAction()
  const marking = useAction()
  const unread = useUnread()
  const mark = (work: () => Promise<void>) =>
    marking.run(async () => {
      await work()
      showNotice(t('notifications.markAll.done'), 'success')
      await loadUnread()
    })
  return (
    <div className={styles.older}>
      <Button kind="quiet" busy={loading.isBusy} onClick={() => void loading.run(load)}>
        {t('notifications.more')}
      </Button>
      {markAll && unread > 0 && (
        <Button kind="quiet" busy={marking.isBusy} onClick={() => void mark(markAll)}>
          {t('notifications.markAll')}
        </Button>
      )}
      <FormStatus error={loading.error ?? marking.error} />
    </div>
  )
}
