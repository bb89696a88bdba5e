import { markMentionSeen, mentions, type Mention, type NotedKind } from '#contract/people/mentions.ts'
import { useAction } from '../../kernel/actions/use-action.ts'
import { call } from '../../kernel/call/call.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { staffName } from '../../kernel/i18n/staff-name.ts'
import { page, type PageProps } from '../../kernel/routes/page.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { useSession } from '../../kernel/session/session.ts'
import { TextButton } from '../../kernel/ui/button.tsx'
import { FormStatus } from '../../kernel/ui/form-status.tsx'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import { pathToCase } from '../../kyc/review/review-address.ts'
import { ConsoleList } from '../list/console-list.tsx'
import type { ListSpec } from '../list/list-spec.ts'
import { ListTime } from '../list/list-time.tsx'
import styles from './mentions.module.css'
import { loadWaiting } from './waiting.ts'

const places: Readonly<Record<NotedKind, { label: PlainKey; path: (id: string) => string }>> = {
  member: { label: 'consoleHome.mentions.member', path: (id) => pathTo('console.member', { id }) },
  order: { label: 'consoleHome.mentions.order', path: (id) => pathTo('console.order', { id }) },
  kyc: { label: 'consoleHome.mentions.kyc', path: (id) => pathToCase(id) },
  'ambassador-application': {
    label: 'consoleHome.mentions.application',
    path: (id) => pathTo('console.ambassadorApplication', { id }),
  },
}

function Subject({ about, of, name }: Mention) {
  const { t } = useMessages()
  const { label, path } = places[about]
  return (
    <a className={styles.subject} href={path(of)}>
      {t(label)} · {name || '–'}
    </a>
  )
}

function Author({ by }: Mention) {
  const { t, language } = useMessages()
  return by === null ? t('console.formerColleague') : staffName(by, language)
}

function State({ seenAt }: Mention) {
  const { t } = useMessages()
  if (seenAt !== null) return t('consoleHome.mentions.seen')
  return <Tag colour="verdigris">{t('consoleHome.mentions.new')}</Tag>
}

const list: ListSpec<typeof mentions> = {
  resource: mentions,
  route: 'console.mentions',
  nameOf: ({ name }) => name,
  none: { title: 'consoleHome.mentions.none', help: 'consoleHome.mentions.none.help' },
  columns: [
    { name: 'subject', heading: 'consoleHome.mentions.subject', cell: (row) => <Subject {...row} /> },
    {
      name: 'text',
      heading: 'consoleHome.mentions.text',
      isWide: true,
      cell: ({ text }) => <span className={styles.text}>{text}</span>,
    },
    { name: 'by', heading: 'consoleHome.mentions.by', cell: (row) => <Author {...row} /> },
    { name: 'at', heading: 'consoleHome.mentions.at', sort: 'at', cell: ({ at }) => <ListTime at={at} /> },
    { name: 'state', heading: 'consoleHome.mentions.state', cell: (row) => <State {...row} /> },
  ],
  filters: {
    seen: {
      kind: 'choice',
      label: 'consoleHome.mentions.state',
      options: [
        { value: 'no', label: 'consoleHome.mentions.new' },
        { value: 'yes', label: 'consoleHome.mentions.seen' },
      ],
    },
  },
}

/** Marks a mention as read without opening its record. */
function MarkSeen({ mention: { id, name }, reload }: { mention: Mention; reload: () => void }) {
  const { t } = useMessages()
  const { isBusy, error, run } = useAction()
  const mark = () =>
    run(async () => {
      await call(markMentionSeen, { params: { id }, body: null })
      reload()
      // The numbers in the navigation.
      await loadWaiting()
    })
  return (
    <>
      <TextButton
        disabled={isBusy}
        aria-label={t('consoleHome.mentions.markNamed', { name })}
        onClick={() => void mark()}
      >
        {t('consoleHome.mentions.mark')}
      </TextButton>
      <FormStatus error={error} />
    </>
  )
}

function MentionsView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  return (
    <>
      <PageHead heading={t('console.nav.mentions')} lead={t('consoleHome.mentions.lead')} />
      {member && (
        <ConsoleList
          spec={list}
          search={search}
          rowActions={(row, reload) => row.seenAt === null && <MarkSeen mention={row} reload={reload} />}
        />
      )}
    </>
  )
}

export default page({ View: MentionsView })
