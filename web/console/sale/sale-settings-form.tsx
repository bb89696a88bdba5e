import { useState, type ReactNode } from 'react'
import {
  addressChanges,
  isBeyondPercent,
  onlyCloses,
  rateChanges,
  type RateChange,
} from '#contract/money/flat-sale.ts'
import type { SaleSettings, SaleTerms } from '#contract/money/sale.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Message } from '../../kernel/ui/form-status.tsx'
import { ConfirmRates, isTyped, type Confirmation, type TypedRates } from './confirm-rates.tsx'
import { SettingsForm } from './settings-form.tsx'
import type { SettingsFormState } from './use-settings-form.ts'

/** The changes of rates that must be typed again. */
export const jumpsBetween = (
  before: SaleTerms,
  after: SaleTerms,
  { rateReferences, rateChangePercent }: Pick<SaleSettings, 'rateReferences' | 'rateChangePercent'>,
): RateChange[] =>
  rateChanges(before, after, rateReferences).filter((each) => isBeyondPercent(each, rateChangePercent))

/** What saving led to. A lost response may have been about a change that was saved. */
export const noticeOf = (settings: SaleSettings, answer: SaleSettings | undefined): PlainKey =>
  answer?.proposal && answer.proposal.id !== settings.proposal?.id
    ? 'consoleSale.proposed'
    : 'consoleSale.saved'

/** A form for settings of the sale, which says what saving them means. */
export function SaleSettingsForm({
  of,
  mayWrite,
  settings,
  terms: [before, after],
  confirmation: { typed, changes },
  onTyped,
  nameOf,
  children,
}: {
  of: SettingsFormState
  mayWrite: boolean
  settings: SaleSettings
  terms: readonly [before: SaleTerms, after: SaleTerms]
  confirmation: Confirmation
  onTyped: (typed: TypedRates) => void
  /** In the form of one round, the name of a payment method by the code of its rate. */
  nameOf?: (code: string) => string
  children: ReactNode
}) {
  const { t } = useMessages()
  const [isChecked, setChecked] = useState(false)
  return (
    <SettingsForm
      of={of}
      mayWrite={mayWrite}
      isRound={nameOf !== undefined}
      note={
        <>
          <p>{t('consoleSale.ownPrice')}</p>
          {settings.proposal && <p>{t('consoleSale.endsProposal')}</p>}
        </>
      }
      mayBeSaved={() => {
        setChecked(true)
        return changes.every((each) => isTyped(each, typed))
      }}
      beforeSaving={
        <>
          <ConfirmRates
            changes={changes}
            typed={typed}
            isChecked={isChecked}
            onTyped={onTyped}
            nameOf={nameOf}
          />
          <Consequence
            before={before}
            after={after}
            takesTwo={settings.takesTwo}
            changesRates={rateChanges(before, after, settings.rateReferences).length > 0}
          />
          <p>{t('consoleSale.ownPrice')}</p>
        </>
      }
    >
      {children}
    </SettingsForm>
  )
}

/** What saving means for payments, and whether it needs a second approval. */
function Consequence({
  before,
  after,
  takesTwo,
  changesRates,
}: {
  before: SaleTerms
  after: SaleTerms
  takesTwo: boolean
  changesRates: boolean
}) {
  const { t } = useMessages()
  const words = (): PlainKey | undefined => {
    if (addressChanges(before, after).length > 0)
      return takesTwo ? 'consoleSale.address.takesTwo' : 'consoleSale.address.changes'
    if (changesRates) return takesTwo ? 'consoleSale.rate.takesTwo' : 'consoleSale.rate.changes'
    return takesTwo && !onlyCloses(before, after) ? 'consoleSale.terms.takesTwo' : undefined
  }
  const key = words()
  return (
    key && (
      <Message kind="note">
        <p>{t(key)}</p>
      </Message>
    )
  )
}
