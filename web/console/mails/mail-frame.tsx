import { useLayoutEffect, useRef } from 'react'
import type { Language } from '#contract/fields.ts'
import { framedMail } from './framed-mail.ts'
import styles from './mails.module.css'

/** A mail as its reader sees it, where nothing of it can run or load. */
export function MailFrame({ html, language, title }: { html: string; language: Language; title: string }) {
  const ref = useRef<HTMLIFrameElement>(null)
  useLayoutEffect(() => {
    // By hand: React would turn what Trusted Types accept back into text.
    if (ref.current) ref.current.srcdoc = framedMail(html, language)
  }, [html, language])
  return <iframe ref={ref} className={styles.frame} sandbox="" title={title} />
}
