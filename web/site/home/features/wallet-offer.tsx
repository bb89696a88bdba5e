import type { ReactNode } from 'react'
import { useBrand } from '../../../kernel/content/brand.tsx'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { ExternalLink } from '../../../kernel/layout/external-link.tsx'
import { HeroPicture } from '../../hero-picture.tsx'
import { offersWallet } from '../../store-badges.rules.ts'
import { StoreBadges } from '../../store-badges.tsx'
import styles from './wallet-offer.module.css'

/** The call to action, and links to places where the coin can be used. */
export function WalletOffer({ heroFilm }: { heroFilm: string | null }) {
  const { t } = useMessages()
  const { links } = useBrand()
  const elsewhere = [
    { href: links.mining, label: t('home.stores.mining') },
    { href: links.exchange, label: t('home.stores.exchange') },
    { href: links.explorer, label: t('home.stores.explorer') },
  ].filter(({ href }) => href)
  return (
    <WalletCall id="wallet" heroFilm={heroFilm}>
      {elsewhere.length > 0 && (
        <ul className={styles.elsewhere}>
          {elsewhere.map(({ href = '', label }) => (
            <li key={label}>
              <ExternalLink href={href}>{label}</ExternalLink>
            </li>
          ))}
        </ul>
      )}
    </WalletCall>
  )
}

/** The page's call to action to get the wallet. `isLast`: this is its repetition at the end of the page. */
export function WalletCall({
  id,
  heroFilm = null,
  isLast = false,
  children,
}: {
  id: string
  heroFilm?: string | null
  isLast?: boolean
  children?: ReactNode
}) {
  const { t } = useMessages()
  const { links } = useBrand()
  if (!offersWallet(links)) return null
  const headingId = `${id}-heading`
  return (
    <section
      id={id}
      className={styles.offer}
      data-ground="dark"
      data-last={isLast || undefined}
      // Only one of the two is a landmark, because landmarks with the same name can't be told apart.
      aria-labelledby={isLast ? undefined : headingId}
    >
      {heroFilm && (
        <div className={styles.picture}>
          <HeroPicture film={heroFilm} />
        </div>
      )}
      <div className={styles.words}>
        <h2 id={headingId}>{t('home.stores.heading')}</h2>
        <p>{t('home.stores.intro')}</p>
        <StoreBadges
          ios={t('home.stores.ios')}
          android={t('home.stores.android')}
          computer={t('home.stores.computer')}
        />
      </div>
      {children}
    </section>
  )
}
