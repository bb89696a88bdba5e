import { useState } from 'react'
import {
  conversations,
  conversationSubjects,
  type ConsoleConversation,
} from '#contract/people/console-conversations.ts'
import { conversationStatuses } from '#contract/people/conversations.ts'
import { SECOND } from '#contract/platform/durations.ts'
import { formatWait } from '../../kernel/i18n/format-wait.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { pathTo } from '../../kernel/routes/routes.ts'
import { Address } from '../../kernel/ui/address.tsx'
import { ConversationStatus, ConversationSubjectName } from './conversation-labels.tsx'
import { listPage } from '../list/list-page.tsx'
import { assigneeColumn, assigneeFilter } from '../list/assignee.tsx'
import { ListTime } from '../list/list-time.tsx'
import type { ListSpec } from '../list/list-spec.ts'

/** How long an open conversation has been unanswered. */
function UnansweredAge({ status, statusAt }: Pick<ConsoleConversation, 'status' | 'statusAt'>) {
  const { language } = useMessages()
  const [now] = useState(() => Date.now())
  if (status !== 'open') return <>–</>
  return <time dateTime={statusAt}>{formatWait((now - Date.parse(statusAt)) / SECOND, language)}</time>
}

const list: ListSpec<typeof conversations> = {
  resource: conversations,
  route: 'console.conversations',
  columns: [
    {
      name: 'from',
      heading: 'consoleConversations.from',
      isAddress: true,
      cell: ({ id, email }) => (
        <a href={pathTo('console.conversation', { id })}>
          <Address email={email} />
        </a>
      ),
    },
    {
      name: 'about',
      heading: 'consoleConversations.about',
      cell: (row) => <ConversationSubjectName {...row} />,
    },
    {
      name: 'status',
      heading: 'consoleConversations.status',
      cell: (row) => <ConversationStatus {...row} />,
    },
    {
      name: 'since',
      heading: 'consoleConversations.unanswered',
      sort: 'status',
      cell: (row) => <UnansweredAge {...row} />,
    },
    {
      name: 'message',
      heading: 'consoleConversations.message',
      sort: 'message',
      cell: ({ messageAt }) => <ListTime at={messageAt} />,
    },
    assigneeColumn,
  ],
  filters: {
    q: {
      kind: 'search',
      label: 'consoleConversations.search',
      placeholder: 'consoleConversations.search.placeholder',
    },
    status: {
      kind: 'choice',
      label: 'consoleConversations.status',
      options: conversationStatuses.map((value) => ({
        value,
        label: `consoleConversations.status.${value}` as const,
      })),
    },
    about: {
      kind: 'choice',
      label: 'consoleConversations.about',
      options: conversationSubjects.map((value) => ({
        value,
        label: `consoleConversations.about.${value}` as const,
      })),
    },
    assignee: {
      ...assigneeFilter,
      options: [
        { value: 'answerable', label: 'consoleConversations.assignee.answerable' },
        ...assigneeFilter.options,
      ],
    },
    of: null,
  },
  none: { title: 'consoleConversations.none' },
  nameOf: ({ email }) => email,
}

export default listPage({ list, lead: 'consoleConversations.lead' })
