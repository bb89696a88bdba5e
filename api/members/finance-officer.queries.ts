import { sql } from 'kysely'
import type { Config } from '../config.ts'
import type { Tx } from '../db/database.ts'

/** The members with `finance` 2 whose rights count. */
export const listFinanceOfficers = (
  db: Tx,
  { isStaffSecondFactorRequired }: Pick<Config, 'isStaffSecondFactorRequired'>,
) =>
  db
    .selectFrom('member')
    .select(['id', 'email', 'language'])
    .where('active', '=', true)
    .where('manage_finance', '>=', 2)
    .where('password_length_ok_for_staff', '=', true)
    .$if(isStaffSecondFactorRequired, (query) =>
      query.where(
        sql<boolean>`(exists (select from totp where totp.member_id = member.id and totp.confirmed_at is not null)
          or exists (select from passkey where passkey.member_id = member.id))`,
      ),
    )
    .execute()
