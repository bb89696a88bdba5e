import { useState } from 'react'
import type { FlatSettings } from '#contract/settings.ts'
import { ConflictNotice } from '../../forms/conflict-notice.tsx'
import { useMessages } from '../../i18n/messages.tsx'
import { Button } from '../../ui/button.tsx'
import { differencesOf, mergeSettings, type Side } from './merge-settings.ts'
import styles from './sale.module.css'
import { inOrder, useSettingLabels } from './setting-labels.ts'
import type { SavedSettings } from './use-settings-form.ts'

/** The input next to values that a colleague saved in the meantime, setting by setting. */
export function SettingsConflict({
  base,
  mine,
  theirs,
  onChosen,
}: {
  base: FlatSettings
  mine: FlatSettings
  theirs: SavedSettings
  onChosen: (chosen: FlatSettings, theirs: SavedSettings) => void
}) {
  const { t, formatDateTime } = useMessages()
  const { label, value } = useSettingLabels()
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
