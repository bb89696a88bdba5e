import { useState } from 'react'
import {
  assignPayoutTransfer,
  dismissPayoutTransfer,
  listPayoutTransfers,
  payoutTransfersMax,
  type DismissedTransfer,
  type PayoutTransfer,
  type PayoutTransfers,
} from '#contract/money/payout-transfers.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call, CallFailed } from '../../kernel/call/call.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { staffName } from '../../kernel/i18n/staff-name.ts'
import { showNotice } from '../../kernel/notices/notices.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { RadioField } from '../../kernel/ui/field.tsx'
import { PagePart } from '../../kernel/ui/page-head.tsx'
import { Table } from '../../kernel/ui/table.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import { OnExplorer } from '../../orders/chain/explorer-link.tsx'
import { ReasonDialog } from '../detail/reason-dialog.tsx'
import { ListTime } from '../list/list-time.tsx'
import { Amount } from '../amount.tsx'
import { transferLabels } from './payout-labels.ts'
import styles from './payouts.module.css'

type Act = 'assign' | 'dismiss'
type Open = { act: Act; transfer: PayoutTransfer }

/** Transfers of the treasury that prove no delivery, and those that finance dismissed. Nothing is shown without any. */
export function TransfersPart({ mayAct }: { mayAct: boolean }) {
  const { t } = useMessages()
  const [open, setOpen] = useState<Open>()
  const loaded = useLoaded('transfers', () => call(listPayoutTransfers, {}))
  if (loaded.state === 'failed') return <NotLoaded of={loaded} title={t('consolePayouts.transfers.failed')} />
  if (loaded.state !== 'ready') return null
  const { transfers, dismissed, explorer } = loaded.data
  if (transfers.length + dismissed.length === 0) return null
  const dialog = open && {
    transfer: open.transfer,
    onDone: loaded.setData,
    onConflict: loaded.reload,
    onClose: () => setOpen(undefined),
  }
  return (
    <div className={styles.transfers}>
      {transfers.length > 0 && (
        <PagePart
          id="transfers"
          heading={t('consolePayouts.transfers')}
          lead={t('consolePayouts.transfers.lead')}
        >
          {transfers.length === payoutTransfersMax && (
            <p>{t('consolePayouts.transfers.more', { count: payoutTransfersMax })}</p>
          )}
          <TransfersTable of={loaded.data} onOpen={mayAct ? setOpen : undefined} />
          {open?.act === 'assign' && <AssignDialog {...dialog!} />}
          {open?.act === 'dismiss' && <DismissDialog {...dialog!} />}
        </PagePart>
      )}
      {dismissed.length > 0 && <Dismissed of={dismissed} explorer={explorer} />}
    </div>
  )
}

/** Why a transfer that held a delivery no longer does. */
function Dismissed({ of, explorer }: { of: readonly DismissedTransfer[]; explorer: string | null }) {
  const { t, language, addNote, formatNumber } = useMessages()
  return (
    <details>
      <summary>{addNote(t('consolePayouts.dismissed'), formatNumber(of.length))}</summary>
      <Table
        caption={t('consolePayouts.dismissed')}
        rows={of}
        rowKey={({ id }) => id}
        columns={[
          {
            name: 'at',
            heading: t('consolePayouts.dismissed.by'),
            cell: ({ dismissedAt, dismissedBy }) => (
              <div className={styles.lines}>
                <p>
                  <ListTime at={dismissedAt} />
                </p>
                <p>{dismissedBy ? staffName(dismissedBy.name, language) : t('console.formerColleague')}</p>
              </div>
            ),
          },
          {
            name: 'address',
            heading: t('consolePayouts.transfers.to'),
            cell: ({ address }) => <span className={styles.code}>{address}</span>,
          },
          {
            name: 'amount',
            heading: t('consolePayouts.amount'),
            isFigure: true,
            cell: ({ amount }) => <Amount value={amount} />,
          },
          {
            name: 'txId',
            heading: t('consolePayouts.txId'),
            cell: ({ txId }) => <Transaction id={txId} explorer={explorer} />,
          },
          { name: 'reason', heading: t('consolePayouts.reason'), cell: ({ reason }) => reason },
        ]}
      />
    </details>
  )
}

function Transaction({ id, explorer }: { id: string; explorer: string | null }) {
  return (
    <span className={styles.code}>
      <OnExplorer explorer={explorer} kind="tx">
        {id}
      </OnExplorer>
    </span>
  )
}

type TableProps = { of: PayoutTransfers; onOpen: ((open: Open) => void) | undefined }

function TransfersTable({ of: { transfers, explorer }, onOpen }: TableProps) {
  const { t } = useMessages()
  return (
    <Table
      caption={t('consolePayouts.transfers')}
      rows={transfers}
      rowKey={({ id }) => id}
      columns={[
        {
          name: 'seen',
          heading: t('consolePayouts.transfers.seen'),
          cell: (transfer) => <Seen of={transfer} />,
        },
        {
          name: 'address',
          heading: t('consolePayouts.transfers.to'),
          cell: ({ address }) => <span className={styles.code}>{address}</span>,
        },
        {
          name: 'amount',
          heading: t('consolePayouts.amount'),
          isFigure: true,
          cell: ({ amount }) => <Amount value={amount} />,
        },
        {
          name: 'txId',
          heading: t('consolePayouts.txId'),
          cell: ({ txId }) => <Transaction id={txId} explorer={explorer} />,
        },
        {
          name: 'problem',
          heading: t('consolePayouts.transfers.problem'),
          cell: (transfer) => <Problem of={transfer} />,
        },
        ...(onOpen
          ? [
              {
                name: 'actions',
                heading: t('consolePayouts.transfers.actions'),
                cell: (transfer: PayoutTransfer) => <Actions of={transfer} onOpen={onOpen} />,
              },
            ]
          : []),
      ]}
    />
  )
}

