import { useState } from 'react'
import { parseDecimal } from '#contract/decimal.ts'
import { levelOf } from '#contract/level-of.ts'
import { getSaleSettings, type SaleSettings } from '#contract/sale.ts'
import { NotLoaded } from '../../actions/not-loaded.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { page } from '../../routes/page.ts'
import { pathTo } from '../../routes/routes.ts'
import { type Member, useSession } from '../../session/session.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { Tag, type TagColor } from '../../ui/tag.tsx'
import type { KeyTaking } from '../../i18n/message-key.ts'
import { FourEyesNotes } from '../four-eyes/four-eyes-notes.tsx'
import { ProposalCard } from './proposal-card.tsx'
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
      {data.proposal && (
        <ProposalCard
          key={data.proposal.id}
          proposal={data.proposal}
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

const states: Readonly<Record<SaleState, { colour: TagColor; words: KeyTaking<'time'> }>> = {
  unset: { colour: 'quiet', words: 'consoleSale.state.unset' },
  closed: { colour: 'quiet', words: 'consoleSale.state.closed' },
  early: { colour: 'yellow', words: 'consoleSale.state.early' },
  over: { colour: 'quiet', words: 'consoleSale.state.over' },
  soldOut: { colour: 'yellow', words: 'consoleSale.state.soldOut' },
  open: { colour: 'green', words: 'consoleSale.state.open' },
}

function SaleStateLine({ settings }: { settings: SaleSettings }) {
  const { t, formatDateTime } = useMessages()
  const [now] = useState(() => Date.now())
  const state = saleStateOf(settings, now)
  const at = state === 'early' ? settings.opensAt : state === 'over' ? settings.closesAt : null
  return (
    <p className={styles.state} role="status">
      <Tag colour={states[state].colour}>
        {t(states[state].words, { time: at ? formatDateTime(at) : '' })}
      </Tag>
      {settings.lastUpdated && (
        <span className={styles.sign}>
          {t('consoleSale.lastUpdated', { time: formatDateTime(settings.lastUpdated) })}
        </span>
      )}
    </p>
  )
}

export default page({ View: SaleView })
