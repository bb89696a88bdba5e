import { useState } from 'react'
import { useLoaded } from '../../actions/use-loaded.ts'
import { useBrand } from '../../content/brand.tsx'
import { loadFacts } from '../../content/load-facts.ts'
import { findDocument } from '../../documents/find-document.ts'
import { linkToDocument } from '../../documents/link-to-document.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { pathTo } from '../../routes/routes.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/description-list.tsx'
import { Message } from '../../ui/form-status.tsx'
import { PagePart } from '../../ui/page-head.tsx'
import styles from './own-results.module.css'
import { SharePicture } from './share-picture.tsx'

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
