import { siteLanguages, type Language } from '#contract/languages.ts'
import type { Config } from '../config.ts'

/** How to verify a post with one’s own tools, as a text. */
export const verifyGuideLink = ({ publicUrl }: Config, language: Language): string =>
  new URL(`${siteLanguages[language].prefix}/verify-a-post.txt`, publicUrl).href

/** RFC 8058: mail programs send a form there. */
export const oneClickLink = ({ publicUrl }: Config, token: string): string =>
  new URL(`/newsletter/one-click/${encodeURIComponent(token)}`, publicUrl).href
