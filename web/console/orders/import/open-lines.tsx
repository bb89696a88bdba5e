import { useState } from 'react'
import { importProblems, type ImportProblem } from '#contract/import-payments.ts'
import { decimalPattern } from '#contract/fields.ts'
import type { FieldError } from '#contract/errors.ts'
import {
  assignStatementLine,
  dismissStatementLine,
  isAssignable,
  listStatementLines,
  type StatementLine,
} from '#contract/statements.ts'
import { NotLoaded } from '../../../actions/not-loaded.tsx'
import { useLoaded } from '../../../actions/use-loaded.ts'
import { call, CallFailed } from '../../../call/call.ts'
import { ConfirmDialog } from '../../../forms/confirm-dialog.tsx'
import { boundsOf } from '../../../forms/field-bounds.ts'
import { problemMessage } from '../../../forms/problem-message.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import { showNotice } from '../../../notices/notices.ts'
import { pathTo } from '../../../routes/routes.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { PagePart } from '../../../ui/page-head.tsx'
import { Table } from '../../../ui/table.tsx'
import { Figure } from '../orders-list.tsx'
import { LabeledFacts } from '../../detail/labeled-facts.tsx'
import styles from '../orders.module.css'
import { problemMessages } from './plan-problems.tsx'

const shownMax = 100
const bounds = assignStatementLine.body.shape

type Act = 'assign' | 'dismiss'

/** Banks report only a day, which is stored as midnight UTC. */
const isDay = (moment: string): boolean => moment.endsWith('T00:00:00.000Z')

const isProblem = (code: string): code is ImportProblem => importProblems.some((each) => each === code)

/**
 * Statement lines that matched no order. Each is assigned to an order or dismissed with a reason. A new `version`
 * reloads them.
 */
export function OpenLines({ version }: { version: number }) {
  const { t, formatDate, formatMoment, formatNumber } = useMessages()
  const [openDialog, setOpenDialog] = useState<{ act: Act; line: StatementLine }>()
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
            {
              name: 'received',
              heading: t('consoleOrders.openLines.received'),
              cell: ({ receivedAt, line, importedBy }) => (
                <div className={styles.day}>
                  {receivedAt === null
                    ? '–'
                    : isDay(receivedAt)
                      ? formatDate(receivedAt)
                      : formatMoment(receivedAt)}
                  <span className={styles.basis}>
                    {t('consoleOrders.openLines.line', { line: formatNumber(line) })}
                  </span>
                  {importedBy.map((name) => (
                    <span key={name} className={styles.basis}>
                      {t('consoleOrders.openLines.importedBy', { name })}
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
      {openDialog && (
        <ResolveDialog
          {...openDialog}
          onDone={() => {
            setOpenDialog(undefined)
            loaded.reload()
          }}
          onClose={() => setOpenDialog(undefined)}
        />
      )}
    </PagePart>
  )
}

/** The order of such a line is uncertain, so staff must find it out and type its reference. */
const isDoubtful = ({ problem }: StatementLine): boolean =>
  ['shared_address', 'reported_only', 'older_than_order', 'status', 'looks_imported'].includes(problem)

function ResolveDialog({
  act,
  line,
  onDone,
  onClose,
}: {
  act: Act
  line: StatementLine
  onDone: () => void
  onClose: () => void
}) {
  const { t } = useMessages()
  const [reference, setReference] = useState(isDoubtful(line) ? '' : line.orderReference)
  const [reason, setReason] = useState('')
  const [problems, setProblems] = useState<readonly FieldError[]>([])
  const isAssigning = act === 'assign'
  const errorOf = (name: string) => problems.find(({ path }) => path === name)?.message
  const send = () => {
    const given = isAssigning ? { reference, reason } : { reason }
    const missing = Object.entries(given).filter(([, value]) => value.trim() === '')
    setProblems(
      missing.map(([path]) => ({ path, code: 'required' as const, message: problemMessage(t, 'required') })),
    )
    if (missing.length > 0) return null
    const params = { id: line.id }
    return isAssigning
      ? call(assignStatementLine, { params, body: { reference, reason } })
      : call(dismissStatementLine, { params, body: { reason } })
  }
  return (
    <ConfirmDialog
      title={t(
        isAssigning ? 'consoleOrders.openLines.assign.title' : 'consoleOrders.openLines.dismiss.title',
        {
          // An unreadable amount is shown as it is in the file.
          amount: decimalPattern.test(line.amount)
            ? `${line.amount}\u00A0${line.currency}`.trim()
            : line.amount,
        },
      )}
      label={t(
        isAssigning ? 'consoleOrders.openLines.assign.confirm' : 'consoleOrders.openLines.dismiss.confirm',
      )}
      kind={isAssigning ? 'primary' : 'danger'}
      step={send}
      onDone={() => {
        showNotice(
          t(isAssigning ? 'consoleOrders.openLines.assigned' : 'consoleOrders.openLines.dismissed'),
          'success',
        )
        onDone()
      }}
      onFailure={(failure) => {
        if (!(failure instanceof CallFailed) || failure.errors.length === 0) return false
        setProblems(failure.errors)
        return true
      }}
      onClose={onClose}
    >
      <p>{t(isAssigning ? 'consoleOrders.openLines.assign.text' : 'consoleOrders.openLines.dismiss.text')}</p>
      <div className={styles.completion}>
        <LabeledFacts
          facts={{
            'consoleOrders.mapping.reference':
              [line.reference, line.sender].filter(Boolean).join(' · ') || '–',
            'consoleOrders.txId': <span className={styles.code}>{line.txId || '–'}</span>,
          }}
        />
      </div>
      <div className={styles.fields}>
        {isAssigning && (
          <TextField
            label={t('consoleOrders.reference')}
            autoComplete="off"
            spellCheck={false}
            maxLength={boundsOf(bounds.reference).maxLength}
            error={errorOf('reference')}
            value={reference}
            onChange={({ target }) => setReference(target.value)}
          />
        )}
        <TextField
          label={t('consoleOrders.openLines.reason')}
          maxLength={boundsOf(bounds.reason).maxLength}
          error={errorOf('reason') ?? errorOf('txId') ?? errorOf('paidAmount')}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </div>
    </ConfirmDialog>
  )
}
