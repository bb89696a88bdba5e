import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { FlatSettings } from '#contract/people/settings.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { ConflictNotice } from '../../kernel/forms/conflict-notice.tsx'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { onView } from '../../kernel/navigation/view.ts'
import { Button, TextButton } from '../../kernel/ui/button.tsx'
import { FormStatus, Message } from '../../kernel/ui/form-status.tsx'
import { ChangeList } from './change-list.tsx'
import { differencesOf, mergeSettings, ofListedMethods, type Side } from './merge-settings.ts'
import styles from './sale.module.css'
import { ReadOnlySettings } from './setting-field.tsx'
import { inOrder, useSettingLabels } from './setting-labels.ts'
import type { SavedSettings, SettingsFormState } from './use-settings-form.ts'

/** A settings form whose changes are reviewed before saving. */
export function SettingsForm({
  of,
  mayWrite,
  isRound = false,
  note,
  beforeSaving,
  mayBeSaved = () => true,
  children,
}: {
  of: SettingsFormState
  mayWrite: boolean
  /** Whether the settings are those of one round, without its ID. */
  isRound?: boolean
  /** Shown above the button. */
  note?: ReactNode
  /** Shown below the changes, before saving. */
  beforeSaving?: ReactNode
  /** Returns whether the form can be saved. If not, the part below the changes shows why. */
  mayBeSaved?: () => boolean
  children: ReactNode
}) {
  const { t } = useMessages()
  const [isAsking, setAsking] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const show = () => showSetting(form.current, location.hash.slice(1))
    show()
    return onView(show)
  }, [])
  if (of.conflict)
    return (
      <SettingsConflict
        // A newer saved state requires a new decision.
        key={of.conflict.lastUpdated}
        isRound={isRound}
        base={of.base.flat}
        mine={ofListedMethods(of.flat)}
        theirs={of.conflict}
        onChosen={of.goOn}
      />
    )
  const review = () => {
    if (of.validate()) return setAsking(true)
    // Wait until the errors are rendered.
    setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus())
  }
  return (
    <form
      ref={form}
      className={styles.form}
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        review()
      }}
    >
      {of.isRestored && of.changes.length > 0 && <RestoredNote onDiscard={of.discard} />}
      {!mayWrite && <Message kind="note">{t('consoleSale.readOnly')}</Message>}
      <fieldset className={styles.all} disabled={!mayWrite}>
        <ReadOnlySettings value={!mayWrite}>{children}</ReadOnlySettings>
      </fieldset>
      {mayWrite && (
        <div className={styles.end}>
          {note}
          <SettingsActions of={of} />
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t('consoleSale.save.title')}
          label={t('consoleSale.save')}
          dismissLabel={t('consoleSale.back')}
          step={() => (mayBeSaved() ? of.save() : null)}
          onDone={() => {}}
          onClose={() => setAsking(false)}
        >
          <ChangeList changes={of.changes} isRound={isRound} />
          {beforeSaving}
        </ConfirmDialog>
      )}
    </form>
  )
}

/** Shows the setting that the address names, such as `#cap`: a field, or the section of a list. */
function showSetting(form: HTMLFormElement | null, name: string): void {
  if (name === '') return
  const setting = form?.querySelector<HTMLElement>(`[name=${CSS.escape(name)}], #${CSS.escape(name)}`)
  setting?.scrollIntoView({ block: 'start' })
  setting?.focus({ preventScroll: true })
}

function RestoredNote({ onDiscard }: { onDiscard: () => void }) {
  const { t } = useMessages()
  return (
    <Message kind="note" role="status">
      <p>
        {t('consoleSale.restored')} <TextButton onClick={onDiscard}>{t('consoleSale.discard')}</TextButton>
      </p>
    </Message>
  )
}

function SettingsActions({ of }: { of: SettingsFormState }) {
  const { t } = useMessages()
  const wrong = Object.keys(of.errors).length
  const isUnchanged = of.changes.length === 0
  return (
    <>
      <div className={styles.actions}>
        <Button type="submit" disabled={isUnchanged}>
          {t('consoleSale.review')}
        </Button>
        {!isUnchanged && (
          <Button kind="quiet" onClick={of.discard}>
            {t('consoleSale.discard')}
          </Button>
        )}
      </div>
      <FormStatus
        error={wrong > 0 ? t('consoleSale.wrong', { count: wrong }) : undefined}
        missing={isUnchanged ? t('consoleSale.unchanged') : undefined}
      />
    </>
  )
}

type ConflictProps = {
  base: FlatSettings
  mine: FlatSettings
  theirs: SavedSettings
  isRound: boolean
  onChosen: (chosen: FlatSettings, theirs: SavedSettings) => void
}

/** The input next to values that a colleague saved in the meantime, setting by setting. */
function SettingsConflict({ base, mine, theirs, isRound, onChosen }: ConflictProps) {
  const { t, formatDateTime } = useMessages()
  const { label, value } = useSettingLabels({ isRound })
  const differences = inOrder(differencesOf(base, mine, theirs.flat))
  const [choices, setChoices] = useState<Readonly<Record<string, Side>>>(() =>
    Object.fromEntries(differences.map(({ path, suggested }) => [path, suggested])),
  )
  const both = { mine, theirs: theirs.flat }
  return (
    <form
      className={styles.conflict}
      method="post"
      aria-label={t('consoleSale.clash')}
      onSubmit={(event) => {
        event.preventDefault()
        onChosen(mergeSettings(mine, theirs.flat, choices), theirs)
      }}
    >
      <ConflictNotice
        heading={t('consoleSale.clash')}
        text={t('consoleSale.clash.text', { time: formatDateTime(theirs.lastUpdated ?? '') })}
      />
      {differences.map(({ path }) => (
        <fieldset key={path}>
          <legend>{label(path)}</legend>
          {(['mine', 'theirs'] as const).map((side) => (
            <label key={side}>
              <input
                type="radio"
                name={path}
                checked={choices[path] === side}
                onChange={() => setChoices({ ...choices, [path]: side })}
              />
              <span className={styles.sign}>
                {t(side === 'mine' ? 'consoleSale.clash.mine' : 'consoleSale.clash.theirs')}
              </span>
              <span className={styles.value}>{value(path, both[side][path] ?? null)}</span>
            </label>
          ))}
        </fieldset>
      ))}
      <div className={styles.actions}>
        <Button type="submit">{t('consoleSale.clash.goOn')}</Button>
        <Button kind="quiet" onClick={() => onChosen(theirs.flat, theirs)}>
          {t('consoleSale.clash.drop')}
        </Button>
      </div>
    </form>
  )
}
