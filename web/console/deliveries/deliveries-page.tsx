import { exportDeliveryAccounts } from '#contract/money/console-deliveries.ts'
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
import { ConsoleList } from '../list/console-list.tsx'
import { queryOf, stateOf } from '../list/list-address.ts'
import { deliveriesList } from './deliveries-list.tsx'
import styles from './deliveries.module.css'

function DeliveriesView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  return (
    <>
      <PageHead
        heading={t('consoleDeliveries.heading')}
        lead={t('consoleDeliveries.lead')}
        action={
          member && (
            <div className={styles.ways}>
              <ButtonLink kind="quiet" href={pathTo('console.deliveryTotals')}>
                {t('consoleDeliveries.totals')}
              </ButtonLink>
              <AccountingFile search={search} />
            </div>
          )
        }
      />
      {member && <ConsoleList spec={deliveriesList} search={search} />}
    </>
  )
}

/** Exports the listed deliveries for accounting, all pages. */
function AccountingFile({ search }: { search: URLSearchParams }) {
  const { t } = useMessages()
  const { isBusy, error, run } = useAction()
  const download = () =>
    run(async () => {
      const query = queryOf(deliveriesList, stateOf(deliveriesList, search))
      const { file, name } = await callFile(exportDeliveryAccounts, { query })
      saveFile(file, name ?? 'deliveries-accounting.csv')
    })
  return (
    <div>
      <Button
        kind="quiet"
        busy={isBusy}
        title={t('consoleDeliveries.accounting.help')}
        onClick={() => void download()}
      >
        {t('consoleDeliveries.accounting')}
      </Button>
      <FormStatus error={error} />
    </div>
  )
}

export default page({ View: DeliveriesView })
