import { exportRefundAccounts } from '#contract/console-withdrawals.ts'
import { useAction } from '../../../actions/use-action.ts'
import { callFile } from '../../../call/call.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import { page, type PageProps } from '../../../routes/page.ts'
import { saveFile } from '../../../save-file.ts'
import { useSession } from '../../../session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { FormStatus } from '../../../ui/form-status.tsx'
import { PageHead } from '../../../ui/page-head.tsx'
import { ConsoleList } from '../../list/console-list.tsx'
import { queryOf, stateOf } from '../../list/list-address.ts'
import { withdrawalsList } from './withdrawals-list.tsx'

function WithdrawalsView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  return (
    <>
      <PageHead
        heading={t('consoleWithdrawals.heading')}
        lead={t('consoleWithdrawals.lead')}
        action={member && <RefundsFile search={search} />}
      />
      {member && <ConsoleList spec={withdrawalsList} search={search} />}
    </>
  )
}

/** Exports the listed refunds as a file, all pages. */
function RefundsFile({ search }: { search: URLSearchParams }) {
  const { t } = useMessages()
  const { isBusy, error, run } = useAction()
  const download = () =>
    run(async () => {
      const query = queryOf(withdrawalsList, stateOf(withdrawalsList, search))
      const { file, name } = await callFile(exportRefundAccounts, { query })
      saveFile(file, name ?? 'refunds-accounting.csv')
    })
  return (
    <div>
      <Button
        kind="quiet"
        busy={isBusy}
        title={t('consoleWithdrawals.accounting.help')}
        onClick={() => void download()}
      >
        {t('consoleWithdrawals.accounting')}
      </Button>
      <FormStatus error={error} />
    </div>
  )
}

export default page({ View: WithdrawalsView })
