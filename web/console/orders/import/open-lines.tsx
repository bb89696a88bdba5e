import { useState } from 'react'
import { importProblems, type ImportProblem } from '#contract/import-payments.ts'
import { isAssignable, listStatementLines, type StatementLine } from '#contract/statements.ts'
import { NotLoaded } from '../../../actions/not-loaded.tsx'
import { useLoaded } from '../../../actions/use-loaded.ts'
import { call } from '../../../call/call.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import { pathTo } from '../../../routes/routes.ts'
import { Button } from '../../../ui/button.tsx'
import { PagePart } from '../../../ui/page-head.tsx'
import { Table } from '../../../ui/table.tsx'
import styles from '../orders.module.css'
import { DismissedLines } from './dismissed-lines.tsx'
import { useLineColumns } from './line-columns.tsx'
import { problemMessages } from './plan-problems.tsx'
import { ResolveDialog, type Act } from './resolve-dialog.tsx'

const shownMax = 100

const isProblem = (code: string): code is ImportProblem => importProblems.some((each) => each === code)

/**
 * Statement lines that matched no order. Each is assigned to an order or dismissed with a reason, and dismissed lines
 * can be reopened. A new `version` reloads them.
 */
export function OpenLines({ version }: { version: number }) {
  const { t } = useMessages()
  const columns = useLineColumns()
  const [openDialog, setOpenDialog] = useState<{ act: Act; line: StatementLine }>()
  const [resolved, setResolved] = useState(0)
  const loaded = useLoaded(`open lines ${version}`, () =>
    call(listStatementLines, { query: { limit: shownMax } }),
  )
  if (loaded.state !== 'ready')
    return <NotLoaded of={loaded} title={t('consoleOrders.openLines.loadFailed')} />
  const lines = loaded.data
  return (
    <PagePart id="open-lines" heading={t('consoleOrders.openLines')} lead={t('consoleOrders.openLines.lead')}>
      {lines.length === 0 && <p>{t('consoleOrders.openLines.none')}</p>}
      {lines.length === shownMax && <p>{t('consoleOrders.openLines.more', { count: shownMax })}</p>}
      {lines.length > 0 && (
        <Table
          caption={t('consoleOrders.openLines')}
          rows={lines}
          rowKey={({ id }) => id}
          columns={[
            ...columns,
            {
              name: 'problem',
              heading: t('consoleOrders.import.problem'),
              cell: ({ problem, orderId, orderReference }) => (
                <div>
                  {isProblem(problem) ? t(problemMessages[problem]) : problem}
                  {orderId !== null && (
                    <a className={styles.basis} href={pathTo('console.order', { id: orderId })}>
                      {orderReference}
                    </a>
                  )}
                </div>
              ),
            },
            {
              name: 'actions',
              heading: t('consoleOrders.openLines.actions'),
              cell: (line) => (
                <div className={styles.ways}>
                  {isAssignable(line) && (
                    <Button kind="quiet" onClick={() => setOpenDialog({ act: 'assign', line })}>
                      {t('consoleOrders.openLines.assign')}
                    </Button>
                  )}
                  <Button kind="quiet" onClick={() => setOpenDialog({ act: 'dismiss', line })}>
                    {t('consoleOrders.openLines.dismiss')}
                  </Button>
                </div>
              ),
            },
          ]}
        />
      )}
      <DismissedLines version={resolved} onReopen={(line) => setOpenDialog({ act: 'reopen', line })} />
      {openDialog && (
        <ResolveDialog
          {...openDialog}
          onDone={() => {
            setOpenDialog(undefined)
            setResolved(resolved + 1)
            loaded.reload()
          }}
          onClose={() => setOpenDialog(undefined)}
        />
      )}
    </PagePart>
  )
}
