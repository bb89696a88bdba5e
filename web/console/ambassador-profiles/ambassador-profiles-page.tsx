import { useMemo } from 'react'
import {
  ambassadorStandings,
  listConsoleAmbassadors,
  type ListedAmbassador,
} from '#contract/console-ambassador-profiles.ts'
import type { Language } from '#contract/languages.ts'
import { useWords } from '../../i18n/words.tsx'
import { page, type PageProps } from '../../routes/page.ts'
import { pathTo } from '../../routes/routes.ts'
import { useSession } from '../../session/session.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { Tag } from '../../ui/tag.tsx'
import { ConsoleList } from '../list/console-list.tsx'
import type { ListSpec } from '../list/list-spec.ts'
import { ListTime } from '../list/list-time.tsx'
import { nameIn } from './name-in.ts'
import { SamplesNote } from './samples-note.tsx'
import { StandingTag } from './standing-tag.tsx'
import { standingWords } from './standing-words.ts'

function Waits({ row }: { row: ListedAmbassador }) {
  const { t } = useWords()
  return (
    row.waitsSince && (
      <>
        <Tag colour="verdigris">{t('consoleAmbassadorProfiles.standing.waiting')}</Tag>{' '}
        <ListTime at={row.waitsSince} />
      </>
    )
  )
}

const listIn = (language: Language): ListSpec<typeof listConsoleAmbassadors, ListedAmbassador> => ({
  name: 'ambassador-profiles',
  route: 'console.ambassadorProfiles',
  endpoint: listConsoleAmbassadors,
  rowsOf: (rows) => rows,
  caption: 'consoleAmbassadorProfiles.heading',
  rowKey: ({ id }) => id,
  nameOf: (row) => nameIn(row, language),
  defaultSort: '',
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
    {
      name: 'activations',
      heading: 'consoleAmbassadorProfiles.results.activations',
      isFigure: true,
      cell: ({ activations }) => activations ?? '–',
    },
    {
      name: 'identities',
      heading: 'consoleAmbassadorProfiles.results.identities',
      isFigure: true,
      cell: ({ identities }) => identities ?? '–',
    },
    {
      name: 'flagged',
      heading: 'consoleAmbassadorProfiles.results.flagged',
      isFigure: true,
      cell: ({ flagged }) => flagged ?? '–',
    },
    {
      name: 'since',
      heading: 'consoleAmbassadorProfiles.since',
      cell: ({ since }) => <ListTime at={since} />,
    },
  ],
  filters: [
    { name: 'q', label: 'consoleAmbassadorProfiles.search', kind: 'search' },
    {
      name: 'standing',
      label: 'consoleAmbassadorProfiles.standing',
      kind: 'choice',
      options: [
        { value: 'waiting', label: 'consoleAmbassadorProfiles.standing.waiting' },
        ...ambassadorStandings.map((value) => ({ value, label: standingWords[value].words })),
      ],
    },
  ],
})

function AmbassadorProfilesView({ search }: PageProps<unknown>) {
  const { t, language } = useWords()
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
