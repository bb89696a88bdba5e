/** What receivers of webhooks may rely on, for the document of the API. */
export const webhookPromise =
  'Sent at least once, to every endpoint that asks for it: take an event with an id that you have had as done. Events of one subject come in their order, as far as the endpoint takes them. Redirects are not followed, and an answer takes 15 seconds at most.'

export const webhookHeaders: readonly (readonly [name: string, about: string])[] = [
  ['webhook-id', 'The id of the event, the same on each repetition.'],
  [
    'webhook-timestamp',
    'When this attempt was made, in seconds since 1970. Refuse what is older than five minutes.',
  ],
  [
    'webhook-signature',
    'Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`, under the bytes that follow `whsec_` in base64. Several with a space between while a secret is replaced.',
  ],
]

export const webhookAnswers = {
  '2XX': { description: 'Taken.' },
  '410': { description: 'The endpoint is gone: nothing is sent to it any more.' },
  default: { description: 'Anything else, and none in time: sent again for three days, ever more rarely.' },
}
