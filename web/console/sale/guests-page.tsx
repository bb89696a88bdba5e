import { useMemo } from 'react'
import { listSaleRounds, roundGuests, type RoundGuest, type RoundRow } from '#contract/money/sale-rounds.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { staffName } from '../../kernel/i18n/staff-name.ts'
import { page, type PageProps } from '../../kernel/routes/page.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { Address } from '../../kernel/ui/address.tsx'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { ConsoleList } from '../list/console-list.tsx'
import type { ListSpec } from '../list/list-spec.ts'
import { ListTime } from '../list/list-time.tsx'

const guestsList = (rounds: readonly RoundRow[], language: 'en' | 'cn'): ListSpec<typeof roundGuests> => ({
  resource: roundGuests,
  route: 'console.saleGuests',
  nameOf: ({ email }) => email,
  none: { title: 'consoleRounds.guests.none' },
  columns: [
    {
      name: 'email',
      heading: 'consoleRounds.guests.email',
      isAddress: true,
      cell: ({ email }) => <Address email={email} />,
    },
    {
      name: 'round',
      heading: 'consoleRounds.guests.round',
      cell: ({ roundId }) => (
        <a href={`${pathTo('console.saleRound', { id: roundId })}#guests`}>
          {rounds.find(({ id }) => id === roundId)?.name[language] ?? roundId}
        </a>
      ),
    },
    {
      name: 'added',
      heading: 'consoleRounds.guests.added',
      sort: 'added',
      cell: ({ addedAt }) => <ListTime at={addedAt} />,
    },
    {
      name: 'by',
      heading: 'consoleRounds.guests.by',
      isExtra: true,
      cell: (guest) => <AddedBy guest={guest} />,
    },
  ],
  filters: {
    q: { label: 'consoleRounds.guests.search', kind: 'search' },
    round: {
      label: 'consoleRounds.guests.round',
      kind: 'choice',
      options: rounds.map(({ id, name }) => ({ value: id, text: name[language] })),
    },
  },
})

function AddedBy({ guest: { addedBy } }: { guest: RoundGuest }) {
  const { language } = useMessages()
  return addedBy && staffName(addedBy.name, language)
}

/** The allow-lists of all rounds. The rounds are loaded first, because the address may name one of them. */
function GuestsView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const loaded = useLoaded('', () => call(listSaleRounds, { query: {} }))
  return (
    <>
      <PageHead heading={t('console.nav.saleGuests')} lead={t('consoleRounds.guests.lead')} />
      {loaded.state === 'ready' ? (
        <Guests rounds={loaded.data} search={search} />
      ) : (
        <NotLoaded of={loaded} title={t('console.list.failed')} />
      )}
    </>
  )
}

function Guests({ rounds, search }: { rounds: readonly RoundRow[]; search: URLSearchParams }) {
  const { language } = useMessages()
  const spec = useMemo(() => guestsList(rounds, language), [rounds, language])
  return <ConsoleList spec={spec} search={search} />
}

export default page({ View: GuestsView })
