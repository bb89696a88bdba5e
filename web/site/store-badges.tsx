import { useBrand } from '../content/brand.tsx'
import { useWords } from '../i18n/words.tsx'
import styles from './store-badges.module.css'

/** In Chinese the Android badge links to the file itself, because the store is not available everywhere. */
export function StoreBadges({ ios, android, computer }: { ios: string; android: string; computer: string }) {
  const { language } = useWords()
  const { wallet, downloads } = useBrand().links
  return (
    <ul className={styles.badges}>
      <Badge href={wallet.ios} label={ios} icon={phone} />
      <Badge
        href={language === 'cn' ? wallet.androidCn : wallet.android}
        label={android}
        icon={language === 'cn' ? file : phoneWithHole}
      />
      <Badge href={downloads} label={computer} icon={screen} />
    </ul>
  )
}

const Badge = ({ href, label, icon }: { href: string; label: string; icon: string }) => (
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
