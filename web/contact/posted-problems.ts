import type { PostedContact } from '#contract/people/conversations.ts'

/** Why a form that was sent without JavaScript was refused, and what was typed. */
export type PostedProblems = Extract<PostedContact, { problems: object }>
