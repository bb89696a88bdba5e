import { useEffect } from 'react'
import {
  checkConversation,
  findConversation,
  getAttachment,
  markConversationRead,
  sendMessage,
  type MemberSubject,
  type OwnConversation,
} from '#contract/people/conversations.ts'
import { LoadFailed } from '../kernel/actions/load-failed.tsx'
import { useLoaded } from '../kernel/actions/use-loaded.ts'
import { call, callFile, callUnseen, callWithProgress } from '../kernel/call/call.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { showNotice } from '../kernel/notices/notices.ts'
import { Loading } from '../kernel/ui/loading.tsx'
import { MessageForm } from './message-form.tsx'
import { MessageThread, NewMessagesNote } from './message-thread.tsx'
import { useChanges } from './use-changes.ts'

type Props = {
  memberId: string
  about: MemberSubject
  of?: string | undefined
  onWaiting?: ((isWaiting: boolean) => void) | undefined
}

/** The member’s conversation about an order, an identity application, or the account. */
export function Conversation({ memberId, about, of, onWaiting }: Props) {
  const { t } = useMessages()
  const subject = { about, ...(of !== undefined && { of }) }
  const loaded = useLoaded(`${about} ${of}`, () => call(findConversation, { query: subject }))
  const conversation = loaded.state === 'ready' ? loaded.data.conversation : null
  useReading(conversation)
  const isWaiting = conversation?.status === 'waiting'
  useEffect(() => onWaiting?.(isWaiting), [isWaiting, onWaiting])
  const [hasArrived, notice] = useChanges({
    shown: conversation,
    check: () => callUnseen(checkConversation, { query: subject }),
    read: async () => (await call(findConversation, { query: subject })).conversation,
    show: (found) => loaded.state === 'ready' && loaded.setData({ conversation: found }),
  })
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return <LoadFailed title={t('conversations.failed')} failure={loaded.failure} retry={loaded.retry} />
  return (
    <>
      {conversation && (
        <MessageThread
          messages={conversation.messages}
          authorOf={({ isFromStaff }) => t(isFromStaff ? 'conversations.team' : 'conversations.you')}
          isOwn={({ isFromStaff }) => !isFromStaff}
          open={async ({ id }) => (await callFile(getAttachment, { params: { id } })).file}
        />
      )}
      <NewMessagesNote isShown={hasArrived} />
      {conversation?.status === 'closed' && <p>{t('conversations.closed')}</p>}
      <MessageForm
        memberId={memberId}
        draft={`${about} ${of}`}
        label={t(conversation ? 'conversations.answer' : 'conversations.question')}
        help={t('conversations.help')}
        takesFiles
        send={async (message, idempotencyKey) => {
          const sent = await callWithProgress(
            sendMessage,
            { body: { ...subject, ...message }, idempotencyKey },
            () => {},
          )
          loaded.setData({ conversation: sent })
          notice()
          showNotice(t('conversations.sent'), 'success')
        }}
      />
    </>
  )
}

/** Marks new messages as read once they are shown. If that fails, they stay unread. */
function useReading(conversation: OwnConversation | null): void {
  useEffect(() => {
    if (!conversation?.hasUnread) return
    call(markConversationRead, { params: { id: conversation.id }, body: null }).catch(() => {})
  }, [conversation])
}
