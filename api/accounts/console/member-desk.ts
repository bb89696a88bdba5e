import { dropMemberErasure, openMemberErasure } from './ask-erasure.ts'
import { clearMailboxRefusal } from './clear-mailbox-refusal.ts'
import { endMemberSessions, setMemberActive, setMemberRights } from './change-account.ts'
import { exportConsoleMembers, listConsoleMembers } from './list-members.ts'
import { offerMemberExport, resendMemberActivation, sendMemberReset } from './mail-member.ts'
import { addMemberNote, removeMemberNote } from './member-notes.ts'
import { getConsoleMember } from './read-member.ts'
import { readMemberTimeline } from './read-timeline.ts'

/** What staff do with members in the console. */
export const memberDesk = {
  listConsoleMembers,
  exportConsoleMembers,
  getConsoleMember,
  readMemberTimeline,
  setMemberActive,
  setMemberRights,
  resendMemberActivation,
  sendMemberReset,
  endMemberSessions,
  clearMailboxRefusal,
  addMemberNote,
  removeMemberNote,
  offerMemberExport,
  openMemberErasure,
  dropMemberErasure,
}
