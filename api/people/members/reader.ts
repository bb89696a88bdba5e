import { levelOf } from '#contract/people/level-of.ts'
import type { Caller } from '../../platform/http/caller.ts'

/** A staff member with their levels in the areas that conversations and notes belong to. */
export type Reader = { id: string; finance: number; employee: number }

export const readerOf = ({ memberId: id, rights }: Pick<Caller, 'memberId' | 'rights'>): Reader => ({
  id,
  finance: levelOf(rights, 'finance'),
  employee: levelOf(rights, 'employee'),
})
