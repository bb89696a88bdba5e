import { useState } from 'react'
import { exportKycCase, exportKycCaseAsPdf } from '#contract/kyc-export.ts'
import { call, callFile } from '../../../call/call.ts'
import { useAction } from '../../../actions/use-action.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import { saveFile } from '../../../save-file.ts'
import { Button } from '../../../ui/button.tsx'
import { FormStatus } from '../../../ui/form-status.tsx'
import styles from './case.module.css'

/** Downloads the whole case as a file. `onExported` is called because the log then has a new entry. */
export function CaseExport({ id, onExported }: { id: string; onExported: () => void }) {
  const { t } = useMessages()
  const { isBusy, isDone, error, run } = useAction()
  const [format, setFormat] = useState<'pdf' | 'json'>()
  const nameOfJson = t('review.export.fileName', { id: id.slice(0, 8) })

  const save = (wanted: 'pdf' | 'json') => {
    setFormat(wanted)
    return run(async () => {
      if (wanted === 'pdf') {
        const { file, name } = await callFile(exportKycCaseAsPdf, { params: { id } })
        saveFile(file, name ?? 'case.pdf')
      } else {
        const exported = await call(exportKycCase, { params: { id } })
        const type = 'application/json'
        saveFile(new Blob([JSON.stringify(exported, null, 2)], { type }), nameOfJson)
      }
      onExported()
    })
  }
  return (
    <section className={styles.part} aria-labelledby="case-export">
      <h2 id="case-export">{t('review.export')}</h2>
      <p className={styles.quiet}>{t('review.export.help')}</p>
      <div className={styles.actions}>
        <Button kind="quiet" busy={isBusy && format === 'pdf'} onClick={() => void save('pdf')}>
          {t('review.export.pdf')}
        </Button>
        <Button kind="quiet" busy={isBusy && format === 'json'} onClick={() => void save('json')}>
          {t('review.export.json')}
        </Button>
      </div>
      <p role="status" className={styles.quiet}>
        {isDone && t('review.export.done')}
      </p>
      <FormStatus error={error} />
    </section>
  )
}
