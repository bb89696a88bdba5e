import { collectHandlers, type Noun } from '../module.ts'
import * as checkOfficial from './check-official.ts'
import * as entryHandlers from './entry-handlers.ts'
import * as findOwnOrder from './find-own-order.ts'
import * as listHandlers from './list-handlers.ts'
import * as officialList from './official-list.ts'

/** What belongs to the project, what is known as false, and what visitors ask about. */
export const official = {
  calls: collectHandlers(checkOfficial, entryHandlers, findOwnOrder, listHandlers, officialList),
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
