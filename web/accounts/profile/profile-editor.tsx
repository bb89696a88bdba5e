import { useState } from 'react'
import { getMember, updateMember, type User } from '#contract/people/members.ts'
import { useAction } from '../../kernel/actions/use-action.ts'
import { call, CallFailed } from '../../kernel/call/call.ts'
import { ConflictNotice } from '../../kernel/forms/conflict-notice.tsx'
import { UnsavedChangesPrompt } from '../../kernel/forms/unsaved-changes-prompt.tsx'
import { SentenceSpace, useMessages } from '../../kernel/i18n/messages.tsx'
import { Button, TextButton } from '../../kernel/ui/button.tsx'
import { FormStatus } from '../../kernel/ui/form-status.tsx'
import styles from './profile-conflict.module.css'
import { fieldsOf, type ProfileFields, profileLabels } from './profile-fields.ts'
import { ProfileForm } from './profile-form.tsx'

type Conflict = { base: ProfileFields; mine: ProfileFields; theirs: User }

type Side = 'mine' | 'theirs'
type Difference = { name: keyof ProfileFields; suggested: Side }

/**
 * Returns the fields whose typed value differs from the saved one. Fields edited here are preselected as typed; fields
 * changed only elsewhere are preselected as saved.
 */
export function differencesOf(base: ProfileFields, mine: ProfileFields, theirs: ProfileFields): Difference[] {
  const names = Object.keys(base) as (keyof ProfileFields)[]
  return names
    .filter((name) => mine[name] !== theirs[name])
    .map((name) => ({ name, suggested: mine[name] === base[name] ? 'theirs' : 'mine' }))
}

/** Returns the saved fields with the chosen typed values applied. */
export function chosenFields(
  mine: ProfileFields,
  theirs: ProfileFields,
  choices: Partial<Record<keyof ProfileFields, Side>>,
): ProfileFields {
  const typed = Object.entries(mine).filter(([name]) => choices[name as keyof ProfileFields] === 'mine')
  return { ...theirs, ...Object.fromEntries(typed) }
}

/**
 * Edits the profile. Only changed fields are sent, with the version they are based on. If another save came in
 * between, both are shown field by field, so that neither is lost.
 */
export function ProfileEditor({
  user,
  onSaved,
  onCancel,
}: {
  user: User
  onSaved: (user: User) => void
  /** Receives the currently saved profile. */
  onCancel: (latest: User) => void
}) {
  const [latest, setLatest] = useState(user)
  const [draft, setDraft] = useState(fieldsOf(user))
  const [conflict, setConflict] = useState<Conflict>()

  async function save(base: User, given: ProfileFields): Promise<void> {
    const changes = changesOf(fieldsOf(base), given)
    if (Object.keys(changes).length === 0) return onSaved(base)
    try {
      const body = { _id: base.id, lastUpdated: base.lastUpdated, ...changes }
      onSaved(await call(updateMember, { body }))
    } catch (failure) {
      if (!(failure instanceof CallFailed) || failure.code !== 'conflict') throw failure
      await resolve(base, given)
    }
  }

  async function resolve(base: User, mine: ProfileFields): Promise<void> {
    const theirs = await call(getMember, { params: { id: base.id } })
    setLatest(theirs)
    const [before, now] = [fieldsOf(base), fieldsOf(theirs)]
    // It has already been saved, either by this form with a lost response or elsewhere with the same values.
    if (differencesOf(before, mine, now).length === 0) return onSaved(theirs)
    // Something outside the profile changed, such as the password.
    if (Object.keys(changesOf(before, now)).length === 0) return save(theirs, mine)
    setConflict({ base: before, mine, theirs })
  }

  if (conflict)
    return (
      <ProfileConflict
        // A newer saved version requires a new decision.
        key={conflict.theirs.lastUpdated}
        {...conflict}
        onChosen={(chosen) => save(conflict.theirs, chosen)}
        onBack={(chosen) => {
          setDraft(chosen)
          setConflict(undefined)
        }}
        onCancel={() => onCancel(latest)}
      />
    )
  return (
    <ProfileForm draft={draft} onSubmit={(given) => save(latest, given)} onCancel={() => onCancel(latest)} />
  )
}

/** Returns the fields of `given` whose value differs from the saved one. */
export function changesOf<Given extends object>(
  saved: { readonly [Name in keyof Given]?: unknown },
  given: Given,
): Partial<Given> {
  const changed = Object.entries(given).filter(([name, value]) => value !== saved[name as keyof Given])
  return Object.fromEntries(changed) as Partial<Given>
}

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
function ProfileConflict({ base, mine, theirs, onChosen, onBack, onCancel }: Props) {
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
      {t('account.profile.loadFailed')}
      <SentenceSpace />
      {error}
      <SentenceSpace />
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
