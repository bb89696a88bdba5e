import { addApplicationNote, removeApplicationNote } from './application-notes.ts'
import { assignAmbassadorApplication } from './assign-application.ts'
import {
  acceptAmbassadorApplication,
  declineAmbassadorApplication,
  declineAmbassadorApplications,
  reviewAmbassadorApplication,
} from './decide-application.ts'
import { eraseAmbassadorApplication } from './erase-application.ts'
import { exportAmbassadorApplications } from './export-applications.ts'
import {
  getAmbassadorApplication,
  listAmbassadorApplications,
  listApplicationColleagues,
  listApplicationCountries,
  readApplicationBoard,
} from './read-applications.ts'

/** What staff do with applications in the console. */
export const applicationDesk = {
  listAmbassadorApplications,
  readApplicationBoard,
  listApplicationCountries,
  listApplicationColleagues,
  exportAmbassadorApplications,
  getAmbassadorApplication,
  reviewAmbassadorApplication,
  assignAmbassadorApplication,
  acceptAmbassadorApplication,
  declineAmbassadorApplication,
  declineAmbassadorApplications,
  eraseAmbassadorApplication,
  addApplicationNote,
  removeApplicationNote,
}
