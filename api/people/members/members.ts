import { eachPage } from '../../platform/db/each-page.ts'
import type { Module, Source } from '../../platform/module.ts'
import { deleteUnusedKinds } from './imported-member.queries.ts'
import { deleteWordsOfMember, emptyMemberRow, unassignMembersOf } from './member.queries.ts'
import { emptied } from './profile-columns.ts'
import {
  deleteClientsOfMember,
  deleteSignInsOfMember,
  deleteOldClients,
  deleteOldSignIns,
  listSignIns,
} from './sign-in.queries.ts'

const pageSize = 100

const erasedColumns = Object.fromEntries(Object.keys(emptied).map((column) => [column, 'erased'])) as Record<
  keyof typeof emptied,
  'erased'
>

/** The rows and rights of members. Members' own actions are in `accounts`. */
export const members = {
  personal: {
    columns: {
      member: { ...erasedColumns, email: 'erased', id: 'remains' },
      member_words: { grams: 'erased' },
      sign_in: { member_id: 'erased', device: 'erased' },
      member_client: { member_id: 'erased', client_hash: 'erased' },
    },
    parts: { signIns: { isList: true, read: readSignIns } },
    erases: { account: async () => true },
    erase: async (db, { id }) => {
      await deleteClientsOfMember(db, id)
      await deleteSignInsOfMember(db, id)
      await emptyMemberRow(db, id)
      await unassignMembersOf(db, id)
      await deleteWordsOfMember(db, id)
    },
  },
  cleanUp: {
    oldClients: ({ db }) => deleteOldClients(db),
    oldSignIns: ({ db }) => deleteOldSignIns(db),
    importedKinds: ({ db }) => deleteUnusedKinds(db),
  },
} satisfies Module

async function* readSignIns({ db, member }: Source) {
  const rows = eachPage((after) => listSignIns(db, member.id, { limit: pageSize, after }))
  for await (const { at, device, has_proved_factor } of rows)
    yield { at: at.toISOString(), device, withSecondFactor: has_proved_factor }
}
