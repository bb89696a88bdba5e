import type { ConsoleConversation } from '#contract/people/console-conversations.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'

const colours = { open: 'yellow', waiting: 'quiet', closed: 'quiet' } as const

export function ConversationStatus({ status }: Pick<ConsoleConversation, 'status'>) {
  const { t } = useMessages()
  return <Tag colour={colours[status]}>{t(`consoleConversations.status.${status}`)}</Tag>
}

/** What the conversation is about: an order by its reference, everything else by its kind. */
export function ConversationSubjectName({
  about,
  reference,
}: Pick<ConsoleConversation, 'about' | 'reference'>) {
  const { t } = useMessages()
  return reference ? (
    <>{t('consoleConversations.about.orderNamed', { reference })}</>
  ) : (
    <>{t(`consoleConversations.about.${about}`)}</>
  )
}
