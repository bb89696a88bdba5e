import { useRef, useState, type ReactNode } from 'react'
import {
  recordPayoutTransactions,
  type PayoutDetail,
  type RecordedTransactions,
} from '#contract/money/payouts.ts'
import { call } from '../../kernel/call/call.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { Dialog } from '../../kernel/ui/dialog.tsx'
import { Table } from '../../kernel/ui/table.tsx'
import { lineProblemLabels } from './payout-labels.ts'
import styles from './payouts.module.css'

type Lines = { reference: string; txId: string }[]

type Props = {
  run: PayoutDetail
  title: string
  /** Returns the lines to record, or null if input is missing. */
  read: () => Lines | null
  onChanged: () => void
  onClose: () => void
  children: ReactNode
}

/** Records transactions and, if some couldn't be recorded, says why for each line. */
export function RecordDialog({ run: { id }, title, read, onChanged, onClose, children }: Props) {
  const { t } = useMessages()
  const [recorded, setRecorded] = useState<RecordedTransactions>()
  const isAnswered = useRef(false)
  const record = async (lines: Lines) => {
    const done = await call(recordPayoutTransactions, { params: { id }, body: { lines } })
    isAnswered.current = true
    return done
  }
  const onDone = (done: RecordedTransactions) => {
    const count = done.lines.filter(({ isDone }) => isDone).length
    if (count > 0) onChanged()
    if (count < done.lines.length) return setRecorded(done)
    showNotice(t('consolePayouts.record.done', { count }), 'success')
    onClose()
  }
  if (recorded) return <NotRecorded title={title} recorded={recorded} onClose={onClose} />
  return (
    <ConfirmDialog
      title={title}
      label={t('consolePayouts.record.confirm')}
      step={() => {
        const lines = read()
        return lines && record(lines)
      }}
      onDone={onDone}
      // The lines that weren't recorded are shown in its place.
      onClose={() => isAnswered.current || onClose()}
    >
      <div className={styles.fields}>{children}</div>
    </ConfirmDialog>
  )
}

type NotRecordedProps = { title: string; recorded: RecordedTransactions; onClose: () => void }

function NotRecorded({ title, recorded: { lines }, onClose }: NotRecordedProps) {
  const { t } = useMessages()
  const refused = lines.filter(({ isDone }) => !isDone)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      actions={<Button onClick={onClose}>{t('console.list.bulk.close')}</Button>}
    >
      <p role="status">
        {t('consolePayouts.record.some', { count: lines.length - refused.length, all: lines.length })}
      </p>
      <Table
        caption={t('consolePayouts.record.refused')}
        rows={refused.map((line, index) => ({ ...line, index }))}
        rowKey={({ index }) => String(index)}
        columns={[
          {
            name: 'reference',
            heading: t('consolePayouts.reference'),
            cell: ({ reference }) => <span className={styles.code}>{reference}</span>,
          },
          {
            name: 'txId',
            heading: t('consolePayouts.txId'),
            cell: ({ txId }) => <span className={styles.code}>{txId}</span>,
          },
          {
            name: 'problem',
            heading: t('consolePayouts.record.problem'),
            cell: ({ problem }) => problem && t(lineProblemLabels[problem]),
          },
        ]}
      />
    </Dialog>
  )
}
