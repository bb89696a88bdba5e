import { failureWords } from '../actions/failure-words.ts'
import { useWords } from '../i18n/words.tsx'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'

/** Shown in place of data that failed to load: what is missing, why, and a retry. */
export function LoadFailed({
  title,
  failure,
  retry,
}: {
  title: string
  failure: unknown
  retry: () => void
}) {
  const { t } = useWords()
  return (
    <Empty role="alert" title={title}>
      <p>{failureWords(t, failure)}</p>
      <Button kind="quiet" onClick={retry}>
        {t('forms.retry')}
      </Button>
    </Empty>
  )
}
