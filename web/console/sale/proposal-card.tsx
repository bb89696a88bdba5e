import { useState } from 'react'
import { confirmSaleProposal, declineSaleProposal } from '#contract/sale-proposals.ts'
import type { SaleProposal, SaleSettings } from '#contract/sale.ts'
import { call, CallFailed } from '../../call/call.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { boundsOf } from '../../forms/field-bounds.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { showNotice } from '../../notices/notices.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/field.tsx'
import { Tag } from '../../ui/tag.tsx'
import { loadAddressChanges } from './address-changes.ts'
import { methodPath } from '#contract/flat-sale.ts'
import { ChangeList } from './change-list.tsx'
import styles from './sale.module.css'

const reasonSchema = declineSaleProposal.body.shape.reason

/** A change of receiving addresses or rates that awaits a second approval. */
export function ProposalCard({
  proposal,
  memberId,
  mayWrite,
  onDecided,
}: {
  proposal: SaleProposal
  memberId: string
  mayWrite: boolean
  onDecided: (settings: SaleSettings) => void
}) {
  const { t, formatDateTime } = useMessages()
  const [asking, setAsking] = useState<'confirm' | 'decline'>()
  const isOwn = proposal.by.id === memberId
  const movesPayments = proposal.changes.some(({ path }) => methodPath(path)?.field === 'receivingAddress')
  const decided = (words: Parameters<typeof showNotice>[0]) => (settings: SaleSettings) => {
    showNotice(words, 'success')
    void loadAddressChanges()
    onDecided(settings)
  }
  return (
    <section className={styles.proposal} aria-labelledby="proposal">
      <div className={styles.proposalHead}>
        <h2 id="proposal">{t(movesPayments ? 'consoleSale.proposal.address' : 'consoleSale.proposal')}</h2>
        <Tag colour="yellow">{t('consoleSale.proposal.waits')}</Tag>
      </div>
      <p>{t('consoleSale.proposal.by', { name: proposal.by.name, time: formatDateTime(proposal.at) })}</p>
      <p>{t('consoleSale.proposal.until', { time: formatDateTime(proposal.expiresAt) })}</p>
      <ChangeList changes={proposal.changes} />
      {isOwn && <p>{t('consoleSale.proposal.own')}</p>}
      {mayWrite && (
        <div className={styles.actions}>
          {!isOwn && (
            <Button onClick={() => setAsking('confirm')}>{t('consoleSale.proposal.confirm')}</Button>
          )}
          <Button kind={isOwn ? 'quiet' : 'danger'} onClick={() => setAsking('decline')}>
            {t(isOwn ? 'consoleSale.proposal.withdraw' : 'consoleSale.proposal.decline')}
          </Button>
        </div>
      )}
      {asking === 'confirm' && (
        <ConfirmProposal
          proposal={proposal}
          movesPayments={movesPayments}
          onDone={decided(t('consoleSale.proposal.confirmed'))}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking === 'decline' && (
        <DeclineProposal
          proposal={proposal}
          isOwn={isOwn}
          onDone={decided(t(isOwn ? 'consoleSale.proposal.withdrawn' : 'consoleSale.proposal.declined'))}
          onClose={() => setAsking(undefined)}
        />
      )}
    </section>
  )
}

function ConfirmProposal({
  proposal: { id, changes },
  movesPayments,
  onDone,
  onClose,
}: {
  proposal: SaleProposal
  movesPayments: boolean
  onDone: (settings: SaleSettings) => void
  onClose: () => void
}) {
  const { t } = useMessages()
  return (
    <ConfirmDialog
      title={t(
        movesPayments ? 'consoleSale.proposal.confirm.address.title' : 'consoleSale.proposal.confirm.title',
      )}
      label={t('consoleSale.proposal.confirm.now')}
      step={() => call(confirmSaleProposal, { params: { id }, body: {} })}
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        {t(movesPayments ? 'consoleSale.proposal.confirm.address.text' : 'consoleSale.proposal.confirm.text')}
      </p>
      <ChangeList changes={changes} />
      <p>{t('consoleSale.ownPrice')}</p>
    </ConfirmDialog>
  )
}

/** Declines the proposal with a reason, or withdraws the reader's own. */
function DeclineProposal({
  proposal: { id, by },
  isOwn,
  onDone,
  onClose,
}: {
  proposal: SaleProposal
  isOwn: boolean
  onDone: (settings: SaleSettings) => void
  onClose: () => void
}) {
  const { t } = useMessages()
  const [reason, setReason] = useState('')
  const [isReasonMissing, setReasonMissing] = useState(false)
  const decline = () => {
    const trimmedReason = reason.trim()
    if (trimmedReason === '' && !isOwn) {
      setReasonMissing(true)
      return null
    }
    return call(declineSaleProposal, { params: { id }, body: { reason: isOwn ? '' : trimmedReason } })
  }
  return (
    <ConfirmDialog
      title={t(isOwn ? 'consoleSale.proposal.withdraw.title' : 'consoleSale.proposal.decline.title')}
      label={t(isOwn ? 'consoleSale.proposal.withdraw' : 'consoleSale.proposal.decline.now')}
      kind="danger"
      step={decline}
      onDone={onDone}
      onFailure={(failure) => {
        const isAtField =
          failure instanceof CallFailed && failure.errors.some(({ path }) => path === 'reason')
        setReasonMissing(isAtField)
        return isAtField
      }}
      onClose={onClose}
    >
      {isOwn ? (
        <p>{t('consoleSale.proposal.withdraw.text')}</p>
      ) : (
        <TextArea
          label={t('consoleSale.proposal.reason')}
          help={t('consoleSale.proposal.reason.help', { name: by.name })}
          error={isReasonMissing ? t('consoleSale.proposal.reason.missing') : undefined}
          value={reason}
          maxLength={boundsOf(reasonSchema).maxLength}
          onChange={(event) => {
            setReason(event.target.value)
            setReasonMissing(false)
          }}
        />
      )}
    </ConfirmDialog>
  )
}
