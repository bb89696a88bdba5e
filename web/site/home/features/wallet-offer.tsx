import { useBrand } from '../../../content/brand.tsx'
import { useWords } from '../../../i18n/words.tsx'
import { ExternalLink } from '../../../layout/external-link.tsx'
import { HeroPicture } from '../../hero-picture.tsx'
import { StoreBadges } from '../../store-badges.tsx'
import styles from './wallet-offer.module.css'

/** Where to get the wallet, and where else the coin is used. */
export function WalletOffer() {
  const { t } = useWords()
  const { links } = useBrand()
  return (
    <section id="wallet" className={styles.offer} data-ground="dark" aria-labelledby="wallet-heading">
      <div className={styles.picture}>
        <HeroPicture />
      </div>
      <div className={styles.words}>
        <h2 id="wallet-heading">{t('home.stores.heading')}</h2>
        <p>{t('home.stores.intro')}</p>
        <StoreBadges
          ios={t('home.stores.ios')}
          android={t('home.stores.android')}
          computer={t('home.stores.computer')}
        />
      </div>
      <ul className={styles.elsewhere}>
        <li>
          <ExternalLink href={links.mining}>{t('home.stores.mining')}</ExternalLink>
        </li>
        <li>
          <ExternalLink href={links.exchange}>{t('home.stores.exchange')}</ExternalLink>
        </li>
        <li>
          <ExternalLink href={links.explorer}>{t('home.stores.explorer')}</ExternalLink>
        </li>
      </ul>
    </section>
  )
}
