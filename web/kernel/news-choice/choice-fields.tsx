import styles from './news-choice.module.css'
import { categories } from '#contract/publishing/announcements.ts'
import { languages, siteLanguages, type Language } from '#contract/platform/languages.ts'
import type { DigestTime, NewsChoice, NewsRhythm } from '#contract/publishing/newsletter.ts'
import { categoryLabel } from './category-labels.ts'
import { useMessages } from '../i18n/messages.tsx'
import { Checkbox, FieldNotes, Select } from '../ui/field.tsx'
import type { PlainKey } from '../i18n/message-key.ts'

/** The weekdays, starting on Monday. */
const dayWords: readonly PlainKey[] = [
  'newsletter.day.1',
  'newsletter.day.2',
  'newsletter.day.3',
  'newsletter.day.4',
  'newsletter.day.5',
  'newsletter.day.6',
  'newsletter.day.7',
]

export const allCategories: string[] = categories.map(({ name }) => name)

type Props = { choice: NewsChoice; onChange: (choice: NewsChoice) => void; digest: DigestTime }

/** The categories, the language, and the frequency of a subscription. */
export function ChoiceFields({ choice, onChange, digest }: Props) {
  const { t } = useMessages()
  const toggle = (name: string, isWanted: boolean) =>
    onChange({
      ...choice,
      categories: allCategories.filter((each) =>
        each === name ? isWanted : choice.categories.includes(each),
      ),
    })
  return (
    <div className={styles.choice}>
      <fieldset className={styles.categories} aria-describedby="categories-error">
        <legend>{t('newsletter.categories')}</legend>
        {allCategories.map((name) => {
          const words = categoryLabel(name)
          return (
            <Checkbox
              key={name}
              label={words ? t(words) : name}
              checked={choice.categories.includes(name)}
              onChange={(event) => toggle(name, event.target.checked)}
            />
          )
        })}
        <FieldNotes
          id="categories"
          error={choice.categories.length === 0 && t('newsletter.categories.none')}
        />
      </fieldset>
      <Select
        label={t('newsletter.language')}
        value={choice.language}
        onChange={(event) => onChange({ ...choice, language: event.target.value as Language })}
      >
        {languages.map((each) => (
          <option key={each} value={each} lang={siteLanguages[each].tag}>
            {siteLanguages[each].name}
          </option>
        ))}
      </Select>
      <Select
        label={t('newsletter.rhythm')}
        help={
          choice.rhythm === 'weekly' &&
          t('newsletter.rhythm.digest', {
            day: t(dayWords[digest.day - 1]!),
            hour: `${String(digest.hour).padStart(2, '0')}:00`,
            zone: digest.zone,
          })
        }
        value={choice.rhythm}
        onChange={(event) => onChange({ ...choice, rhythm: event.target.value as NewsRhythm })}
      >
        <option value="each">{t('newsletter.rhythm.each')}</option>
        <option value="weekly">{t('newsletter.rhythm.weekly')}</option>
      </Select>
    </div>
  )
}
