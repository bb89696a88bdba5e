import type { Noun } from '../noun.ts'
import { checkOfficial } from './check-official.ts'
import {
  addFalseEntry,
  addOfficialEntry,
  changeFalseEntry,
  changeOfficialEntry,
  withdrawFalseEntry,
  withdrawOfficialEntry,
} from './entry-handlers.ts'
import { findOwnOrderByAddress } from './find-own-order.ts'
import { exportKnownEntries, listKnownEntries, listOfficialSources } from './list-handlers.ts'
import { readOfficialList } from './official-list.ts'

/** What belongs to the project, what is known as false, and what visitors ask about. */
export const official = {
  calls: {
    checkOfficial,
    findOwnOrderByAddress,
    readOfficialList,
    listKnownEntries,
    exportKnownEntries,
    listOfficialSources,
    addFalseEntry,
    changeFalseEntry,
    withdrawFalseEntry,
    addOfficialEntry,
    changeOfficialEntry,
    withdrawOfficialEntry,
  },
  personal: {
    columns: {
      // What the project says of addresses; the names of those who said it go with the members' rows.
      known_entry: {
        added_by: 'remains',
        withdrawn_by: 'remains',
        value: 'remains',
        key: 'remains',
        note: 'remains',
        evidence: 'remains',
      },
    },
  },
} satisfies Noun
