import { useState } from 'react'
import { parseDecimal } from '#contract/platform/decimal.ts'
import { flattenSale, methodPath, roundNamesIn, type RoundNames } from '#contract/money/flat-sale.ts'
import { levelOf } from '#contract/people/level-of.ts'
import { confirmSaleProposal, declineSaleProposal } from '#contract/money/sale-proposals.ts'
import { getSaleSettings, type SaleProposal, type SaleSettings } from '#contract/money/sale.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call, CallFailed } from '../../kernel/call/call.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { boundsOf } from '../../kernel/forms/field-bounds.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { staffName } from '../../kernel/i18n/staff-name.ts'
import { page } from '../../kernel/routes/page.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { type Member, useSession } from '../../kernel/session/session.ts'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { Tag, type TagColor } from '../../kernel/ui/tag.tsx'
import type { KeyTaking } from '../../kernel/i18n/message-key.ts'
import { showNotice } from '../../kernel/notices/notices.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { TextArea } from '../../kernel/ui/field.tsx'
import { Message } from '../../kernel/ui/form-status.tsx'
import { FourEyesNotes } from '../four-eyes/four-eyes-notes.tsx'
import { loadAddressChanges } from './address-changes.ts'
import { ChangeList } from './change-list.tsx'
import { SaleForm } from './sale-form.tsx'
import styles from './sale.module.css'

type SaleState = 'unset' | 'closed' | 'early' | 'over' | 'soldOut' | 'open'

/** The sale as members currently see it. */
function saleStateOf(settings: SaleSettings, now: number): SaleState {
  if (settings.lastUpdated === null) return 'unset'
  if (!settings.isOpen) return 'closed'
  if (settings.opensAt !== null && Date.parse(settings.opensAt) > now) return 'early'
  if (settings.closesAt !== null && Date.parse(settings.closesAt) <= now) return 'over'
  const { cap, sold } = settings
  if (cap !== null && sold !== null && parseDecimal(sold) >= parseDecimal(cap)) return 'soldOut'
  return 'open'
}

/** The sale's settings, and changes that await a second approval. */
function SaleView() {
  const { t } = useMessages()
  const { member } = useSession()
  if (!member) return <PageHead heading={t('console.nav.sale')} />
  return <Sale member={member} />
}

function Sale({ member }: { member: Member }) {
  const { t } = useMessages()
  const loaded = useLoaded('sale settings', () => call(getSaleSettings, {}))
  const head = (
    <PageHead
      heading={t('console.nav.sale')}
      lead={t('consoleSale.lead')}
      action={<a href={pathTo('console.saleHistory')}>{t('consoleSale.toHistory')}</a>}
    />
  )
  if (loaded.state !== 'ready')
    return (
      <>
        {head}
        <NotLoaded of={loaded} title={t('consoleSale.loadFailed')} />
      </>
    )
  const { data, setData, reload } = loaded
  const mayWrite = levelOf(member, 'coins') >= 2
  return (
    <>
      {head}
      <FourEyesNotes areas={['sale']} />
      <SaleStateLine settings={data} />
      {data.rounds.length > 1 && <RoundsNote />}
      {data.proposal && (
        <ProposalCard
          key={data.proposal.id}
          proposal={data.proposal}
          rounds={roundNamesIn(flattenSale(data), data.proposal.changes)}
          memberId={member.id}
          mayWrite={mayWrite}
          onDecided={setData}
        />
      )}
      <SaleForm
        key={`${data.lastUpdated} ${data.proposal?.id}`}
        memberId={member.id}
        mayWrite={mayWrite}
        settings={data}
        onSaved={(saved) => (saved ? setData(saved) : reload())}
      />
    </>
  )
}

/** The rounds decide what members see, so changing the sale alone may have no effect. */
function RoundsNote() {
  const { t } = useMessages()
  return (
    <Message kind="note">
      <p>
        {t('consoleRounds.ofSale')}{' '}
        <a href={pathTo('console.saleRounds')}>{t('consoleRounds.ofSale.link')}</a>
      </p>
    </Message>
  )
}

const states: Readonly<Record<SaleState, { colour: TagColor; words: KeyTaking<'time'> }>> = {
  unset: { colour: 'quiet', words: 'consoleSale.state.unset' },
  closed: { colour: 'quiet', words: 'consoleSale.state.closed' },
  early: { colour: 'yellow', words: 'consoleSale.state.early' },
  over: { colour: 'quiet', words: 'consoleSale.state.over' },
  soldOut: { colour: 'yellow', words: 'consoleSale.state.soldOut' },
  open: { colour: 'green', words: 'consoleSale.state.open' },
}

function SaleStateLine({ settings }: { settings: SaleSettings }) {
  const { t, language } = useMessages()
  const [now] = useState(() => Date.now())
  const state = saleStateOf(settings, now)
  const at = state === 'early' ? settings.opensAt : state === 'over' ? settings.closesAt : null
  return (
    <p className={styles.state} role="status">
      <Tag colour={states[state].colour}>
        {t(states[state].words, { time: at ? formatMoment(at, language) : '' })}
      </Tag>
      {settings.lastUpdated && (
        <span className={styles.sign}>
          {t('consoleSale.lastUpdated', { time: formatMoment(settings.lastUpdated, language) })}
        </span>
      )}
    </p>
  )
}

const reasonSchema = declineSaleProposal.body.shape.reason

type ProposalProps = {
  proposal: SaleProposal
  rounds: RoundNames
  memberId: string
  mayWrite: boolean
  onDecided: (settings: SaleSettings) => void
}

/** A change of receiving addresses or rates that awaits a second approval. */
function ProposalCard({ proposal, rounds, memberId, mayWrite, onDecided }: ProposalProps) {
  const { t, language } = useMessages()
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
      <ProposalAuthor proposal={proposal} />
      <p>{t('consoleSale.proposal.until', { time: formatMoment(proposal.expiresAt, language) })}</p>
      <ChangeList changes={proposal.changes} rounds={rounds} />
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
          rounds={rounds}
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
  rounds,
  movesPayments,
  onDone,
  onClose,
}: {
  proposal: SaleProposal
  rounds: RoundNames
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
      <ChangeList changes={changes} rounds={rounds} />
      <p>{t('consoleSale.ownPrice')}</p>
    </ConfirmDialog>
  )
}

function ProposalAuthor({ proposal: { by, at } }: { proposal: SaleProposal }) {
  const { t, language } = useMessages()
  return (
    <p>
      {t('consoleSale.proposal.by', { name: staffName(by.name, language), time: formatMoment(at, language) })}
    </p>
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
  const { t, language } = useMessages()
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
      label={t(isOwn ? 'consoleSale.proposal.withdraw.now' : 'consoleSale.proposal.decline.now')}
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
      <p>{t('console.undo.none')}</p>
      {isOwn ? (
        <p>{t('consoleSale.proposal.withdraw.text')}</p>
      ) : (
        <TextArea
          label={t('consoleSale.proposal.reason')}
          help={t('consoleSale.proposal.reason.help', { name: staffName(by.name, language) })}
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

export default page({ View: SaleView })
