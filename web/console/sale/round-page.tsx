import { useState } from 'react'
import { getSaleRound, type RoundRow, type SaleRound } from '#contract/money/sale-rounds.ts'
import { getSaleSettings, updateSaleSettings, type SaleSettings } from '#contract/money/sale.ts'
import { levelOf } from '#contract/people/level-of.ts'
import { call, CallFailed } from '../../kernel/call/call.ts'
import { newKey } from '../../kernel/call/new-key.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { formatDecimal } from '../../kernel/i18n/format-decimal.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { navigate } from '../../kernel/navigation/navigate.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import type { Member } from '../../kernel/session/session.ts'
import { draftStore } from '../../kernel/state/draft-store.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { Message } from '../../kernel/ui/form-status.tsx'
import { detailPage, type DetailContext } from '../detail/detail-page.tsx'
import { FourEyesNotes } from '../four-eyes/four-eyes-notes.tsx'
import { RoundForm } from './round-form.tsx'
import { RoundGuests } from './round-guests.tsx'
import { RoundTag } from './rounds-list.tsx'
import styles from './sale.module.css'

/** The ID in the address of the form for a new round. */
export const newRoundId = 'new'

/** `round` and `row` are missing until the round is saved. */
type Shown = { settings: SaleSettings; round: SaleRound | undefined; row: RoundRow | undefined }

async function readRound(id: string): Promise<Shown> {
  const [settings, row] = await Promise.all([
    call(getSaleSettings, {}),
    id === newRoundId ? undefined : call(getSaleRound, { params: { id } }),
  ])
  return { settings, round: settings.rounds.find((each) => each.id === id), row }
}

/** The ID of a round that is being added. It is kept in this tab, so that a repeated save adds no second round. */
function useNewId(memberId: string) {
  const store = draftStore<string>(memberId, 'console new round')
  const [id] = useState(() => store.read() ?? newKey())
  return {
    id,
    keep: () => store.write(id),
    forget: () => store.write(null),
  }
}

function NewRound({ of }: { of: DetailContext<Shown> }) {
  const { reader, record, mayAct } = of
  const { id, forget, keep } = useNewId(reader.id)
  keep()
  return (
    <RoundForm
      memberId={reader.id}
      mayWrite={mayAct}
      id={id}
      settings={record.settings}
      onSaved={(saved) => {
        forget()
        // A proposed round does not exist yet.
        const isSaved = saved?.rounds.some((round) => round.id === id)
        void navigate(isSaved ? pathTo('console.saleRound', { id }) : pathTo('console.saleRounds'))
      }}
    />
  )
}

function SavedRound({ of, round }: { of: DetailContext<Shown>; round: SaleRound }) {
  const { reader, record, mayAct, reload } = of
  const { settings } = record
  return (
    <>
      <RoundForm
        key={`${settings.lastUpdated} ${settings.proposal?.id}`}
        memberId={reader.id}
        mayWrite={mayAct}
        id={round.id}
        settings={settings}
        onSaved={reload}
      />
      {mayAct && <RoundGuests round={round} />}
      {mayAct && <RemoveRound settings={settings} round={round} reader={reader} />}
    </>
  )
}

/** Removes a round without orders. */
function RemoveRound({
  settings,
  round,
  reader,
}: {
  settings: SaleSettings
  round: SaleRound
  reader: Member
}) {
  const { t, language } = useMessages()
  const [isAsking, setAsking] = useState(false)
  const [hasOrders, setHasOrders] = useState(false)
  const rounds = settings.rounds.filter(({ id }) => id !== round.id)
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
          title={t('consoleRounds.remove.title', { name: round.name[language] })}
          label={t('consoleRounds.remove.now')}
          kind="danger"
          step={() => {
            setHasOrders(false)
            return call(updateSaleSettings, { body: { ...settings, rounds } })
          }}
          onDone={() => {
            draftStore(reader.id, `console round ${round.id}`).write(null)
            void navigate(pathTo('console.saleRounds'), { notice: 'consoleSale.saved' })
          }}
          onFailure={(failure) => {
            const isConflict = failure instanceof CallFailed && failure.code === 'conflict'
            setHasOrders(isConflict)
            return isConflict
          }}
          onClose={() => setAsking(false)}
        >
          <p>{t('console.undo.none')}</p>
          {hasOrders && (
            <Message kind="bad" role="alert">
              <p>{t('consoleRounds.remove.conflict')}</p>
            </Message>
          )}
        </ConfirmDialog>
      )}
    </section>
  )
}

function Figures({ row, of }: { row: RoundRow; of: DetailContext<Shown> }) {
  const { t, language, formatNumber } = of
  return (
    <>
      <RoundTag state={row.state} />
      <span>
        {t('consoleRounds.figures', {
          sold: formatDecimal(row.sold, language),
          orders: formatNumber(row.orders),
          members: formatNumber(row.members),
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
