import { useState } from 'react'
import { listStatementLines, type StatementLine } from '#contract/statements.ts'
import { NotLoaded } from '../../../actions/not-loaded.tsx'
import { useLoaded } from '../../../actions/use-loaded.ts'
import { call } from '../../../call/call.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import { Button } from '../../../ui/button.tsx'
import { Table } from '../../../ui/table.tsx'
import styles from '../orders.module.css'
import { useLineColumns } from './line-columns.tsx'

const shownMax = 100

type Props = {
  /** Another version reloads the lines. */
  version: number
  onReopen: (line: StatementLine) => void
}

/** Lines that staff dismissed. They are loaded only on demand, because they are rarely needed. */
export function DismissedLines(props: Props) {
  const { t } = useMessages()
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={styles.how} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className={styles.summary}>{t('consoleOrders.dismissedLines')}</summary>
      {isOpen && <List {...props} />}
    </details>
  )
}

function List({ version, onReopen }: Props) {
  const { t } = useMessages()
  const columns = useLineColumns()
  const loaded = useLoaded(`dismissed lines ${version}`, () =>
    call(listStatementLines, { query: { state: 'dismissed', limit: shownMax } }),
  )
  if (loaded.state !== 'ready')
    return <NotLoaded of={loaded} title={t('consoleOrders.dismissedLines.loadFailed')} />
  const lines = loaded.data
  if (lines.length === 0) return <p>{t('consoleOrders.dismissedLines.none')}</p>
  return (
    <>
      {lines.length === shownMax && <p>{t('consoleOrders.dismissedLines.more', { count: shownMax })}</p>}
      <Table
        caption={t('consoleOrders.dismissedLines')}
        rows={lines}
        rowKey={({ id }) => id}
        columns={[
          ...columns,
          { name: 'reason', heading: t('consoleOrders.openLines.reason'), cell: ({ reason }) => reason },
          {
            name: 'actions',
            heading: t('consoleOrders.openLines.actions'),
            cell: (line) => (
              <Button kind="quiet" onClick={() => onReopen(line)}>
                {t('consoleOrders.openLines.reopen')}
              </Button>
            ),
          },
        ]}
      />
    </>
  )
}
