import { useEffect, useState } from 'react'
import type { Language } from '#contract/fields.ts'
import { NotLoaded } from '../../actions/not-loaded.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { useBrand } from '../../content/brand.tsx'
import { loadFacts } from '../../content/load-facts.ts'
import { loadMessages } from '../../content/load-messages.ts'
import { findDocument } from '../../documents/find-document.ts'
import { linkToDocument } from '../../documents/link-to-document.ts'
import { interpolate } from '../../i18n/interpolate.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { makeQr } from '../../make-qr.ts'
import { pathTo } from '../../routes/routes.ts'
import { saveFile } from '../../save-file.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/description-list.tsx'
import { Message } from '../../ui/form-status.tsx'
import { PagePart } from '../../ui/page-head.tsx'
import { drawShare, paintShare, planShare, shareSize } from './draw-share.ts'
import styles from './own-results.module.css'

/** The invitation link with its QR code, pictures of it, and the e-book. */
export function SharePart({ code, isCounting }: { code: string; isCounting: boolean }) {
  const { t } = useMessages()
  const [copied, setCopied] = useState<'yes' | 'failed'>()
  const link = `${location.origin}${pathTo('login.signup')}?invitation=${encodeURIComponent(code)}`
  const copy = () =>
    navigator.clipboard.writeText(link).then(
      () => setCopied('yes'),
      () => setCopied('failed'),
    )
  return (
    <PagePart
      id="share"
      heading={t('ambassadorAccount.share.heading')}
      lead={t('ambassadorAccount.share.lead')}
    >
      {!isCounting && (
        <Message kind="note">
          <p>{t('ambassadorAccount.share.ended')}</p>
        </Message>
      )}
      <Facts
        facts={[
          {
            name: 'link',
            label: t('ambassadorAccount.share.link'),
            value: <code className={styles.link}>{link}</code>,
          },
          { name: 'code', label: t('ambassadorAccount.share.code'), value: <code>{code}</code> },
        ]}
      />
      <div className={styles.copy}>
        <Button kind="quiet" onClick={() => void copy()}>
          {t('ambassadorAccount.share.copy')}
        </Button>
        <p role="status">
          {copied === 'yes' && t('ambassadorAccount.share.copied')}
          {copied === 'failed' && t('ambassadorAccount.share.copyFailed')}
        </p>
      </div>
      <h3>{t('ambassadorAccount.share.pictures')}</h3>
      <p className={styles.quiet}>{t('ambassadorAccount.share.pictures.help')}</p>
      <div className={styles.pictures}>
        <SharePicture of="en" link={link} code={code} />
        <SharePicture of="cn" link={link} code={code} />
      </div>
      <Ebook />
    </PagePart>
  )
}

function Ebook() {
  const { t, language } = useMessages()
  const { documents } = useBrand()
  const loaded = useLoaded('documents', () => loadFacts('documents'))
  if (loaded.state !== 'ready') return null
  const ebook = findDocument(loaded.data.documents, documents.ambassadorEbook, language)
  if (!ebook) return null
  return (
    <p>
      <a {...linkToDocument(ebook)} download>
        {t('ambassadorAccount.share.ebook')}
      </a>
    </p>
  )
}

/**
 * A picture to print or share, in one language, independent of the page's language. It is drawn in the browser.
 */
function SharePicture({ of, link, code }: { of: Language; link: string; code: string }) {
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
    return <NotLoaded of={painted} title={t('ambassadorAccount.share.failed')} />
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
