import type { MailKind } from './mail-kinds.ts'

/** Emails to thousands of readers. No one waits for one, so all other emails go first. */
export const newsKinds: readonly MailKind[] = ['news-post', 'news-digest']
