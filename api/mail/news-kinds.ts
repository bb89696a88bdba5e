import type { MailKind } from './render-mail.ts'

/** Mails to thousands. Nobody waits for one, so every other mail goes first. */
export const newsKinds: readonly MailKind[] = ['news-post', 'news-digest']
