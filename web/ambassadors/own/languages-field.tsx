import { spokenLanguagesMax } from '#contract/ambassador-profiles.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Select } from '../../ui/field.tsx'
import fields from '../profile-text-fields.module.css'
import styles from './own-ambassador.module.css'
import { languagesByName, nameOfLanguage } from './spoken-languages.ts'

/** The languages in which the ambassador answers questions, added one at a time. */
export function LanguagesField({
  selectedLanguages,
  onChange,
}: {
  selectedLanguages: readonly string[]
  onChange: (selectedLanguages: readonly string[]) => void
}) {
  const { t, language } = useMessages()
  return (
    <fieldset className={fields.language}>
      <legend>{t('ambassadorAccount.form.spoken')}</legend>
      {selectedLanguages.length > 0 && (
        <ul className={styles.chips}>
          {selectedLanguages.map((code) => {
            const name = nameOfLanguage(code, language)
            return (
              <li key={code}>
                {name}{' '}
                <button
                  type="button"
                  aria-label={t('ambassadorAccount.form.spoken.remove', { language: name })}
                  onClick={() => onChange(selectedLanguages.filter((each) => each !== code))}
                >
                  ×
                </button>
              </li>
            )
          })}
        </ul>
      )}
      {selectedLanguages.length < spokenLanguagesMax && (
        <Select
          label={t('ambassadorAccount.form.spoken.add')}
          help={t('ambassadorAccount.form.spoken.help', { max: spokenLanguagesMax })}
          value=""
          onChange={({ target }) => target.value && onChange([...selectedLanguages, target.value])}
        >
          <option value="">{t('ambassadorAccount.form.spoken.choose')}</option>
          {languagesByName(language)
            .filter(({ code }) => !selectedLanguages.includes(code))
            .map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
        </Select>
      )}
    </fieldset>
  )
}
