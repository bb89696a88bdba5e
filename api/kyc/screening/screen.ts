import type { Screening } from '#contract/kyc-screening.ts'
import type { Services } from '../../services.ts'
import { threadOf, type Answered } from './screening-thread.ts'

export type Person = { name: string; born: string }
/** `listHash` tells one state of the lists from another. */
export type Found = Omit<Screening, 'hash'> & { listHash: string }
export type Comparing = Pick<Services, 'config' | 'log'>

const nothing = { lists: [], matches: [], isPartial: false, listHash: '' }
const told = new Map<string, string>()

/** What the lists say about a person, the likeliest first. It decides nothing: an officer reads it. */
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

/** Which state of the lists applicants are compared with now; undefined while it cannot be read. */
export async function readListHash(services: Comparing): Promise<string | undefined> {
  return services.config.screeningList ? (await ask(services, null))?.listHash : ''
}

/** What is wrong with the list is logged once; it names lines of the file and nobody in it. */
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
