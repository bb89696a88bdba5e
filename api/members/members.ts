import type { Noun } from '../noun.ts'
import { deleteClientsOfMember, emptyMemberRow, forgetOldClients } from './member.queries.ts'

/** Who the members are: their rows and rights. What they do with them belongs to accounts. */
export const members = {
  personal: {
    columns: {
      member: {
        email: 'erased',
        password_hash: 'erased',
        display_name: 'erased',
        first_name: 'erased',
        mid_name: 'erased',
        last_name: 'erased',
        home_phone: 'erased',
        work_phone: 'erased',
        mobile: 'erased',
        work_email: 'erased',
        invitation_code: 'erased',
        default_merchant_id: 'erased',
        id: 'remains',
      },
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
