import { useMemo } from 'react'
import {
  ambassadors,
  ambassadorStandings,
  type ListedAmbassador,
} from '#contract/console-ambassador-profiles.ts'
import type { Language } from '#contract/languages.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { page, type PageProps } from '../../routes/page.ts'
import { pathTo } from '../../routes/routes.ts'
import { useSession } from '../../session/session.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { Tag } from '../../ui/tag.tsx'
import { ConsoleList } from '../list/console-list.tsx'
import type { ListSpec } from '../list/list-spec.ts'
import { ListDay, ListTime } from '../list/list-time.tsx'
import { SamplesNote } from './samples-note.tsx'
import { nameIn, StandingTag } from './standing-tag.tsx'

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
      cell: ({ since }) => <ListDay at={since} />,
    },
  ],
  filters: {
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
  },
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
