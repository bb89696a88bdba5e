import { cancelPayout, type PayoutDetail, type PayoutItem } from '#contract/money/payouts.ts'
import { call } from '../../kernel/call/call.ts'
import { staffName } from '../../kernel/i18n/staff-name.ts'
import type { ActionList, DetailAction } from '../detail/detail-actions.tsx'
import type { DetailContext } from '../detail/detail-page.tsx'
import { ApproveDialog } from './approve-dialog.tsx'
import { CancelItemsDialog } from './cancel-items-dialog.tsx'
import { ConfirmItemsDialog } from './confirm-items-dialog.tsx'
import { RecordFileDialog } from './record-file-dialog.tsx'
import { RecordOneDialog } from './record-one-dialog.tsx'

type Context = DetailContext<PayoutDetail>
type Action = DetailAction<PayoutDetail>

const isExported = ({ state, firstExportedAt }: PayoutDetail): boolean =>
  firstExportedAt !== null && state !== 'cancelled'

/** Deliveries whose transaction can still be recorded or replaced. */
const payable = (run: PayoutDetail): PayoutItem[] =>
  run.list.filter(({ state }) => state === 'in_run' || state === 'sent')

/** Deliveries whose transaction is recorded and not confirmed. */
const confirmable = (run: PayoutDetail): PayoutItem[] => run.list.filter(({ state }) => state === 'sent')

/** Deliveries for which no transaction is recorded, so that they can be taken out of the run. */
const cancellable = (run: PayoutDetail): PayoutItem[] => run.list.filter(({ state }) => state === 'in_run')

/** Whether the time for the approval has passed, so that the run can only be canceled. */
export const isApprovalExpired = ({ approvableUntil }: PayoutDetail): boolean =>
  approvableUntil !== null && Date.parse(approvableUntil) <= Date.now()

function approveAction({ record: run, reader }: Context): Action {
  const { state, frozenBy, hold } = run
  return {
    words: 'consolePayouts.approve',
    isOffered: state === 'waiting' && frozenBy.id !== reader.id && !isApprovalExpired(run) && !hold,
    kind: 'primary',
    dialog: (tools) => <ApproveDialog run={run} {...tools} />,
  }
}

function transactionActions({ record: run, reload }: Context): Action[] {
  const isOffered = isExported(run) && payable(run).length > 0
  return [
    {
      words: 'consolePayouts.record',
      isOffered,
      dialog: ({ onClose }) => <RecordFileDialog run={run} onChanged={reload} onClose={onClose} />,
    },
    {
      words: 'consolePayouts.recordOne',
      isOffered,
      dialog: ({ onClose }) => (
        <RecordOneDialog run={run} items={payable(run)} onChanged={reload} onClose={onClose} />
      ),
    },
    {
      words: 'consolePayouts.confirm',
      isOffered: run.watch === null && confirmable(run).length > 0,
      dialog: (tools) => <ConfirmItemsDialog run={run} items={confirmable(run)} {...tools} />,
    },
  ]
}

const cancelReason = ({ t }: Context) => ({
  label: t('consolePayouts.reason'),
  help: t('consolePayouts.cancel.reason.help'),
  schema: cancelPayout.body.shape.reason,
})

/** Before the export, one officer cancels. After it, one proposes and another one confirms. */
function cancelActions(of: Context): Action[] {
  const { t, language, record: run, reader } = of
  const { id, state, proposal } = run
  const params = { id }
  const open = proposal?.counts ? proposal : null
  const canPropose = isExported(run) && cancellable(run).length > 0 && open === null
  return [
    {
      words: 'consolePayouts.cancel',
      isOffered: state === 'waiting' || state === 'ready',
      kind: 'danger',
      reason: cancelReason(of),
      step: (reason) => call(cancelPayout, { params, body: { reason } }),
    },
    {
      words: 'consolePayouts.propose',
      isOffered: canPropose,
      kind: 'danger',
      dialog: (tools) => <CancelItemsDialog run={run} items={cancellable(run)} {...tools} />,
    },
    {
      words: 'consolePayouts.confirmCancel',
      isOffered: isExported(run) && open !== null && open.by.id !== reader.id,
      kind: 'danger',
      more: open && (
        <>
          <p>
            {open.deliveryIds
              ? t('consolePayouts.proposal.some', {
                  name: staffName(open.by.name, language),
                  count: open.deliveryIds.length,
                })
              : t('consolePayouts.proposal', { name: staffName(open.by.name, language) })}
          </p>
          <p>{t('consolePayouts.proposal.reason', { reason: open.reason })}</p>
        </>
      ),
      step: () =>
        call(cancelPayout, {
          params,
          body: {
            reason: open?.reason ?? '',
            ...(open?.deliveryIds && { deliveryIds: open.deliveryIds }),
          },
        }),
    },
  ]
}

export const actionsOf = (of: Context): ActionList<PayoutDetail> => ({
  actions: [approveAction(of), ...transactionActions(of), ...cancelActions(of)],
})
