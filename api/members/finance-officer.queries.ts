import { sql } from 'kysely'
import type { Config } from '../config.ts'
import type { Tx } from '../db/database.ts'
import { hasFactor } from './member.queries.ts'

/** The members with `finance` 2 whose rights count. */
export const listFinanceOfficers = (
  db: Tx,
  { isStaffSecondFactorRequired }: Pick<Config, 'isStaffSecondFactorRequired'>,
) =>
  db
    .selectFrom('member')
    .select(['id', 'email', 'language'])
    .where('active', '=', true)
    // Written out, as the index has it.
    .where(sql<boolean>`manage_finance >= 2`)
    .where('password_length_ok_for_staff', '=', true)
    .$if(isStaffSecondFactorRequired, (query) => query.where(hasFactor))
    .execute()
