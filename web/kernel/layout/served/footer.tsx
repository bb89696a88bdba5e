import { useBrand } from '../../content/brand.tsx'
import { useMessages } from '../../i18n/messages.tsx'
import { labelOf, pathTo, type RouteName } from '../../routes/routes.ts'
import { ExternalLink } from '../external-link.tsx'
import styles from './footer.module.css'
import { networksIn } from './social-networks.tsx'

const entries: readonly RouteName[] = ['project', 'sale', 'news', 'help', 'ambassadorProgram']
const legal: readonly RouteName[] = ['official', 'contact', 'legal.terms', 'legal.privacy']

/** On member pages, only the legal line and what follows it are shown. */
export function Footer({ year, isQuiet }: { year: string; isQuiet: boolean }) {
  const { t } = useMessages()
  const { legalLine } = useBrand()
  return (
    <footer className={styles.footer} data-ground={isQuiet ? 'auto' : 'dark'}>
      {!isQuiet && <Introduction />}
      <div className={styles.end}>
        <p className={styles.legal}>{legalLine}</p>
        <p>{t('layout.footer.copyright', { year })}</p>
        <ul>
          {legal.map((to) => (
            <li key={to}>
              <a href={pathTo(to)}>{t(labelOf(to))}</a>
            </li>
          ))}
        </ul>
      </div>
    </footer>
  )
}

/** What the project is, where to read more, and how to get in touch. */
function Introduction() {
  const { t } = useMessages()
  const { links, tagline } = useBrand()
  return (
    <>
      <div className={styles.lead}>
        <p className={styles.tagline}>{tagline}</p>
        <div className={styles.newsletter}>
          {links.newsletter ? (
            <>
              <p>{t('layout.footer.newsletterText')}</p>
              <ExternalLink href={links.newsletter}>{t('layout.footer.newsletter')}</ExternalLink>
            </>
          ) : (
            <a href={pathTo('newsletter')}>{t('layout.footer.newsletter')}</a>
          )}
        </div>
      </div>
      <div className={styles.columns}>
        <SiteLinks />
        <Networks />
        <Contact />
      </div>
    </>
  )
}

function SiteLinks() {
  const { t } = useMessages()
  const { links } = useBrand()
  return (
    <nav aria-labelledby="footer-site">
      <h2 id="footer-site">{t('layout.footer.site')}</h2>
      <ul>
        {entries.map((to) => (
          <li key={to}>
            <a href={pathTo(to)}>{t(labelOf(to))}</a>
          </li>
        ))}
        {links.blog && (
          <li>
            <ExternalLink href={links.blog}>{t('layout.nav.blog')}</ExternalLink>
          </li>
        )}
      </ul>
    </nav>
  )
}

function Networks() {
  const { t } = useMessages()
  const networks = networksIn(useBrand().social)
  if (networks.length === 0) return null
  return (
    <nav aria-labelledby="footer-follow">
      <h2 id="footer-follow">{t('layout.footer.follow')}</h2>
      <ul className={styles.networks}>
        {networks.map(({ name, href, label }) => (
          <li key={name}>
            <ExternalLink href={href}>{label ? t(label) : name}</ExternalLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Contact() {
  const { t } = useMessages()
  const { address, email, phone } = useBrand()
  return (
    <section aria-labelledby="footer-contact">
      <h2 id="footer-contact">{t('layout.footer.contact')}</h2>
      <ul>
        <li>
          <a href={`mailto:${email}`}>{email}</a>
        </li>
        {phone && (
          <li>
            <a href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>{phone}</a>
          </li>
        )}
      </ul>
      {address.length > 0 && (
        <address>
          {address.map((line) => (
            <span key={line}>{line}</span>
          ))}
        </address>
      )}
    </section>
  )
}
