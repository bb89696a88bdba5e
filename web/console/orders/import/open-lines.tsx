import { useState } from 'react'
import type { FieldError } from '#contract/platform/errors.ts'
import { decimalPattern } from '#contract/platform/fields.ts'
import { importProblems, type ImportProblem } from '#contract/money/import-payments.ts'
import {
  assignStatementLine,
  dismissStatementLine,
  isAssignable,
  listStatementLines,
  reopenStatementLine,
  type StatementLine,
} from '#contract/money/statements.ts'
import { NotLoaded } from '../../../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../../../kernel/actions/use-loaded.ts'
import { useUndo } from '../../../kernel/actions/use-undo.ts'
import { call, type Call, CallFailed } from '../../../kernel/call/call.ts'
import { ConfirmDialog } from '../../../kernel/forms/confirm-dialog.tsx'
import { boundsOf } from '../../../kernel/forms/field-bounds.ts'
import { problemMessage } from '../../../kernel/forms/problem-message.ts'
import { formatMoment } from '../../../kernel/i18n/format-moment.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { staffName } from '../../../kernel/i18n/staff-name.ts'
import { showNotice } from '../../../kernel/notices/notices.ts'
import { pathTo } from '../../../kernel/routes/routes.ts'
import { Button } from '../../../kernel/ui/button.tsx'
import { TextField } from '../../../kernel/ui/field.tsx'
import { PagePart } from '../../../kernel/ui/page-head.tsx'
import { type Column, Table } from '../../../kernel/ui/table.tsx'
import { LabeledFacts } from '../../detail/labeled-facts.tsx'
import { Figure } from '../figure.tsx'
import styles from '../orders.module.css'
import { problemMessages } from './plan-problems.tsx'

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
          key={`${openDialog.act} ${openDialog.line.id}`}
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

const dismissedMax = 100

type Props = {
  /** Another version reloads the lines. */
  version: number
  onReopen: (line: StatementLine) => void
}

