import type { SignedIn } from '#contract/people/sessions.ts'

/** Whether pages offer to publish, edit, and delete. The server checks every request again. */
export const canPublish = (member: Pick<SignedIn, 'isWriteAccessAdmin' | 'manageNews'> | null): boolean =>
  member !== null && (member.isWriteAccessAdmin || member.manageNews === 2)
