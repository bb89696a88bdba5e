import {
  exportMails,
  listMails,
  sendMailAgain,
  stopMail,
  type ConsoleMail,
  type MailTemplate,
} from '#contract/console-mails.ts'
import { call } from '../../call/call.ts'
import { useWords } from '../../i18n/words.tsx'
import { pathTo } from '../../routes/routes.ts'
import { Tag } from '../../ui/tag.tsx'
import type { ListSpec } from '../list/list-spec.ts'
import { stateWords, troubleWords } from './mail-words.ts'
import styles from './mails.module.css'

export function MailState({ mail: { state } }: { mail: Pick<ConsoleMail, 'state'> }) {
  const { t } = useWords()
  const { colour, words } = stateWords[state]
  return <Tag colour={colour}>{t(words)}</Tag>
}

function Trouble({ mail: { trouble, code } }: { mail: ConsoleMail }) {
  const { t } = useWords()
  if (!trouble) return null
  return (
    <>
      {t(troubleWords[trouble].title)}
      {code && ` (${code})`}
    </>
  )
}

function Time({ at }: { at: string | null }) {
  const { formatDateTime } = useWords()
  return at && <time dateTime={at}>{formatDateTime(at)}</time>
}

/** The list of mails. What can be done with several takes the level for it. */
export const mailList = (
  templates: readonly MailTemplate[],
  mayAct: boolean,
): ListSpec<typeof listMails, ConsoleMail> => ({
  name: 'mails',
  route: 'console.mails',
  endpoint: listMails,
  rowsOf: (rows) => rows,
  caption: 'consoleMails.heading',
  rowKey: ({ id }) => id,
  nameOf: ({ to, title }) => `${to}: ${title}`,
  defaultSort: '-created',
  none: { title: 'consoleMails.none' },
  file: exportMails,
  columns: [
    {
      name: 'recipient',
      heading: 'consoleMails.recipient',
      cell: ({ id, to }) => (
        <a className={styles.recipient} href={pathTo('console.mail', { id })}>
          {to}
        </a>
      ),
    },
    { name: 'kind', heading: 'consoleMails.kind', cell: ({ title }) => title },
    { name: 'state', heading: 'consoleMails.state', cell: (mail) => <MailState mail={mail} /> },
    { name: 'trouble', heading: 'consoleMails.trouble', cell: (mail) => <Trouble mail={mail} /> },
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
      cell: ({ nextTryAt }) => <Time at={nextTryAt} />,
    },
    {
      name: 'created',
      heading: 'consoleMails.created',
      sort: 'created',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    {
      name: 'changed',
      heading: 'consoleMails.changed',
      sort: 'changed',
      isExtra: true,
      cell: ({ changedAt }) => <Time at={changedAt} />,
    },
  ],
  filters: [
    { name: 'recipient', label: 'consoleMails.recipientStart', kind: 'search' },
    {
      name: 'state',
      label: 'consoleMails.state',
      kind: 'choice',
      options: (['failed', 'retrying', 'waiting', 'sent', 'stopped'] as const).map((value) => ({
        value,
        label: stateWords[value].words,
      })),
    },
    {
      name: 'kind',
      label: 'consoleMails.kind',
      kind: 'choice',
      options: templates.map(({ kind, title }) => ({ value: kind, text: title })),
    },
    { name: 'from', label: 'consoleMails.from', kind: 'day' },
    { name: 'to', label: 'consoleMails.to', kind: 'day' },
  ],
  ...(mayAct && {
    bulk: [
      {
        name: 'again',
        label: 'consoleMails.again',
        run: ({ id }) => call(sendMailAgain, { body: { id } }),
      },
      {
        name: 'stop',
        label: 'consoleMails.stop',
        isDangerous: true,
        run: ({ id }) => call(stopMail, { body: { id } }),
      },
    ],
  }),
})
