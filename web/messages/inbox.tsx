import { listConversations, type ListedConversation } from '#contract/people/conversations.ts'
import { pageSizeMax } from '#contract/platform/fields.ts'
import { LoadFailed } from '../kernel/actions/load-failed.tsx'
import { useLoaded } from '../kernel/actions/use-loaded.ts'
import { call } from '../kernel/call/call.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { pathTo } from '../kernel/routes/routes.ts'
import { Loading } from '../kernel/ui/loading.tsx'
import { Tag } from '../kernel/ui/tag.tsx'
import styles from './messages.module.css'

/** The conversations about orders and identity applications, and which of them are unread. */
export function Inbox({ memberId }: { memberId: string }) {
  const { t } = useMessages()
  const loaded = useLoaded(memberId, () => call(listConversations, { query: { limit: pageSizeMax } }))
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return <LoadFailed title={t('conversations.failed')} failure={loaded.failure} retry={loaded.retry} />
  const others = loaded.data.filter(({ of }) => of !== null)
  if (others.length === 0) return null
  return (
    <ul className={styles.inbox} aria-label={t('conversations.list')}>
      {others.map((each) => (
        <InboxRow key={each.id} conversation={each} />
      ))}
    </ul>
  )
}

function InboxRow({ conversation }: { conversation: ListedConversation }) {
  const { t, formatDateTime } = useMessages()
  const { about, of, reference, messageAt, status, hasUnread } = conversation
  const query = new URLSearchParams({ about, of: of ?? '' })
  return (
    <li>
      <a href={`${pathTo('account.messages')}?${query}`}>
        {reference ? t('conversations.about.orderNamed', { reference }) : t(`conversations.about.${about}`)}
      </a>
      <Tag colour={hasUnread ? 'yellow' : 'quiet'}>
        {t(hasUnread ? 'conversations.unread' : `conversations.status.${status}`)}
      </Tag>
      <time dateTime={messageAt}>{formatDateTime(messageAt)}</time>
    </li>
  )
}
