import { anyone, employee1, employee2, signedIn, type Expectation } from './permissions.ts'

/** Ambassadors and their applications, on the site and in the console. */
export const ambassadorExpectations = {
  listAmbassadors: { call: 'GET ambassadors', success: 200, may: anyone },
  getAmbassador: { call: 'GET ambassadors/:slug', success: 200, may: anyone },
  getOwnAmbassador: { call: 'GET members/ambassador', success: 200, may: signedIn },
  joinAsAmbassador: { call: 'POST members/ambassador/join', success: 200, may: signedIn },
  saveAmbassadorProfile: { call: 'POST members/ambassador/profile', success: 200, may: signedIn },
  getAmbassadorResults: { call: 'GET members/ambassador/results', success: 200, may: signedIn },
  listConsoleAmbassadors: { call: 'GET admin/ambassadors/profiles', success: 200, may: employee1 },
  getConsoleAmbassador: { call: 'GET admin/ambassadors/profiles/:id', success: 200, may: employee1 },
  approveAmbassadorProfile: {
    call: 'POST admin/ambassadors/profiles/:id/approve',
    success: 200,
    may: employee2,
  },
  returnAmbassadorProfile: {
    call: 'POST admin/ambassadors/profiles/:id/return',
    success: 200,
    may: employee2,
  },
  setAmbassadorOrder: { call: 'POST admin/ambassadors/profiles/:id/place', success: 200, may: employee2 },
  setAmbassadorStatus: {
    call: 'POST admin/ambassadors/profiles/:id/standing',
    success: 200,
    may: employee2,
  },
  applyAsAmbassador: { call: 'POST forms/AddAmbassador', success: 201, may: anyone },
  // Anyone who has the emailed code can call it.
  readAmbassadorStatus: { call: 'POST forms/AmbassadorStatus', success: 200, may: anyone },
  listAmbassadorApplications: { call: 'GET admin/ambassador-applications', success: 200, may: employee1 },
  readApplicationBoard: { call: 'GET admin/ambassador-applications/board', success: 200, may: employee1 },
  listApplicationCountries: {
    call: 'GET admin/ambassador-applications/countries',
    success: 200,
    may: employee1,
  },
  listApplicationColleagues: {
    call: 'GET admin/ambassador-applications/colleagues',
    success: 200,
    may: employee1,
  },
  exportAmbassadorApplications: {
    call: 'GET admin/ambassador-applications/csv',
    success: 200,
    may: employee1,
  },
  getAmbassadorApplication: { call: 'GET admin/ambassador-applications/:id', success: 200, may: employee1 },
  reviewAmbassadorApplication: {
    call: 'POST admin/ambassador-applications/:id/review',
    success: 200,
    may: employee2,
  },
  assignAmbassadorApplication: {
    call: 'POST admin/ambassador-applications/:id/assign',
    success: 200,
    may: employee2,
  },
  acceptAmbassadorApplication: {
    call: 'POST admin/ambassador-applications/:id/accept',
    success: 200,
    may: employee2,
  },
  declineAmbassadorApplication: {
    call: 'POST admin/ambassador-applications/:id/decline',
    success: 200,
    may: employee2,
  },
  declineAmbassadorApplications: {
    call: 'POST admin/ambassador-applications/bulk/decline',
    success: 200,
    may: employee2,
  },
  assignAmbassadorApplications: {
    call: 'POST admin/ambassador-applications/bulk/assign',
    success: 200,
    may: employee2,
  },
  eraseAmbassadorApplication: {
    call: 'DELETE admin/ambassador-applications/:id',
    success: 200,
    may: employee2,
  },
  listApplicationReaders: {
    call: 'GET admin/ambassador-applications/:id/readers',
    success: 200,
    may: employee2,
  },
  addApplicationNote: { call: 'POST admin/ambassador-applications/:id/notes', success: 200, may: employee2 },
  removeApplicationNote: {
    call: 'DELETE admin/ambassador-applications/:id/notes/:noteId',
    success: 200,
    may: employee2,
  },
} satisfies Record<string, Expectation>
