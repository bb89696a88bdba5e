import { useMemo, type ReactNode } from 'react'
import {
  exportDeliveryAccounts,
  listDeliveryRounds,
  type deliveries,
} from '#contract/money/console-deliveries.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useAction } from '../../kernel/actions/use-action.ts'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call, callFile } from '../../kernel/call/call.ts'
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
import type { ListSpec } from '../list/list-spec.ts'
import { deliveriesListOf } from './deliveries-list.tsx'
import styles from './deliveries.module.css'

function DeliveriesView({ search }: PageProps<unknown>) {
  const { member } = useSession()
  return member ? <Deliveries search={search} /> : <Head />
}

function Head({ action }: { action?: ReactNode }) {
  const { t } = useMessages()
  return (
    <PageHead heading={t('consoleDeliveries.heading')} lead={t('consoleDeliveries.lead')} action={action} />
  )
}

/** Rounds are loaded first, because the address may contain one of them. */
function Deliveries({ search }: { search: URLSearchParams }) {
  const { t, language } = useMessages()
  const loaded = useLoaded('', async () => (await call(listDeliveryRounds, {})).rounds)
  const rounds = loaded.state === 'ready' ? loaded.data : undefined
  const spec = useMemo(() => rounds && deliveriesListOf(rounds, language), [rounds, language])
  return (
    <>
      <Head
        action={
          <div className={styles.ways}>
            <ButtonLink kind="quiet" href={pathTo('console.deliveryTotals')}>
              {t('consoleDeliveries.totals')}
            </ButtonLink>
            {spec && <AccountingFile spec={spec} search={search} />}
          </div>
        }
      />
      {spec ? (
        <ConsoleList spec={spec} search={search} />
      ) : (
        loaded.state !== 'ready' && <NotLoaded of={loaded} title={t('consoleDeliveries.failed')} />
      )}
    </>
  )
}

type FileProps = { spec: ListSpec<typeof deliveries>; search: URLSearchParams }

/** Exports the listed deliveries for accounting, all pages. */
function AccountingFile({ spec, search }: FileProps) {
  const { t } = useMessages()
  const { isBusy, error, run } = useAction()
  const download = () =>
    run(async () => {
      const query = queryOf(spec, stateOf(spec, search))
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
