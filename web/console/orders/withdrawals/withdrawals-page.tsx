import { exportRefundAccounts } from '#contract/money/console-withdrawals.ts'
import { useAction } from '../../../kernel/actions/use-action.ts'
import { callFile } from '../../../kernel/call/call.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { page, type PageProps } from '../../../kernel/routes/page.ts'
import { saveFile } from '../../../kernel/save-file.ts'
import { useSession } from '../../../kernel/session/session.ts'
import { Button } from '../../../kernel/ui/button.tsx'
import { FormStatus } from '../../../kernel/ui/form-status.tsx'
import { PageHead } from '../../../kernel/ui/page-head.tsx'
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
