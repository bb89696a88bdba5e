import { useBrand } from '../kernel/content/brand.tsx'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { QrCode, type Qr } from '../kernel/ui/qr-code.tsx'
import styles from './list-code.module.css'

/** The address of the signed list as a QR code, with instructions for recognizing the address. */
export function ListCode({ qr }: { qr: Qr }) {
  const { t } = useMessages()
  const { origin } = useBrand()
  return (
    <div className={styles.code}>
      <QrCode qr={qr} label={t('official.list.qr')} />
      <p>{t('official.list.scan', { site: `${origin}/` })}</p>
    </div>
  )
}
