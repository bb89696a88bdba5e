import { useLayoutEffect, useRef } from 'react'
import type { Language } from '#contract/fields.ts'
import { framedMail } from './framed-mail.ts'
import styles from './mails.module.css'

/** An email as its recipient sees it, in a frame where nothing can run or load. */
export function MailFrame({ html, language, title }: { html: string; language: Language; title: string }) {
  const ref = useRef<HTMLIFrameElement>(null)
  useLayoutEffect(() => {
    // Set directly, because React would convert trusted HTML back to text.
    if (ref.current) ref.current.srcdoc = framedMail(html, language)
  }, [html, language])
  return <iframe ref={ref} className={styles.frame} sandbox="" title={title} />
}
