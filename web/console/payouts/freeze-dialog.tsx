import { useRef, useState, type ReactNode } from 'react'
import {
  freezePayout,
  previewPayout,
  type PayoutDetail,
  type PayoutPreview,
} from '#contract/money/payouts.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useAction } from '../../kernel/actions/use-action.ts'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call, CallFailed } from '../../kernel/call/call.ts'
import { newKey } from '../../kernel/call/new-key.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { navigate } from '../../kernel/navigation/navigate.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { Dialog } from '../../kernel/ui/dialog.tsx'
import { FormStatus, Message } from '../../kernel/ui/form-status.tsx'
import { LabeledFacts } from '../detail/labeled-facts.tsx'
import type { BulkDialogProps } from '../list/list-spec.ts'
import { Amount } from '../amount.tsx'
import { HoldReason } from './hold-notice.tsx'
import { Network } from './network.tsx'
import { whyUnpayable } from './payout-labels.ts'
import { WarningTags } from './payout-tags.tsx'
import styles from './payouts.module.css'

/** Whether the deliveries are no longer as the preview showed them, so that nothing was frozen. */
const isOutdated = (failure: unknown): boolean =>
  failure instanceof CallFailed &&
  (failure.code === 'conflict' ||
    failure.code === 'payouts_on_hold' ||
    failure.errors.some(({ path }) => path === 'total'))

/** The preview, and the request that freezes exactly what it shows. */
function useFreeze(ids: readonly string[], onFrozen: (run: PayoutDetail) => void) {
  const loaded = useLoaded('', () => call(previewPayout, { body: { deliveryIds: [...ids] } }))
  const { isBusy, error, run } = useAction()
  const [hasChanged, setChanged] = useState(false)
  /** Repeats the answer if the same preview is confirmed again. */
  const key = useRef({ text: '', key: '' })
  const freeze = ({ deliveryIds, total }: PayoutPreview) =>
    run(async () => {
      const body = { deliveryIds, total }
      const text = JSON.stringify(body)
      if (key.current.text !== text) key.current = { text, key: newKey() }
      setChanged(false)
      try {
        onFrozen(await call(freezePayout, { body, idempotencyKey: key.current.key }))
      } catch (failure) {
        if (!isOutdated(failure) || loaded.state !== 'ready') throw failure
        setChanged(true)
        loaded.reload()
      }
    })
  return { loaded, isBusy, error, hasChanged, freeze }
}

/** Shows what a payout run of the selected deliveries would contain, and freezes it. */
export function FreezeDialog({ rows, onClose }: BulkDialogProps<{ id: string }>) {
  const { t, addNote, formatNumber } = useMessages()
  const { loaded, isBusy, error, hasChanged, freeze } = useFreeze(
    rows.map(({ id }) => id),
    (run) => {
      onClose(true)
      void navigate(pathTo('console.payout', { id: run.id }), { notice: 'consolePayouts.freeze.done' })
    },
  )
  const preview = loaded.state === 'ready' ? loaded.data : undefined
  const close = () => !isBusy && onClose(false)
  return (
    <Dialog
      isOpen
      onClose={close}
      title={t('consolePayouts.freeze.title')}
      actions={
        <>
          <Button kind="quiet" disabled={isBusy} onClick={close}>
            {t('forms.cancel')}
          </Button>
          <Button
            busy={isBusy}
            disabled={!preview || preview.count === 0 || preview.hold !== null}
            onClick={() => preview && void freeze(preview)}
          >
            {addNote(t('consolePayouts.freeze.confirm'), formatNumber(preview?.count ?? 0))}
          </Button>
        </>
      }
    >
      {hasChanged && (
        <div className={styles.notes}>
          <Message kind="bad" role="alert">
            {t('consolePayouts.freeze.changed')}
          </Message>
        </div>
      )}
      {loaded.state === 'ready' ? (
        <Preview preview={loaded.data} />
      ) : (
        <NotLoaded of={loaded} title={t('consolePayouts.freeze.failed')} />
      )}
      <FormStatus error={error} />
    </Dialog>
  )
}

function Preview({ preview }: { preview: PayoutPreview }) {
  const { t } = useMessages()
  const { count, addresses, total, network, needsTwo, approvers, hold, warned, leftOut } = preview
  return (
    <>
      {hold && (
        <div className={styles.notes}>
          <Message kind="bad">
            <HoldReason hold={hold} />
            <p>{t('consolePayouts.hold.effect')}</p>
          </Message>
        </div>
      )}
      <p>{t(count === 0 ? 'consolePayouts.freeze.nothing' : 'consolePayouts.freeze.text')}</p>
      {count > 0 && (
        <>
          <LabeledFacts
            facts={{
              'consolePayouts.total': <Amount value={total} />,
              'consolePayouts.items': <Amount value={count} />,
              'consolePayouts.addresses': <Amount value={addresses} />,
              'consolePayouts.network': <Network name={network} />,
              'consolePayouts.freeze.warned': warned.length > 0 && <Amount value={warned.length} />,
              'consolePayouts.freeze.leftOut': leftOut.length > 0 && <Amount value={leftOut.length} />,
            }}
          />
          {needsTwo && (
            <p>{t(approvers > 0 ? 'consolePayouts.freeze.needsTwo' : 'consolePayouts.freeze.nobody')}</p>
          )}
        </>
      )}
      <Warned warned={warned} />
      <LeftOut leftOut={leftOut} />
    </>
  )
}

function Warned({ warned }: Pick<PayoutPreview, 'warned'>) {
  const { t } = useMessages()
  if (warned.length === 0) return null
  return (
    <Part heading={t('consolePayouts.freeze.warned')}>
      {warned.map(({ deliveryId, reference, orderReference, address, amount, warnings }) => (
        <li key={deliveryId}>
          <span className={styles.code}>{reference}</span> ·{' '}
          <span className={styles.code}>{orderReference}</span> · <Amount value={amount} />
          <small className={styles.code}>{address}</small>
          <WarningTags warnings={warnings} />
        </li>
      ))}
    </Part>
  )
}

function LeftOut({ leftOut }: Pick<PayoutPreview, 'leftOut'>) {
  const { t } = useMessages()
  if (leftOut.length === 0) return null
  return (
    <Part heading={t('consolePayouts.freeze.leftOut')}>
      {leftOut.map(({ deliveryId, reference, obstacle, hold }) => (
        <li key={deliveryId}>
          <span className={styles.code}>{reference}</span>
          <small>{t(whyUnpayable({ obstacle, hold }))}</small>
        </li>
      ))}
    </Part>
  )
}

function Part({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h3>{heading}</h3>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling area must be reachable by keyboard */}
      <ul className={styles.rows} tabIndex={0} aria-label={heading}>
        {children}
      </ul>
    </section>
  )
}
