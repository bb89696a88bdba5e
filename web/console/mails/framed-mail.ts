import type { Language } from '#contract/fields.ts'
import { htmlLanguage } from '../../i18n/language.ts'
import styleSheet from './mail-frame.css?url'

type Policy = { createHTML: (html: string) => string }
type TrustedTypes = { createPolicy: (name: string, rules: Policy) => Policy }

let policy: Policy | undefined

/** For the frame only, created on first use: the sandbox makes any HTML harmless there. */
function framePolicy(): Policy {
  const rules: Policy = { createHTML: (html) => html }
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  policy ??= trustedTypes ? trustedTypes.createPolicy('mail-frame', rules) : rules
  return policy
}

/**
 * The document of a frame with an empty sandbox: whatever the HTML contains, nothing runs, nothing is sent, and
 * nothing is loaded except the style sheet.
 */
export function framedMail(html: string, language: Language): string {
  const { href, origin } = new URL(styleSheet, location.origin)
  return framePolicy().createHTML(
    `<!doctype html><html lang="${htmlLanguage[language]}"><head><meta charset="utf-8">` +
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${origin}">` +
      `<link rel="stylesheet" href="${href}"></head><body>${html}</body></html>`,
  )
}
