import { useState, type ReactNode } from 'react'
import { failureMessage } from '../../kernel/actions/failure-message.ts'
import { useAction } from '../../kernel/actions/use-action.ts'
import type { Call } from '../../kernel/call/call.ts'
import type { BulkOutcome } from '#contract/platform/bulk.ts'
import { useMessages, type UsedMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { Button, TextButton } from '../../kernel/ui/button.tsx'
import { Dialog } from '../../kernel/ui/dialog.tsx'
import { FormStatus } from '../../kernel/ui/form-status.tsx'
import { useUndo } from '../../kernel/actions/use-undo.ts'
import { BulkFields, useBulkEntries } from './bulk-fields.tsx'
import styles from './console-list.module.css'
import type { AnyRow } from './list-spec.ts'
import { useBulkRun, usePreview, type DeclaredBulk } from './use-bulk.ts'

type Props<Row extends AnyRow> = {
  action: DeclaredBulk<Row>
  rows: readonly Row[]
  nameOf: (row: Row) => string
  tagOf?: (row: Row) => ReactNode
  /** Called when the time to undo the action begins, and when the dialog is shown again. */
  onWaiting: (isWaiting: boolean) => void
  onClose: (hasRun: boolean) => void
}

type Outcomes = ReadonlyMap<string, BulkOutcome>

/** Shows what will happen to the selected rows, asks for the input they share, and then says what happened to each. */
export function BulkDialog<Row extends AnyRow>(props: Props<Row>) {
  const { action, rows, onClose } = props
  const { t, addNote, formatNumber } = useMessages()
  const asked = useAsked(props)
  const { able, isFinished, isBusy, undo, preview } = asked
  const close = () => !isBusy && onClose(isFinished || asked.outcomes.size > 0)
  return (
    <Dialog
      isOpen={!undo.isWaiting}
      // A running action must not be interrupted by accident.
      onClose={close}
      title={t(`${action.label}.title`, { count: rows.length })}
      actions={
        isFinished ? (
          <Button onClick={() => onClose(true)}>{t('console.list.bulk.close')}</Button>
        ) : (
          <>
            <Button kind="quiet" disabled={isBusy} onClick={close}>
              {t('console.list.bulk.back')}
            </Button>
            <Button
              kind={action.isDangerous ? 'danger' : 'primary'}
              busy={isBusy}
              disabled={!preview.isReady || able.length === 0}
              onClick={asked.confirm}
            >
              {addNote(t(`${action.label}.confirm`), formatNumber(able.length))}
            </Button>
          </>
        )
      }
    >
      {isFinished ? (
        <Finished {...props} rows={able} outcomes={asked.outcomes} />
      ) : (
        <Question {...props} asked={asked} />
      )}
    </Dialog>
  )
}

/** The preview and the entries of an action, and what happened when it was confirmed. */
function useAsked<Row extends AnyRow>({ action, rows, onWaiting, onClose }: Props<Row>) {
  const { t } = useMessages()
  const entries = useBulkEntries(action.fields ?? [])
  const preview = usePreview(action, rows, entries.tried)
  const { outcomes, runAll } = useBulkRun(action)
  const undo = useUndo(action.isUndoable ?? false, onWaiting)
  const { isBusy, error, run } = useAction()
  const [isFinished, setFinished] = useState(false)
  const able = rows.filter(({ id }) => preview.outcomes.get(id)?.isDone)
  const bases = able.map(({ id }) => preview.outcomes.get(id)?.basis ?? '')
  const label = t(`${action.label}.confirm`)
  async function send(transport: Call) {
    const done = await runAll(transport, able, preview.outcomes, entries.given)
    const count = able.filter(({ id }) => done.get(id)?.isDone).length
    const isAll = count === able.length
    const summary = t('console.list.bulk.finished', { action: label, count, all: able.length })
    if (isAll || undo.isGone()) showNotice(summary, isAll ? 'success' : 'error')
    if (isAll) return onClose(true)
    undo.fail(undefined)
    setFinished(true)
  }
  const confirm = () => {
    if (!entries.check(bases)) return
    void run(async () => {
      try {
        await send(await undo.wait(label, action.endpoint))
      } catch (failure) {
        if (!undo.fail(failure)) throw failure
      }
    })
  }
  return { entries, preview, outcomes, undo, isBusy, error, isFinished, able, bases, confirm }
}

type QuestionProps<Row extends AnyRow> = Props<Row> & { asked: ReturnType<typeof useAsked<Row>> }

function Question<Row extends AnyRow>({ asked, ...props }: QuestionProps<Row>) {
  const { t } = useMessages()
  const { action, rows } = props
  const { entries, preview, outcomes, undo, isBusy, error, able, bases } = asked
  return (
    <>
      <p>{t(`${action.label}.text`)}</p>
      <p>{undo.note || t('console.undo.none')}</p>
      <BulkFields entries={entries} bases={bases} />
      {entries.tried ? <Preview {...props} preview={preview} /> : <p>{t('console.list.bulk.incomplete')}</p>}
      {isBusy && rows.length > 1 && (
        <p role="status">{t('console.list.bulk.running', { count: outcomes.size, all: able.length })}</p>
      )}
      <FormStatus error={error && `${error} ${t('console.list.bulk.again')}`} />
    </>
  )
}

/** Why nothing is or was done with a row. */
function reasonOf(t: UsedMessages['t'], { code, reason, field }: BulkOutcome): string {
  if (field !== null) return reason
  if (code === 'conflict' || code === 'forbidden' || code === 'not_found')
    return t(`console.list.bulk.${code}`)
  return reason
}

/** The rows that won't be changed, with the reasons, followed by those that will. */
function Preview<Row extends AnyRow>({
  action,
  rows,
  preview,
  ...named
}: Props<Row> & { preview: ReturnType<typeof usePreview> }) {
  const { t } = useMessages()
  const { outcomes, isReady, failure, retry } = preview
  if (failure !== undefined)
    return (
      <div role="alert">
        <p>{failureMessage(t, failure)}</p>
        <TextButton onClick={retry}>{t('forms.retry')}</TextButton>
      </div>
    )
  if (!isReady)
    return <p role="status">{t('console.list.bulk.checking', { count: outcomes.size, all: rows.length })}</p>
  const noteOf = ({ basis }: BulkOutcome) => {
    const words = action.notes?.[basis ?? '']
    return words && t(words)
  }
  const [able, unable] = [true, false].map((isDone) =>
    rows.filter(({ id }) => outcomes.get(id)?.isDone === isDone),
  )
  return (
    <>
      {unable!.length > 0 && (
        <RowList
          {...named}
          heading={t('console.list.bulk.wont', { count: unable!.length })}
          rows={unable!}
          outcomes={outcomes}
          textOf={(outcome) => reasonOf(t, outcome)}
        />
      )}
      {able!.length > 0 && (
        <RowList
          {...named}
          heading={t('console.list.bulk.will', { count: able!.length })}
          rows={able!}
          outcomes={outcomes}
          textOf={noteOf}
        />
      )}
    </>
  )
}

function Finished<Row extends AnyRow>({ rows, outcomes, ...named }: Props<Row> & { outcomes: Outcomes }) {
  const { t } = useMessages()
  const refused = rows.filter(({ id }) => !outcomes.get(id)?.isDone)
  return (
    <>
      <p role="status">
        {t('console.list.bulk.done', { count: rows.length - refused.length, all: rows.length })}
      </p>
      <RowList
        {...named}
        heading={t('console.list.bulk.wasnt', { count: refused.length })}
        rows={refused}
        outcomes={outcomes}
        textOf={(outcome) => reasonOf(t, outcome)}
      />
    </>
  )
}

type RowListProps<Row extends AnyRow> = Pick<Props<Row>, 'rows' | 'nameOf' | 'tagOf'> & {
  heading: string
  outcomes: Outcomes
  textOf: (outcome: BulkOutcome) => string | undefined
}

function RowList<Row extends AnyRow>({ heading, rows, nameOf, tagOf, outcomes, textOf }: RowListProps<Row>) {
  return (
    <section className={styles.bulkRows}>
      <h3>{heading}</h3>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling area must be reachable by keyboard */}
      <ul tabIndex={0} aria-label={heading}>
        {rows.map((row) => {
          const outcome = outcomes.get(row.id)
          const text = outcome && textOf(outcome)
          return (
            <li key={row.id}>
              <span>{nameOf(row)}</span> {tagOf?.(row)}
              {text && <small>{text}</small>}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
