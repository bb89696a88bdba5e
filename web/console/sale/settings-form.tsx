import { type ReactNode, useRef, useState } from 'react'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { useMessages } from '../../i18n/messages.tsx'
import { Button, TextButton } from '../../ui/button.tsx'
import { FormStatus, Message } from '../../ui/form-status.tsx'
import { ChangeList } from './change-list.tsx'
import { ofListedMethods } from './merge-settings.ts'
import styles from './sale.module.css'
import { ReadOnlySettings } from './setting-field.tsx'
import { SettingsConflict } from './settings-conflict.tsx'
import type { SettingsFormState } from './use-settings-form.ts'

/** A settings form whose changes are reviewed before saving. */
export function SettingsForm({
  of,
  mayWrite,
  note,
  beforeSaving,
  mayBeSaved = () => true,
  children,
}: {
  of: SettingsFormState
  mayWrite: boolean
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
  if (of.conflict)
    return (
      <SettingsConflict
        // A newer saved state requires a new decision.
        key={of.conflict.lastUpdated}
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
          <ChangeList changes={of.changes} />
          {beforeSaving}
        </ConfirmDialog>
      )}
    </form>
  )
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
