import type { Tx } from '../../platform/db/database.ts'

/** Lists administrators, and members who may read or change the sale settings, with active rights. */
export const listSaleWatchers = (db: Tx) =>
  db
    .selectFrom('member')
    .select(['id', 'email', 'language', 'manage_coins'])
    .where('active', '=', true)
    .where('password_length_ok_for_staff', '=', true)
    .where((where) => where.or([where('is_write_access_admin', '=', true), where('manage_coins', '>=', 2)]))
    .orderBy('id')
    .execute()
