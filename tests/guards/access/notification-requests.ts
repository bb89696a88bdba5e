import type { EndpointName } from '#contract/api.ts'
import { sendMail } from '#api/platform/mail/send-mail.ts'
import { signedIn, type Expectation } from './permissions.ts'
import type { Scene } from './requests.ts'

/** Members read and mark only their own. */
export const notificationExpectations = {
  listNotifications: { call: 'GET notifications', success: 200, may: signedIn },
  countUnreadNotifications: { call: 'GET notifications/unread', success: 200, may: signedIn },
  markNotificationsRead: {
    call: 'POST notifications/read',
    success: 200,
    may: ['owner'],
    otherwise: 'not_found',
  },
  markAllNotificationsRead: { call: 'POST notifications/read/all', success: 200, may: signedIn },
  readEmailChoices: { call: 'GET notifications/email', success: 200, may: signedIn },
  saveEmailChoice: { call: 'POST notifications/email', success: 200, may: signedIn },
} satisfies { [Name in EndpointName]?: Expectation }

async function aNotificationOf({ started: { services }, owner }: Scene): Promise<string> {
  const { db, keys } = services
  await sendMail(db, keys, { email: owner.email, language: 'en' }, 'second-factor-added', {
    resetLink: 'https://coin.example/login/reset',
  })
  const { id } = await db
    .selectFrom('member_notification')
    .select('id')
    .where('member_id', '=', owner.id)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return id
}

export const notificationRequests = {
  listNotifications: async () => ({ query: {} }),
  countUnreadNotifications: async () => ({}),
  markNotificationsRead: async (scene: Scene) => ({ body: { ids: [await aNotificationOf(scene)] } }),
  markAllNotificationsRead: async () => ({ body: { until: '2036-05-01T10:00:00.000Z' } }),
  readEmailChoices: async () => ({}),
  saveEmailChoice: async () => ({ body: { area: 'orders' as const, isOn: false } }),
}
