import { useState } from 'react'
import {
  getAntiPhishingPhrase,
  antiPhishingPhrase,
  antiPhishingPhraseLengthMax,
  setAntiPhishingPhrase,
} from '#contract/people/members.ts'
import { call } from '../kernel/call/call.ts'
import { boundsOf } from '../kernel/forms/field-bounds.ts'
import { problemMessage, problemText } from '../kernel/forms/problem-message.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { showNotice } from '../kernel/notices/notices.ts'
import { useAction } from '../kernel/actions/use-action.ts'
import { LoadFailed } from '../kernel/actions/load-failed.tsx'
import { useLoaded } from '../kernel/actions/use-loaded.ts'
import { Button } from '../kernel/ui/button.tsx'
import { TextField } from '../kernel/ui/field.tsx'
import { FormStatus } from '../kernel/ui/form-status.tsx'
import { Loading } from '../kernel/ui/loading.tsx'
import styles from '../privacy/privacy.module.css'

/** The anti-phishing phrase, which every email quotes so that members can recognize forged ones. */
export function AntiPhishingPart() {
  const { t } = useMessages()
  const loaded = useLoaded('phrase', () => call(getAntiPhishingPhrase, {}))
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return <LoadFailed title={t('account.phrase.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
  return <PhraseForm saved={loaded.data.phrase} />
}

/** The form has one field, so it is written without the form library, which would be a large part of the page. */
function PhraseForm({ saved }: { saved: string }) {
  const { t } = useMessages()
  const [phrase, setPhrase] = useState(saved)
  const [wasLeft, setWasLeft] = useState(false)
  const { isBusy, error, run, reset } = useAction()
  const problem = antiPhishingPhrase.safeParse(phrase).error?.issues[0]
  const save = () =>
    run(async () => {
      const kept = await call(setAntiPhishingPhrase, { body: { phrase } })
      showNotice(t(kept.phrase === '' ? 'account.phrase.removed' : 'account.phrase.saved'), 'success')
      // What was typed meanwhile stays.
      setPhrase((typed) => (typed === phrase ? kept.phrase : typed))
    })
  return (
    <form
      className={styles.phrase}
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!problem && !isBusy) void save()
      }}
    >
      <TextField
        maxLength={boundsOf(antiPhishingPhrase).maxLength}
        name="phrase"
        label={t('account.phrase.label')}
        optional={t('forms.optional')}
        autoComplete="off"
        help={t('account.phrase.help', { max: antiPhishingPhraseLengthMax })}
        error={wasLeft && problem && problemMessage(t, problemText(problem))}
        value={phrase}
        onBlur={() => setWasLeft(true)}
        onChange={({ target }) => {
          reset()
          setPhrase(target.value)
        }}
      />
      <div>
        <Button
          type="submit"
          kind="quiet"
          disabled={problem !== undefined}
          busy={isBusy}
          busyLabel={t('forms.saving')}
        >
          {t('account.phrase.save')}
        </Button>
        <FormStatus error={error} />
      </div>
    </form>
  )
}
