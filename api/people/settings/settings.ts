import { collectHandlers, type Module } from '../../platform/module.ts'
import * as readVersions from './read-versions.ts'

/** Versions of the settings, with the state before and after each change. */
export const settings = {
  calls: collectHandlers(readVersions),
  personal: {
    columns: {
      setting_version: {
        by_member_id: 'remains',
        confirmed_by_member_id: 'remains',
        // The project's own data: prices, addresses, names.
        before: 'remains',
        after: 'remains',
        changes: 'remains',
      },
    },
  },
} satisfies Module
