import { useEffect, useRef, useState } from 'react'
import { useMessages } from '../../i18n/messages.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Message } from '../../ui/form-status.tsx'
import styles from './security.module.css'

/** The recovery codes. They are shown only once, because the server stores only their hashes. */
export function RecoveryCodes({
  codes,
  areFirst,
  email,
  onDone,
}: {
  codes: readonly string[]
  /** Whether they were created with the account's first factor instead of replacing older ones. */
  areFirst: boolean
  email: string
  onDone: () => void
}) {
  const { t } = useMessages()
  const [copied, setCopied] = useState<'no' | 'yes' | 'failed'>('no')
  const [download, setDownload] = useState<string>()
  const ref = useRef<HTMLDivElement>(null)
  const text = `${t('security.codes.fileHead', { email })}\n\n${codes.join('\n')}\n`

  useEffect(() => ref.current?.focus(), [])
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
    setDownload(url)
    return () => URL.revokeObjectURL(url)
  }, [text])

  const copy = () =>
    navigator.clipboard.writeText(codes.join('\n')).then(
      () => setCopied('yes'),
      () => setCopied('failed'),
    )
  return (
    <div className={styles.codes} ref={ref} tabIndex={-1}>
      <p className={styles.printHead}>{t('security.codes.fileHead', { email })}</p>
      <Message kind="note">
        <p>
          <strong>{t(areFirst ? 'security.codes.heading' : 'security.codes.headingRenewed')}</strong>
        </p>
        <p>{t('security.codes.text')}</p>
      </Message>
      <ol className={styles.codeList}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className={`${styles.state} ${styles.onScreen}`} data-keep-clear="">
        <Button kind="quiet" onClick={() => void copy()}>
          {t('security.codes.copy')}
        </Button>
        <ButtonLink kind="quiet" href={download} download={t('security.codes.fileName')}>
          {t('security.codes.download')}
        </ButtonLink>
        <Button kind="quiet" onClick={() => print()}>
          {t('security.codes.print')}
        </Button>
        <Button onClick={onDone}>{t('security.codes.done')}</Button>
      </div>
      <p role="status">
        {copied === 'yes' && t('security.codes.copied')}
        {copied === 'failed' && t('security.codes.copyFailed')}
      </p>
    </div>
  )
}
