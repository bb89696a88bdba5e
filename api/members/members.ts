import type { Noun } from '../noun.ts'
import { deleteClientsOfMember, emptied, emptyMemberRow, forgetOldClients } from './member.queries.ts'

const erasedColumns = Object.fromEntries(Object.keys(emptied).map((column) => [column, 'erased'])) as Record<
  keyof typeof emptied,
  'erased'
>

/** The rows and rights of members. What members do with their account belongs to `accounts`. */
export const members = {
  personal: {
    columns: {
      member: { ...erasedColumns, email: 'erased', id: 'remains' },
      member_client: { member_id: 'erased', client_hash: 'erased' },
    },
    erases: { account: async () => true },
    erase: async (db, { id }) => {
      await deleteClientsOfMember(db, id)
      await emptyMemberRow(db, id)
    },
  },
  cleanUp: { oldClients: ({ db }) => forgetOldClients(db) },
} satisfies Noun
