import { useLayoutEffect, useRef } from 'react'
import type { Language } from '#contract/platform/fields.ts'
import { htmlLanguage } from '../../kernel/i18n/language.ts'
import styleSheet from './mail-frame.css?url'
import styles from './mails.module.css'

type Policy = { createHTML: (html: string) => string }
type TrustedTypes = { createPolicy: (name: string, rules: Policy) => Policy }

let policy: Policy | undefined

/** Only for the frame, created on first use. The sandbox makes any HTML harmless there. */
function framePolicy(): Policy {
  const rules: Policy = { createHTML: (html) => html }
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  policy ??= trustedTypes ? trustedTypes.createPolicy('mail-frame', rules) : rules
  return policy
}

/**
 * Returns the document of a frame with an empty sandbox. Whatever the HTML contains, nothing runs, nothing is sent, and
 * only the style sheet is loaded.
 */
function framedMail(html: string, language: Language): string {
  const { href, origin } = new URL(styleSheet, location.origin)
  return framePolicy().createHTML(
    `<!doctype html><html lang="${htmlLanguage[language]}"><head><meta charset="utf-8">` +
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${origin}">` +
      `<link rel="stylesheet" href="${href}"></head><body>${html}</body></html>`,
  )
}

/** An email as its recipient sees it, in a frame where nothing can run or load. */
export function MailFrame({ html, language, title }: { html: string; language: Language; title: string }) {
  const ref = useRef<HTMLIFrameElement>(null)
  useLayoutEffect(() => {
    // Set directly, because React would convert trusted HTML back to text.
    if (ref.current) ref.current.srcdoc = framedMail(html, language)
  }, [html, language])
  return <iframe ref={ref} className={styles.frame} sandbox="" title={title} />
}
