import type { Screening } from '#contract/kyc-review.ts'
import type { Config } from '../../config.ts'
import { searchListFile } from './list-file.ts'

export type Person = { name: string; born: string }
/** `listHash` tells one state of the lists from another. */
export type Found = Omit<Screening, 'hash'> & { listHash: string }

const nothing = { lists: [], matches: [], cleared: 0, isCut: false }

/** What the lists say about a person, the likeliest first. It decides nothing: an officer reads it. */
export async function screen(config: Pick<Config, 'screeningList'>, person: Person): Promise<Found> {
  if (!config.screeningList) return { ...nothing, state: 'no_list', listHash: '' }
  try {
    return { ...(await searchListFile(config.screeningList, person)), state: 'compared' }
  } catch {
    return { ...nothing, state: 'unreadable', listHash: '' }
  }
}