function Seen({ of: { seenAt, height } }: { of: PayoutTransfer }) {
  const { t, formatNumber } = useMessages()
  return (
    <div className={styles.lines}>
      <p>
        <ListTime at={seenAt} />
      </p>
      {height !== null && <p>{t('consolePayouts.block', { height: formatNumber(height) })}</p>}
    </div>
  )
}

/** Why it proves nothing, and the deliveries that it may have paid. */
function Problem({ of: { problem, deliveries } }: { of: PayoutTransfer }) {
  const { t } = useMessages()
  const { words, colour } = transferLabels[problem]
  return (
    <div className={styles.lines}>
      <p>
        <Tag colour={colour}>{t(words)}</Tag>
      </p>
      {deliveries.map(({ deliveryId, reference, orderId }) => (
        <p key={deliveryId}>
          <a className={styles.reference} href={`${pathTo('console.order', { id: orderId })}#deliveries`}>
            {reference}
          </a>
        </p>
      ))}
    </div>
  )
}

function Actions({ of: transfer, onOpen }: { of: PayoutTransfer; onOpen: (open: Open) => void }) {
  const { t } = useMessages()
  return (
    <div className={styles.buttons}>
      {transfer.deliveries.length > 0 && (
        <Button kind="quiet" onClick={() => onOpen({ act: 'assign', transfer })}>
          {t('consolePayouts.assign')}
        </Button>
      )}
      <Button kind="quiet" onClick={() => onOpen({ act: 'dismiss', transfer })}>
        {t('consolePayouts.dismiss')}
      </Button>
    </div>
  )
}

type DialogProps = {
  transfer: PayoutTransfer
  onDone: (transfers: PayoutTransfers) => void
  /** Someone else was faster, so the list is read again. */
  onConflict: () => void
  onClose: () => void
}

function useResolution({ onDone, onConflict, onClose }: DialogProps) {
  const { t } = useMessages()
  return (done: string) => ({
    onDone: (transfers: PayoutTransfers) => {
      showNotice(done, 'success')
      onDone(transfers)
    },
    onFailure: (failure: unknown) => {
      if (!(failure instanceof CallFailed) || !['conflict', 'not_found'].includes(failure.code)) return false
      onClose()
      showNotice(t('consolePayouts.transfers.stale'))
      onConflict()
      return true
    },
    onClose,
  })
}

/** What the dialogs are about. */
function TransferLine({ of: { amount, address } }: { of: PayoutTransfer }) {
  return (
    <p className={styles.code}>
      <Amount value={amount} /> → {address}
    </p>
  )
}

function AssignDialog(props: DialogProps) {
  const { t, addNote, formatDate } = useMessages()
  const resolution = useResolution(props)
  const { id, deliveries } = props.transfer
  const [chosen, choose] = useState(deliveries[0]!.deliveryId)
  return (
    <ReasonDialog
      title={t('consolePayouts.assign.title')}
      label={t('consolePayouts.assign.confirm')}
      note={<TransferLine of={props.transfer} />}
      text={t('consolePayouts.assign.text')}
      reason={{
        label: t('consolePayouts.reason'),
        help: t('consolePayouts.assign.reason.help'),
        schema: assignPayoutTransfer.body.shape.reason,
      }}
      step={(reason) => call(assignPayoutTransfer, { params: { id }, body: { deliveryId: chosen, reason } })}
      {...resolution(t('consolePayouts.assign.done'))}
    >
      <RadioField
        label={t('consolePayouts.reference')}
        options={deliveries.map(({ deliveryId, reference, orderReference, memberEmail, tranche, dueAt }) => ({
          value: deliveryId,
          label: addNote(
            `${reference} · ${orderReference} · ${t('consolePayouts.transfer.part', { tranche, date: formatDate(dueAt) })}`,
            memberEmail,
          ),
        }))}
        chosen={chosen}
        onChoose={choose}
      />
    </ReasonDialog>
  )
}

function DismissDialog(props: DialogProps) {
  const { t } = useMessages()
  const resolution = useResolution(props)
  const { id, deliveries } = props.transfer
  return (
    <ReasonDialog
      title={t('consolePayouts.dismiss.title')}
      label={t('consolePayouts.dismiss.confirm')}
      kind="danger"
      note={<TransferLine of={props.transfer} />}
      text={t(deliveries.length > 0 ? 'consolePayouts.dismiss.text.holding' : 'consolePayouts.dismiss.text')}
      reason={{
        label: t('consolePayouts.reason'),
        help: t('consolePayouts.dismiss.reason.help'),
        schema: dismissPayoutTransfer.body.shape.reason,
      }}
      step={(reason) => call(dismissPayoutTransfer, { params: { id }, body: { reason } })}
      {...resolution(t('consolePayouts.dismiss.done'))}
    />
  )
}
