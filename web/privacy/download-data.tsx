import { exportMember } from '#contract/people/privacy.ts'
import { callFile } from '../kernel/call/call.ts'
import { useAction } from '../kernel/actions/use-action.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { Button } from '../kernel/ui/button.tsx'
import { FormStatus } from '../kernel/ui/form-status.tsx'
import { saveFile } from '../kernel/save-file.ts'
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
