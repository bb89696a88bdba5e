import { address, email, legalLine, links, phone, tagline } from '#content/brand.json'
import type { PlainKey } from '../../i18n/message-key.ts'
import { useWords } from '../../i18n/words.tsx'
import type { RouteName } from '../../routes/route.ts'
import { pathTo } from '../../routes/routes.ts'
import { ExternalLink } from '../external-link.tsx'
import styles from './footer.module.css'
import { networks } from '../social-bar/social-networks.tsx'

const entries: readonly { to: RouteName; label: PlainKey }[] = [
  { to: 'project', label: 'layout.nav.project' },
  { to: 'news', label: 'layout.nav.news' },
  { to: 'help', label: 'layout.nav.help' },
  { to: 'ambassadorProgram', label: 'layout.nav.ambassadors' },
]

export function Footer({ year }: { year: string }) {
  const { t, language } = useWords()
  return (
    <footer className={styles.footer} data-ground="dark">
      <div className={styles.lead}>
        <p className={styles.tagline}>{tagline[language]}</p>
        <div className={styles.newsletter}>
          <p>{t('layout.footer.newsletterText')}</p>
          <ExternalLink href={links.newsletter}>{t('layout.footer.newsletter')}</ExternalLink>
        </div>
      </div>
      <div className={styles.columns}>
        <nav aria-labelledby="footer-site">
          <h2 id="footer-site">{t('layout.footer.site')}</h2>
          <ul>
            {entries.map(({ to, label }) => (
              <li key={to}>
                <a href={pathTo(to)}>{t(label)}</a>
              </li>
            ))}
            <li>
              <ExternalLink href={links.blog}>{t('layout.nav.blog')}</ExternalLink>
            </li>
          </ul>
        </nav>
        <nav aria-labelledby="footer-follow">
          <h2 id="footer-follow">{t('layout.footer.follow')}</h2>
          <ul className={styles.networks}>
            {networks.map(({ name, href, label }) => (
              <li key={name}>
                <ExternalLink href={href}>{t(label)}</ExternalLink>
              </li>
            ))}
          </ul>
        </nav>
        <section aria-labelledby="footer-contact">
          <h2 id="footer-contact">{t('layout.footer.contact')}</h2>
          <ul>
            <li>
              <a href={`mailto:${email}`}>{email}</a>
            </li>
            <li>
              <a href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>{phone}</a>
            </li>
          </ul>
          <address>
            {address[language].map((line) => (
              <span key={line}>{line}</span>
            ))}
          </address>
        </section>
      </div>
      <div className={styles.end}>
        <p>{t('layout.footer.copyright', { year })}</p>
        <ul>
          <li>
            <a href={pathTo('legal.terms')}>{t('layout.footer.terms')}</a>
          </li>
          <li>
            <a href={pathTo('legal.privacy')}>{t('layout.footer.privacy')}</a>
          </li>
        </ul>
        <p className={styles.legal}>{legalLine[language]}</p>
      </div>
    </footer>
  )
}
