import { deliveries, type ConsoleDelivery } from '#contract/money/console-deliveries.ts'
import { deliveryStates, holdReasons } from '#contract/money/deliveries.ts'
import { freezePayout } from '#contract/money/payouts.ts'
import type { Language } from '#contract/platform/fields.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { Address } from '../../kernel/ui/address.tsx'
import type { ListSpec } from '../list/list-spec.ts'
import { Amount } from '../amount.tsx'
import { ListTime } from '../list/list-time.tsx'
import { FreezeDialog } from '../payouts/freeze-dialog.tsx'
import styles from './deliveries.module.css'
import { DeliveryStatus } from './delivery-status.tsx'
import { RoundLink } from './round-link.tsx'

type Round = NonNullable<ConsoleDelivery['round']>

/** The list with a filter for the rounds of the sale, if there are several. */
export const deliveriesListOf = (
  rounds: readonly Round[],
  language: Language,
): ListSpec<typeof deliveries> => ({
  ...deliveriesList,
  filters: {
    ...deliveriesList.filters,
    round:
      rounds.length > 1
        ? {
            label: 'consoleDeliveries.round',
            kind: 'choice',
            options: rounds.map(({ id, name }) => ({
              value: id,
              text: name[language === 'cn' ? 'cn' : 'en'],
            })),
          }
        : null,
  },
})

const deliveriesList: ListSpec<typeof deliveries> = {
  resource: deliveries,
  route: 'console.deliveries',
  caption: 'consoleDeliveries.caption',
  nameOf: ({ reference }) => reference,
  none: { title: 'consoleDeliveries.none' },
  columns: [
    {
      name: 'reference',
      heading: 'consoleDeliveries.reference',
      cell: ({ orderId, reference }) => (
        <a className={styles.reference} href={`${pathTo('console.order', { id: orderId })}#deliveries`}>
          {reference}
        </a>
      ),
    },
    {
      name: 'state',
      heading: 'consoleDeliveries.state',
      cell: (delivery) => <DeliveryStatus of={delivery} />,
    },
    {
      name: 'due',
      heading: 'consoleDeliveries.due',
      sort: 'due',
      cell: ({ dueAt }) => <ListTime at={dueAt} />,
    },
    {
      name: 'amount',
      heading: 'consoleDeliveries.amount',
      isFigure: true,
      cell: ({ amount }) => <Amount value={amount} />,
    },
    {
      name: 'part',
      heading: 'consoleDeliveries.part',
      isFigure: true,
      isExtra: true,
      cell: ({ tranche }) => tranche,
    },
    {
      name: 'round',
      heading: 'consoleDeliveries.round',
      isExtra: true,
      cell: ({ round }) => round && <RoundLink of={round} />,
    },
    {
      name: 'order',
      heading: 'consoleDeliveries.order',
      cell: ({ orderReference }) => <span className={styles.reference}>{orderReference}</span>,
    },
    {
      name: 'member',
      heading: 'consoleDeliveries.member',
      isAddress: true,
      cell: ({ memberEmail }) => <Address email={memberEmail} />,
    },
    {
      name: 'address',
      heading: 'consoleDeliveries.address',
      cell: ({ address }) => address && <span className={styles.code}>{address}</span>,
    },
    {
      name: 'run',
      heading: 'consoleDeliveries.run',
      isFigure: true,
      isExtra: true,
      cell: ({ run }) => (run ? <a href={pathTo('console.payout', { id: run.id })}>{run.number}</a> : '–'),
    },
    {
      name: 'txId',
      heading: 'consoleDeliveries.txId',
      isExtra: true,
      cell: ({ txId }) => txId && <span className={styles.code}>{txId}</span>,
    },
    {
      name: 'confirmed',
      heading: 'consoleDeliveries.confirmed',
      isExtra: true,
      cell: ({ confirmedAt }) => confirmedAt && <ListTime at={confirmedAt} />,
    },
  ],
  filters: {
    q: {
      label: 'consoleDeliveries.search',
      kind: 'search',
      placeholder: 'consoleDeliveries.search.placeholder',
    },
    state: {
      label: 'consoleDeliveries.state',
      kind: 'choice',
      options: deliveryStates.map((value) => ({ value, label: `consoleDeliveries.state.${value}` })),
    },
    hold: {
      label: 'consoleDeliveries.hold',
      kind: 'choice',
      options: holdReasons.map((value) => ({ value, label: `consoleDeliveries.hold.${value}` })),
    },
    from: { label: 'consoleDeliveries.from', kind: 'day' },
    to: { label: 'consoleDeliveries.to', kind: 'day' },
    round: null,
    // Set by links from the pages of payout runs.
    run: null,
    ids: null,
  },
  bulk: [
    {
      name: 'freeze',
      label: 'consolePayouts.freeze',
      single: freezePayout,
      dialog: (selected) => <FreezeDialog {...selected} />,
    },
    { name: 'export', label: 'consoleDeliveries.export', isFile: true },
  ],
}
