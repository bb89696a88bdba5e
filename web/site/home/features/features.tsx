import { useMessages } from '../../../kernel/i18n/messages.tsx'
import type { HomeFacts } from '../home-facts.ts'
import { HomeSection } from '../home-section.tsx'
import styles from './features.module.css'
import { WalletOffer } from './wallet-offer.tsx'

export function Features({ features, heroFilm }: Pick<HomeFacts, 'features' | 'heroFilm'>) {
  const { t } = useMessages()
  return (
    <>
      {features.length > 0 && (
        <HomeSection
          id="features"
          heading={t('home.features.heading')}
          intro={t('home.features.intro')}
          className={styles.section}
          headClass={styles.head}
        >
          <ul className={styles.features}>
            {features.map(({ id, title, text }) => (
              <li key={id}>
                <h3>{title}</h3> <p>{text}</p>
              </li>
            ))}
          </ul>
        </HomeSection>
      )}
      <WalletOffer heroFilm={heroFilm} />
    </>
  )
}
