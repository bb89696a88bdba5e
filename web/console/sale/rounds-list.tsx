import { saleRounds, type RoundRow } from '#contract/money/sale-rounds.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { formatDecimal } from '../../kernel/i18n/format-decimal.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { Tag } from '../../kernel/ui/tag.tsx'
import type { ListSpec } from '../list/list-spec.ts'
import { ListTime } from '../list/list-time.tsx'
import { roundStateLabels } from './round-labels.ts'

export const roundsList: ListSpec<typeof saleRounds> = {
  resource: saleRounds,
  route: 'console.saleRounds',
  nameOf: ({ name }) => name.en,
  none: { title: 'consoleRounds.none', help: 'consoleRounds.none.help' },
  columns: [
    { name: 'name', heading: 'consoleRounds.name', cell: (round) => <RoundLink round={round} /> },
    { name: 'state', heading: 'consoleRounds.state', cell: ({ state }) => <RoundTag state={state} /> },
    {
      name: 'opens',
      heading: 'consoleSale.opensAt',
      sort: 'opens',
      cell: ({ opensAt }) => opensAt && <ListTime at={opensAt} />,
    },
    {
      name: 'closes',
      heading: 'consoleSale.closesAt',
      cell: ({ closesAt }) => closesAt && <ListTime at={closesAt} />,
    },
    {
      name: 'sold',
      heading: 'consoleRounds.sold',
      isFigure: true,
      cell: ({ sold }) => <Quantity of={sold} />,
    },
    {
      name: 'cap',
      heading: 'consoleRounds.cap',
      isFigure: true,
      cell: ({ cap }) => cap && <Quantity of={cap} />,
    },
    { name: 'orders', heading: 'consoleRounds.orders', isFigure: true, cell: ({ orders }) => orders },
    { name: 'members', heading: 'consoleRounds.members', isFigure: true, cell: ({ members }) => members },
  ],
  filters: {},
}

function RoundLink({ round: { id, name } }: { round: RoundRow }) {
  const { language } = useMessages()
  return <a href={pathTo('console.saleRound', { id })}>{name[language]}</a>
}

export function RoundTag({ state }: Pick<RoundRow, 'state'>) {
  const { t } = useMessages()
  const { words, colour } = roundStateLabels[state]
  return <Tag colour={colour}>{t(words)}</Tag>
}

function Quantity({ of }: { of: string }) {
  const { language } = useMessages()
  return formatDecimal(of, language)
}
