import { failureMessage } from './failure-message.ts'
import { CallFailed } from '../call/call.ts'
import { useMessages } from '../i18n/messages.tsx'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'

/**
 * Shown in place of data that failed to load: what is missing, why, and a retry button, unless the data does not exist.
 */
export function LoadFailed({
  title,
  failure,
  retry,
}: {
  title: string
  failure: unknown
  retry: () => void
}) {
  const { t } = useMessages()
  const isGone = failure instanceof CallFailed && failure.code === 'not_found'
  // The button disappears while the data loads, and the focus would be lost with it.
  const retryFromMain = () => {
    document.getElementById('main')?.focus({ preventScroll: true })
    retry()
  }
  return (
    <Empty role="alert" title={title}>
      <p>{failureMessage(t, failure)}</p>
      {!isGone && (
        <Button kind="quiet" onClick={retryFromMain}>
          {t('forms.retry')}
        </Button>
      )}
    </Empty>
  )
}
