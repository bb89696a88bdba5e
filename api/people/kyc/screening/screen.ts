import type { Screening } from '#contract/people/kyc-screening.ts'
import type { Services } from '../../../platform/services.ts'
import { threadOf, type Answered } from './screening-thread.ts'

export type Person = { name: string; born: string }
/** `listHash` identifies a version of the lists. */
type Found = Omit<Screening, 'hash'> & { listHash: string }
export type Comparing = Pick<Services, 'config' | 'log'>

const nothing = { lists: [], matches: [], isPartial: false, listHash: '' }
const told = new Map<string, string>()

/** Searches the lists for a person, best matches first. It decides nothing: an officer reads the result. */
export async function screen(services: Comparing, person: Person): Promise<Found> {
  const { screeningList, screeningListAge } = services.config
  if (!screeningList) return { ...nothing, state: 'no_list' }
  const answered = await ask(services, person)
  if (!answered?.found) return { ...nothing, state: 'unreadable' }
  const { listHash, lists, found } = answered
  return {
    state: 'compared',
    listHash,
    lists: lists.map((list) => ({
      ...list,
      isOld: Date.parse(list.date) + screeningListAge < Date.now(),
    })),
    matches: found.matches.map((match) => ({ provider: 'list file', ...match })),
    isPartial: found.isPartial,
  }
}

/** Returns the hash of the current lists; undefined while they can't be read. */
export async function readListHash(services: Comparing): Promise<string | undefined> {
  return services.config.screeningList ? (await ask(services, null))?.listHash : ''
}

/** Logs a problem with the list once; it names lines of the file, but no people. */
async function ask({ config, log }: Comparing, person: Person | null): Promise<Answered | undefined> {
  const file = config.screeningList!
  try {
    const answered = await threadOf(file).ask(person)
    if (told.delete(file)) log.info('the screening list can be read again')
    return answered
  } catch (error) {
    const problem = error instanceof Error ? error.message : 'unknown'
    if (told.get(file) !== problem)
      log.error(
        { problem },
        'the SCREENING_LIST file cannot be read: no one is screened, and no one can be approved',
      )
    told.set(file, problem)
    return undefined
  }
}
