import { readMemberOrderTotals } from '#contract/money/order-totals.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { pathTo } from '../../kernel/routes/routes.ts'
import { TotalsTable } from '../orders/totals/totals-table.tsx'

/** What the member ordered and paid in total, with a link to the orders. */
export function MemberOrders({ id, email }: { id: string; email: string }) {
  const { t } = useMessages()
  const loaded = useLoaded(id, () => call(readMemberOrderTotals, { params: { id } }))
  if (loaded.state !== 'ready') return <NotLoaded of={loaded} title={t('consoleOrders.totals.failed')} />
  if (loaded.data.length === 0) return <p>{t('consoleMembers.orders.none')}</p>
  return (
    <>
      <TotalsTable caption={t('consoleMembers.orders')} rows={loaded.data} />
      <p>
        <a href={`${pathTo('console.orders')}?${new URLSearchParams({ q: email })}`}>
          {t('consoleMembers.orders.all')}
        </a>
      </p>
    </>
  )
}
