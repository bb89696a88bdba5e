import { useBrand } from '../../../content/brand.tsx'
import { useMessages } from '../../../i18n/messages.tsx'
import { ExternalLink } from '../../../layout/external-link.tsx'
import { HeroPicture } from '../../hero-picture.tsx'
import { StoreBadges } from '../../store-badges.tsx'
import { offersWallet } from '../../store-badges.rules.ts'
import styles from './wallet-offer.module.css'

/** Where to get the wallet, and where the coin can be used. */
export function WalletOffer({ heroFilm }: { heroFilm: string | null }) {
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
