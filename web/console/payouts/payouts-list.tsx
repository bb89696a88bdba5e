import { payouts, payoutStates } from '#contract/money/payouts.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { staffName } from '../../kernel/i18n/staff-name.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import type { ListSpec } from '../list/list-spec.ts'
import { ListTime } from '../list/list-time.tsx'
import { Amount } from '../amount.tsx'
import { stateLabels } from './payout-labels.ts'
import { PayoutStateTag } from './payout-tags.tsx'
import styles from './payouts.module.css'

export const payoutsList: ListSpec<typeof payouts> = {
  resource: payouts,
  route: 'console.payouts',
  nameOf: ({ number }) => String(number),
  none: { title: 'consolePayouts.none', help: 'consolePayouts.none.help' },
  columns: [
    {
      name: 'number',
      heading: 'consolePayouts.number',
      cell: ({ id, number }) => (
        <a href={pathTo('console.payout', { id })}>
          <RunName number={number} />
        </a>
      ),
    },
    { name: 'state', heading: 'consolePayouts.state', cell: ({ state }) => <PayoutStateTag state={state} /> },
    {
      name: 'items',
      heading: 'consolePayouts.items',
      isFigure: true,
      cell: ({ items }) => <Amount value={items} />,
    },
    {
      name: 'total',
      heading: 'consolePayouts.total',
      isFigure: true,
      cell: ({ total }) => <Amount value={total} />,
    },
    {
      name: 'frozen',
      heading: 'consolePayouts.frozen',
      sort: 'frozen',
      cell: ({ frozenAt }) => <ListTime at={frozenAt} />,
    },
    {
      name: 'frozenBy',
      heading: 'consolePayouts.frozenBy',
      isWide: true,
      cell: ({ frozenBy }) => <StaffMember of={frozenBy} />,
    },
    {
      name: 'hash',
      heading: 'consolePayouts.hash',
      isExtra: true,
      cell: ({ hash }) => <span className={styles.code}>{hash}</span>,
    },
  ],
  filters: {
    q: {
      label: 'consolePayouts.search',
      kind: 'search',
      placeholder: 'consolePayouts.search.placeholder',
    },
    state: {
      label: 'consolePayouts.state',
      kind: 'choice',
      options: payoutStates.map((value) => ({ value, label: stateLabels[value].words })),
    },
    waitingFor: {
      label: 'console.list.waitingFor',
      kind: 'choice',
      options: [{ value: 'me', label: 'console.list.waitingFor.me' }],
    },
  },
}

function RunName({ number }: { number: number }) {
  const { t } = useMessages()
  return t('consolePayouts.one', { number })
}

/** A colleague, who may no longer have an account. */
export function StaffMember({ of }: { of: { name: string } | null }) {
  const { t, language } = useMessages()
  return of ? staffName(of.name, language) : t('console.formerColleague')
}