/** Lines that staff dismissed. They are loaded only on demand, because they are rarely needed. */
function DismissedLines(props: Props) {
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
    call(listStatementLines, { query: { state: 'dismissed', limit: dismissedMax } }),
  )
  if (loaded.state !== 'ready')
    return <NotLoaded of={loaded} title={t('consoleOrders.dismissedLines.loadFailed')} />
  const lines = loaded.data
  if (lines.length === 0) return <p>{t('consoleOrders.dismissedLines.none')}</p>
  return (
    <>
      {lines.length === dismissedMax && (
        <p>{t('consoleOrders.dismissedLines.more', { count: dismissedMax })}</p>
      )}
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

const bounds = assignStatementLine.body.shape

const messages = {
  assign: {
    title: 'consoleOrders.openLines.assign.title',
    text: 'consoleOrders.openLines.assign.text',
    confirm: 'consoleOrders.openLines.assign.confirm',
    done: 'consoleOrders.openLines.assigned',
  },
  dismiss: {
    title: 'consoleOrders.openLines.dismiss.title',
    text: 'consoleOrders.openLines.dismiss.text',
    confirm: 'consoleOrders.openLines.dismiss.confirm',
    done: 'consoleOrders.openLines.dismissed',
  },
  reopen: {
    title: 'consoleOrders.openLines.reopen.title',
    text: 'consoleOrders.openLines.reopen.text',
    confirm: 'consoleOrders.openLines.reopen.confirm',
    done: 'consoleOrders.openLines.reopened',
  },
} as const

type Act = keyof typeof messages

/** The order of such a line is uncertain, so staff must find it out and type its reference. */
const isDoubtful = ({ problem }: StatementLine): boolean =>
  ['shared_address', 'reported_only', 'older_than_order', 'status', 'looks_imported'].includes(problem)

type Given = { reference: string; reason: string }

function resolve(act: Act, { id }: StatementLine, given: Given & { confirmsDuplicate: boolean }, send: Call) {
  const params = { id }
  const { reference, reason, confirmsDuplicate } = given
  if (act === 'assign')
    return send(assignStatementLine, {
      params,
      body: { reference, reason, ...(confirmsDuplicate && { confirmsDuplicate }) },
    })
  return send(act === 'dismiss' ? dismissStatementLine : reopenStatementLine, { params, body: { reason } })
}

type ResolveProps = { act: Act; line: StatementLine; onDone: () => void; onClose: () => void }

/** Asks for the reason, and for the order that a line is assigned to. */
function ResolveDialog({ act, line, onDone, onClose }: ResolveProps) {
  const { t } = useMessages()
  const [given, setGiven] = useState<Given>({
    reference: isDoubtful(line) ? '' : line.orderReference,
    reason: '',
  })
  const [problems, setProblems] = useState<readonly FieldError[]>([])
  // A warning about one order says nothing about another, so only the same reference confirms it.
  const [warnedFor, setWarnedFor] = useState<string>()
  const labels = messages[act]
  const undo = useUndo(act === 'dismiss')
  const begin = (send: Call) => {
    const asked = act === 'assign' ? (['reference', 'reason'] as const) : (['reason'] as const)
    const missing = asked.filter((path) => given[path].trim() === '')
    setProblems(
      missing.map((path) => ({ path, code: 'required' as const, message: problemMessage(t, 'required') })),
    )
    return missing.length > 0
      ? null
      : resolve(act, line, { ...given, confirmsDuplicate: warnedFor === given.reference }, send)
  }
  const onFailure = (failure: unknown) => {
    if (!(failure instanceof CallFailed) || failure.errors.length === 0) return false
    setProblems(failure.errors)
    if (failure.errors.some(({ code }) => code === 'looks_imported')) setWarnedFor(given.reference)
    return true
  }
  // An unreadable amount is shown as it is in the file.
  const amount = decimalPattern.test(line.amount)
    ? `${line.amount}\u00A0${line.currency}`.trim()
    : line.amount
  return (
    <ConfirmDialog
      title={t(labels.title, { amount })}
      {...undo.confirming(t(labels.confirm), begin, onFailure)}
      kind={act === 'dismiss' ? 'danger' : 'primary'}
      onDone={() => {
        showNotice(t(labels.done), 'success')
        onDone()
      }}
      onClose={onClose}
    >
      <p>{t(labels.text)}</p>
      <div className={styles.completion}>
        <LabeledFacts
          facts={{
            'consoleOrders.mapping.reference':
              [line.reference, line.sender].filter(Boolean).join(' · ') || '–',
            'consoleOrders.txId': <span className={styles.code}>{line.txId || '–'}</span>,
          }}
        />
      </div>
      {undo.note && <p>{undo.note}</p>}
      <Fields hasReference={act === 'assign'} given={given} problems={problems} onChange={setGiven} />
    </ConfirmDialog>
  )
}

function Fields({
  hasReference,
  given,
  problems,
  onChange,
}: {
  hasReference: boolean
  given: Given
  problems: readonly FieldError[]
  onChange: (given: Given) => void
}) {
  const { t } = useMessages()
  const errorOf = (name: string) => problems.find(({ path }) => path === name)?.message
  return (
    <div className={styles.fields}>
      {hasReference && (
        <TextField
          label={t('consoleOrders.reference')}
          autoComplete="off"
          spellCheck={false}
          maxLength={boundsOf(bounds.reference).maxLength}
          error={errorOf('reference')}
          value={given.reference}
          onChange={({ target }) => onChange({ ...given, reference: target.value })}
        />
      )}
      <TextField
        label={t('consoleOrders.openLines.reason')}
        maxLength={boundsOf(bounds.reason).maxLength}
        error={errorOf('reason') ?? errorOf('txId') ?? errorOf('paidAmount')}
        value={given.reason}
        onChange={({ target }) => onChange({ ...given, reason: target.value })}
      />
    </div>
  )
}

/** Banks report only a day, which is stored as midnight UTC. */
const isDay = (moment: string): boolean => moment.endsWith('T00:00:00.000Z')

/** Columns with what a statement line says, for open and for dismissed lines. */
function useLineColumns(): Column<StatementLine>[] {
  const { t, language, formatDate, formatNumber } = useMessages()
  return [
    {
      name: 'received',
      heading: t('consoleOrders.openLines.received'),
      cell: ({ receivedAt, line, importedBy }) => (
        <div className={styles.day}>
          {receivedAt === null
            ? '–'
            : isDay(receivedAt)
              ? formatDate(receivedAt)
              : formatMoment(receivedAt, language)}
          <span className={styles.basis}>
            {t('consoleOrders.openLines.line', { line: formatNumber(line) })}
          </span>
          {importedBy.map((name) => (
            <span key={name} className={styles.basis}>
              {t('consoleOrders.openLines.importedBy', { name: staffName(name, language) })}
            </span>
          ))}
        </div>
      ),
    },
    {
      name: 'amount',
      heading: t('consoleOrders.mapping.amount'),
      isFigure: true,
      // An unreadable amount is shown as it is in the file.
      cell: ({ amount, currency }) => (
        <span className={styles.reference}>
          {decimalPattern.test(amount) ? <Figure value={amount} unit={currency} /> : amount}
        </span>
      ),
    },
    {
      name: 'reference',
      heading: t('consoleOrders.mapping.reference'),
      cell: ({ reference, txId, sender, address }) => (
        <div>
          {[reference, sender].filter(Boolean).join(' · ') || (txId || address ? '' : '–')}
          {[txId, address].filter(Boolean).map((each) => (
            <span key={each} className={`${styles.basis} ${styles.code}`}>
              {each}
            </span>
          ))}
        </div>
      ),
    },
  ]
}
