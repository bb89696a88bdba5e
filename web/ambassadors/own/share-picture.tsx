import { useEffect, useState } from 'react'
import type { Language } from '#contract/fields.ts'
import { LoadFailed } from '../../actions/load-failed.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { loadMessages } from '../../content/load-messages.ts'
import { interpolate } from '../../i18n/interpolate.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { makeQr } from '../../make-qr.ts'
import { saveFile } from '../../save-file.ts'
import { Button } from '../../ui/button.tsx'
import { drawShare, paintShare, planShare, shareSize } from './draw-share.ts'
import styles from './own-results.module.css'

/**
 * A picture to print or share, in one language, independent of the page's language. It is drawn in the browser.
 */
export function SharePicture({ of, link, code }: { of: Language; link: string; code: string }) {
  const { t } = useMessages()
  const language = t(`ambassadorAccount.share.${of}`)
  const painted = useLoaded(`${of} ${link}`, async () => {
    const [messages, qr] = await Promise.all([loadMessages(of, ['ambassador-share']), makeQr(link)])
    const plan = planShare({
      language: of,
      qr,
      headline: interpolate(messages['ambassadorShare.headline'] ?? '', of),
      text: interpolate(messages['ambassadorShare.text'] ?? '', of),
      code: interpolate(messages['ambassadorShare.code'] ?? '', of, { code }),
      host: new URL(link).host,
    })
    return { plan, png: await paintShare(plan) }
  })
  const png = painted.state === 'ready' ? painted.data.png : undefined
  const address = useObjectUrl(png)
  if (painted.state === 'failed')
    return (
      <LoadFailed
        title={t('ambassadorAccount.share.failed')}
        failure={painted.failure}
        retry={painted.retry}
      />
    )
  if (painted.state === 'loading' || !png) return <div className={styles.picture} aria-busy="true" />
  const { plan } = painted.data
  const file = `ambassador-${code}-${of}`
  return (
    <figure className={styles.shared}>
      <img
        className={styles.picture}
        src={address}
        alt={t('ambassadorAccount.share.picture.alt', { language })}
        width={shareSize}
        height={shareSize}
      />
      <figcaption>
        <span>{language}</span>
        <Button
          kind="quiet"
          aria-label={t('ambassadorAccount.share.png.named', { language })}
          onClick={() => saveFile(png, `${file}.png`)}
        >
          {t('ambassadorAccount.share.png')}
        </Button>
        <Button
          kind="quiet"
          aria-label={t('ambassadorAccount.share.svg.named', { language })}
          onClick={() => saveFile(new Blob([drawShare(plan)], { type: 'image/svg+xml' }), `${file}.svg`)}
        >
          {t('ambassadorAccount.share.svg')}
        </Button>
      </figcaption>
    </figure>
  )
}

function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!blob) return undefined
    const made = URL.createObjectURL(blob)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return address
}
