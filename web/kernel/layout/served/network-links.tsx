import { useBrand } from '../../content/brand.tsx'
import { useMessages } from '../../i18n/messages.tsx'
import { Hidden } from '../hidden.tsx'
import { networksIn } from './social-networks.tsx'

/** The entries in the list of the social bar. */
export function NetworkLinks() {
  const { t } = useMessages()
  return networksIn(useBrand().social).map(({ name, href, label, icon }) => (
    <li key={name}>
      <a href={href} rel="noopener me" title={label ? t(label) : name}>
        <Hidden>{label ? t(label) : name}</Hidden>
        <svg width="20" height="20" viewBox="0 0 24 24" aria-hidden="true">
          <path d={icon} />
        </svg>
      </a>
    </li>
  ))
}
