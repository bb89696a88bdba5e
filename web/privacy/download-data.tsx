import { exportMember } from '#contract/privacy.ts'
import { callFile } from '../call/call.ts'
import { useAction } from '../actions/use-action.ts'
import { useMessages } from '../i18n/messages.tsx'
import { Button } from '../ui/button.tsx'
import { FormStatus } from '../ui/form-status.tsx'
import { saveFile } from '../save-file.ts'
import styles from './privacy.module.css'

/** Downloads all data about the member as one archive. */
export function DownloadData() {
  const { t } = useMessages()
  const { isBusy, isDone, error, run } = useAction()
  const download = () =>
    run(async () => {
      const { file, name } = await callFile(exportMember, { query: { format: 'zip' } })
      saveFile(file, name ?? t('account.data.fileName'))
    })
  return (
    <div className={styles.part}>
      <p>{t('account.data.text')}</p>
      <div>
        <Button kind="quiet" busy={isBusy} busyLabel={t('account.data.busy')} onClick={() => void download()}>
          {t('account.data.download')}
        </Button>
      </div>
      <p role="status">{isDone && t('account.data.done')}</p>
      <FormStatus error={error} />
    </div>
  )
}
