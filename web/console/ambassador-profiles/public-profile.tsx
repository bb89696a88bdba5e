import type { ProfileVersion } from '#contract/ambassador-profiles.ts'
import { completeLanguages } from '#contract/languages.ts'
import { nameOfLanguage } from '../../ambassadors/own/spoken-languages.ts'
import { htmlLanguage } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Facts } from '../../ui/description-list.tsx'
import styles from './ambassador-profiles.module.css'

/** The published profile. */
export function PublicProfile({ version }: { version: ProfileVersion }) {
  const { t, language, joinNames } = useMessages()
  return (
    <div className={styles.version}>
      {version.picture && (
        <img className={styles.picture} src={version.picture} alt="" width={96} height={96} />
      )}
      <div className={styles.both}>
        {completeLanguages.map((each) => (
          <div key={each} lang={htmlLanguage[each]} className={styles.words}>
            <strong>{version[each].name}</strong>
            <span>{version[each].place}</span>
            <p>{version[each].sentence}</p>
          </div>
        ))}
      </div>
      <Facts
        facts={[
          { name: 'link', label: t('consoleAmbassadorProfiles.field.link'), value: version.link || '–' },
          {
            name: 'languages',
            label: t('consoleAmbassadorProfiles.field.languages'),
            value: joinNames(version.languages.map((code) => nameOfLanguage(code, language))) || '–',
          },
        ]}
      />
    </div>
  )
}
