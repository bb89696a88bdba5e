import { collectHandlers, type Module } from '../../platform/module.ts'
import * as checkHandlers from './check-handlers.ts'
import * as entryHandlers from './entry-handlers.ts'
import * as officialList from './official-list.ts'

/** Official channels, impersonation entries, and the check for visitors. */
export const official = {
  calls: collectHandlers(checkHandlers, entryHandlers, officialList),
  personal: {
    columns: {
      // Statements of the project about addresses; the names of their authors are deleted with the members' rows.
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
} satisfies Module
