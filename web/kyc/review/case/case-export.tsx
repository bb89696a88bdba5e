import { useState } from 'react'
import { exportKycCase } from '#contract/kyc-export.ts'
import { listKycCaseEvents } from '#contract/kyc-review.ts'
import { call } from '../../../call/call.ts'
import { useAction } from '../../../actions/use-action.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import { saveFile } from '../../../save-file.ts'
import { Button } from '../../../ui/button.tsx'
import { FormStatus } from '../../../ui/form-status.tsx'
import { CasePrint, type PrintedCase } from './case-print.tsx'
import styles from './case.module.css'

/** The whole case as a file or on paper. `onExported`: the log has a new entry. */
export function CaseExport({ id, onExported }: { id: string; onExported: () => void }) {
  const { t } = useMessages()
  const saving = useAction()
  const printing = useAction()
  const [printed, setPrinted] = useState<PrintedCase>()
  const params = { id }
  const save = () =>
    saving.run(async () => {
      const text = JSON.stringify(await call(exportKycCase, { params }), null, 2)
      const name = t('review.export.fileName', { id: id.slice(0, 8) })
      saveFile(new Blob([text], { type: 'application/json' }), name)
      onExported()
    })
  const print = () =>
    printing.run(async () => {
      const exported = await call(exportKycCase, { params })
      setPrinted({ exported, events: await call(listKycCaseEvents, { params }) })
      onExported()
    })
  return (
    <section className={styles.part} aria-labelledby="case-export">
      <h2 id="case-export">{t('review.export')}</h2>
      <p className={styles.quiet}>{t('review.export.help')}</p>
      <div className={styles.actions}>
        <Button kind="quiet" busy={printing.isBusy} onClick={() => void print()}>
          {t('review.export.print')}
        </Button>
        <Button kind="quiet" busy={saving.isBusy} onClick={() => void save()}>
          {t('review.export.json')}
        </Button>
      </div>
      <p role="status" className={styles.quiet}>
        {saving.isDone && t('review.export.done')}
      </p>
      <FormStatus error={saving.error ?? printing.error} />
      {printed && <CasePrint printed={printed} onPrinted={() => setPrinted(undefined)} />}
    </section>
  )
}
