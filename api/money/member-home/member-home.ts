import { collectHandlers, type Module } from '../../platform/module.ts'
import * as readMemberHome from './read-member-home.ts'

/** What members see first after they sign in: their next step, and what is in progress. It stores nothing. */
export const memberHome = {
  calls: collectHandlers(readMemberHome),
} satisfies Module
