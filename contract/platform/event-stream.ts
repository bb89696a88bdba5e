/** The type of a response that stays open and sends events (WHATWG HTML, section 9.2). */
export const eventStreamType = 'text/event-stream'
