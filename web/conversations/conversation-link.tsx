import { useState } from 'react'
import {
  listConsoleConversations,
  startConversation,
  type ConsoleConversation,
} from '#contract/people/console-conversations.ts'
import { messageText, type MemberSubject } from '#contract/people/conversations.ts'
import { levelOf } from '#contract/people/level-of.ts'
import { NotLoaded } from '../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../kernel/actions/use-loaded.ts'
import { call, CallFailed } from '../kernel/call/call.ts'
import { ConfirmDialog } from '../kernel/forms/confirm-dialog.tsx'
import { boundsOf } from '../kernel/forms/field-bounds.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { navigate } from '../kernel/navigation/navigate.ts'
import { showNotice } from '../kernel/notices/notices.ts'
import { consolePath } from '../kernel/routes/console-path.ts'
import { useSession } from '../kernel/session/session.ts'
import { Button } from '../kernel/ui/button.tsx'
import { TextArea } from '../kernel/ui/field.tsx'

type Props = { about: MemberSubject; of: string; ownerId: string }

const pathToConversation = (id: string) => `${consolePath}/messages/${encodeURIComponent(id)}`

/** For staff: links to the conversation about an order, identity case, or account, or starts it. Nobody sees their own. */
export function ConversationLink({ about, of, ownerId }: Props) {
  const { t } = useMessages()
  const { member } = useSession()
  const level = member ? levelOf(member, about === 'account' ? 'employee' : 'finance') : 0
  const isHidden = ownerId === member?.id || level === 0
  const loaded = useLoaded(`${about} ${of} ${isHidden}`, async () =>
    isHidden ? [] : call(listConsoleConversations, { query: { about, of } }),
  )
  if (isHidden) return <p>{t('consoleConversations.own')}</p>
  if (loaded.state !== 'ready') return <NotLoaded of={loaded} title={t('consoleConversations.failed')} />
  const [found] = loaded.data
  if (found) return <Found conversation={found} />
  if (level < 2) return <p>{t('consoleConversations.notYet')}</p>
  return <Start about={about} of={of} onTaken={loaded.reload} />
}

function Found({ conversation: { id, status, messageAt } }: { conversation: ConsoleConversation }) {
  const { t, formatDateTime } = useMessages()
  return (
    <p>
      <a href={pathToConversation(id)}>{t('consoleConversations.open')}</a>
      <br />
      {t(`consoleConversations.status.${status}`)} ·{' '}
      <time dateTime={messageAt}>{formatDateTime(messageAt)}</time>
    </p>
  )
}

type StartProps = Omit<Props, 'ownerId'> & { onTaken: () => void }

/** Writes the first message, and opens the conversation. */
function Start({ about, of, onTaken }: StartProps) {
  const { t } = useMessages()
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const [isMissing, setMissing] = useState(false)
  return (
    <>
      <Button kind="quiet" onClick={() => setOpen(true)}>
        {t('consoleConversations.start')}
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={t('consoleConversations.start.title')}
          label={t('consoleConversations.start.label')}
          step={() => {
            setMissing(!text.trim())
            return text.trim() ? call(startConversation, { body: { about, of, text } }) : null
          }}
          onDone={({ id }) => {
            showNotice(t('consoleConversations.answered'), 'success')
            void navigate(pathToConversation(id))
          }}
          onFailure={(failure) => {
            if (!(failure instanceof CallFailed) || failure.code !== 'conflict') return false
            setOpen(false)
            showNotice(t('consoleConversations.taken'), 'error')
            onTaken()
            return true
          }}
          onClose={() => setOpen(false)}
        >
          <p>{t('consoleConversations.start.text')}</p>
          <TextArea
            label={t('consoleConversations.start.message')}
            help={t('consoleConversations.start.help')}
            error={isMissing && !text.trim() ? t('field.required') : undefined}
            rows={5}
            maxLength={boundsOf(messageText).maxLength}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </ConfirmDialog>
      )}
    </>
  )
}
