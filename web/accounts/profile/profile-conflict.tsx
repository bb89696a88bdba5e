import { useState } from 'react'
import type { User } from '#contract/members.ts'
import { useAction } from '../../actions/use-action.ts'
import { ConflictNotice } from '../../forms/conflict-notice.tsx'
import { UnsavedChangesPrompt } from '../../forms/unsaved-changes-prompt.tsx'
import { useMessages } from '../../i18n/messages.tsx'
import { Button, TextButton } from '../../ui/button.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import { chosenFields, differencesOf, type Side } from './differences.ts'
import styles from './profile-conflict.module.css'
import { fieldsOf, profileLabels, type ProfileFields } from './profile-fields.ts'

type Props = {
  base: ProfileFields
  mine: ProfileFields
  theirs: User
  onChosen: (chosen: ProfileFields) => Promise<void>
  onBack: (chosen: ProfileFields) => void
  onCancel: () => void
}

type Choices = Partial<Record<keyof ProfileFields, Side>>

/**
 * Shows what was typed here next to what was saved elsewhere in the meantime. The member chooses which to keep.
 */
export function ProfileConflict({ base, mine, theirs, onChosen, onBack, onCancel }: Props) {
  const { t, formatDateTime } = useMessages()
  const saved = fieldsOf(theirs)
  const differences = differencesOf(base, mine, saved)
  const [choices, setChoices] = useState<Choices>(() =>
    Object.fromEntries(differences.map(({ name, suggested }) => [name, suggested])),
  )
  const { isBusy: isSaving, error, run } = useAction()
  const chosen = chosenFields(mine, saved, choices)
  const save = () => void run(() => onChosen(chosen))
  return (
    <form
      className={styles.conflict}
      method="post"
      aria-label={t('account.conflict.heading')}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <UnsavedChangesPrompt />
      <ConflictNotice
        heading={t('account.conflict.heading')}
        text={t('account.conflict.text', { time: formatDateTime(theirs.lastUpdated) })}
      />
      {differences.map(({ name }) => (
        <SideChoice
          key={name}
          name={name}
          values={{ mine: mine[name], theirs: saved[name] }}
          chosen={choices[name]}
          onChoose={(side) => setChoices({ ...choices, [name]: side })}
        />
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
        <FormStatus error={error && <SaveFailed error={error} isSaving={isSaving} onRetry={save} />} />
      </div>
    </form>
  )
}

function SaveFailed({ error, isSaving, onRetry }: { error: string; isSaving: boolean; onRetry: () => void }) {
  const { t } = useMessages()
  return (
    <>
      {t('account.profile.loadFailed')} {error}{' '}
      <TextButton disabled={isSaving} onClick={onRetry}>
        {t('forms.retry')}
      </TextButton>
    </>
  )
}

/** Both values of a field, of which one is kept. */
function SideChoice({
  name,
  values,
  chosen,
  onChoose,
}: {
  name: keyof ProfileFields
  values: Record<Side, string | boolean>
  chosen: Side | undefined
  onChoose: (side: Side) => void
}) {
  const { t } = useMessages()
  const show = (value: string | boolean) =>
    typeof value === 'string'
      ? value || t('account.profile.empty')
      : t(value ? 'account.profile.yes' : 'account.profile.no')
  return (
    <fieldset>
      <legend>{t(profileLabels[name])}</legend>
      {(['mine', 'theirs'] as const).map((side) => (
        <label key={side}>
          <input type="radio" name={name} checked={chosen === side} onChange={() => onChoose(side)} />
          <span className={styles.side}>{t(`account.conflict.${side}`)}</span>
          <span className={styles.value}>{show(values[side])}</span>
        </label>
      ))}
    </fieldset>
  )
}
