import {
  mails,
  sendMailsAgain,
  stopMails,
  type ConsoleMail,
  type MailTemplate,
} from '#contract/platform/console-mails.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { pathTo } from '../../kernel/routes/routes.ts'
import { keepReferences } from '../../kernel/ui/keep-references.tsx'
import { Tag, type TagColor } from '../../kernel/ui/tag.tsx'
import { Address } from '../../kernel/ui/address.tsx'
import type { ListSpec } from '../list/list-spec.ts'
import { ListTime } from '../list/list-time.tsx'

const colours: Readonly<Record<ConsoleMail['state'], TagColor>> = {
  waiting: 'quiet',
  sending: 'verdigris',
  retrying: 'yellow',
  sent: 'green',
  failed: 'red',
  stopped: 'quiet',
}

export function MailState({ mail: { state } }: { mail: Pick<ConsoleMail, 'state'> }) {
  const { t } = useMessages()
  return <Tag colour={colours[state]}>{t(`consoleMails.state.${state}`)}</Tag>
}

function FailureNote({ mail: { trouble, code } }: { mail: ConsoleMail }) {
  const { t, addNote } = useMessages()
  if (!trouble) return null
  const words = t(`consoleMails.trouble.${trouble}`)
  return code ? addNote(words, code) : words
}

const columns: ListSpec<typeof mails>['columns'] = [
  {
    name: 'recipient',
    heading: 'consoleMails.recipient',
    isAddress: true,
    cell: ({ id, to }) => (
      <a href={pathTo('console.mail', { id })}>
        <Address email={to} />
      </a>
    ),
  },
  {
    name: 'kind',
    heading: 'consoleMails.kind',
    isWide: true,
    // One box, because a narrow cell lays its children out in a row.
    cell: ({ title }) => <span>{keepReferences(title)}</span>,
  },
  { name: 'state', heading: 'consoleMails.state', cell: (mail) => <MailState mail={mail} /> },
  { name: 'trouble', heading: 'consoleMails.trouble', cell: (mail) => <FailureNote mail={mail} /> },
  {
    name: 'attempts',
    heading: 'consoleMails.attempts',
    isFigure: true,
    isExtra: true,
    cell: ({ attempts }) => attempts,
  },
  {
    name: 'nextTry',
    heading: 'consoleMails.nextTry',
    isExtra: true,
    cell: ({ nextTryAt }) => nextTryAt && <ListTime at={nextTryAt} />,
  },
  {
    name: 'created',
    heading: 'consoleMails.created',
    sort: 'created',
    cell: ({ createdAt }) => <ListTime at={createdAt} />,
  },
  {
    name: 'changed',
    heading: 'consoleMails.changed',
    sort: 'changed',
    isExtra: true,
    cell: ({ changedAt }) => <ListTime at={changedAt} />,
  },
]

export const mailList = (templates: readonly MailTemplate[]): ListSpec<typeof mails> => ({
  resource: mails,
  route: 'console.mails',
  caption: 'consoleMails.heading',
  nameOf: ({ to, title }) => `${to} · ${title}`,
  none: { title: 'consoleMails.none' },
  columns,
  filters: {
    recipient: { label: 'consoleMails.recipientStart', kind: 'search' },
    state: {
      label: 'consoleMails.state',
      kind: 'choice',
      options: (['failed', 'retrying', 'waiting', 'sent', 'stopped'] as const).map((value) => ({
        value,
        label: `consoleMails.state.${value}`,
      })),
    },
    kind: {
      label: 'consoleMails.kind',
      kind: 'choice',
      options: templates.map(({ kind, title }) => ({ value: kind, text: title })),
    },
    from: { label: 'consoleMails.from', kind: 'day' },
    to: { label: 'consoleMails.to', kind: 'day' },
  },
  tagOf: (mail) => <MailState mail={mail} />,
  bulk: [
    { name: 'again', label: 'consoleMails.bulk.again', endpoint: sendMailsAgain },
    { name: 'stop', label: 'consoleMails.bulk.stop', endpoint: stopMails, isDangerous: true },
  ],
})
