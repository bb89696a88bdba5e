import { useState } from 'react'
import { decimalPattern } from '#contract/fields.ts'
import type { FieldError } from '#contract/errors.ts'
import {
  assignStatementLine,
  dismissStatementLine,
  reopenStatementLine,
  type StatementLine,
} from '#contract/statements.ts'
import { call, CallFailed } from '../../../call/call.ts'
import { ConfirmDialog } from '../../../forms/confirm-dialog.tsx'
import { boundsOf } from '../../../forms/field-bounds.ts'
import { problemMessage } from '../../../forms/problem-message.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import { showNotice } from '../../../notices/notices.ts'
import { TextField } from '../../../ui/field.tsx'
import { LabeledFacts } from '../../detail/labeled-facts.tsx'
import styles from '../orders.module.css'

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

export type Act = keyof typeof messages

/** The order of such a line is uncertain, so staff must find it out and type its reference. */
const isDoubtful = ({ problem }: StatementLine): boolean =>
  ['shared_address', 'reported_only', 'older_than_order', 'status', 'looks_imported'].includes(problem)

type Given = { reference: string; reason: string }

function resolve(act: Act, { id }: StatementLine, { reference, reason }: Given) {
  const params = { id }
  if (act === 'assign') return call(assignStatementLine, { params, body: { reference, reason } })
  return call(act === 'dismiss' ? dismissStatementLine : reopenStatementLine, { params, body: { reason } })
}

type Props = { act: Act; line: StatementLine; onDone: () => void; onClose: () => void }

/** Asks for the reason, and for the order that a line is assigned to. */
export function ResolveDialog({ act, line, onDone, onClose }: Props) {
  const { t } = useMessages()
  const [given, setGiven] = useState<Given>({
    reference: isDoubtful(line) ? '' : line.orderReference,
    reason: '',
  })
  const [problems, setProblems] = useState<readonly FieldError[]>([])
  const labels = messages[act]
  const send = () => {
    const asked = act === 'assign' ? (['reference', 'reason'] as const) : (['reason'] as const)
    const missing = asked.filter((path) => given[path].trim() === '')
    setProblems(
      missing.map((path) => ({ path, code: 'required' as const, message: problemMessage(t, 'required') })),
    )
    return missing.length > 0 ? null : resolve(act, line, given)
  }
  // An unreadable amount is shown as it is in the file.
  const amount = decimalPattern.test(line.amount)
    ? `${line.amount}\u00A0${line.currency}`.trim()
    : line.amount
  return (
    <ConfirmDialog
      title={t(labels.title, { amount })}
      label={t(labels.confirm)}
      kind={act === 'dismiss' ? 'danger' : 'primary'}
      step={send}
      onDone={() => {
        showNotice(t(labels.done), 'success')
        onDone()
      }}
      onFailure={(failure) => {
        if (!(failure instanceof CallFailed) || failure.errors.length === 0) return false
        setProblems(failure.errors)
        return true
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
