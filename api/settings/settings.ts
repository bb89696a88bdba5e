import { collectHandlers, type Noun } from '../module.ts'
import * as readVersions from './read-versions.ts'

/** Every change of what operators set, as it was before and after. */
export const settings = {
  calls: collectHandlers(readVersions),
  personal: {
    columns: {
      setting_version: {
        by_member_id: 'remains',
        confirmed_by_member_id: 'remains',
        // The project's own: prices, addresses, names.
        before: 'remains',
        after: 'remains',
        changes: 'remains',
      },
    },
  },
} satisfies Noun
