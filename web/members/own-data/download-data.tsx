import { useState } from 'react'
import { exportMember } from '#contract/members.ts'
import { callFile } from '../../call/call.ts'
import { failureWords } from '../../actions/failure-words.ts'
import { useWords } from '../../i18n/words.tsx'
import { Button } from '../../ui/button.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import { saveFile } from '../../save-file.ts'
import styles from './own-data.module.css'

/** Everything about the member as one archive. */
export function DownloadData() {
  const { t } = useWords()
  const [state, setState] = useState<'rest' | 'busy' | 'done'>('rest')
  const [failure, setFailure] = useState<unknown>()

  async function download() {
    setState('busy')
    setFailure(undefined)
    try {
      const { file, name } = await callFile(exportMember, { query: { format: 'zip' } })
      saveFile(file, name ?? t('account.data.fileName'))
      setState('done')
    } catch (cause) {
      setFailure(cause)
      setState('rest')
    }
  }
  return (
    <div className={styles.part}>
      <p>{t('account.data.text')}</p>
      <div>
        <Button
          kind="quiet"
          busy={state === 'busy'}
          busyLabel={t('account.data.busy')}
          onClick={() => void download()}
        >
          {t('account.data.download')}
        </Button>
      </div>
      <p role="status">{state === 'done' && t('account.data.done')}</p>
      <FormStatus error={failure === undefined ? undefined : failureWords(t, failure)} />
    </div>
  )
}
