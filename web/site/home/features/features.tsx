import { useBrand } from '../../../kernel/content/brand.tsx'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { ExternalLink } from '../../../kernel/layout/external-link.tsx'
import { HeroPicture } from '../../hero-picture.tsx'
import { offersWallet } from '../../store-badges.rules.ts'
import { StoreBadges } from '../../store-badges.tsx'
import type { HomeFacts } from '../home-facts.ts'
import { HomeSection } from '../home-section.tsx'
import styles from './features.module.css'

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

/** Where to get the wallet, and where the coin can be used. */
function WalletOffer({ heroFilm }: { heroFilm: string | null }) {
  const { t } = useMessages()
  const { links } = useBrand()
  if (!offersWallet(links)) return null
  const elsewhere = [
    { href: links.mining, label: t('home.stores.mining') },
    { href: links.exchange, label: t('home.stores.exchange') },
    { href: links.explorer, label: t('home.stores.explorer') },
  ].filter(({ href }) => href)
  return (
    <section id="wallet" className={styles.offer} data-ground="dark" aria-labelledby="wallet-heading">
      {heroFilm && (
        <div className={styles.picture}>
          <HeroPicture film={heroFilm} />
        </div>
      )}
      <div className={styles.words}>
        <h2 id="wallet-heading">{t('home.stores.heading')}</h2>
        <p>{t('home.stores.intro')}</p>
        <StoreBadges
          ios={t('home.stores.ios')}
          android={t('home.stores.android')}
          computer={t('home.stores.computer')}
        />
      </div>
      {elsewhere.length > 0 && (
        <ul className={styles.elsewhere}>
          {elsewhere.map(({ href = '', label }) => (
            <li key={label}>
              <ExternalLink href={href}>{label}</ExternalLink>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
