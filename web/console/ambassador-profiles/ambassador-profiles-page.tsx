import { useMemo } from 'react'
import { listAmbassadors } from '#contract/people/ambassador-profiles.ts'
import {
  ambassadors,
  ambassadorStandings,
  type ListedAmbassador,
} from '#contract/people/console-ambassador-profiles.ts'
import type { Language } from '#contract/platform/languages.ts'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { loadFacts } from '../../kernel/content/load-facts.ts'
import { SentenceSpace, useMessages } from '../../kernel/i18n/messages.tsx'
import { page, type PageProps } from '../../kernel/routes/page.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { type Member, useSession } from '../../kernel/session/session.ts'
import { Message } from '../../kernel/ui/form-status.tsx'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import { mayOpen } from '../can-access.ts'
import { pathToItem } from '../content/item-address.ts'
import { ConsoleList } from '../list/console-list.tsx'
import type { ListSpec } from '../list/list-spec.ts'
import { ListDay, ListTime } from '../list/list-time.tsx'
import styles from './ambassador-profiles.module.css'
import { nameIn, StandingTag } from './standing-tag.tsx'

const file = 'facts/ambassadors.json'

/** Counts the samples in the content if there are also real ambassadors. */
async function countSamples(): Promise<number> {
  if ((await call(listAmbassadors, {})).length === 0) return 0
  const entries: readonly { note?: string }[] = (await loadFacts(file))[file]
  return entries.filter(({ note }) => note === 'sample').length
}

/** Samples are marked on the page. Editors remove them once there are real ambassadors. */
function SamplesNote({ reader }: { reader: Member | null }) {
  const { t } = useMessages()
  const loaded = useLoaded('samples', countSamples)
  if (loaded.state !== 'ready' || loaded.data === 0) return null
  const mayEdit = mayOpen(reader, { needs: { level: 'news', atLeast: 2 } })
  return (
    <div className={styles.note}>
      <Message kind="note">
        <p>
          {t('consoleAmbassadorProfiles.samples', { count: loaded.data })}
          <SentenceSpace />
          {mayEdit && <a href={pathToItem(file)}>{t('consoleAmbassadorProfiles.samples.go')}</a>}
        </p>
      </Message>
    </div>
  )
}

function Waits({ row }: { row: ListedAmbassador }) {
  const { t } = useMessages()
  return (
    row.waitsSince && (
      <>
        <Tag colour="verdigris">{t('consoleAmbassadorProfiles.standing.waiting')}</Tag>{' '}
        <ListTime at={row.waitsSince} />
      </>
    )
  )
}

const filters: ListSpec<typeof ambassadors>['filters'] = {
  q: { label: 'consoleAmbassadorProfiles.search', kind: 'search' },
  standing: {
    label: 'consoleAmbassadorProfiles.standing',
    kind: 'choice',
    options: [
      { value: 'waiting', label: 'consoleAmbassadorProfiles.standing.waiting' },
      ...ambassadorStandings.map((value) => ({
        value,
        label: `consoleAmbassadorProfiles.standing.${value}` as const,
      })),
    ],
  },
}

const listIn = (language: Language): ListSpec<typeof ambassadors> => ({
  resource: ambassadors,
  route: 'console.ambassadorProfiles',
  caption: 'consoleAmbassadorProfiles.heading',
  nameOf: (row) => nameIn(row, language),
  none: { title: 'consoleAmbassadorProfiles.none', help: 'consoleAmbassadorProfiles.none.help' },
  columns: [
    {
      name: 'name',
      heading: 'consoleAmbassadorProfiles.name',
      cell: (row) => (
        <a href={pathTo('console.ambassadorProfile', { id: row.id })}>{nameIn(row, language)}</a>
      ),
    },
    {
      name: 'standing',
      heading: 'consoleAmbassadorProfiles.standing',
      cell: ({ standing }) => <StandingTag standing={standing} />,
    },
    { name: 'waits', heading: 'consoleAmbassadorProfiles.waits', cell: (row) => <Waits row={row} /> },
    {
      name: 'place',
      heading: 'consoleAmbassadorProfiles.place',
      isFigure: true,
      cell: ({ place }) => place,
    },
    ...(['activations', 'identities', 'flagged'] as const).map((figure) => ({
      name: figure,
      heading: `consoleAmbassadorProfiles.results.${figure}` as const,
      isFigure: true as const,
      cell: (row: ListedAmbassador) => row[figure],
    })),
    {
      name: 'since',
      heading: 'consoleAmbassadorProfiles.since',
      cell: ({ since }) => <ListDay at={since} />,
    },
  ],
  filters,
})

function AmbassadorProfilesView({ search }: PageProps<unknown>) {
  const { t, language } = useMessages()
  const { member } = useSession()
  const list = useMemo(() => listIn(language), [language])
  return (
    <>
      <PageHead heading={t('consoleAmbassadorProfiles.heading')} lead={t('consoleAmbassadorProfiles.lead')} />
      <SamplesNote reader={member} />
      <ConsoleList spec={list} search={search} />
    </>
  )
}

export default page({ View: AmbassadorProfilesView })
