import { PartnerMark } from '../../../kernel/brand/partner-mark.tsx'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import type { HomeFacts } from '../home-facts.ts'
import { HomeSection } from '../home-section.tsx'
import styles from './partners.module.css'

export function Partners({ partners }: { partners: HomeFacts['partners'] }) {
  const { t } = useMessages()
  return (
    <HomeSection
      id="partners"
      heading={t('home.partners.heading')}
      intro={t('home.partners.intro')}
      className={styles.section}
      headClass={styles.head}
    >
      <ul className={styles.partners}>
        {partners.map(({ id, seed, photo, name, line }) => (
          <li key={id}>
            {photo ? (
              <img
                className={styles.mark}
                src={`/assets/people/${photo}`}
                alt=""
                width="44"
                height="44"
                loading="lazy"
                decoding="async"
              />
            ) : (
              <PartnerMark className={styles.mark} seed={seed} size={44} />
            )}
            <span className={styles.name}>{name}</span>
            <span className={styles.line}>{line}</span>
          </li>
        ))}
      </ul>
    </HomeSection>
  )
}
