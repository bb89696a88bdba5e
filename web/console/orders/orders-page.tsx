import { exportOrderAccounts } from '#contract/money/console-orders.ts'
import { useAction } from '../../kernel/actions/use-action.ts'
import { callFile } from '../../kernel/call/call.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { page, type PageProps } from '../../kernel/routes/page.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { saveFile } from '../../kernel/save-file.ts'
import { useSession } from '../../kernel/session/session.ts'
import { Button, ButtonLink } from '../../kernel/ui/button.tsx'
import { FormStatus } from '../../kernel/ui/form-status.tsx'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { FourEyesNotes } from '../four-eyes/four-eyes-notes.tsx'
import { ConsoleList } from '../list/console-list.tsx'
import { queryOf, stateOf } from '../list/list-address.ts'
import { ordersList } from './orders-list.tsx'
import styles from './orders.module.css'

function OrdersView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  const head = <PageHead heading={t('consoleOrders.heading')} lead={t('consoleOrders.lead')} />
  if (!member) return head
  return (
    <>
      <PageHead
        heading={t('consoleOrders.heading')}
        lead={t('consoleOrders.lead')}
        action={
          <div className={styles.ways}>
            <ButtonLink kind="quiet" href={pathTo('console.totals')}>
              {t('consoleOrders.totals')}
            </ButtonLink>
            {member.manageFinance >= 2 && (
              <ButtonLink kind="quiet" href={pathTo('console.import')}>
                {t('consoleOrders.import')}
              </ButtonLink>
            )}
            <AccountingFile search={search} />
          </div>
        }
      />
      <FourEyesNotes areas={['orders']} />
      <ConsoleList spec={ordersList} search={search} />
    </>
  )
}

/** Exports the listed orders as a file, all pages. */
function AccountingFile({ search }: { search: URLSearchParams }) {
  const { t } = useMessages()
  const { isBusy, error, run } = useAction()
  const download = () =>
    run(async () => {
      const query = queryOf(ordersList, stateOf(ordersList, search))
      const { file, name } = await callFile(exportOrderAccounts, { query })
      saveFile(file, name ?? 'orders-accounting.csv')
    })
  return (
    <div>
      <Button
        kind="quiet"
        busy={isBusy}
        title={t('consoleOrders.accounting.help')}
        onClick={() => void download()}
      >
        {t('consoleOrders.accounting')}
      </Button>
      <FormStatus error={error} />
    </div>
  )
}

export default page({ View: OrdersView })
