import { useBrand } from '../kernel/content/brand.tsx'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { androidLink } from './store-badges.rules.ts'
import styles from './store-badges.module.css'

/** A badge for each system with a wallet. */
export function StoreBadges({ ios, android, computer }: { ios: string; android: string; computer: string }) {
  const { language } = useMessages()
  const { links } = useBrand()
  const androidBadge = androidLink(links, language)
  return (
    <ul className={styles.badges}>
      <Badge href={links.wallet.ios} label={ios} icon={phone} />
      <Badge href={androidBadge.href} label={android} icon={androidBadge.isFile ? file : phoneWithHole} />
      <Badge href={links.downloads} label={computer} icon={screen} />
    </ul>
  )
}

const Badge = ({ href, label, icon }: { href: string | undefined; label: string; icon: string }) =>
  href && (
    <li>
      <a className={styles.badge} href={href} rel="noopener">
        <svg width="26" height="26" viewBox="0 0 26 26" aria-hidden="true">
          <path d={icon} />
        </svg>
        {label}
      </a>
    </li>
  )

/* Our own line drawings, 26 units wide. */
const phone =
  'M8.5 2.5h9a2 2 0 0 1 2 2v17a2 2 0 0 1-2 2h-9a2 2 0 0 1-2-2v-17a2 2 0 0 1 2-2zM11 4.5h4M11.5 21.5h3'
const phoneWithHole =
  'M8.5 2.5h9a2 2 0 0 1 2 2v17a2 2 0 0 1-2 2h-9a2 2 0 0 1-2-2v-17a2 2 0 0 1 2-2zM13 5v.1M9.5 20.5h7M9.5 15.5a3.5 3.5 0 0 1 7 0z'
const file = 'M13 3v13M7.5 11 13 16.5 18.5 11M4 17.5v5h18v-5'
const screen = 'M3.5 4.5h19v13h-19zM13 17.5v4M8.5 21.5h9'
