import type { ProfileVersion } from '#contract/ambassador-profiles.ts'
import { completeLanguages } from '#contract/languages.ts'
import { htmlLanguage } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Facts } from '../../ui/description-list.tsx'
import styles from './own-ambassador.module.css'
import { nameOfLanguage } from './spoken-languages.ts'

/** A version of the profile, with both languages side by side. */
export function ProfileTextsView({ version }: { version: ProfileVersion }) {
  const { t, language, joinNames } = useMessages()
  const empty = <span className={styles.quiet}>{t('ambassadorAccount.words.empty')}</span>
  const spoken = version.languages.map((code) => nameOfLanguage(code, language))
  return (
    <div className={styles.version}>
      {version.picture && (
        <img
          className={styles.picture}
          src={version.picture}
          alt={t('ambassadorAccount.form.picture.alt')}
          width={160}
          height={160}
        />
      )}
      <div className={styles.both}>
        {completeLanguages.map((each) => (
          <section key={each} aria-label={t(`ambassadorAccount.form.${each}`)}>
            <h3>{t(`ambassadorAccount.form.${each}`)}</h3>
            <Facts
              facts={(['name', 'place', 'sentence'] as const).map((field) => ({
                name: field,
                label: t(`ambassadorAccount.words.${field}`),
                value: version[each][field] ? (
                  <span lang={htmlLanguage[each]}>{version[each][field]}</span>
                ) : (
                  empty
                ),
              }))}
            />
          </section>
        ))}
      </div>
      <Facts
        facts={[
          { name: 'link', label: t('ambassadorAccount.words.link'), value: version.link || empty },
          {
            name: 'languages',
            label: t('ambassadorAccount.words.languages'),
            value: spoken.length > 0 ? joinNames(spoken) : empty,
          },
        ]}
      />
    </div>
  )
}
