import type { SignedIn } from '#contract/sessions.ts'

/** Whether the pages offer to publish, edit and delete; the server checks each call again. */
export const canPublish = (member: Pick<SignedIn, 'isWriteAccessAdmin' | 'manageNews'> | null): boolean =>
  member !== null && (member.isWriteAccessAdmin || member.manageNews === 2)

/** Whether the pages offer the newsroom, which a lower access level may read. */
export const canReadNewsroom = (
  member: Pick<SignedIn, 'isWriteAccessAdmin' | 'manageNews'> | null,
): boolean => member !== null && (member.isWriteAccessAdmin || member.manageNews >= 1)
