import { anyone, employee1, employee2, news1, news2, signedIn, type Expectation } from './permissions.ts'

/**
 * The newsletter: anyone can subscribe, editors can see the email for a post, and those who can see members can see
 * subscribers.
 */
export const newsletterExpectations = {
  subscribeToNews: { call: 'POST newsletter/subscribe', success: 202, may: anyone },
  confirmSubscription: { call: 'POST newsletter/confirm', success: 200, may: anyone },
  openSubscription: { call: 'POST newsletter/open', success: 200, may: anyone },
  changeSubscription: { call: 'POST newsletter/change', success: 200, may: anyone },
  unsubscribeFromNews: { call: 'POST newsletter/leave', success: 200, may: anyone },
  readDigestTime: { call: 'GET newsletter/digest', success: 200, may: anyone },
  readOwnSubscription: { call: 'GET members/newsletter', success: 200, may: signedIn },
  saveOwnSubscription: { call: 'POST members/newsletter', success: 200, may: signedIn },
  endOwnSubscription: { call: 'POST members/newsletter/leave', success: 200, may: signedIn },
  readPostMail: { call: 'GET admin/news/posts/:id/mail', success: 200, may: news1 },
  testPostMail: { call: 'POST admin/news/posts/:id/mail/test', success: 200, may: news2 },
  listSubscribers: { call: 'GET admin/newsletter/subscribers', success: 200, may: employee1 },
  exportSubscribers: { call: 'GET admin/newsletter/subscribers/csv', success: 200, may: employee1 },
  removeSubscriber: { call: 'POST admin/newsletter/subscribers/remove', success: 200, may: employee2 },
} satisfies Record<string, Expectation>
