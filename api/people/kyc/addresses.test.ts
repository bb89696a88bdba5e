import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import {
  anApplicant,
  anApplication,
  aPicture,
  aSale,
  aSignedInMember,
  saleSettings,
  type TestMember,
} from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { updateKycRow } from './kyc.queries.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const checked = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

const submit = async (by: TestMember, fields: object) =>
  call(
    api.createKyc,
    { body: { ...anApplicant(by.email), photoUrls: [await aPicture()], ...fields } },
    { token: by.token },
  )

test.each([checked, checked.toLowerCase(), checked.slice(2), `0x${checked.slice(2).toUpperCase()}`])(
  'stores an Ethereum address with its checksum, and finds it in any spelling: %s',
  async (given) => {
    const member = await aSignedInMember(started)
    const { body } = await submit(member, { ethAddress: given })
    expect(body.ethAddress).toBe(checked)
    const found = await call(api.findKyc, { body: { ETHadd: given } }, { token: member.token })
    expect(found.body.map(({ _id }) => _id)).toEqual([body._id])
  },
)

test.each([
  [{ ethAddress: '0x1' }, 'ethAddress', 'address_length'],
  [{ ethAddress: 'my wallet' }, 'ethAddress', 'address'],
  [{ ethAddress: checked.replace('d', 'D') }, 'ethAddress', 'address_checksum'],
  [{ ethAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }, 'ethAddress', 'address_wrong_chain'],
  [{ btcAddress: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx' }, 'btcAddress', 'address_test_network'],
  [{ btcAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5' }, 'btcAddress', 'address_checksum'],
])('a wrong address is refused by what is wrong with it: %j', async (fields, path, code) => {
  const { problem } = await submit(await aSignedInMember(started), fields)
  expect(problem.errors).toMatchObject([{ path, code }])
})

test('an address of ours is refused, in an application and in an answer', async () => {
  await aSale(started)
  const [bitcoin, ether] = saleSettings().payMethods
  const ours = { ethAddress: ether!.receivingAddress.toLowerCase() }
  const refused = await submit(await aSignedInMember(started), ours)
  expect(refused.problem.errors).toMatchObject([{ path: 'ethAddress', code: 'our_address' }])
  const member = await aSignedInMember(started)
  const { _id } = await anApplication(started, member, 'more_info')
  const body = { _id, btcAddress: bitcoin!.receivingAddress }
  const answered = await call(api.updateKyc, { body }, { token: member.token })
  expect(answered.problem.errors).toMatchObject([{ path: 'btcAddress', code: 'our_address' }])
})

test('an answer may keep an old address, but not add an invalid one', async () => {
  const member = await aSignedInMember(started)
  const { _id } = await anApplication(started, member, 'more_info')
  await updateKycRow(services.db, _id, {
    applicant: {
      fullName: 'A',
      lastName: '',
      country: '',
      dateOfBirth: '',
      email: member.email,
      ethAddress: '0xold',
      btcAddress: '',
    },
  })
  const answer = (body: object) => call(api.updateKyc, { body: { _id, ...body } }, { token: member.token })
  expect((await answer({ ethAddress: '0xnew' })).problem.errors).toMatchObject([
    { path: 'ethAddress', code: 'address' },
  ])
  expect((await answer({ ethAddress: '0xold', country: 'Norway' })).body).toMatchObject({
    ethAddress: '0xold',
    country: 'Norway',
  })
})
