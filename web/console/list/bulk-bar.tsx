import { useState } from 'react'
import { failureMessage } from '../../kernel/actions/failure-message.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Button } from '../../kernel/ui/button.tsx'
import { Dialog } from '../../kernel/ui/dialog.tsx'
import styles from './console-list.module.css'
import type { AnyRow, BulkAction, ShownList } from './list-spec.ts'

type Props<Row extends AnyRow> = {
  spec: ShownList<Row>
  rows: readonly Row[]
  onDone: () => void
}

type Outcome = { name: string; reason: string | undefined }

/** Actions on the selected rows. Afterwards it lists which ones succeeded and which failed, and why. */
export function BulkBar<Row extends AnyRow>({ spec, rows, onDone }: Props<Row>) {
  const { t } = useMessages()
  const [openDialog, setOpenDialog] = useState<BulkAction<Row>>()
  const close = (hasRun: boolean) => {
    setOpenDialog(undefined)
    if (hasRun) onDone()
  }
  return (
    <>
      {rows.length > 0 && (
        <div
          className={styles.bulk}
          role="group"
          aria-label={t('console.list.selected', { count: rows.length })}
        >
          <p role="status">{t('console.list.selected', { count: rows.length })}</p>
          {spec.bulk?.map((action) => (
            <Button
              key={action.name}
              kind={action.isDangerous ? 'danger' : 'quiet'}
              onClick={() => setOpenDialog(action)}
            >
              {t(action.label)}
            </Button>
          ))}
        </div>
      )}
      {openDialog &&
        ('dialog' in openDialog ? (
          openDialog.dialog(rows, close)
        ) : (
          <BulkDialog action={openDialog} rows={rows} nameOf={spec.nameOf} onClose={close} />
        ))}
    </>
  )
}

type DialogProps<Row> = {
  action: Extract<BulkAction<Row>, { run: unknown }>
  rows: readonly Row[]
  nameOf: (row: Row) => string
  onClose: (hasRun: boolean) => void
}

function BulkDialog<Row>({ action, rows, nameOf, onClose }: DialogProps<Row>) {
  const { t, addNote, formatNumber } = useMessages()
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>()
  const [done, setDone] = useState<number>()
  const isRunning = done !== undefined && outcomes === undefined
  async function runAll() {
    const known: Outcome[] = []
    for (const row of rows) {
      setDone(known.length)
      try {
        await action.run(row)
        known.push({ name: nameOf(row), reason: undefined })
      } catch (failure) {
        known.push({ name: nameOf(row), reason: failureMessage(t, failure) })
      }
    }
    setOutcomes(known)
  }
  return (
    <Dialog
      isOpen
      // A running action must not be interrupted by accident.
      onClose={() => !isRunning && onClose(outcomes !== undefined)}
      title={t(action.title, { count: rows.length })}
      actions={
        outcomes ? (
          <Button onClick={() => onClose(true)}>{t('console.list.bulk.close')}</Button>
        ) : (
          <>
            <Button kind="quiet" disabled={isRunning} onClick={() => onClose(false)}>
              {t('forms.cancel')}
            </Button>
            <Button
              kind={action.isDangerous ? 'danger' : 'primary'}
              busy={isRunning}
              onClick={() => void runAll()}
            >
              {addNote(t(action.label), formatNumber(rows.length))}
            </Button>
          </>
        )
      }
    >
      {outcomes ? (
        <Outcomes outcomes={outcomes} />
      ) : (
        <ul>
          {rows.map((row, at) => (
            <li key={nameOf(row)} data-done={done !== undefined && at < done}>
              {nameOf(row)}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}

/** How many succeeded, and which failed and why. */
function Outcomes({ outcomes }: { outcomes: readonly Outcome[] }) {
  const { t } = useMessages()
  const failed = outcomes.filter(({ reason }) => reason !== undefined)
  return (
    <div role="status">
      <p>{t('console.list.bulk.done', { count: outcomes.length - failed.length, all: outcomes.length })}</p>
      {failed.length > 0 && (
        <ul>
          {failed.map(({ name, reason }) => (
            <li key={name}>{t('console.list.bulk.failed', { name, reason: reason ?? '' })}</li>
          ))}
        </ul>
      )}
    </div>
  )
}
