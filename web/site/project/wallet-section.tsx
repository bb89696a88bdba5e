import { useBrand } from '../../kernel/content/brand.tsx'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { ExternalLink } from '../../kernel/layout/external-link.tsx'
import section from '../../kernel/ui/page-section.module.css'
import { KeyPlate } from './drawings/key-plate.tsx'
import { androidLink, offersWallet } from '../store-badges.rules.ts'
import styles from './wallet-section.module.css'

export function WalletSection() {
  const { t, language } = useMessages()
  const { links } = useBrand()
  const android = androidLink(links, language).href
  const hasExplorer = Boolean(links.explorer ?? links.testExplorer)
  return (
    <section id="wallet" className={`${section.section} ${styles.wallet}`} aria-labelledby="wallet-heading">
      <div className={styles.words}>
        <h2 id="wallet-heading">{t('project.wallet.heading')}</h2>
        <p className={styles.lead}>{t('project.wallet.paragraph1')}</p>
        <p>{t('project.wallet.paragraph2')}</p>
      </div>
      <KeyPlate className={styles.plate} />
      {offersWallet(links) && (
        <ul className={styles.stores}>
          <Place href={links.wallet.ios} label={t('project.wallet.ios')} />
          <Place href={android} label={t('project.wallet.android')} />
          <Place href={links.downloads} label={t('project.wallet.computer')} />
        </ul>
      )}
      {hasExplorer && (
        <ul className={styles.explorers}>
          <Place
            href={links.explorer}
            label={t('project.wallet.explorer')}
            text={t('project.wallet.explorerText')}
          />
          <Place
            href={links.testExplorer}
            label={t('project.wallet.testExplorer')}
            text={t('project.wallet.testExplorerText')}
          />
        </ul>
      )}
    </section>
  )
}

/** Rendered only if it has a link. */
function Place({ href, label, text }: { href: string | undefined; label: string; text?: string }) {
  if (!href) return null
  return (
    <li className={styles.place}>
      <ExternalLink href={href} className={styles.link}>
        {label}
      </ExternalLink>
      {text && <p className={styles.text}>{text}</p>}
      <p className={styles.host}>{new URL(href).host}</p>
    </li>
  )
}
