import { expect } from 'vitest'
import { addressOf } from '#contract/address.ts'
import { api } from '#contract/api.ts'
import { defaultAppId } from '#contract/apps.ts'
import { aPdf, asPdfUrl } from '#tests/a-pdf.ts'
import { aContentDesk } from '#tests/content-desk.ts'
import type { TestApi } from './start-api.ts'
import type { Product } from './start-product.ts'
import type { Opened } from './start-with-database.ts'

/** Calls over the network. */
const callsTo =
  ({ url }: Product): TestApi['call'] =>
  async (endpoint, input, { token = '' } = {}) => {
    const answer = await fetch(`${url}/v2/${addressOf(endpoint, input)}`, {
      method: endpoint.method,
      headers: { 'content-type': 'application/json', 'x-app-id': defaultAppId, 'x-access-token': token },
      ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
    })
    const body = await answer.json()
    return { status: answer.status, headers: {}, body, problem: body, cookies: {} }
  }

/** Publishes like the console, for a test about what follows. */
export async function publishWordAndManual(opened: Opened, manual: string): Promise<void> {
  const desk = await aContentDesk({ ...opened.api, call: callsTo(opened.product) })
  await desk.put('messages/home', { 'en.home.hero.title': 'To be exported', 'cn.home.hero.title': '待导出' })
  const piece = `documents/${manual}`
  const { version: basedOn } = await desk.read(piece)
  const { status } = await desk.call(api.uploadContentDocument, {
    body: {
      base: manual,
      language: 'en',
      title: 'To be exported',
      version: '9.5',
      basedOn,
      pdf: asPdfUrl(aPdf({ pages: 2, mark: 'to be exported' })),
    },
  })
  expect(status).toBe(201)
  expect((await desk.publish([piece])).status).toBe(200)
}
