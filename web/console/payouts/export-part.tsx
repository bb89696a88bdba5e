import { useState } from 'react'
import { exportPayoutFile, type PayoutDetail, type PayoutFormat } from '#contract/money/payouts.ts'
import type { RefusedDelivery } from '#contract/platform/errors.ts'
import { useAction } from '../../kernel/actions/use-action.ts'
import { callFile, CallFailed } from '../../kernel/call/call.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { saveFile } from '../../kernel/save-file.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { FormStatus, Message } from '../../kernel/ui/form-status.tsx'
import type { DetailContext } from '../detail/detail-page.tsx'
import { fileEndings, formatLabels, whyUnpayable } from './payout-labels.ts'
import styles from './payouts.module.css'

async function download({ id, number, hash }: PayoutDetail, format: PayoutFormat): Promise<void> {
  const { file, name } = await callFile(exportPayoutFile, { params: { id, format } })
  saveFile(file, name ?? `payout-${number}-${format}-${hash}.${fileEndings[format]}`)
}

/** The deliveries that can't be paid any more, if that is why nothing was exported. */
const refusedBy = (failure: unknown): readonly RefusedDelivery[] =>
  failure instanceof CallFailed ? failure.deliveries : []

/** Why the run has no files at present. */
export const whyNoFiles = ({ state, hold, list }: PayoutDetail) => {
  if (state === 'waiting') return 'consolePayouts.files.waiting'
  if (hold) return 'consolePayouts.files.hold'
  if (list.every((item) => item.txId !== '')) return 'consolePayouts.files.sent'
  // A file would also pay the deliveries that were taken out.
  return list.some((item) => item.state === 'released') && 'consolePayouts.files.released'
}

/** The files of a run for the wallet, one per format that its network allows. The first export asks for confirmation. */
export function ExportPart({ of }: { of: DetailContext<PayoutDetail> }) {
  const { t, record: run, reload } = of
  const [asked, ask] = useState<PayoutFormat>()
  const [busy, setBusy] = useState<PayoutFormat>()
  const { error, run: attempt } = useAction()
  const none = whyNoFiles(run)
  if (none) return <p>{t(none)}</p>
  const fetchAgain = (format: PayoutFormat) => {
    setBusy(format)
    void attempt(() => download(run, format).then(reload)).finally(() => setBusy(undefined))
  }
  return (
    <div>
      <div className={styles.buttons}>
        {run.formats.map((format) => (
          <Button
            key={format}
            kind="quiet"
            busy={busy === format}
            disabled={busy !== undefined}
            onClick={() => (run.firstExportedAt === null ? ask(format) : fetchAgain(format))}
          >
            {t(formatLabels[format])}
          </Button>
        ))}
      </div>
      <FormStatus error={error} />
      {asked && <FirstExport of={of} format={asked} onClose={() => ask(undefined)} />}
    </div>
  )
}

type FirstProps = { of: DetailContext<PayoutDetail>; format: PayoutFormat; onClose: () => void }

function FirstExport({ of, format, onClose }: FirstProps) {
  const { t, record: run, reload, onConflict } = of
  const [refused, setRefused] = useState<readonly RefusedDelivery[]>([])
  return (
    <ConfirmDialog
      title={t('consolePayouts.export.title', { number: run.number })}
      label={t('consolePayouts.export.confirm')}
      step={() => download(run, format)}
      onDone={reload}
      onFailure={(failure) => {
        const found = refusedBy(failure)
        setRefused(found)
        if (found.length > 0) return true
        if (!(failure instanceof CallFailed) || failure.code !== 'conflict') return false
        onClose()
        onConflict()
        return true
      }}
      onClose={onClose}
    >
      <p>{t('consolePayouts.export.text')}</p>
      <p>{t('consolePayouts.export.format', { format: t(formatLabels[format]) })}</p>
      {refused.length > 0 && (
        <Message kind="bad" role="alert">
          <p>{t('consolePayouts.export.unsettled')}</p>
          <ul className={styles.reasons}>
            {refused.map(({ deliveryId, reference, ...why }) => (
              <li key={deliveryId}>
                <span className={styles.code}>{reference}</span> · {t(whyUnpayable(why))}
              </li>
            ))}
          </ul>
        </Message>
      )}
    </ConfirmDialog>
  )
}
