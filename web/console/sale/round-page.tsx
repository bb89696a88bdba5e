import { useState } from 'react'
import { getSaleRound, type RoundRow, type SaleRound } from '#contract/money/sale-rounds.ts'
import { getSaleSettings, updateSaleSettings, type SaleSettings } from '#contract/money/sale.ts'
import { levelOf } from '#contract/people/level-of.ts'
import { call } from '../../kernel/call/call.ts'
import { newKey } from '../../kernel/call/new-key.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { formatDecimal } from '../../kernel/i18n/format-decimal.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { navigate } from '../../kernel/navigation/navigate.ts'
import { showNotice } from '../../kernel/notices/notices.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { draftStore } from '../../kernel/state/draft-store.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { Message } from '../../kernel/ui/form-status.tsx'
import { detailPage, type DetailContext } from '../detail/detail-page.tsx'
import { FourEyesNotes } from '../four-eyes/four-eyes-notes.tsx'
import { RoundForm } from './round-form.tsx'
import { RoundGuests } from './round-guests.tsx'
import { newRoundId } from './round-labels.ts'
import { RoundTag } from './rounds-list.tsx'
import { noticeOf } from './sale-settings-form.tsx'
import styles from './sale.module.css'

/** `round` and `row` are missing until the round is saved. */
type Shown = { settings: SaleSettings; round: SaleRound | undefined; row: RoundRow | undefined }
type Of = DetailContext<Shown>

async function readRound(id: string): Promise<Shown> {
  const [settings, row] = await Promise.all([
    call(getSaleSettings, {}),
    id === newRoundId ? undefined : call(getSaleRound, { params: { id } }),
  ])
  return { settings, round: settings.rounds.find((each) => each.id === id), row }
}

/** A round that is being added. Its ID is kept in this tab, so that a repeated save adds no second round. */
function NewRound({ of: { reader, record, mayAct } }: { of: Of }) {
  const store = draftStore<string>(reader.id, 'console new round')
  const [id] = useState(() => {
    const kept = store.read() ?? newKey()
    store.write(kept)
    return kept
  })
  return (
    <RoundForm
      memberId={reader.id}
      mayWrite={mayAct}
      id={id}
      settings={record.settings}
      onSaved={(notice, saved) => {
        store.write(null)
        // A proposed round does not exist yet.
        const isSaved = saved?.rounds.some((round) => round.id === id)
        void navigate(isSaved ? pathTo('console.saleRound', { id }) : pathTo('console.saleRounds'), {
          notice,
        })
      }}
    />
  )
}

function SavedRound({ of, round }: { of: Of; round: SaleRound }) {
  const { t, reader, record, mayAct, reload } = of
  const { settings, row } = record
  return (
    <>
      <RoundForm
        key={`${settings.lastUpdated} ${settings.proposal?.id}`}
        memberId={reader.id}
        mayWrite={mayAct}
        id={round.id}
        settings={settings}
        onSaved={(notice) => {
          showNotice(t(notice), 'success')
          reload()
        }}
      />
      {mayAct && round.admission === 'listed' && <RoundGuests id={round.id} />}
      {mayAct && row?.orders === 0 && <RemoveRound of={of} round={round} />}
    </>
  )
}

/** Removes a round without orders. */
function RemoveRound({ of, round: { id, name } }: { of: Of; round: SaleRound }) {
  const { t, language } = useMessages()
  const [isAsking, setAsking] = useState(false)
  const { settings } = of.record
  return (
    <section className={styles.part}>
      <h2>{t('consoleRounds.remove')}</h2>
      <p>{t('consoleRounds.remove.help')}</p>
      <div>
        <Button kind="danger" onClick={() => setAsking(true)}>
          {t('consoleRounds.remove.ask')}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={t('consoleRounds.remove.title', { name: name[language] })}
          label={t('consoleRounds.remove')}
          kind="danger"
          step={() =>
            call(updateSaleSettings, {
              body: { ...settings, rounds: settings.rounds.filter((each) => each.id !== id) },
            })
          }
          onDone={(saved) => {
            draftStore(of.reader.id, `console round ${id}`).write(null)
            void navigate(pathTo('console.saleRounds'), { notice: noticeOf(settings, saved) })
          }}
          onClose={() => setAsking(false)}
        >
          <p>{t('console.undo.none')}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

function Figures({ row: { state, sold, orders, members }, of }: { row: RoundRow; of: Of }) {
  const { t, language, formatNumber } = of
  return (
    <>
      <RoundTag state={state} />
      <span>
        {t('consoleRounds.figures', {
          sold: formatDecimal(sold, language),
          orders: formatNumber(orders),
          members: formatNumber(members),
        })}
      </span>
    </>
  )
}

/** A change of the sale that awaits a second approval ends when a round is saved. */
function OpenProposal() {
  const { t } = useMessages()
  return (
    <Message kind="note">
      <p>
        {t('consoleRounds.proposal')} <a href={pathTo('console.sale')}>{t('consoleRounds.proposal.link')}</a>
      </p>
    </Message>
  )
}

/** One round of the sale, or the form for a new one. */
export default detailPage<Shown>({
  route: 'console.saleRound',
  failed: 'consoleRounds.failed',
  gone: 'consoleRounds.gone',
  read: readRound,
  mayAct: (reader) => levelOf(reader, 'coins') >= 2,
  title: ({ t, language, record: { round } }) => round?.name[language] ?? t('consoleRounds.new'),
  lead: (of) => of.record.row && <Figures row={of.record.row} of={of} />,
  notices: ({ record }) => (
    <>
      <FourEyesNotes areas={['sale']} />
      {record.settings.proposal && <OpenProposal />}
    </>
  ),
  below: (of) => {
    const { round } = of.record
    return (
      <div className={styles.version}>
        {round ? <SavedRound of={of} round={round} /> : <NewRound of={of} />}
      </div>
    )
  },
})
