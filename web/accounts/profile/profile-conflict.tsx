import { useEffect, useRef, useState } from 'react'
import type { User } from '#contract/members.ts'
import { useAction } from '../../actions/use-action.ts'
import { UnsavedChangesPrompt } from '../../forms/unsaved-changes-prompt.tsx'
import { useMessages } from '../../i18n/messages.tsx'
import { Button, TextButton } from '../../ui/button.tsx'
import { FormStatus, Message } from '../../ui/form-status.tsx'
import { chosenFields, differencesOf, type Side } from './differences.ts'
import styles from './profile-conflict.module.css'
import { fieldsOf, profileLabels, type ProfileFields } from './profile-fields.ts'

type Choices = Partial<Record<keyof ProfileFields, Side>>

/**
 * Shows what was typed here next to what was saved elsewhere in the meantime. The member chooses which to keep.
 */
export function ProfileConflict({
  base,
  mine,
  theirs,
  onChosen,
  onBack,
  onCancel,
}: {
  base: ProfileFields
  mine: ProfileFields
  theirs: User
  onChosen: (chosen: ProfileFields) => Promise<void>
  onBack: (chosen: ProfileFields) => void
  onCancel: () => void
}) {
  const { t, formatDateTime } = useMessages()
  const saved = fieldsOf(theirs)
  const differences = differencesOf(base, mine, saved)
  const [choices, setChoices] = useState<Choices>(() =>
    Object.fromEntries(differences.map(({ name, suggested }) => [name, suggested])),
  )
  const { isBusy: isSaving, error, run } = useAction()
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => {
    top.current?.focus({ preventScroll: true })
    top.current?.scrollIntoView({ block: 'center' })
  }, [])
  const chosen = chosenFields(mine, saved, choices)
  const show = (value: string | boolean) =>
    typeof value === 'string'
      ? value || t('account.profile.empty')
      : t(value ? 'account.profile.yes' : 'account.profile.no')

  return (
    <form
      className={styles.conflict}
      method="post"
      aria-label={t('account.conflict.heading')}
      onSubmit={(event) => {
        event.preventDefault()
        void run(() => onChosen(chosen))
      }}
    >
      <UnsavedChangesPrompt />
      <div ref={top} tabIndex={-1} className={styles.top}>
        <Message kind="note" role="alert">
          <p>
            <strong>{t('account.conflict.heading')}</strong>
          </p>
          <p>{t('account.conflict.text', { time: formatDateTime(theirs.lastUpdated) })}</p>
        </Message>
      </div>
      {differences.map(({ name }) => (
        <fieldset key={name}>
          <legend>{t(profileLabels[name])}</legend>
          {(['mine', 'theirs'] as const).map((side) => (
            <label key={side}>
              <input
                type="radio"
                name={name}
                checked={choices[name] === side}
                onChange={() => setChoices({ ...choices, [name]: side })}
              />
              <span className={styles.side}>
                {t(side === 'mine' ? 'account.conflict.mine' : 'account.conflict.theirs')}
              </span>
              <span className={styles.value}>{show(side === 'mine' ? mine[name] : saved[name])}</span>
            </label>
          ))}
        </fieldset>
      ))}
      <div>
        <div className={styles.actions}>
          <Button type="submit" busy={isSaving} busyLabel={t('forms.saving')}>
            {t('account.conflict.save')}
          </Button>
          <Button kind="quiet" disabled={isSaving} onClick={() => onBack(chosen)}>
            {t('account.conflict.back')}
          </Button>
          <Button kind="quiet" disabled={isSaving} onClick={onCancel}>
            {t('forms.cancel')}
          </Button>
        </div>
        <FormStatus
          error={
            error && (
              <>
                {t('account.profile.loadFailed')} {error}{' '}
                <TextButton disabled={isSaving} onClick={() => void run(() => onChosen(chosen))}>
                  {t('forms.retry')}
                </TextButton>
              </>
            )
          }
        />
      </div>
    </form>
  )
}
