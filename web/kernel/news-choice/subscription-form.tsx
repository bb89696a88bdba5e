import { useState } from 'react'
import type { DigestTime, NewsChoice } from '#contract/publishing/newsletter.ts'
import { useAction } from '../actions/use-action.ts'
import { useMessages } from '../i18n/messages.tsx'
import { showNotice } from '../notices/notices.ts'
import { Button } from '../ui/button.tsx'
import { FormStatus } from '../ui/form-status.tsx'
import { ChoiceFields } from './choice-fields.tsx'
import styles from './news-choice.module.css'

type Props = {
  subscription: NewsChoice
  digest: DigestTime
  save: (choice: NewsChoice) => Promise<void>
  leave?: () => Promise<void>
  saveLabel?: string
  /** Shown after saving. */
  saved?: string
}

/** Changes or ends a subscription. Unsubscribing needs no confirmation, because subscribing again is just as easy. */
export function SubscriptionForm({ subscription, digest, save, leave, saveLabel, saved }: Props) {
  const { t } = useMessages()
  const { language, categories, rhythm } = subscription
  const [choice, setChoice] = useState<NewsChoice>({ language, categories, rhythm })
  const saving = useAction()
  const leaving = useAction()
  const isBusy = saving.isBusy || leaving.isBusy
  return (
    <form
      className={styles.part}
      method="post"
      onSubmit={(event) => {
        event.preventDefault()
        leaving.reset()
        void saving.run(async () => {
          await save(choice)
          showNotice(saved ?? t('newsletter.saved'), 'success')
        })
      }}
    >
      <ChoiceFields choice={choice} onChange={setChoice} digest={digest} />
      <div className={styles.actions}>
        <Button
          type="submit"
          disabled={choice.categories.length === 0 || isBusy}
          busy={saving.isBusy}
          busyLabel={t('forms.saving')}
        >
          {saveLabel ?? t('newsletter.save')}
        </Button>
        {leave && (
          <Button
            kind="quiet"
            disabled={isBusy}
            busy={leaving.isBusy}
            busyLabel={t('forms.sending')}
            onClick={() => {
              saving.reset()
              void leaving.run(leave)
            }}
          >
            {t('newsletter.leave')}
          </Button>
        )}
      </div>
      <FormStatus error={saving.error ?? leaving.error} />
    </form>
  )
}
